/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_RUBY_BPF_H
#define PK_RECORD_BPF_RUBY_BPF_H

/*
 * Frames of Ruby. The thread-local variable ruby_current_ec points to the execution context of the
 * current thread, or of the current fiber. The control frames are an array at the end of the
 * context's stack. The innermost frame is the first one. The frames of C functions have no
 * instruction. They are left out, because the native stack contains these functions.
 */

#include "interpreted_walk.h"

/* The start of struct rb_execution_context_struct. */
struct ruby_context {
	uint64_t stack, stack_size; /* `stack_size` is a number of words */
	uint64_t frame;		    /* the innermost control frame */
};

/* Offsets of members in a control frame (struct rb_control_frame_struct): the next instruction, the
 * instruction sequence, and the environment. The first word of the environment has flags. */
#define RUBY_INSTRUCTION 0
#define RUBY_SEQUENCE	 16
#define RUBY_ENVIRONMENT 32

/* The flags of a frame: it is the first one of an evaluation (VM_FRAME_FLAG_FINISH). The upper bits
 * are the type of the frame. The outermost frame of the first thread has the type
 * VM_FRAME_MAGIC_DUMMY, and belongs to no evaluation. */
#define RUBY_FINISH	 0x20
#define RUBY_TYPE(flags) ((flags) >> 16 & 0x7fff)
#define RUBY_DUMMY	 0x7999

#define RUBY_WORDS_MAX	(UINT64_C(1) << 24) /* limit for the size of a stack, in words */
#define RUBY_FRAMES_MAX INTERPRETED_READS_MAX

/* Returns the address of the execution context of the current thread, or 0 if it has none. In
 * glibc, the second word at the thread pointer is the address of a table that has an item of two
 * words for each file with thread-local variables. The first word of an item is the address of the
 * variables. */
static uint64_t ruby_context(const struct interpreted_walk *p)
{
	const uint64_t thread = thread_pointer();
	uint64_t variable[2] = {0};

	if (p->found.places.thread_offset)
		return user_pointer(thread + p->found.places.thread_offset);
	if (!thread ||
	    bpf_probe_read_user(variable, sizeof(variable), (const void *)p->found.places.state))
		return 0;
	return user_pointer(user_pointer(user_pointer(thread + 8) + 16 * variable[0]) +
			    variable[1]);
}

/* A callback of bpf_loop(): reads one control frame. Returns 1 after the last frame. */
static long ruby_frame(uint32_t index, struct interpreted_walk **walk)
{
	struct interpreted_walk *p = *walk;
	const uint64_t frame = p->frame, last = frame + INTERPRETED_WINDOW;
	const uint32_t size = p->offsets.ruby.frame_size;
	uint64_t instruction, flags;

	(void)index;
	if (frame >= p->stack_end)
		return 1;
	if (!in_window(p, frame, size) &&
	    fill_window(p, frame, last < p->stack_end ? last : p->stack_end, frame)) {
		p->found.torn = 1;
		return 1;
	}
	p->frame = frame + size;
	instruction = frame_u64(p, RUBY_INSTRUCTION);
	if (!instruction)
		return 0;
	flags = user_pointer(frame_u64(p, RUBY_ENVIRONMENT));
	if (RUBY_TYPE(flags) == RUBY_DUMMY)
		return 0;
	if (add_word(p, frame_u64(p, RUBY_SEQUENCE), instruction >> 3))
		return 1;
	return flags & RUBY_FINISH ? end_group(&p->found, 0) : 0;
}

/* Reads the frames of the current thread. */
static void ruby_read(struct interpreted_walk *p)
{
	const uint64_t at = ruby_context(p);
	struct ruby_context context;

	p->when = bpf_ktime_get_ns();
	if (!at || bpf_probe_read_user(&context, sizeof(context), (const void *)at) ||
	    !context.frame)
		return;
	p->stack_end = context.stack + 8 * context.stack_size;
	p->frame = context.frame;
	if (context.stack_size > RUBY_WORDS_MAX || context.frame < context.stack)
		p->found.torn = 1;
	else if (bpf_loop(RUBY_FRAMES_MAX, ruby_frame, &p, 0) == RUBY_FRAMES_MAX)
		p->found.torn = 1;
}

#endif
