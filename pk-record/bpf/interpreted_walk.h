/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETED_WALK_H
#define PK_RECORD_BPF_INTERPRETED_WALK_H

/*
 * The state of reading the frames of an interpreter. The BPF programs use these functions for the
 * thread that runs, and pk-record uses them for a thread that it has stopped. Before this header,
 * define bpf_probe_read_user(), bpf_loop() and bpf_ktime_get_ns() as in BPF programs, and
 * thread_pointer(), which returns the thread pointer of the thread. In glibc and musl,
 * pthread_self() returns the same value.
 */

#include "interpreted_shapes.h"

#define INTERPRETED_READS_MAX 2048u /* maximum number of frames that are read */
#define INTERPRETED_WINDOW    1024u /* size of `raw` in bytes; must be a power of two */
#define PYTHON_OWN_MAX	      4u    /* maximum number of thread states of one thread */

/* The state of reading frames of CPython. */
struct python_walk {
	uint64_t thread_id;	      /* what pthread_self() returns in the current thread */
	uint64_t interpreter, next;   /* the interpreter and the next thread state in the search for
				       * the current thread */
	uint64_t own[PYTHON_OWN_MAX]; /* addresses of the thread states of the current thread */
	/* `own_count` is the number of items in `own`. If `all` is not 0, there are several
	 * interpreters, so the search continues after the first thread state. */
	uint32_t own_count, all;
	uint64_t evaluation; /* address of the next evaluation to read */
	uint64_t root;	/* address of the structure in the thread state (python_offsets.root) */
	uint32_t first; /* index of the first group of the current thread state */
};

/* The frames of an interpreter in the stack that is being unwound, and the state of reading them.
 * Each CPU has its own. */
struct interpreted_walk {
	uint32_t object; /* number that identifies the interpreter's file; 0 if no address was in
			  * such a file */
	uint32_t layout; /* number of the interpreter's layout, plus 1; 0 if there is no
			    interpreter, or if its frames were already read */
	struct interpreter_offsets offsets;
	uint64_t frame;	    /* address of the next frame to read */
	uint64_t stack_end; /* only for Ruby: the end of the frames */
	struct python_walk python;
	uint64_t stamp_at, stamp, when; /* `stamp_at` is the address of the stamp; `stamp` and
					 * `when` are as in struct unwind_half */
	struct interpreted_groups found;
	/* A copy of the memory around the current frame. Frames are near each other in memory, so
	 * most frames are in the part of memory that was copied for a previous frame. */
	uint64_t window; /* address of the memory that was copied to `raw` */
	uint32_t window_size,
		in_window; /* in bytes; `in_window` is the offset of the current frame in `raw` */
	uint8_t raw[INTERPRETED_WINDOW];
};

/* Reads a pointer of the program. Returns 0 if the memory cannot be read. */
static uint64_t user_pointer(uint64_t at)
{
	uint64_t value = 0;

	return bpf_probe_read_user(&value, sizeof(value), (const void *)at) ? 0 : value;
}

/* ---- The memory around a frame ---- */

static uint64_t frame_u64(const struct interpreted_walk *p, uint32_t offset)
{
	return *(const uint64_t *)(p->raw + ((p->in_window + offset) & (INTERPRETED_WINDOW - 8)));
}

static uint8_t frame_byte(const struct interpreted_walk *p, uint32_t offset)
{
	return p->raw[(p->in_window + offset) & (INTERPRETED_WINDOW - 1)];
}

/* Returns true if the `size` bytes of a frame are in the window. The frame then becomes the current
 * frame. */
static int in_window(struct interpreted_walk *p, uint64_t frame, uint32_t size)
{
	const uint64_t at = frame - p->window;

	if (p->window_size < size || at > p->window_size - size)
		return 0;
	p->in_window = (uint32_t)at;
	return 1;
}

/* Copies the memory from `start` to `end` to the window, and makes a frame in it the current frame.
 * Returns 0, or another number if the memory cannot be read. */
static long fill_window(struct interpreted_walk *p, uint64_t start, uint64_t end, uint64_t frame)
{
	const uint64_t size = end - start;

	if (size > INTERPRETED_WINDOW || frame % 8)
		return 1;
	p->window = start;
	p->window_size = (uint32_t)size;
	p->in_window = (uint32_t)(frame - start);
	return bpf_probe_read_user(p->raw, (uint32_t)size, (const void *)start);
}

/* Makes a frame of `size` bytes the current one. If it is not in the window yet, copies the frame,
 * and the memory before it as far as it is in the same page. Usually the frame of the caller is
 * there. It is not if the frames are not on one stack, as those of generators. Returns 0, or
 * another number if the frame cannot be read. */
static long read_frame(struct interpreted_walk *p, uint64_t frame, uint32_t size)
{
	const uint64_t end = frame + size, page = frame & ~UINT64_C(4095);

	if (in_window(p, frame, size))
		return 0;
	return fill_window(p, end - INTERPRETED_WINDOW < page ? page : end - INTERPRETED_WINDOW,
			   end, frame);
}

/* ---- Words and groups ---- */

/* Adds the word of a frame. `object` is the address of the object that describes the function.
 * Returns 1 if there cannot be such an object. If there is no room for the word, leaves it out,
 * because the other groups must still be found. */
static long add_word(struct interpreted_walk *p, uint64_t object, uint64_t index)
{
	uint32_t count = p->found.count;

	if (count >= INTERPRETED_FRAMES_MAX)
		return 0;
	if (!object || object >= INTERPRETED_OBJECT_MAX || object % 8) {
		p->found.torn = 1;
		return 1;
	}
	/* The verifier of Linux 6.1 does not know any more that `count` is less than the limit. The
	 * "&" of the next line tells it. Without this asm statement, the compiler would remove the
	 * "&". */
	__asm__ volatile("" : "+r"(count));
	p->found.words[count & (INTERPRETED_FRAMES_MAX - 1)] =
		INTERPRETED_WORD | object >> 3 << INTERPRETED_INDEX_BITS |
		(index & INTERPRETED_INDEX_MASK);
	p->found.count = count + 1;
	return 0;
}

#endif
