// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "lookups.h"
#include "own_sample.h"
#include "pkutil.h"
#include "procfs.h"
#include "record_time.h"
#include "segment.h"
#include "snapshot_event.h"
#include "snapshot_interpreters.h"
#include "snapshots.h"
#include "stream_head.h"
#include "synthesize.h"
#include "unwind_bpf.h"

/* Limit in bytes for the copies of all stacks together. The copies are compared with the stacks of
 * the next snapshot. */
#define KEPT_MAX ((size_t)256 << 20)

/* A thread that was in the last snapshot. */
struct known_thread {
	pid_t pid, tid;
	char comm[16];
	uint64_t snapshot; /* number of the last snapshot that has the thread */
	uint64_t time;	   /* time of the last sample of the thread, in ns */
	bool kept;	   /* the thread was blocked, and `state` and `stack` are set */
	struct thread_state state;
	struct thread_stack stack;
	struct snapshot_words words; /* the frames of an interpreter in the stack */
};

/* A process that was in the last snapshot. */
struct known_process {
	pid_t pid;
	uint64_t snapshot;
	uint64_t memory; /* size of the address space in pages; if it changes, the maps have changed
			  */
	struct snapshot_interpreter interpreter;
};

/* Numbers of stacks that are missing, by the reason. `memory` is the number of threads that are
 * missing because memory was exhausted. */
struct missing {
	uint64_t denied, of_32bit, busy, memory;
};

/* The state of a recording. */
struct snapshots {
	struct options *options;
	struct event_list events;
	struct targets chosen; /* the tasks that the options select */
	struct targets slot;   /* the only slot (CPU and task) of the event */
	struct child child;
	struct signals signals;
	struct unwind unwind; /* not used, but struct segment needs a pointer to it */
	struct segment segment;
	struct synthesis synthesis;
	struct pk_table threads,
		processes; /* struct known_thread by tid, and struct known_process by pid */
	struct kernel_stacks kernel_stacks;
	struct thread_stops stops;
	struct missing missing;
	struct snapshot_interpreters interpreters;
	const struct known_process *process; /* the process whose threads are read */
	struct snapshot_words words; /* the frames of an interpreter of the thread that is read */
	uint8_t *dump;		     /* memory for the stack of one thread */
	size_t kept;		     /* bytes of all stacks that are kept */
	uint64_t number, samples;    /* number of the last snapshot, and number of all samples */
	uint64_t pauses, pause_sum, pause_max;
	uint32_t stack_size;
	size_t alive; /* number of processes in the last snapshot */
};

/* ---- Stacks that are kept ---- */

static void forget_stack(struct snapshots *snapshots, struct known_thread *thread)
{
	if (thread->kept)
		snapshots->kept -= thread->stack.size;
	free(thread->stack.dump);
	free(thread->words.entries.data);
	memset(&thread->words, 0, sizeof(thread->words));
	thread->stack.dump = NULL;
	thread->kept = false;
}

static void copy_words(struct snapshot_words *to, const struct snapshot_words *from)
{
	const struct buffer entries = to->entries;

	*to = *from;
	to->entries = entries;
	to->entries.size = 0;
	buffer_add(&to->entries, from->entries.data, from->entries.size);
}

static void keep_stack(struct snapshots *snapshots, struct known_thread *thread,
		       const struct thread_state *state, const struct thread_stack *stack)
{
	forget_stack(snapshots, thread);
	if (snapshots->kept + stack->size > KEPT_MAX)
		return;
	thread->stack = *stack;
	thread->stack.dump = malloc(stack->size + !stack->size);
	if (!thread->stack.dump)
		return;
	memcpy(thread->stack.dump, stack->dump, stack->size);
	copy_words(&thread->words, &snapshots->words);
	snapshots->kept += stack->size;
	thread->state = *state;
	thread->kept = true;
}

/* Returns true if the blocked thread seems not to have run since its stack was kept: the stack
 * pointer, the program counter, the arguments of the system call and all bytes of the stack are
 * equal. The numbers of the system calls are not compared, because a stop can change the number to
 * that of restart_syscall(2). */
static bool is_unchanged(const struct known_thread *thread, const struct thread_state *state,
			 const struct thread_stack *now)
{
	return thread->kept && state->sp == thread->state.sp && state->pc == thread->state.pc &&
	       !memcmp(state->args, thread->state.args, sizeof(state->args)) &&
	       now->size == thread->stack.size && !memcmp(now->dump, thread->stack.dump, now->size);
}

/* ---- Threads ---- */

static void count_missing(struct missing *missing, enum thread_stop_result result)
{
	missing->denied += result == THREAD_DENIED;
	missing->of_32bit += result == THREAD_32BIT;
	missing->busy += result == THREAD_BUSY;
}

static void count_pause(struct snapshots *snapshots, uint64_t pause)
{
	snapshots->pauses++;
	snapshots->pause_sum += pause;
	if (pause > snapshots->pause_max)
		snapshots->pause_max = pause;
}

/* Finds the stack of a thread of a program. If the result is THREAD_STOPPED, `stack` is set. For a
 * blocked thread, this can be the result even if the thread was not stopped. */
static enum thread_stop_result find_stack(struct snapshots *snapshots, struct known_thread *thread,
					  struct thread_state *state, struct thread_stack *stack,
					  uint64_t *pause)
{
	const bool blocked = state->state != 'R' && state->has_call;
	enum thread_stop_result result = THREAD_BUSY;

	if (blocked) {
		thread_stack_peek(thread->pid, state->sp, state->pc, stack);
		if (is_unchanged(thread, state, stack)) {
			state->call = thread->state.call;
			memcpy(stack->registers, thread->stack.registers, sizeof(stack->registers));
			copy_words(&snapshots->words, &thread->words);
			return THREAD_STOPPED;
		}
	}
	/* A thread in an uninterruptible sleep (state D) would stop only after the sleep. */
	if (state->state != 'D' || !blocked)
		result =
			thread_stop_read(&snapshots->stops, thread->pid, thread->tid, stack, pause);
	if (result == THREAD_STOPPED) {
		count_pause(snapshots, *pause);
		if (!blocked) {
			state->call = stack->call;
			memcpy(state->args, stack->args, sizeof(state->args));
		}
	}
	if (result == THREAD_STOPPED && blocked && stack->sp == state->sp)
		keep_stack(snapshots, thread, state, stack);
	else
		forget_stack(snapshots, thread);
	if (blocked && (result == THREAD_BUSY || result == THREAD_DENIED)) {
		/* The stack pointer and the program counter are sufficient to unwind most stacks.
		 */
		thread_stack_peek(thread->pid, state->sp, state->pc, stack);
		snapshot_interpreters_lack(&snapshots->interpreters,
					   &snapshots->process->interpreter, &snapshots->words);
		return THREAD_STOPPED;
	}
	count_missing(&snapshots->missing, result);
	return result;
}

/* Called while a thread is stopped. */
static void read_interpreter(void *arg, pid_t pid, const struct thread_stack *stack)
{
	struct snapshots *snapshots = arg;

	snapshot_interpreters_read(&snapshots->interpreters, &snapshots->process->interpreter, pid,
				   stack->thread_pointer, &snapshots->words);
}

/* Adds the stack of the program, and the frames of an interpreter. */
static void add_user(struct snapshots *snapshots, struct snapshot *snapshot,
		     const struct thread_stack *stack)
{
	const struct event *event = &snapshots->events.items[0];
	const struct interpreted_use use = {.writer = snapshots->segment.writer,
					    .attr = &event->attr,
					    .pid = (uint32_t)snapshot->pid,
					    .time = snapshot->time,
					    .id = event->opened.ids[0]};
	struct snapshot_words *words = &snapshots->words;

	snapshot->stack = stack;
	snapshot_interpreters_name(&snapshots->interpreters, &snapshots->process->interpreter, &use,
				   words);
	snapshot->interpreted = (const void *)words->entries.data;
	snapshot->interpreted_count = words->entries.size / sizeof(uint64_t);
}

static void write_snapshot(struct snapshots *snapshots, struct known_thread *thread,
			   struct thread_state *state, bool kernel_thread)
{
	struct thread_stack stack = {.dump = snapshots->dump, .limit = snapshots->stack_size};
	uint64_t addresses[KERNEL_STACK_MAX], pause = 0;
	const uint64_t interval = snapshots->options->snapshots.interval;
	struct snapshot snapshot = {.pid = thread->pid,
				    .tid = thread->tid,
				    .time = record_now(),
				    .state = state,
				    .kernel = addresses};
	enum thread_stop_result result = THREAD_DENIED;

	snapshots->words.entries.size = 0;
	if (state->state != 'R')
		snapshot.kernel_count = kernel_stacks_read(&snapshots->kernel_stacks, thread->pid,
							   thread->tid, addresses);
	if (!kernel_thread)
		thread_state_read_call(thread->pid, thread->tid, state);
	if (!kernel_thread)
		result = find_stack(snapshots, thread, state, &stack, &pause);
	if (result == THREAD_GONE)
		return;
	if (result == THREAD_STOPPED)
		add_user(snapshots, &snapshot, &stack);
	snapshot.pause = pause;
	snapshot.period = thread->time ? snapshot.time - thread->time : interval;
	snapshot.period += !snapshot.period;
	thread->time = snapshot.time;
	snapshot_event_write(&snapshots->events.items[0], &snapshot, snapshots->segment.writer);
	snapshots->samples++;
}

/* Returns true if the options name threads, and this thread is not one of them. */
static bool is_left_out(const struct snapshots *snapshots, pid_t tid)
{
	const struct targets *chosen = &snapshots->chosen;

	if (!snapshots->options->target.tids)
		return false;
	for (size_t i = 0; i < chosen->tids_count; i++)
		if (chosen->tids[i] == tid)
			return false;
	return true;
}

static void take_thread(struct snapshots *snapshots, const struct known_process *process, pid_t tid,
			bool kernel_thread)
{
	const bool known = pk_table_get(&snapshots->threads, (uint64_t)tid);
	struct known_thread *thread;
	struct thread_state state;

	if (is_left_out(snapshots, tid) || !thread_state_read(process->pid, tid, &state) ||
	    state.state == 'Z' || state.state == 'X')
		return;
	thread = pk_table_get_or_add(&snapshots->threads, (uint64_t)tid, sizeof(*thread));
	if (!thread) {
		snapshots->missing.memory++;
		return;
	}
	if (!known && tid != process->pid)
		synthesis_fork(&snapshots->synthesis, process->pid, tid, process->pid,
			       PERF_RECORD_MISC_FORK_EXEC);
	if (!known || strcmp(thread->comm, state.comm) != 0)
		synthesis_comm(&snapshots->synthesis, process->pid, tid, state.comm, 0);
	memcpy(thread->comm, state.comm, sizeof(thread->comm));
	thread->pid = process->pid;
	thread->tid = tid;
	thread->snapshot = snapshots->number;
	write_snapshot(snapshots, thread, &state, kernel_thread);
}

/* ---- Processes ---- */

static uint64_t memory_of(pid_t pid)
{
	char path[64], line[128];

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	return pk_procfs_read_line(path, line, sizeof(line), NULL) ? strtoull(line, NULL, 10) : 0;
}

/* Writes the maps of a process if they may have changed. If the name of the process has changed,
 * the process has probably called exec. A COMM record then ends the old maps. */
static void follow_maps(struct snapshots *snapshots, struct known_process *process, bool known,
			const struct task_info *info)
{
	const struct known_thread *leader =
		pk_table_get(&snapshots->threads, (uint64_t)process->pid);
	const uint64_t memory = memory_of(process->pid);

	if (known && memory == process->memory)
		return;
	process->memory = memory;
	if (leader && strcmp(leader->comm, info->comm) != 0)
		synthesis_comm(&snapshots->synthesis, process->pid, process->pid, info->comm,
			       PERF_RECORD_MISC_COMM_EXEC);
	synthesis_maps(&snapshots->synthesis, process->pid);
	snapshot_interpreters_find(&snapshots->interpreters, process->pid, &process->interpreter);
}

static void take_process(struct snapshots *snapshots, pid_t pid)
{
	const bool known = pk_table_get(&snapshots->processes, (uint64_t)pid);
	struct known_process *process;
	struct task_info info;
	char path[64];
	pid_t *tids = NULL;
	ssize_t count;

	if (pid == getpid() || !pk_procfs_task(pid, &info, NULL))
		return;
	process = pk_table_get_or_add(&snapshots->processes, (uint64_t)pid, sizeof(*process));
	snapshots->missing.memory += !process;
	if (!process || (known && process->snapshot == snapshots->number))
		return;
	process->pid = pid;
	process->snapshot = snapshots->number;
	if (!known)
		synthesis_fork(&snapshots->synthesis, pid, pid, info.parent,
			       PERF_RECORD_MISC_FORK_EXEC);
	if (!info.kernel)
		follow_maps(snapshots, process, known, &info);
	snapshots->process = process;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	count = pk_procfs_list_ids(path, &tids, NULL);
	for (ssize_t i = 0; i < count; i++)
		take_thread(snapshots, process, tids[i], info.kernel);
	free(tids);
	snapshots->alive++;
}

/* Limit for the text of a list of children, in bytes. */
#define CHILDREN_LIMIT ((size_t)1 << 20)

static void take_with_children(struct snapshots *snapshots, pid_t pid, unsigned int depth);

/* Takes samples of the processes that a thread of a process has started, and of the children of
 * these processes. */
static void take_children(struct snapshots *snapshots, pid_t pid, pid_t tid, unsigned int depth)
{
	char path[80], *list, *at, *end;
	size_t size;
	pid_t child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, tid);
	list = pk_procfs_read_file(path, CHILDREN_LIMIT, &size, NULL);
	for (at = list; at && (child = (pid_t)strtol(at, &end, 10)) > 0 && end > at; at = end)
		take_with_children(snapshots, child, depth + 1);
	free(list);
}

#define DEPTH_MAX 64

static void take_with_children(struct snapshots *snapshots, pid_t pid, unsigned int depth)
{
	pid_t *tids = NULL;
	char path[64];
	ssize_t count;

	take_process(snapshots, pid);
	if (snapshots->options->no_inherit || depth == DEPTH_MAX)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	count = pk_procfs_list_ids(path, &tids, NULL);
	for (ssize_t i = 0; i < count; i++)
		take_children(snapshots, pid, tids[i], depth);
	free(tids);
}

/* ---- Snapshots ---- */

static void forget_ended_processes(struct snapshots *snapshots)
{
	struct pk_table kept = {0};
	struct known_process *process;
	size_t at = 0;

	while ((process = pk_table_next_value(&snapshots->processes, &at)))
		if (process->snapshot != snapshots->number ||
		    pk_table_set(&kept, (uint64_t)process->pid, process) != PK_OK)
			free(process);
	pk_table_free(&snapshots->processes);
	snapshots->processes = kept;
}

static void forget_ended(struct snapshots *snapshots)
{
	struct pk_table kept = {0};
	struct known_thread *thread;
	size_t at = 0;

	while ((thread = pk_table_next_value(&snapshots->threads, &at))) {
		if (thread->snapshot == snapshots->number &&
		    pk_table_set(&kept, (uint64_t)thread->tid, thread) == PK_OK)
			continue;
		forget_stack(snapshots, thread);
		free(thread);
	}
	pk_table_free(&snapshots->threads);
	snapshots->threads = kept;
	forget_ended_processes(snapshots);
}

static void take_all(struct snapshots *snapshots)
{
	pid_t *pids = NULL;
	const ssize_t count = pk_procfs_list_ids("/proc", &pids, pk_lookups());

	for (ssize_t i = 0; i < count; i++)
		take_process(snapshots, pids[i]);
	free(pids);
}

static void take(struct snapshots *snapshots)
{
	const struct targets *chosen = &snapshots->chosen;

	snapshots->number++;
	snapshots->alive = 0;
	thread_stops_release(&snapshots->stops);
	snapshot_interpreters_round(&snapshots->interpreters);
	if (chosen->system_wide)
		take_all(snapshots);
	else if (!chosen->pids_count && snapshots->child.pid)
		take_with_children(snapshots, snapshots->child.pid, 0);
	for (size_t i = 0; i < chosen->pids_count && !chosen->system_wide; i++)
		take_with_children(snapshots, chosen->pids[i], 0);
	forget_ended(snapshots);
	write_mark(PERF_RECORD_FINISHED_ROUND, snapshots->segment.writer);
	pk_writer_flush(snapshots->segment.writer);
	output_flush(&snapshots->segment.output);
}

/* ---- The loop ---- */

static bool is_over(struct snapshots *snapshots, uint64_t deadline)
{
	if (snapshots->options->command && pk_child_ended(&snapshots->child))
		return true;
	return !snapshots->alive || pk_signals_stops() || record_now() >= deadline ||
	       pk_writer_status(snapshots->segment.writer) != PK_OK;
}

/* How often threads that have not stopped in time are looked at, in ns. */
#define LATE_INTERVAL UINT64_C(1000000)

/* Waits until a time, or until a signal arrives. Meanwhile, continues threads that stop too late.
 */
static void wait_until(struct snapshots *snapshots, uint64_t time)
{
	uint64_t now = record_now(), ns;
	struct timespec timeout;

	do {
		ns = time > now ? time - now : 0;
		if (snapshots->stops.late_count && ns > LATE_INTERVAL)
			ns = LATE_INTERVAL;
		timeout = (struct timespec){(time_t)(ns / UINT64_C(1000000000)),
					    (long)(ns % UINT64_C(1000000000))};
		if (ppoll(NULL, 0, &timeout, &snapshots->signals.mask) < 0)
			return;
		thread_stops_release(&snapshots->stops);
		now = record_now();
	} while (now < time);
}

/* If a snapshot takes longer than the interval, the next snapshot starts one interval after its
 * end. */
static void loop(struct snapshots *snapshots)
{
	const uint64_t interval = snapshots->options->snapshots.interval;
	const uint64_t duration = snapshots->options->timing.duration;
	const uint64_t deadline = duration ? record_now() + duration : UINT64_MAX;
	uint64_t next = record_now();

	take(snapshots);
	while (interval && !is_over(snapshots, deadline)) {
		next = next + interval > record_now() ? next + interval : record_now() + interval;
		wait_until(snapshots, next < deadline ? next : deadline);
		if (record_now() >= next)
			take(snapshots);
	}
}

/* ---- Start and end ---- */

static void report(const struct snapshots *snapshots)
{
	const struct missing *missing = &snapshots->missing;
	char text[32], all[32];

	if (snapshots->pauses)
		pk_info("threads were stopped %s times, for %.1f us on average, and for %.1f us at "
			"most",
			pk_number(text, snapshots->pauses),
			(double)snapshots->pause_sum / 1e3 / (double)snapshots->pauses,
			(double)snapshots->pause_max / 1e3);
	pk_info("%s samples", pk_number(text, snapshots->samples));
	pk_number(all, snapshots->samples);
	if (missing->denied)
		pk_warn("%s of %s stacks are missing: this user may not trace the process: run as "
			"its user or as root; see also /proc/sys/kernel/yama/ptrace_scope",
			pk_number(text, missing->denied), all);
	if (missing->of_32bit)
		pk_warn("%s of %s stacks are missing: 32-bit programs are not supported",
			pk_number(text, missing->of_32bit), all);
	if (missing->busy)
		pk_warn("%s of %s stacks are missing: the threads did not stop in time",
			pk_number(text, missing->busy), all);
	snapshot_interpreters_report(&snapshots->interpreters);
	if (missing->memory)
		pk_warn("%s threads are missing: out of memory", pk_number(text, missing->memory));
}

static int run(struct snapshots *snapshots)
{
	struct segment *segment = &snapshots->segment;
	struct process_set none = {0};
	int status, command;

	if (segment_start(segment, &none) != PK_OK) {
		pk_child_cancel(&snapshots->child);
		return PK_EXIT_FAILED;
	}
	if (snapshot_interpreters_start(&snapshots->interpreters,
					snapshots->options->stacks.interpreters,
					segment->writer) != PK_OK) {
		pk_no_memory();
		pk_child_cancel(&snapshots->child);
		return PK_EXIT_FAILED;
	}
	snapshots->synthesis = (struct synthesis){.attr = &snapshots->events.items[0].attr,
						  .writer = segment->writer,
						  .ids = file_ids_new()};
	if (snapshots->options->command) {
		status = pk_child_go(&snapshots->child, snapshots->options->command);
		if (status)
			return status;
		pk_writer_flush(segment->writer);
		output_uncork(&segment->output);
	}
	loop(snapshots);
	segment_end(segment);
	status = segment_close(segment);
	report(snapshots);
	if (!snapshots->samples)
		pk_warn("no samples: the processes ended before the first snapshot");
	if (!status && !snapshots->samples && !snapshots->options->command)
		status = PK_EXIT_FAILED;
	if (snapshots->options->command) {
		command = pk_child_end(&snapshots->child, &snapshots->signals);
		status = status ? status : command;
	}
	return status;
}

static enum pk_status open_all(struct snapshots *snapshots)
{
	struct options *options = snapshots->options;
	struct pk_messages *messages = &snapshots->events.messages;
	static int any_cpu = -1;
	static bool chosen = true;
	static pid_t any_task = -1;

	if (!thread_stop_possible()) {
		pk_error("--snapshots: not supported on this architecture");
		return PK_FAILED;
	}
	snapshots->dump = malloc(snapshots->stack_size);
	if (!snapshots->dump) {
		pk_no_memory();
		return PK_NOMEM;
	}
	snapshots->stops = (struct thread_stops){.look = read_interpreter, .arg = snapshots};
	kernel_stacks_open(&snapshots->kernel_stacks);
	if (options->command)
		PK_TRY(pk_child_fork(&snapshots->child, options->command, !options->files.path,
				     &snapshots->signals));
	PK_TRY(pk_printed(pk_targets_init(&snapshots->chosen, &options->target,
					  snapshots->child.pid, messages),
			  messages));
	PK_TRY(pk_printed(snapshot_event_add(&snapshots->events, snapshots->stack_size), messages));
	snapshots->slot = (struct targets){.cpus = &any_cpu,
					   .chosen = &chosen,
					   .cpus_count = 1,
					   .tids = &any_task,
					   .tids_count = 1};
	return PK_OK;
}

static void free_all(struct snapshots *snapshots)
{
	snapshots->number++;
	forget_ended(snapshots);
	kernel_stacks_free(&snapshots->kernel_stacks);
	file_ids_free(snapshots->synthesis.ids);
	segment_free(&snapshots->segment);
	own_events_free(&snapshots->events);
	pk_event_list_free(&snapshots->events);
	pk_targets_free(&snapshots->chosen);
	snapshot_interpreters_free(&snapshots->interpreters);
	free(snapshots->words.entries.data);
	free(snapshots->dump);
}

int snapshots_run(struct options *options)
{
	struct snapshots snapshots = {.options = options, .unwind = {.options = options}};
	const uint32_t size = options->stacks.stack_size;
	int status;

	snapshots.stack_size = size && size < SNAPSHOT_STACK_MAX ? size : SNAPSHOT_STACK_MAX;
	snapshots.segment = (struct segment){.options = options,
					     .unwind = &snapshots.unwind,
					     .signals = &snapshots.signals,
					     .events = &snapshots.events,
					     .targets = &snapshots.slot,
					     .output = {.fd = -1, .twin = -1}};
	pk_signals_catch(&snapshots.signals);
	status = segment_open_output(&snapshots.segment, options->command != NULL);
	if (!status && open_all(&snapshots) == PK_OK) {
		status = run(&snapshots);
	} else {
		pk_child_cancel(&snapshots.child);
		status = status ? status : PK_EXIT_FAILED;
	}
	free_all(&snapshots);
	return status;
}
