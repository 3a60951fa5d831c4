// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "offcpu_sleepers.h"
#include "pkutil.h"
#include "procfs.h"
#include "record_time.h"
#include "thread_state.h"
#include "thread_stop.h"
#include "vector.h"

#define STATUS_LIMIT (64u << 10)

/* ---- Listing ---- */

/* Returns the number after a word in a text, or 0 if the word is missing. */
static uint64_t number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* Returns true if the thread is blocked now. Sets *switches to the number of its context switches.
 */
static bool is_blocked(pid_t pid, pid_t tid, uint64_t *switches)
{
	char path[64], *text;
	const char *state;
	bool blocked;
	size_t size;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	text = pk_procfs_read_file(path, STATUS_LIMIT, &size, NULL);
	if (!text)
		return false;
	state = strstr(text, "\nState:\t");
	blocked = state && (state[8] == 'S' || state[8] == 'D');
	*switches = number_after(text, "\nvoluntary_ctxt_switches:\t") +
		    number_after(text, "\nnonvoluntary_ctxt_switches:\t");
	free(text);
	return blocked;
}

static void add_thread(struct offcpu_sleepers *sleepers, pid_t pid, pid_t tid)
{
	struct offcpu_sleeper sleeper = {.pid = pid, .tid = tid};

	if (!is_blocked(pid, tid, &sleeper.switches) ||
	    pk_need_room(pk_lookups(), pk_vector_reserve(sleepers, 1)) != PK_OK)
		return;
	sleepers->items[sleepers->count++] = sleeper;
}

static void add_process(struct offcpu_sleepers *sleepers, pid_t pid)
{
	struct task_info info;
	pid_t *tids = NULL;
	char path[64];
	ssize_t count;

	if (!pk_procfs_task(pid, &info, NULL) || info.kernel)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	count = pk_procfs_list_ids(path, &tids, NULL);
	for (ssize_t i = 0; i < count; i++)
		add_thread(sleepers, pid, tids[i]);
	free(tids);
}

void offcpu_sleepers_start(struct offcpu_sleepers *sleepers, const struct targets *targets)
{
	pid_t *pids = NULL;
	ssize_t count = 0;

	sleepers->start = record_now();
	if (targets->system_wide)
		count = pk_procfs_list_ids("/proc", &pids, pk_lookups());
	for (ssize_t i = 0; i < count; i++)
		add_process(sleepers, pids[i]);
	free(pids);
	for (size_t i = 0; i < targets->tids_count && !targets->system_wide; i++) {
		const pid_t pid = pk_procfs_process_of(targets->tids[i], NULL);

		if (pid > 0)
			add_thread(sleepers, pid, targets->tids[i]);
	}
}

void offcpu_sleepers_free(struct offcpu_sleepers *sleepers)
{
	free(sleepers->items);
	*sleepers = (struct offcpu_sleepers){0};
}

/* ---- Stacks ---- */

/* The memory for the block of one thread. */
struct reading {
	struct offcpu_sleepers *sleepers;
	struct kernel_stacks kernel_stacks;
	struct thread_stops stops;
	struct thread_stack stack;
	struct unwind_half *half;
	struct offcpu_block *block;
	uint32_t stack_size;
};

static bool in_dump(const struct thread_stack *stack, uint64_t address, uint64_t words[2])
{
	const uint64_t at = address - stack->sp;

	if (address < stack->sp || at % 8 || at + 16 > stack->size)
		return false;
	memcpy(words, stack->dump + at, 16);
	return true;
}

/* Follows frame pointers, as the kernel does. Returns the number of addresses. */
static uint32_t walk_frames(const struct thread_stack *stack, uint64_t fp, uint64_t *to,
			    uint32_t most)
{
	uint64_t words[2];
	uint32_t count = 0;

	if (most)
		to[count++] = stack->pc;
	while (count < most && in_dump(stack, fp, words) && words[1]) {
		to[count++] = words[1];
		if (words[0] <= fp)
			break;
		fp = words[0];
	}
	return count;
}

/* Unwinds the stack with the tables of --call-graph unwind. */
static uint32_t unwind(struct reading *reading, struct unwind_joins *joins,
		       const struct offcpu_sleeper *sleeper)
{
	const struct thread_stack *stack = &reading->stack;
	struct unwind_half *half = reading->half;
	struct offcpu_block *block = reading->block;
	const uint32_t size = stack->size < UNWIND_STACK_MAX ? stack->size : UNWIND_STACK_MAX;
	uint32_t count;

	memset(half, 0, sizeof(*half));
	half->tid = (uint32_t)sleeper->tid;
	half->end = UNWIND_DUMP;
	half->count = size;
	half->dump.pid = (uint32_t)sleeper->pid;
	half->dump.pc = stack->pc;
	half->dump.sp = stack->sp;
	half->dump.fp = thread_stack_frame_pointer(stack);
	half->dump.lr = thread_stack_link(stack);
	memcpy(half->dump.stack, stack->dump, size);
	joins->unwind(joins->arg, half);
	count = half->count < reading->stack_size / 8 ? half->count : reading->stack_size / 8;
	memcpy(block->addresses, half->addresses, count * sizeof(uint64_t));
	block->end = half->end;
	return count;
}

/* Adds the stacks to the block. */
static void read_stacks(struct reading *reading, struct unwind_joins *joins,
			const struct offcpu_sleeper *sleeper)
{
	struct offcpu_block *block = reading->block;
	uint64_t kernel[KERNEL_STACK_MAX], pause;
	const size_t most = reading->stack_size / 8;
	size_t count =
		kernel_stacks_read(&reading->kernel_stacks, sleeper->pid, sleeper->tid, kernel);

	if (thread_stop_read(&reading->stops, sleeper->pid, sleeper->tid, &reading->stack,
			     &pause) != THREAD_STOPPED)
		reading->sleepers->unread++;
	else if (joins)
		block->user = 8 * unwind(reading, joins, sleeper);
	else
		block->user = 8 * walk_frames(&reading->stack,
					      thread_stack_frame_pointer(&reading->stack),
					      block->addresses, (uint32_t)most);
	count = count < most ? count : most;
	block->kernel = (uint32_t)(8 * count);
	memcpy(block->addresses + block->user / 8, kernel, block->kernel);
}

void offcpu_sleepers_each(struct offcpu_sleepers *sleepers, uint32_t stack_size,
			  struct unwind_joins *joins,
			  void (*each)(void *arg, struct offcpu_block *block), void *arg)
{
	struct reading reading = {.sleepers = sleepers, .stack_size = stack_size};
	const uint64_t time = record_now() - sleepers->start;
	uint64_t switches;

	reading.stack.limit = UNWIND_STACK_MAX;
	reading.stack.dump = malloc(UNWIND_STACK_MAX);
	reading.half = malloc(sizeof(*reading.half));
	reading.block = malloc(sizeof(*reading.block) + 2 * (size_t)stack_size);
	if (!reading.stack.dump || !reading.half || !reading.block)
		pk_no_memory();
	else if (sleepers->count)
		kernel_stacks_open(&reading.kernel_stacks);
	for (size_t i = 0; i < sleepers->count && reading.block && reading.half; i++) {
		const struct offcpu_sleeper *sleeper = &sleepers->items[i];

		if (!is_blocked(sleeper->pid, sleeper->tid, &switches) ||
		    switches != sleeper->switches)
			continue;
		*reading.block = (struct offcpu_block){
			.time = time, .ids = (uint64_t)sleeper->pid << 32 | (uint32_t)sleeper->tid};
		read_stacks(&reading, joins, sleeper);
		each(arg, reading.block);
	}
	kernel_stacks_free(&reading.kernel_stacks);
	free(reading.stack.dump);
	free(reading.half);
	free(reading.block);
	sleepers->count = 0;
}
