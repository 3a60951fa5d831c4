/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PYTHON_BPF_H
#define PK_RECORD_BPF_PYTHON_BPF_H

/*
 * Frames of CPython, which replace the native frames of CPython's evaluation function.
 *
 * An evaluation is a call of this function. It runs a contiguous range of Python frames, from the
 * first to the innermost one. The native stack frame of an evaluation contains a structure of the
 * interpreter. In CPython 3.11 and 3.12, this is a _PyCFrame. In later versions, it is a frame that
 * is only a mark (a shim). pk_unwind_python() first reads the Python frames of the thread, in one
 * group for each evaluation. When the native stack is unwound, the native frame that contains the
 * structure of the next group belongs to the evaluation of this group. Therefore, no symbols are
 * needed.
 *
 * In CPython 3.9 and 3.10, each evaluation runs one frame. In 3.10, its native frame contains a
 * structure (CFrame), which does not point to the frame. In 3.9, there is no such structure, and an
 * evaluation is found by the address of the function.
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
#define PYTHON_READS_MAX   2048u /* maximum number of Python frames that are read */
#define PYTHON_GROUPS_MAX  128u	 /* maximum number of groups of frames; must be a power of two */
#define PYTHON_OWN_MAX	   4u	 /* maximum number of thread states of one thread */
#define PYTHON_WINDOW	   1024u /* size of python_walk.raw in bytes; must be a power of two */

/* The Python frames of the stack that is being unwound, and the state of reading them. Each CPU has
 * its own. */
struct python_walk {
	uint32_t object; /* number that identifies the interpreter's file; 0 if no address was in
			  * such a file */
	uint32_t layout; /* number of the interpreter's layout, plus 1; 0 if there is no
			    interpreter, or if its frames were already read */
	uint64_t runtime;
	uint64_t evaluator, evaluator_size; /* the function that evaluates Python code */
	struct python_offsets offsets;
	uint64_t thread_id;	      /* what pthread_self() returns in the current thread */
	uint64_t interpreter, next;   /* the interpreter and the next thread state in the search for
				       * the current thread */
	uint64_t own[PYTHON_OWN_MAX]; /* addresses of the thread states of the current thread */
	/* `own_count` is the number of items in `own`. If `all` is not 0, there are several
	 * interpreters, so the search continues after the first thread state. */
	uint32_t own_count, all;
	uint64_t frame,
		evaluation; /* addresses of the next frame and of the next evaluation to read */
	uint64_t root;	    /* address of the structure in the thread state (python_offsets.root) */
	uint64_t stamp_at, stamp, when; /* `stamp_at` is the address of the stamp; `stamp` and
					 * `when` are as in struct unwind_half */
	uint32_t count, groups;
	uint32_t first; /* index of the first group of the current thread state */
	uint32_t group; /* index of the next group that replaces a native frame */
	uint32_t torn;
	/* A copy of the memory around the current frame. Frames are near each other in memory, so
	 * most frames are in the part of memory that was copied for a previous frame. */
	uint64_t window; /* address of the memory that was copied to `raw` */
	uint32_t window_size,
		in_window; /* in bytes; `in_window` is the offset of the current frame in `raw` */
	uint8_t raw[PYTHON_WINDOW];
	uint64_t words[UNWIND_FRAMES_MAX];
	uint64_t anchors[PYTHON_GROUPS_MAX]; /* for each group, the address of the structure in the
					      * native frame of the evaluation */
	uint32_t ends[PYTHON_GROUPS_MAX];    /* for each group, the index in `words` after its last
					      * frame */
};

#if defined(HOST_x86_64)

struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct task_struct___thread {
	struct thread_struct thread;
} __attribute__((preserve_access_index));

/* Returns what pthread_self() of glibc and musl returns in the current thread. */
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

/* Reads a pointer of the program. Returns 0 if the memory cannot be read. */
static uint64_t python_pointer(uint64_t at)
{
	uint64_t value = 0;

	return bpf_probe_read_user(&value, sizeof(value), (const void *)at) ? 0 : value;
}

/* ---- The thread states of the current thread ---- */

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

/* A callback of bpf_loop(): checks one thread state of the interpreters. Returns 1 if the search
 * has ended. */
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

/* Finds the thread states of the current thread. The state in the newest interpreter comes first,
 * because the code in the older interpreters has called the code in the newest one. */
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

/* Makes a frame available in the window. If it is not there yet, copies the frame, and the memory
 * before it as far as it is in the same page. Usually the frame of the caller is there. It is not
 * if one of the two frames belongs to a generator. Returns 0, or another number if the frame cannot
 * be read. */
static long read_frame(struct python_walk *p, uint64_t frame)
{
	const uint32_t needed = p->offsets.frame_size;
	const uint64_t end = frame + needed, page = frame & ~UINT64_C(4095);
	uint64_t start = frame - p->window;
	uint32_t size;

	if (p->window_size && start <= p->window_size - needed) {
		p->in_window = (uint32_t)start;
		return 0;
	}
	start = end - PYTHON_WINDOW < page ? page : end - PYTHON_WINDOW;
	size = (uint32_t)(end - start);
	if (size > PYTHON_WINDOW || frame % 8)
		return 1;
	p->window = start;
	p->window_size = size;
	p->in_window = size - needed;
	return bpf_probe_read_user(p->raw, size, (const void *)start);
}

/* Returns the index in `words` of the first frame of the current thread state. */
static uint32_t start_of(const struct python_walk *p)
{
	return p->first ? p->ends[(p->first - 1) & (PYTHON_GROUPS_MAX - 1)] : 0;
}

/* Ends the group of an evaluation. `anchor` is the address of the evaluation's structure in the
 * native stack. Returns 1 if there is no room for more groups. */
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

/* Ends an evaluation whose structure points to its innermost frame (CPython 3.11 and 3.12).
 * `previous` is the caller of the first frame of this evaluation. `previous` must be the innermost
 * frame of the next evaluation. An evaluation that has just started has linked its structure, but
 * the structure does not point to a frame yet. If the innermost evaluation is in this state, its
 * frames are dropped. */
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

/* Adds the word of the current Python frame. Returns 1 if the memory does not look like a Python
 * frame. */
static long add_frame(struct python_walk *p)
{
	const uint64_t code = frame_u64(p, p->offsets.code) & ~UINT64_C(3);
	uint32_t count = p->count;
	uint64_t index = frame_u64(p, p->offsets.instruction);

	if (p->offsets.instructions)
		index = (index - code - p->offsets.instructions) >> 1;
	else
		index = (uint32_t)index;
	if (count >= UNWIND_FRAMES_MAX)
		return 0; /* There is no room for the frame, but the evaluation's first frame must
			   * still be found. */
	if (!code || code >= PYTHON_CODE_MAX || code % 16) {
		p->torn = 1;
		return 1;
	}
	index = index < PYTHON_INDEX_NONE ? index : PYTHON_INDEX_NONE;
	/* The verifier of Linux 6.1 does not know any more that `count` is less than the limit. The
	 * "&" of the next line tells it. Without this asm statement, the compiler would remove the
	 * "&". */
	__asm__ volatile("" : "+r"(count));
	p->words[count & (UNWIND_FRAMES_MAX - 1)] =
		PYTHON_WORD | code >> 4 << PYTHON_INDEX_BITS | index;
	p->count = count + 1;
	return 0;
}

/* Ends an evaluation that runs one frame. `previous` is the frame of its caller. The number of
 * frames and the number of evaluations differ for a moment when an evaluation starts and when it
 * ends. */
static long end_single(struct python_walk *p, uint64_t previous)
{
	const uint64_t evaluation = p->evaluation;

	p->frame = previous;
	if (p->offsets.evaluation) {
		p->evaluation = python_pointer(evaluation + p->offsets.evaluation_previous);
		p->torn = evaluation == p->root || (!previous && p->evaluation != p->root);
	}
	if (!p->torn)
		p->torn = (uint32_t)end_group(p, evaluation);
	return p->torn;
}

/* A callback of bpf_loop(): reads one frame. Returns 1 after the last frame. */
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
	if (p->offsets.single)
		return add_frame(p) || end_single(p, previous);
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
		return 1; /* the mark after the outermost frame, which is in the thread state and
			   * not in a native frame */
	return ends ? end_group(p, frame) : 0;
}

/* Prepares for a new stack. */
static void python_start(struct python_walk *p)
{
	p->groups = p->group = p->count = p->torn = p->window_size = 0;
	p->object = p->layout = 0;
	p->stamp_at = p->stamp = p->when = 0;
}

/* Called when an address of the stack is in the file of an interpreter. `base` is the address at
 * which the start of the file would be mapped. */
static void python_meet(struct python_walk *p, const struct unwind_object_code *code,
			uint32_t number, uint64_t base)
{
	if (p->object)
		return;
	p->object = number;
	p->layout = code->python;
	p->runtime = base + code->runtime;
	p->evaluator = base + code->evaluator;
	p->evaluator_size = code->evaluator_size;
}

/* Adds the frames of one thread state of the current thread. */
__attribute__((noinline)) int pk_unwind_python_thread(struct python_walk *p, uint64_t thread)
{
	if (!p)
		return 0;
	p->first = p->groups;
	p->root = thread + p->offsets.root;
	if (p->offsets.evaluation)
		p->evaluation = python_pointer(thread + p->offsets.evaluation);
	p->frame = p->offsets.frame ? python_pointer(thread + p->offsets.frame)
				    : python_pointer(p->evaluation + p->offsets.evaluation_frame);
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

/* Returns true if Python frames are missing from a stack. `complete` is true if the native part of
 * the stack is complete. */
static int python_is_torn(const struct python_walk *p, int complete)
{
	return p->torn || (complete && p->group < p->groups);
}

/* Stores for pk-record which interpreter a process with Python frames has. Returns 1 if pk-record
 * must be woken now, so that it reads the code objects of new frames. */
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

/* Copies the entry of the parent in the map `pythons` to the child. After fork, the memory of the
 * child has the same Python objects at the same addresses. */
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

/* ---- Joining Python frames with the native stack ---- */

/* Returns true if the native frame of the address pc, from the address low to the address high,
 * belongs to the evaluation of the next group. */
static int python_is_evaluation(struct python_walk *p, uint64_t pc, uint64_t low, uint64_t high)
{
	const uint64_t anchor = p->anchors[p->group & (PYTHON_GROUPS_MAX - 1)];

	if (p->offsets.single && !p->offsets.evaluation)
		return pc - p->evaluator < p->evaluator_size;
	if (anchor >= low)
		return anchor < high;
	p->torn = 1; /* no native frame contains the structure */
	p->groups = p->group;
	return 0;
}

/* Checks whether a native frame belongs to the evaluation of the next group. If so, the Python
 * frames of the group replace this native frame. They are words[*first] and the words after it.
 * Returns the number of these words, or 0 if the frame is not replaced. The native frame has the
 * address pc, and is from the address low to the address high. */
static uint32_t python_replaces(struct python_walk *p, uint64_t pc, uint64_t low, uint64_t high,
				uint32_t *first)
{
	const uint32_t group = p->group & (PYTHON_GROUPS_MAX - 1);
	uint32_t before = group - 1;

	if (p->group >= p->groups || !python_is_evaluation(p, pc, low, high))
		return 0;
	/* The verifier of Linux 6.1 accepts the index of the next line only because of its "&".
	 * Without this asm statement, the compiler would remove the "&". */
	__asm__ volatile("" : "+r"(before));
	*first = group ? p->ends[before & (PYTHON_GROUPS_MAX - 1)] : 0;
	p->group++;
	return p->ends[group] - *first;
}

#endif
