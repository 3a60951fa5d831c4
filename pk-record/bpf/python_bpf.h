/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PYTHON_BPF_H
#define PK_RECORD_BPF_PYTHON_BPF_H

/*
 * Frames of CPython. In CPython 3.11 and 3.12, the structure in the native frame of an evaluation
 * is a _PyCFrame. In later versions, it is a frame that is only a mark (a shim).
 *
 * In CPython 3.9 and 3.10, each evaluation runs one frame. In 3.10, its native frame contains a
 * structure (CFrame), which does not point to the frame. In 3.9, there is no such structure, and an
 * evaluation is found by the address of the function.
 */

#include "interpreted_walk.h"

#define PYTHON_THREADS_MAX 512u

/* ---- The thread states of the current thread ---- */

static int is_own(struct interpreted_walk *p, uint64_t thread)
{
	return thread && user_pointer(thread + p->offsets.python.thread_id) == p->python.thread_id;
}

static void add_own(struct interpreted_walk *p, uint64_t thread)
{
	const uint32_t count = p->python.own_count;

	if (count < PYTHON_OWN_MAX) {
		p->python.own[count] = thread;
		p->python.own_count = count + 1;
	}
}

/* A callback of bpf_loop(): checks one thread state of the interpreters. Returns 1 if the search
 * has ended. */
static long next_thread(uint32_t index, struct interpreted_walk **walk)
{
	struct interpreted_walk *p = *walk;

	(void)index;
	if (!p->python.next) {
		p->python.interpreter =
			user_pointer(p->python.interpreter + p->offsets.python.interpreter_next);
		if (!p->python.interpreter)
			return 1;
		p->python.next = user_pointer(p->python.interpreter + p->offsets.python.threads);
		return 0;
	}
	if (is_own(p, p->python.next)) {
		add_own(p, p->python.next);
		if (!p->python.all)
			return 1;
	}
	p->python.next = user_pointer(p->python.next + p->offsets.python.thread_next);
	return 0;
}

/* Finds the thread states of the current thread. The state in the newest interpreter comes first,
 * because the code in the older interpreters has called the code in the newest one. */
static void find_thread(struct interpreted_walk *p)
{
	const uint64_t runtime = p->found.places.state;
	uint64_t holder = 0;

	p->python.own_count = 0;
	p->python.interpreter = user_pointer(runtime + p->offsets.python.interpreters);
	if (!p->python.interpreter || !p->python.thread_id)
		return;
	p->python.all =
		user_pointer(p->python.interpreter + p->offsets.python.interpreter_next) != 0;
	if (!p->python.all && p->offsets.python.stamp)
		p->stamp_at = p->python.interpreter + p->offsets.python.stamp;
	if (p->offsets.python.holder)
		holder = user_pointer(runtime + p->offsets.python.holder);
	else if (p->offsets.python.lock)
		holder = user_pointer(user_pointer(p->python.interpreter + p->offsets.python.lock) +
				      p->offsets.python.lock_holder);
	if (!p->python.all && is_own(p, holder)) {
		add_own(p, holder);
		return;
	}
	p->python.next = user_pointer(p->python.interpreter + p->offsets.python.threads);
	bpf_loop(PYTHON_THREADS_MAX, next_thread, &p, 0);
}

/* ---- Frames ---- */

/* Returns the index in `words` of the first frame of the current thread state. */
static uint32_t start_of(const struct interpreted_walk *p)
{
	return after_groups(&p->found, p->python.first);
}

/* Ends an evaluation whose structure points to its innermost frame (CPython 3.11 and 3.12).
 * `previous` is the caller of the first frame of this evaluation. `previous` must be the innermost
 * frame of the next evaluation. An evaluation that has just started has linked its structure, but
 * the structure does not point to a frame yet. If the innermost evaluation is in this state, its
 * frames are dropped. */
static long end_evaluation(struct interpreted_walk *p, uint64_t previous)
{
	const uint64_t evaluation = p->python.evaluation;
	long ends = 0;

	p->python.evaluation = user_pointer(evaluation + p->offsets.python.evaluation_previous);
	p->frame = p->python.evaluation
			   ? user_pointer(p->python.evaluation + p->offsets.python.evaluation_frame)
			   : 0;
	if (p->frame == previous)
		ends = end_group(&p->found, evaluation);
	else if (p->found.groups != p->python.first)
		p->found.torn = 1;
	else
		p->found.count = start_of(p);
	return ends || p->found.torn;
}

/* Adds the word of the current frame. Returns 1 if the memory does not look like a frame. */
static long add_frame(struct interpreted_walk *p)
{
	const uint64_t code = frame_u64(p, p->offsets.python.code) & ~UINT64_C(3);
	uint64_t index = frame_u64(p, p->offsets.python.instruction);

	if (p->offsets.python.instructions)
		index = (index - code - p->offsets.python.instructions) >> 1;
	else
		index = (uint32_t)index;
	return add_word(p, code, index < INTERPRETED_INDEX_NONE ? index : INTERPRETED_INDEX_NONE);
}

/* Ends an evaluation that runs one frame. `previous` is the frame of its caller. The number of
 * frames and the number of evaluations differ for a moment when an evaluation starts and when it
 * ends. */
static long end_single(struct interpreted_walk *p, uint64_t previous)
{
	const uint64_t evaluation = p->python.evaluation;

	p->frame = previous;
	if (p->offsets.python.evaluation) {
		p->python.evaluation =
			user_pointer(evaluation + p->offsets.python.evaluation_previous);
		p->found.torn = evaluation == p->python.root ||
				(!previous && p->python.evaluation != p->python.root);
	}
	if (!p->found.torn)
		p->found.torn = (uint32_t)end_group(&p->found, evaluation);
	return p->found.torn;
}

/* A callback of bpf_loop(): reads one frame. Returns 1 after the last frame. */
static long python_frame(uint32_t index, struct interpreted_walk **walk)
{
	struct interpreted_walk *p = *walk;
	const uint64_t frame = p->frame;
	uint64_t previous;
	int ends;

	(void)index;
	if (!frame)
		return 1;
	if (read_frame(p, frame, p->offsets.python.frame_size)) {
		p->found.torn = 1;
		return 1;
	}
	previous = frame_u64(p, p->offsets.python.previous);
	if (p->offsets.python.single)
		return add_frame(p) || end_single(p, previous);
	if (p->offsets.python.is_entry) {
		if (add_frame(p))
			return 1;
		ends = frame_byte(p, p->offsets.python.is_entry) == 1;
	} else {
		ends = frame_byte(p, p->offsets.python.owner) >= PYTHON_OWNER_SHIM;
		if (!ends && add_frame(p))
			return 1;
	}
	if (ends && p->offsets.python.evaluation)
		return end_evaluation(p, previous);
	p->frame = previous;
	if (ends && !previous && p->found.count == after_groups(&p->found, p->found.groups))
		return 1; /* the mark after the outermost frame, which is in the thread state and
			   * not in a native frame */
	return ends ? end_group(&p->found, frame) : 0;
}

/* Adds the frames of one thread state of the current thread. */
__attribute__((noinline)) int pk_unwind_python_thread(struct interpreted_walk *p, uint64_t thread)
{
	if (!p)
		return 0;
	p->python.first = p->found.groups;
	p->python.root = thread + p->offsets.python.root;
	if (p->offsets.python.evaluation)
		p->python.evaluation = user_pointer(thread + p->offsets.python.evaluation);
	p->frame =
		p->offsets.python.frame
			? user_pointer(thread + p->offsets.python.frame)
			: user_pointer(p->python.evaluation + p->offsets.python.evaluation_frame);
	if (bpf_loop(INTERPRETED_READS_MAX, python_frame, &p, 0) == INTERPRETED_READS_MAX)
		p->found.torn = 1;
	return 0;
}

/* Reads the frames of the current thread. */
static void python_read(struct interpreted_walk *p)
{
	p->python.thread_id = thread_pointer();
	find_thread(p);
	for (uint32_t i = 0; i < PYTHON_OWN_MAX && i < p->python.own_count && !p->found.torn; i++)
		pk_unwind_python_thread(p, p->python.own[i]);
	p->when = bpf_ktime_get_ns();
	if (p->found.groups && p->stamp_at)
		p->stamp = user_pointer(p->stamp_at);
}

#endif
