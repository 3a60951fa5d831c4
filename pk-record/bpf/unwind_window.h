/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_WINDOW_H
#define PK_RECORD_BPF_UNWIND_WINDOW_H

/* A copy of the part of a stack that is being unwound. Most frames need no read of their own,
 * because they are in the part that was copied for a previous frame. Reading 1 KB of the memory of
 * a thread takes only 1.2 times as long as reading 8 bytes. */

#include <stdint.h>

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define UNWIND_WINDOW 1024u /* size of the copy in bytes; must be a power of two */
/* Number of bytes of the copy that are before the requested address. They can contain other saved
 * registers of the frame. */
#define UNWIND_WINDOW_BEFORE 64u
#define UNWIND_WINDOW_WORDS  2u /* maximum number of words (of 8 bytes) in one read */

/* A copy of some memory of the current thread. */
struct unwind_window {
	uint64_t start;
	uint64_t limit; /* reads can start at addresses from `start` to `start` + `limit` - 1; 0 if
			 * nothing is copied */
	uint8_t bytes[UNWIND_WINDOW + 8 * UNWIND_WINDOW_WORDS];
};

/* Copies the memory around an address to the window. Returns the offset of the address in
 * window->bytes. If this memory cannot be read completely, copies only the requested words. They
 * are then valid only for the current read. Returns a negative number if the words cannot be read.
 */
__attribute__((noinline)) int pk_unwind_move(struct unwind_window *window, uint64_t address,
					     uint32_t words)
{
	const uint64_t start = address - UNWIND_WINDOW_BEFORE;

	if (!window || words > UNWIND_WINDOW_WORDS)
		return -1;
	window->limit = 0;
	if (bpf_probe_read_user(window->bytes, sizeof(window->bytes), (const void *)start))
		return bpf_probe_read_user(window->bytes, 8 * words, (const void *)address) ? -1
											    : 0;
	window->start = start;
	window->limit = UNWIND_WINDOW;
	return UNWIND_WINDOW_BEFORE;
}

/* Reads words of 8 bytes from the memory of the thread. Returns 0, or another number if the words
 * cannot be read. */
static inline int unwind_window_read(struct unwind_window *window, uint64_t address, uint64_t *to,
				     uint32_t words)
{
	uint64_t at = address - window->start;
	int moved;

	if (at >= window->limit) {
		moved = pk_unwind_move(window, address, words);
		if (moved < 0)
			return -1;
		at = (uint32_t)moved;
	}
	at &= UNWIND_WINDOW - 1;
	for (uint32_t i = 0; i < words; i++)
		to[i] = *(const uint64_t *)(window->bytes + at + 8 * i);
	return 0;
}

#endif
