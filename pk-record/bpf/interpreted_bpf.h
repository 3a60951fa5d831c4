/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETED_BPF_H
#define PK_RECORD_BPF_INTERPRETED_BPF_H

/*
 * Frames of interpreters, which replace the native frames of the interpreter's evaluation function.
 *
 * An evaluation is a call of this function. It runs a contiguous range of frames of the
 * interpreter, from the first to the innermost one. When the first address in the interpreter's
 * file is found, the frames of the interpreter are read, in one group for each evaluation. When the
 * native stack is unwound, the native frames of evaluations are marked. There are two ways to find
 * them:
 *
 * - The native frame contains a structure of the interpreter, which is called the anchor of the
 *   group. This needs no symbols.
 * - The address is in the evaluation function (interpreter_places.evaluator). If the native stack
 *   is complete, the outermost evaluation belongs to the outermost group. The number of innermost
 *   evaluations can differ from the number of groups for a moment when an evaluation starts and
 *   when it ends.
 *
 * pk-record puts the frames of each group to the place of the native frame.
 */

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "interpreted_shapes.h"
#include "maps.h"
#include "unwind_shapes.h"

MAP(layouts, ARRAY, sizeof(uint32_t), sizeof(struct interpreter_offsets), INTERPRETER_LAYOUTS_MAX);

MAP(interpreted, LRU_HASH, sizeof(uint32_t), sizeof(struct interpreted_process),
    INTERPRETED_PROCESSES_MAX);

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
	struct interpreter_places places; /* with the addresses of this process */
	struct interpreter_offsets offsets;
	uint64_t frame;	    /* address of the next frame to read */
	uint64_t stack_end; /* only for Ruby: the end of the frames */
	struct python_walk python;
	uint64_t stamp_at, stamp, when; /* `stamp_at` is the address of the stamp; `stamp` and
					 * `when` are as in struct unwind_half */
	uint32_t count, groups;
	uint32_t marks; /* number of native frames that are marked as evaluations */
	uint32_t torn;
	/* A copy of the memory around the current frame. Frames are near each other in memory, so
	 * most frames are in the part of memory that was copied for a previous frame. */
	uint64_t window; /* address of the memory that was copied to `raw` */
	uint32_t window_size,
		in_window; /* in bytes; `in_window` is the offset of the current frame in `raw` */
	uint8_t raw[INTERPRETED_WINDOW];
	uint64_t words[INTERPRETED_WORDS_MAX];	  /* with INTERPRETED_END after each group */
	uint64_t anchors[INTERPRETED_GROUPS_MAX]; /* for each group, the address of the structure in
						   * the native frame of the evaluation, if
						   * interpreter_places.evaluator_size is 0 */
	uint16_t ends[INTERPRETED_GROUPS_MAX];	  /* for each group, the index in `words` after its
						   * INTERPRETED_END */
};

#if defined(HOST_x86_64)

struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct task_struct___thread {
	struct thread_struct thread;
} __attribute__((preserve_access_index));

/* Returns the thread pointer of the current thread. In glibc and musl, pthread_self() returns the
 * same value. */
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

/* ---- Words and groups ---- */

/* Adds the word of a frame. `object` is the address of the object that describes the function.
 * Returns 1 if there cannot be such an object. If there is no room for the word, leaves it out,
 * because the other groups must still be found. */
static long add_word(struct interpreted_walk *p, uint64_t object, uint64_t index)
{
	uint32_t count = p->count;

	if (count >= INTERPRETED_FRAMES_MAX)
		return 0;
	if (!object || object >= INTERPRETED_OBJECT_MAX || object % 8) {
		p->torn = 1;
		return 1;
	}
	/* The verifier of Linux 6.1 does not know any more that `count` is less than the limit. The
	 * "&" of the next line tells it. Without this asm statement, the compiler would remove the
	 * "&". */
	__asm__ volatile("" : "+r"(count));
	p->words[count & (INTERPRETED_FRAMES_MAX - 1)] = INTERPRETED_WORD |
							 object >> 3 << INTERPRETED_INDEX_BITS |
							 (index & INTERPRETED_INDEX_MASK);
	p->count = count + 1;
	return 0;
}

/* Ends the group of an evaluation. `anchor` is the address of the evaluation's structure in the
 * native stack, if there is one. Returns 1 if there is no room for more groups. */
static long end_group(struct interpreted_walk *p, uint64_t anchor)
{
	const uint32_t group = p->groups, count = p->count;

	if (group >= INTERPRETED_GROUPS_MAX || count >= INTERPRETED_WORDS_MAX)
		return 1;
	p->words[count] = INTERPRETED_END;
	p->count = count + 1;
	p->anchors[group] = anchor;
	p->ends[group] = (uint16_t)(count + 1);
	p->groups = group + 1;
	return 0;
}

/* Returns the index in `words` after a number of groups. */
static uint32_t after_groups(const struct interpreted_walk *p, uint32_t groups)
{
	uint32_t last = groups - 1;

	if (!groups)
		return 0;
	/* As in add_word(), the verifier needs the "&". */
	__asm__ volatile("" : "+r"(last));
	return p->ends[last & (INTERPRETED_GROUPS_MAX - 1)];
}

/* ---- Joining frames with the native stack ---- */

/* Prepares for a new stack. */
static void interpreted_start(struct interpreted_walk *p)
{
	p->groups = p->marks = p->count = p->torn = p->window_size = 0;
	p->object = p->layout = 0;
	p->stamp_at = p->stamp = p->when = 0;
}

/* Called when an address of the stack is in the file of an interpreter. `base` is the address at
 * which the start of the file would be mapped. */
static void interpreted_meet(struct interpreted_walk *p, const struct unwind_object_code *code,
			     uint32_t number, uint64_t base)
{
	if (p->object)
		return;
	p->object = number;
	p->layout = code->interpreter;
	p->places = code->places;
	p->places.state += base;
	p->places.evaluator += base;
	p->places.inner += base;
}

/* Returns true if further native frames can get a mark. */
static int interpreted_expects(const struct interpreted_walk *p)
{
	return p->groups && (p->marks < p->groups || p->places.evaluator_size);
}

/* Returns the mark for a native frame, or 0 if it gets none. The native frame has the address pc,
 * and is from the address low to the address high. */
static uint64_t interpreted_mark(struct interpreted_walk *p, uint64_t pc, uint64_t low,
				 uint64_t high)
{
	const uint32_t mark = p->marks;

	if (p->places.evaluator_size) {
		p->marks += pc - p->places.evaluator < p->places.evaluator_size;
		return p->marks != mark				     ? INTERPRETED_EVALUATION
		       : pc - p->places.inner < p->places.inner_size ? INTERPRETED_INNER
								     : 0;
	}
	if (mark >= p->groups || p->anchors[mark & (INTERPRETED_GROUPS_MAX - 1)] >= high)
		return 0;
	if (p->anchors[mark & (INTERPRETED_GROUPS_MAX - 1)] >= low) {
		p->marks = mark + 1;
		return INTERPRETED_EVALUATION;
	}
	p->torn = 1; /* no native frame contains the structure */
	p->groups = mark;
	return 0;
}

/* Finds the groups that belong to the marked native frames: those before *last in `words`, from
 * *first on. `complete` is true if the native part of the stack is complete. */
static void interpreted_match(struct interpreted_walk *p, int complete, uint32_t *first,
			      uint32_t *last)
{
	const uint32_t marks = p->marks, groups = p->groups;

	*first = 0;
	*last = after_groups(p, groups);
	if (groups <= marks)
		return;
	if (p->places.evaluator_size && complete && !p->torn)
		*first = after_groups(p, groups - marks);
	else
		*last = after_groups(p, marks);
	if (complete && (!p->places.evaluator_size || groups > marks + 1))
		p->torn = 1;
}

/* Stores for pk-record which interpreter a process has. Returns 1 if pk-record must be woken now,
 * so that it reads the code objects of new frames. */
static int interpreted_tell(const struct interpreted_walk *p, uint32_t pid)
{
	struct interpreted_process *process = bpf_map_lookup_elem(&interpreted, &pid);
	const uint64_t now = p->when;
	const struct interpreted_process value = {
		.object = p->object, .woken = now, .stamp_at = p->stamp_at};

	if (!process || process->object != p->object || process->stamp_at != p->stamp_at) {
		bpf_map_update_elem(&interpreted, &pid, &value, BPF_ANY);
		return 1;
	}
	if (process->woken && now - process->woken < INTERPRETED_WAKE_NS)
		return 0;
	process->woken = now;
	return 1;
}

/* Copies the entry of the parent in the map `interpreted` to the child. After fork, the memory of
 * the child has the same objects at the same addresses. */
static void interpreted_fork(uint32_t parent, uint32_t child)
{
	const struct interpreted_process *process = bpf_map_lookup_elem(&interpreted, &parent);
	struct interpreted_process value;

	if (!process)
		return;
	value = *process;
	value.parent = parent;
	value.woken = 0;
	bpf_map_update_elem(&interpreted, &child, &value, BPF_ANY);
}

#endif
