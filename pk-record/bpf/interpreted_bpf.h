/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETED_BPF_H
#define PK_RECORD_BPF_INTERPRETED_BPF_H

/* Frames of interpreters in the BPF programs. When the first address in the interpreter's file is
 * found, the frames of the interpreter are read, in one group for each evaluation
 * (interpreted_groups.h). pk-record puts the frames of each group to the place of the native frame.
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

#if defined(HOST_x86_64)

struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct task_struct___thread {
	struct thread_struct thread;
} __attribute__((preserve_access_index));

/* Returns the thread pointer of the current thread. */
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

#include "interpreted_walk.h"

/* Prepares for a new stack. */
static void interpreted_start(struct interpreted_walk *p)
{
	p->found.groups = p->found.marks = p->found.count = p->found.torn = 0;
	p->window_size = 0;
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
	p->found.places = code->places;
	p->found.places.state += base;
	p->found.places.evaluator += base;
	p->found.places.cold += base;
	p->found.places.inner += base;
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
