/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PHP_BPF_H
#define PK_RECORD_BPF_PHP_BPF_H

/*
 * Frames of PHP (zend_execute_data). A global variable points to the innermost frame. Each frame
 * points to the frame of its caller. Functions that are written in C have frames, too. They are
 * left out, because the native stack contains these functions. The offsets are those of PHP 8.
 */

#include "interpreted_walk.h"

/* Offsets of members in a frame: the current instruction, the function, the flags of the call, and
 * the frame of the caller. */
#define PHP_INSTRUCTION 0
#define PHP_FUNCTION	24
#define PHP_FLAGS	40
#define PHP_CALLER	48
#define PHP_FRAME_SIZE	56

#define PHP_TOP                                                                                    \
	(UINT64_C(1) << 17) /* flag: the frame is the first one of an evaluation (ZEND_CALL_TOP)   \
			     */

/* The start of a function (zend_function). */
struct php_function {
	uint8_t type, others[7];
	uint64_t name; /* 0 in files, and in the function at which a fiber starts */
};

#define PHP_INTERNAL 1 /* `type` of functions that are written in C */

/* A callback of bpf_loop(): reads one frame. Returns 1 after the last frame. */
static long php_frame(uint32_t index, struct interpreted_walk **walk)
{
	struct interpreted_walk *p = *walk;
	struct php_function function = {0};
	uint64_t at;

	(void)index;
	if (!p->frame)
		return 1;
	p->found.torn = read_frame(p, p->frame, PHP_FRAME_SIZE) != 0;
	at = frame_u64(p, PHP_FUNCTION);
	p->frame = frame_u64(p, PHP_CALLER);
	if (!p->found.torn && at)
		p->found.torn =
			bpf_probe_read_user(&function, sizeof(function), (const void *)at) != 0;
	if (p->found.torn)
		return 1;
	/* A frame without a function is only a link between others. The frames after the start of a
	 * fiber belong to another native stack. */
	if (!at || function.type == PHP_INTERNAL)
		return at && !function.name;
	if (add_word(p, at, frame_u64(p, PHP_INSTRUCTION) >> 5))
		return 1;
	return frame_u64(p, PHP_FLAGS) & PHP_TOP ? end_group(&p->found, 0) : 0;
}

static void php_read(struct interpreted_walk *p)
{
	p->when = bpf_ktime_get_ns();
	p->frame = user_pointer(p->found.places.state);
	if (bpf_loop(INTERPRETED_READS_MAX, php_frame, &p, 0) == INTERPRETED_READS_MAX)
		p->found.torn = 1;
}

#endif
