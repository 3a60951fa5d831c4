/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PYTHON_BPF_H
#define PK_RECORD_BPF_PYTHON_BPF_H

/*
 * Frames of CPython, which replace the native frames of its evaluation function.
 *
 * An evaluation runs frames of Python from its first to its innermost one. It has a structure of
 * the interpreter in its native stack frame: CPython 3.11 a _PyCFrame, later versions a frame that
 * is only a mark (a shim). So python_collect() first reads the frames of the thread, in a group for
 * each evaluation. When the native stack is unwound, the native frame that has the structure of the
 * next group is that of its evaluation: no symbols are needed.
 */

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "maps.h"
#include "python_shapes.h"
#include "unwind_shapes.h"

MAP(layouts, ARRAY, sizeof(uint32_t), sizeof(struct python_offsets), PYTHON_LAYOUTS_MAX);

MAP(pythons, LRU_HASH, sizeof(uint32_t), sizeof(struct python_process), PYTHON_PROCESSES_MAX);

#define PYTHON_THREADS_MAX 512u
#define PYTHON_READS_MAX   2048u /* frames, also those beyond the limit for addresses */
#define PYTHON_GROUPS_MAX  256u	 /* a power of two */

/* In the memory of a CPU. */
struct python_walk {
	uint32_t object; /* number of the file of the interpreter; 0: no address was in one */
	uint32_t layout; /* number of its layout, plus 1; 0: its frames were read */
	uint64_t runtime;
	struct python_offsets offsets;
	uint64_t thread_id;		    /* that pthread_self() returns */
	uint64_t thread, interpreter, next; /* of the search for the thread */
	uint64_t frame, evaluation;	    /* next ones to read */
	uint32_t count, groups;
	uint32_t group, at; /* the next group to use, and its next word */
	uint32_t copying;   /* the next native frame comes after the rest of the group */
	uint32_t torn;
	uint8_t raw[128]; /* a frame */
	uint64_t words[UNWIND_FRAMES_MAX];
	uint64_t anchors[PYTHON_GROUPS_MAX]; /* addresses of structures in native frames */
	uint32_t ends[PYTHON_GROUPS_MAX];    /* in words */
};

#if defined(HOST_x86_64)

struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct task_struct___thread {
	struct thread_struct thread;
} __attribute__((preserve_access_index));

/* What pthread_self() returns, in glibc and musl. */
static uint64_t thread_pointer(void)
{
	const struct task_struct___thread *task = (const void *)bpf_get_current_task();
	unsigned long base = 0;

	bpf_core_read(&base, sizeof(base), &task->thread.fsbase);
	return base;
}

#else

static uint64_t thread_pointer(void)
{
	return 0;
}

#endif

/* 0 if it cannot be read. */
static uint64_t python_pointer(uint64_t at)
{
	uint64_t value = 0;

	return bpf_probe_read_user(&value, sizeof(value), (const void *)at) ? 0 : value;
}

/* ---- The thread ---- */

static int is_own(struct python_walk *p, uint64_t thread)
{
	return thread && python_pointer(thread + p->offsets.thread_id) == p->thread_id;
}

/* One thread of the interpreters. 1: the search has ended. */
static long next_thread(uint32_t index, struct python_walk **walk)
{
	struct python_walk *p = *walk;

	(void)index;
	if (!p->next) {
		p->interpreter = python_pointer(p->interpreter + p->offsets.interpreter_next);
		if (!p->interpreter)
			return 1;
		p->next = python_pointer(p->interpreter + p->offsets.threads);
		return 0;
	}
	if (is_own(p, p->next)) {
		p->thread = p->next;
		return 1;
	}
	p->next = python_pointer(p->next + p->offsets.thread_next);
	return 0;
}

/* Sets p->thread to that of the current task, or 0. */
static void find_thread(struct python_walk *p)
{
	const uint64_t runtime = p->runtime;
	uint64_t holder = 0;

	p->thread = 0;
	p->interpreter = python_pointer(runtime + p->offsets.interpreters);
	if (!p->interpreter || !p->thread_id)
		return;
	if (p->offsets.holder)
		holder = python_pointer(runtime + p->offsets.holder);
	else if (p->offsets.lock)
		holder = python_pointer(python_pointer(p->interpreter + p->offsets.lock) +
					p->offsets.lock_holder);
	if (is_own(p, holder)) {
		p->thread = holder;
		return;
	}
	p->next = python_pointer(p->interpreter + p->offsets.threads);
	bpf_loop(PYTHON_THREADS_MAX, next_thread, &p, 0);
}

/* ---- Frames ---- */

static uint64_t frame_u64(const struct python_walk *p, uint32_t offset)
{
	return *(const uint64_t *)(p->raw + (offset & 0x78));
}

static uint8_t frame_byte(const struct python_walk *p, uint32_t offset)
{
	return p->raw[offset & 0x7f];
}

/* Ends the group of an evaluation, whose structure is at this address in the native stack. 1: there
 * is no room for more. */
static long end_group(struct python_walk *p, uint64_t anchor)
{
	const uint32_t group = p->groups;

	if (group >= PYTHON_GROUPS_MAX)
		return 1;
	p->anchors[group] = anchor;
	p->ends[group] = p->count;
	p->groups = group + 1;
	return 0;
}

/* The end of an evaluation whose structure has its innermost frame. The frames of the next one must
 * continue this one. An evaluation that has just started has linked its structure, but its frame is
 * undefined: it has no frames yet. */
static long end_evaluation(struct python_walk *p, uint64_t previous)
{
	const uint64_t evaluation = p->evaluation;
	long ends = 0;

	p->evaluation = python_pointer(evaluation + p->offsets.evaluation_previous);
	p->frame = p->evaluation ? python_pointer(p->evaluation + p->offsets.evaluation_frame) : 0;
	if (p->frame == previous)
		ends = end_group(p, evaluation);
	else if (p->groups)
		p->torn = 1;
	else
		p->count = 0;
	return ends || p->torn;
}

/* Adds a frame of Python. 1: it is none. */
static long add_frame(struct python_walk *p)
{
	const uint64_t code = frame_u64(p, p->offsets.code) & ~UINT64_C(3);
	const uint32_t count = p->count;
	uint64_t index = frame_u64(p, p->offsets.instruction) - code - p->offsets.instructions;

	if (count >= UNWIND_FRAMES_MAX)
		return 0; /* the first frame of the evaluation can follow */
	if (!code || code >= PYTHON_CODE_MAX || code % 16) {
		p->torn = 1;
		return 1;
	}
	index = index >> 1 < PYTHON_INDEX_NONE ? index >> 1 : PYTHON_INDEX_NONE;
	p->words[count] = PYTHON_WORD | code >> 4 << PYTHON_INDEX_BITS | index;
	p->count = count + 1;
	return 0;
}

/* Reads one frame. 1: that was the last one. */
static long python_frame(uint32_t index, struct python_walk **walk)
{
	struct python_walk *p = *walk;
	const uint64_t frame = p->frame;
	uint64_t previous;
	int ends;

	(void)index;
	if (!frame)
		return 1;
	if (bpf_probe_read_user(p->raw, PYTHON_FRAME_SIZE, (const void *)frame)) {
		p->torn = 1;
		return 1;
	}
	previous = frame_u64(p, p->offsets.previous);
	if (p->offsets.is_entry) {
		if (add_frame(p))
			return 1;
		ends = frame_byte(p, p->offsets.is_entry) == 1;
	} else {
		ends = frame_byte(p, p->offsets.owner) >= PYTHON_OWNER_SHIM;
		if (!ends && add_frame(p))
			return 1;
	}
	if (ends && p->offsets.evaluation)
		return end_evaluation(p, previous);
	p->frame = previous;
	if (ends && !previous &&
	    p->count == (p->groups ? p->ends[(p->groups - 1) & (PYTHON_GROUPS_MAX - 1)] : 0))
		return 1; /* the mark at the end of all frames, in the structure of the thread */
	return ends ? end_group(p, frame) : 0;
}

/* A new stack. */
static void python_start(struct python_walk *p)
{
	p->groups = p->group = p->at = p->count = p->copying = p->torn = 0;
	p->object = p->layout = 0;
}

/* An address is in the file of an interpreter. Pages of the file are at base. */
static void python_meet(struct python_walk *p, const struct unwind_object_code *code,
			uint32_t number, uint64_t base)
{
	if (p->object)
		return;
	p->object = number;
	p->layout = code->python;
	p->runtime = base + code->runtime;
}

/* Reads the frames of the current thread. */
__attribute__((noinline)) int pk_unwind_python(struct python_walk *p)
{
	const struct python_offsets *offsets;
	uint32_t layout;

	if (!p)
		return 0;
	layout = p->layout - 1;
	p->layout = 0;
	offsets = bpf_map_lookup_elem(&layouts, &layout);
	if (!offsets)
		return 0;
	p->offsets = *offsets;
	p->thread_id = thread_pointer();
	find_thread(p);
	if (!p->thread)
		return 0;
	if (p->offsets.evaluation) {
		p->evaluation = python_pointer(p->thread + p->offsets.evaluation);
		p->frame = python_pointer(p->evaluation + p->offsets.evaluation_frame);
	} else {
		p->frame = python_pointer(p->thread + p->offsets.frame);
	}
	if (bpf_loop(PYTHON_READS_MAX, python_frame, &p, 0) == PYTHON_READS_MAX)
		p->torn = 1;
	return 0;
}

/* Whether frames are missing from a stack. complete: its native part is. */
static int python_is_torn(const struct python_walk *p, int complete)
{
	return p->torn || (complete && p->group < p->groups);
}

/* Tells pk-record which interpreter a process with frames of Python has. Returns 1 if it is to read
 * the new words of the process now. */
static int python_tell(const struct python_walk *p, uint32_t pid)
{
	struct python_process *process = bpf_map_lookup_elem(&pythons, &pid);
	const uint64_t now = bpf_ktime_get_ns();
	const struct python_process value = {.object = p->object, .woken = now};

	if (!process || process->object != p->object) {
		bpf_map_update_elem(&pythons, &pid, &value, BPF_ANY);
		return 1;
	}
	if (now - process->woken < PYTHON_WAKE_NS)
		return 0;
	process->woken = now;
	return 1;
}

/* ---- Beside the native stack ---- */

/* Whether the native frame from low to high is that of the next group: python_next() then has the
 * frames that replace it. */
static int python_replaces(struct python_walk *p, uint64_t low, uint64_t high)
{
	const uint32_t group = p->group & (PYTHON_GROUPS_MAX - 1);
	uint64_t anchor;

	if (p->group >= p->groups)
		return 0;
	anchor = p->anchors[group];
	if (anchor >= high)
		return 0;
	if (anchor < low) { /* no native frame has it */
		p->torn = 1;
		p->groups = p->group;
		return 0;
	}
	if (p->at >= p->ends[group]) {
		p->group++;
		return 0;
	}
	p->copying = 1;
	return 1;
}

/* The next frame of the group. */
static uint64_t python_next(struct python_walk *p)
{
	const uint32_t group = p->group & (PYTHON_GROUPS_MAX - 1);
	const uint64_t word = p->words[p->at & (UNWIND_FRAMES_MAX - 1)];

	p->at++;
	if (p->at >= p->ends[group]) {
		p->copying = 0;
		p->group++;
	}
	return word;
}

#endif
