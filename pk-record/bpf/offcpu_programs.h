/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_OFFCPU_PROGRAMS_H
#define PK_RECORD_BPF_OFFCPU_PROGRAMS_H

/* The BPF programs of --off-cpu, see ../offcpu.h. Before this file is included, OFFCPU_SETTINGS
 * must be defined as the struct offcpu_settings of the programs. */

#include <linux/bpf.h>
#include <linux/errno.h>

#include <bpf/bpf_helpers.h>

#include "maps.h"
#include "offcpu_block.h"

/* The current or last block of each task. The key is the address of the task. pk-record sets the
 * number of entries of these maps, and the sizes of values that depend on the limit for stacks. */
MAP(blocked, HASH, sizeof(uint64_t), sizeof(struct offcpu_block), 1);

/* For each CPU, the task that stops running because it is blocked. The value is 0 if the task that
 * stops running is not blocked. */
MAP(stopping, PERCPU_ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1);

/* A block of zeros, which is the initial value in `blocked`. It is in a map because it is too large
 * for the stack of a BPF program. */
MAP(blank, ARRAY, sizeof(uint32_t), sizeof(struct offcpu_block), 1);

/* The bpf-output event of each CPU. */
MAP(block_outputs, PERF_EVENT_ARRAY, sizeof(uint32_t), sizeof(uint32_t), 1);

/* The number of blocks that could not be stored or written. Blocks that are lost because a ring is
 * full are not included, because the bpf-output events count them. */
MAP(blocks_missed, ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1);

/* Bits in the state of a task. STATE_BLOCKED is TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE, and
 * STATE_DEAD is TASK_DEAD. */
#define STATE_BLOCKED 3
#define STATE_DEAD    0x80

static void count_missed_block(void)
{
	const uint32_t first = 0;
	uint64_t *count = bpf_map_lookup_elem(&blocks_missed, &first);

	if (count)
		__sync_fetch_and_add(count, 1);
}

/* Stores the user stack of the current task in a block that starts at the time `now`. Returns the
 * size of the stored addresses in bytes, or a negative number if there is no stack. The file that
 * includes this file defines the function. */
static long user_stack(void *event, struct offcpu_block *block, uint64_t now);

/* Stores the user stack of the current task, which is the waker. Returns as user_stack(). */
static long waker_user_stack(void *context, struct offcpu_waker *waker);

static struct offcpu_block *block_of(uint64_t task)
{
	const uint32_t first = 0;
	struct offcpu_block *block = bpf_map_lookup_elem(&blocked, &task);
	const void *initial;

	if (block)
		return block;
	initial = bpf_map_lookup_elem(&blank, &first);
	if (initial)
		bpf_map_update_elem(&blocked, &task, initial, BPF_ANY);
	return bpf_map_lookup_elem(&blocked, &task);
}

/* This program runs for the event of --off-cpu, in the context of the task that stops running. It
 * skips kernel threads, which have no user stack, because they are blocked only when they have no
 * work. It returns 0, so that the kernel writes no sample of the event. */
SEC("perf_event")
int pk_off_cpu_out(void *event)
{
	const uint32_t first = 0;
	const uint64_t task = bpf_get_current_task(), now = bpf_ktime_get_ns();
	uint64_t *stops = bpf_map_lookup_elem(&stopping, &first), since;
	struct offcpu_block *block;
	long user, kernel;

	if (!stops || *stops != task)
		return 0;
	*stops = 0;
	block = block_of(task);
	if (!block) {
		count_missed_block();
		return 0;
	}
	user = user_stack(event, block, now);
	if (user < 0 || user > OFFCPU_SETTINGS.stack_size)
		return 0;
	block->user = user;
	kernel = bpf_get_stack(event, (void *)block->addresses + user, OFFCPU_SETTINGS.stack_size,
			       0);
	block->kernel = kernel > 0 ? kernel : 0;
	block->ids = bpf_get_current_pid_tgid();
	block->waker = 0;
	since = block->since;
	block->since = now;
	if (since) /* the end of the previous block of this task was missed */
		count_missed_block();
	return 0;
}

/* Stores in `stopping` whether the task that stops running is blocked. A preempted task is not
 * blocked. A task that has ended is removed from the map `blocked`. */
static void note_stop(const struct bpf_raw_tracepoint_args *args)
{
	const uint32_t first = 0;
	const uint64_t preempted = args->args[0], task = args->args[1], state = args->args[3];
	uint64_t *stops = bpf_map_lookup_elem(&stopping, &first);

	if (!stops)
		return;
	*stops = 0;
	if (preempted & 1)
		return;
	if (state & STATE_DEAD)
		bpf_map_delete_elem(&blocked, &task);
	else if (state & STATE_BLOCKED)
		*stops = task;
}

/* In the stack of a raw tracepoint, this program and the kernel's function that calls programs are
 * the innermost frames. They are no part of what has happened. */
#define OWN_FRAMES 2

/* This program runs in the context of the task that wakes a blocked task, or of the task that was
 * interrupted. It adds the waker to the block. The map `blocked` has room for it only with
 * settings.wakers. */
SEC("raw_tp/sched_waking")
int pk_off_cpu_waking(struct bpf_raw_tracepoint_args *args)
{
	const uint64_t task = args->args[0];
	struct offcpu_block *block = bpf_map_lookup_elem(&blocked, &task);
	struct offcpu_waker *waker;
	uint32_t block_user, block_kernel;
	long user, kernel;

	if (!OFFCPU_SETTINGS.wakers || !block || !block->since)
		return 0;
	block_user = block->user;
	block_kernel = block->kernel;
	if (block_user > OFFCPU_SETTINGS.stack_size || block_kernel > OFFCPU_SETTINGS.stack_size)
		return 0;
	waker = (void *)block->addresses + block_user + block_kernel;
	user = waker_user_stack(args, waker);
	if (user < 0 || user > OFFCPU_SETTINGS.stack_size)
		user = 0;
	kernel = bpf_get_stack(args, (void *)waker->addresses + user, OFFCPU_SETTINGS.stack_size,
			       OWN_FRAMES);
	bpf_get_current_comm(waker->comm, sizeof(waker->comm));
	waker->user = user;
	waker->kernel = kernel > 0 ? kernel : 0;
	waker->ids = bpf_get_current_pid_tgid();
	block->waker = sizeof(*waker) + user + waker->kernel;
	return 0;
}

/* This program runs before pk_off_cpu_out(), on the same CPU. First it checks the task that stops
 * running. If the next task was blocked, it then writes a sample of the block. */
SEC("raw_tp/sched_switch")
int pk_off_cpu_in(struct bpf_raw_tracepoint_args *args)
{
	const uint64_t task = args->args[2];
	struct offcpu_block *block;
	uint32_t user, kernel, waker;
	long result;

	note_stop(args);
	block = bpf_map_lookup_elem(&blocked, &task);
	if (!block || !block->since)
		return 0;
	block->time = bpf_ktime_get_ns() - block->since;
	block->since = 0;
	if (block->time < OFFCPU_SETTINGS.threshold)
		return 0;
	user = block->user;
	kernel = block->kernel;
	waker = block->waker;
	if (user > OFFCPU_SETTINGS.stack_size || kernel > OFFCPU_SETTINGS.stack_size)
		return 0;
	if (!OFFCPU_SETTINGS.wakers ||
	    waker > sizeof(struct offcpu_waker) + 2 * OFFCPU_SETTINGS.stack_size)
		waker = 0;
	result = bpf_perf_event_output(args, &block_outputs, BPF_F_CURRENT_CPU, block,
				       sizeof(*block) + user + kernel + waker);
	if (result &&
	    result !=
		    -ENOSPC) /* -ENOSPC means that the ring is full; the event counts this itself */
		count_missed_block();
	return 0;
}

#endif
