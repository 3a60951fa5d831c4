/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_WINDOW_H
#define PK_RECORD_BPF_UNWIND_WINDOW_H

/* A copy of the part of a stack that is being unwound. To read 1 KB of the memory of a thread takes
 * 1.2 times as long as to read 8 bytes, so most frames need no read of their own. */

#include <stdint.h>

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define UNWIND_WINDOW 1024u /* bytes, a power of two */
#define UNWIND_WINDOW_BEFORE                                                                       \
	64u		       /* that are before the address which was needed first: places of    \
				* other registers, which the same frame has saved */
#define UNWIND_WINDOW_WORDS 2u /* that can be read at once */

struct unwind_window {
	uint64_t start;
	uint64_t limit; /* places from start on where words can be read; 0: nothing is there */
	uint8_t bytes[UNWIND_WINDOW + 8 * UNWIND_WINDOW_WORDS];
};

/* Moves the window to an address. Returns where the address is in its bytes. If other memory around
 * it is not there, the window has these words only, for one read. Returns a negative number if they
 * are not there. */
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

/* Reads words of the memory of the thread. The result is not 0 if they are not there. */
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
