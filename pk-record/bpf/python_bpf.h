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
#define PYTHON_GROUPS_MAX  128u	 /* a power of two */
#define PYTHON_OWN_MAX	   4u	 /* states of one thread, in different interpreters */
#define PYTHON_WINDOW	   1024u /* bytes, a power of two */

/* In the memory of a CPU. */
struct python_walk {
	uint32_t object; /* number of the file of the interpreter; 0: no address was in one */
	uint32_t layout; /* number of its layout, plus 1; 0: its frames were read */
	uint64_t runtime;
	struct python_offsets offsets;
	uint64_t thread_id;		/* that pthread_self() returns */
	uint64_t interpreter, next;	/* of the search for the thread */
	uint64_t own[PYTHON_OWN_MAX];	/* states of the current thread */
	uint32_t own_count, all;	/* all: the search continues after the first one */
	uint64_t frame, evaluation;	/* next ones to read */
	uint64_t stamp_at, stamp, when; /* see struct unwind_half */
	uint32_t count, groups;
	uint32_t first; /* group of the current state of the thread */
	uint32_t group; /* the next one to use */
	uint32_t torn;
	/* Frames are near each other. Most are in a part of memory that was read for another one.
	 */
	uint64_t window;		 /* its address */
	uint32_t window_size, in_window; /* in_window: where the current frame is */
	uint8_t raw[PYTHON_WINDOW];
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

static void add_own(struct python_walk *p, uint64_t thread)
{
	const uint32_t count = p->own_count;

	if (count < PYTHON_OWN_MAX) {
		p->own[count] = thread;
		p->own_count = count + 1;
	}
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
		add_own(p, p->next);
		if (!p->all)
			return 1;
	}
	p->next = python_pointer(p->next + p->offsets.thread_next);
	return 0;
}

/* Finds the states of the current thread, the one of the newest interpreter first. That one has
 * been called by the others. */
static void find_thread(struct python_walk *p)
{
	const uint64_t runtime = p->runtime;
	uint64_t holder = 0;

	p->own_count = 0;
	p->interpreter = python_pointer(runtime + p->offsets.interpreters);
	if (!p->interpreter || !p->thread_id)
		return;
	p->all = python_pointer(p->interpreter + p->offsets.interpreter_next) != 0;
	if (!p->all && p->offsets.stamp)
		p->stamp_at = p->interpreter + p->offsets.stamp;
	if (p->offsets.holder)
		holder = python_pointer(runtime + p->offsets.holder);
	else if (p->offsets.lock)
		holder = python_pointer(python_pointer(p->interpreter + p->offsets.lock) +
					p->offsets.lock_holder);
	if (!p->all && is_own(p, holder)) {
		add_own(p, holder);
		return;
	}
	p->next = python_pointer(p->interpreter + p->offsets.threads);
	bpf_loop(PYTHON_THREADS_MAX, next_thread, &p, 0);
}

/* ---- Frames ---- */

static uint64_t frame_u64(const struct python_walk *p, uint32_t offset)
{
	return *(const uint64_t *)(p->raw + ((p->in_window + offset) & (PYTHON_WINDOW - 8)));
}

static uint8_t frame_byte(const struct python_walk *p, uint32_t offset)
{
	return p->raw[(p->in_window + offset) & (PYTHON_WINDOW - 1)];
}

/* Reads a frame, and the memory before it in its page: its caller is there, if neither of them is a
 * generator. */
static long read_frame(struct python_walk *p, uint64_t frame)
{
	const uint64_t end = frame + PYTHON_FRAME_SIZE, page = frame & ~UINT64_C(4095);
	uint64_t start = frame - p->window;
	uint32_t size;

	if (p->window_size && start <= p->window_size - PYTHON_FRAME_SIZE) {
		p->in_window = (uint32_t)start;
		return 0;
	}
	start = end - PYTHON_WINDOW < page ? page : end - PYTHON_WINDOW;
	size = (uint32_t)(end - start);
	if (size > PYTHON_WINDOW || frame % 8)
		return 1;
	p->window = start;
	p->window_size = size;
	p->in_window = size - PYTHON_FRAME_SIZE;
	return bpf_probe_read_user(p->raw, size, (const void *)start);
}

/* The first word of the current state of the thread. */
static uint32_t start_of(const struct python_walk *p)
{
	return p->first ? p->ends[(p->first - 1) & (PYTHON_GROUPS_MAX - 1)] : 0;
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
	else if (p->groups != p->first)
		p->torn = 1;
	else
		p->count = start_of(p);
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
	if (read_frame(p, frame)) {
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
	p->groups = p->group = p->count = p->torn = p->window_size = 0;
	p->object = p->layout = 0;
	p->stamp_at = p->stamp = p->when = 0;
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

/* Adds the frames of a state of the current thread. */
__attribute__((noinline)) int pk_unwind_python_thread(struct python_walk *p, uint64_t thread)
{
	if (!p)
		return 0;
	p->first = p->groups;
	if (p->offsets.evaluation) {
		p->evaluation = python_pointer(thread + p->offsets.evaluation);
		p->frame = python_pointer(p->evaluation + p->offsets.evaluation_frame);
	} else {
		p->frame = python_pointer(thread + p->offsets.frame);
	}
	if (bpf_loop(PYTHON_READS_MAX, python_frame, &p, 0) == PYTHON_READS_MAX)
		p->torn = 1;
	return 0;
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
	for (uint32_t i = 0; i < PYTHON_OWN_MAX && i < p->own_count && !p->torn; i++)
		pk_unwind_python_thread(p, p->own[i]);
	p->when = bpf_ktime_get_ns();
	if (p->groups && p->stamp_at)
		p->stamp = python_pointer(p->stamp_at);
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
	const uint64_t now = p->when;
	const struct python_process value = {
		.object = p->object, .woken = now, .stamp_at = p->stamp_at};

	if (!process || process->object != p->object || process->stamp_at != p->stamp_at) {
		bpf_map_update_elem(&pythons, &pid, &value, BPF_ANY);
		return 1;
	}
	if (process->woken && now - process->woken < PYTHON_WAKE_NS)
		return 0;
	process->woken = now;
	return 1;
}

/* A new process has the objects of its parent. */
static void python_fork(uint32_t parent, uint32_t child)
{
	const struct python_process *process = bpf_map_lookup_elem(&pythons, &parent);
	struct python_process value;

	if (!process)
		return;
	value = *process;
	value.parent = parent;
	value.woken = 0;
	bpf_map_update_elem(&pythons, &child, &value, BPF_ANY);
}

/* ---- Beside the native stack ---- */

/* Whether the native frame from low to high is that of the next group, whose frames replace it:
 * they are words from *first on. Returns their number, or 0. */
static uint32_t python_replaces(struct python_walk *p, uint64_t low, uint64_t high, uint32_t *first)
{
	const uint32_t group = p->group & (PYTHON_GROUPS_MAX - 1);
	uint32_t before = group - 1;
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
	/* The verifier of Linux 6.1 needs a limit that the compiler would remove. */
	__asm__ volatile("" : "+r"(before));
	*first = group ? p->ends[before & (PYTHON_GROUPS_MAX - 1)] : 0;
	p->group++;
	return p->ends[group] - *first;
}

#endif
