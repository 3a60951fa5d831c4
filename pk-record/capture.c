// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "aux_events.h"
#include "capture.h"
#include "child.h"
#include "cli.h"
#include "configure.h"
#include "control.h"
#include "event.h"
#include "event_line.h"
#include "lookups.h"
#include "offcpu.h"
#include "perf_syscall.h"
#include "pid_file.h"
#include "pkprivate.h"
#include "probe_events.h"
#include "progress_line.h"
#include "record_time.h"
#include "ring.h"
#include "segment.h"
#include "spending.h"
#include "stack_mode.h"
#include "stream_head.h"
#include "strings_bpf.h"
#include "unwind_bpf.h"
#include "user_bpf.h"

/* ---- Wakeups ---- */

/* Waits for the descriptors that pk-record polls. */

/* Time in ns for which wakeups_wait() ignores BPF ring buffers, because they wake pk-record for
 * each record. */
#define WAKEUPS_REST UINT64_C(5000000)

/* The file descriptors for which a recording waits. */
struct wakeups {
	/* The descriptors in this order: one for each slot (CPU and task) of an event, `in` and
	 * `out` of wakeups_wait(), the requests of --call-graph unwind, the rings of --off-cpu, and
	 * the ring buffers of --bpf. */
	struct pollfd *fds;
	size_t tasks, others, count; /* Numbers of items of `fds`: `tasks` is the number of slots,
					`others` is the index of the first ring buffer of --bpf, and
					`count` is the number of all items. */
	size_t alive;		     /* number of slots whose task has not ended */
};

enum { IN, OUT, UNWIND, OTHERS };

/* Returns the event to poll. This is the last event with a normal ring, because the kernel does not
 * wake pk-record for overwritten rings. It is open in every slot where any event is open. The
 * reason is that it is the dummy event that tracks tasks, or that all events are open in the same
 * slots. Events from BPF are not used, because they do not end with their tasks. */
static const struct event *last_event(const struct event_list *events)
{
	for (size_t i = events->count; i-- > 0;)
		if (!(events->items[i].attr.flags & PERF_ATTR_WRITE_BACKWARD) &&
		    !events->items[i].bpf.output)
			return &events->items[i];
	return &events->items[events->count - 1];
}

static void set_fds(struct pollfd *to, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
}

/* Call it after the events, --off-cpu and --bpf were opened. Returns PK_FAILED after it has printed
 * a message. */
static enum pk_status wakeups_init(struct wakeups *wakeups, const struct event_list *events,
				   const struct targets *targets, const struct unwind *unwind,
				   const struct offcpu *offcpu, const struct user_bpf *bpf)
{
	const struct event *last = last_event(events);
	const int *outputs = NULL;
	const size_t outputs_count = offcpu_fds(offcpu, &outputs);
	int *rings = calloc(bpf->count + 1, sizeof(*rings));
	const size_t rings_count = rings ? user_bpf_fds(bpf, rings) : 0;

	wakeups->tasks = event_slots(targets);
	wakeups->others = wakeups->tasks + OTHERS + outputs_count;
	wakeups->count = wakeups->others + rings_count;
	wakeups->fds = calloc(wakeups->count, sizeof(*wakeups->fds));
	if (!wakeups->fds || !rings) {
		free(rings);
		pk_no_memory();
		return PK_NOMEM;
	}
	set_fds(wakeups->fds, last->opened.fds, wakeups->tasks);
	for (size_t i = 0; i < wakeups->tasks; i++)
		wakeups->alive += last->opened.fds[i] >= 0;
	set_fds(wakeups->fds + wakeups->tasks + UNWIND, &(int){unwind_fd(unwind)}, 1);
	set_fds(wakeups->fds + wakeups->tasks + OTHERS, outputs, outputs_count);
	set_fds(wakeups->fds + wakeups->others, rings, rings_count);
	free(rings);
	return PK_OK;
}

static int wait_for(struct wakeups *wakeups, size_t count, uint64_t ns, const sigset_t *mask)
{
	const struct timespec timeout = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	return ppoll(wakeups->fds, count, &timeout, mask);
}

/* Waits until one of these things happens:
 *   - A ring is half full or, with `unbuffered`, has a record.
 *   - A task ends.
 *   - A BPF ring buffer has records, and WAKEUPS_REST ns have passed since the call.
 *   - The descriptor `in` can be read, or the descriptor `out` can be written. A descriptor of -1
 * is ignored.
 *   - A signal arrives that mask allows.
 *   - `ns` nanoseconds have passed. */
static void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out,
			 const sigset_t *mask)
{
	const uint64_t rest = wakeups->count == wakeups->others ? 0
			      : ns < WAKEUPS_REST		? ns
								: WAKEUPS_REST;
	struct pollfd *others = wakeups->fds + wakeups->tasks;
	int ready = 0;

	others[IN] = (struct pollfd){.fd = in, .events = POLLIN};
	others[OUT] = (struct pollfd){.fd = out, .events = POLLOUT};
	if (rest)
		ready = wait_for(wakeups, wakeups->others, rest, mask);
	if (!ready)
		ready = wait_for(wakeups, wakeups->count, ns - rest, mask);
	if (ready <= 0)
		return;
	for (size_t i = 0; i < wakeups->tasks; i++) {
		if (wakeups->fds[i].fd < 0 || !(wakeups->fds[i].revents & (POLLERR | POLLHUP)))
			continue;
		wakeups->fds[i].fd = -1; /* the task of the slot has ended */
		wakeups->alive--;
	}
}

static void wakeups_free(struct wakeups *wakeups)
{
	free(wakeups->fds);
}

/* ---- Description ---- */

/* With -v, prints a line for each event. It has the name and the attr that the kernel has accepted,
 * in the format of perf evlist -v. */
static void describe_events(const struct event_list *events)
{
	struct buffer line = {0};

	for (size_t i = 0; i < events->count && pk_cli_verbose() > 0; i++) {
		const struct pk_event event = {.attr = events->items[i].attr,
					       .name = events->items[i].name};

		line.size = 0;
		pk_event_list_line(&line, &event);
		if (line.failed)
			break;
		pk_info("%.*s", (int)line.size - 1, line.data);
	}
	if (line.failed)
		pk_no_memory();
	free(line.data);
}

/* ---- Capture ---- */

/* The kernel wakes pk-record when a ring is half full. pk-record also reads the rings after this
 * interval, so that the records of slow recordings are not delayed for a longer time. */
#define SHOW_INTERVAL_NS UINT64_C(200000000)

#define START_TRIES 8

/* The state of a recording. */
struct capture {
	struct options *options;
	struct event_list *events;
	struct targets targets;
	struct ring_list rings, overwritten; /* each event uses one of these two lists */
	struct child child;
	struct signals signals;
	struct segment segment;
	struct unwind unwind;
	struct offcpu offcpu;
	struct strings strings;
	struct user_bpf *bpf; /* state of --bpf; it has no files if --bpf is not given */
	struct control control;
	struct process_set processes;
	struct wakeups wakeups;
	struct spending spending;
	uint64_t deadline,
		split_at; /* Times as record_now() returns them: the end of the recording, and the
			   * next split. UINT64_MAX if there is none. */
	struct windows windows;
	struct ring_counts counts;
	struct progress_line progress;
	uint64_t records, bytes; /* numbers of records and bytes of the segments that were closed */
	int asked;	/* number of SIGUSR2 signals (requests for a snapshot) that were handled */
	bool on_exec;	/* the events are enabled when the recorded command calls exec */
	bool streams;	/* at least one event writes its records continuously */
	bool snapshots; /* at least one event has an overwritten ring, of which snapshots are
			 * written */
	bool paused;	/* the events are disabled, and an option will enable them again */
	bool stop;	/* --control or --max-size has requested the end */
	int status;	/* exit status so far */
};

/* ---- Start ---- */

static enum pk_status list_targets(const struct capture *capture, struct targets *targets)
{
	struct pk_messages *messages = &capture->events->messages;

	return pk_printed(
		pk_targets_init(targets, &capture->options->target, capture->child.pid, messages),
		messages);
}

static enum pk_status open_once(struct capture *capture)
{
	const struct open_options opening = {.clock_instead = true};

	unwind_before_open(&capture->unwind, capture->events);
	PK_TRY(pk_printed(pk_event_list_open(capture->events, &capture->targets, &opening),
			  &capture->events->messages));
	PK_TRY(unwind_after_open(&capture->unwind, capture->events, &capture->targets));
	if (capture->options->programs.off_cpu)
		PK_TRY(offcpu_attach(&capture->offcpu, capture->events, &capture->targets));
	PK_TRY(pk_printed(user_bpf_connect(capture->bpf, capture->events, &capture->targets,
					   capture->options->sampling.clockid),
			  &capture->bpf->messages));
	return capture->options->programs.strings
		       ? strings_attach(&capture->strings, capture->events, &capture->targets,
					capture->on_exec && !capture->options->timing.delay)
		       : PK_OK;
}

/* Opens the events. A thread can start after the threads were listed and before the events are
 * open. Such a thread may have inherited all, some or none of the events. So the events are opened
 * again until no thread has started in this time. After START_TRIES attempts, prints a message and
 * keeps the events open. */
static enum pk_status open_events(struct capture *capture)
{
	struct targets now;

	for (int tries = 0; tries < START_TRIES; tries++) {
		PK_TRY(open_once(capture));
		if (!capture->targets.pids_count || capture->options->target.tids)
			return PK_OK;
		if (list_targets(capture, &now) != PK_OK) {
			pk_targets_free(&now);
			return PK_FAILED;
		}
		if (pk_targets_equal(&now, &capture->targets)) {
			pk_targets_free(&now);
			return PK_OK;
		}
		pk_event_list_close(capture->events, &capture->targets);
		pk_targets_free(&capture->targets);
		capture->targets = now;
	}
	pk_info("threads start too fast: some may be missing or recorded twice");
	return open_once(capture);
}

static bool open_off_cpu(struct capture *capture)
{
	struct unwind *unwind = &capture->unwind;

	if (!capture->options->programs.off_cpu)
		return true;
	if (unwind->object)
		offcpu_share(&capture->offcpu, unwind->object, unwind->off_cpu_stack,
			     &unwind->joins);
	return offcpu_open(&capture->offcpu) == PK_OK;
}

static enum pk_status open_all(struct capture *capture)
{
	struct options *options = capture->options;
	const struct target_spec *target = &options->target;
	const bool other_target =
		target->pids || target->tids || target->uids || target->cpus || target->system_wide;
	const bool inherited = !options->no_inherit && !target->system_wide && !target->cpus;

	if (options->command)
		PK_TRY(pk_child_fork(&capture->child, options->command, !options->files.path,
				     &capture->signals));
	capture->on_exec = options->command && !other_target;
	PK_TRY(pk_printed(pk_probe_events_define(capture->events, inherited),
			  &capture->events->messages));
	PK_TRY(list_targets(capture, &capture->targets));
	stack_mode_settle(options, &capture->targets, capture->events, &capture->unwind);
	PK_TRY(pk_printed(
		configure_events(capture->events, options, &capture->targets, capture->on_exec),
		&capture->events->messages));
	stack_mode_check(options, capture->events);
	if (options->stacks.mode == CALLCHAIN_UNWIND && !capture->unwind.object)
		PK_TRY(pk_printed(unwind_try(&capture->unwind, capture->events, &capture->targets),
				  &capture->unwind.messages));
	if (!open_off_cpu(capture))
		return PK_FAILED;
	if (options->programs.strings)
		PK_TRY(strings_open(&capture->strings, &capture->targets));
	PK_TRY(pk_printed(capture->bpf->files_count ? user_bpf_load(capture->bpf) : PK_OK,
			  &capture->bpf->messages));
	PK_TRY(open_events(capture));
	PK_TRY(pk_printed(pk_event_list_filter(capture->events, &capture->targets),
			  &capture->events->messages));
	PK_TRY(pk_printed(user_bpf_attach(capture->bpf), &capture->bpf->messages));
	PK_TRY(spending_open(&capture->spending, options, capture->events, &capture->targets));
	PK_TRY(rings_map(&capture->rings, capture->events, options, &capture->targets, false));
	PK_TRY(rings_map(&capture->overwritten, capture->events, options, &capture->targets, true));
	PK_TRY(unwind_connect(&capture->unwind, &capture->rings, &capture->targets));
	PK_TRY(wakeups_init(&capture->wakeups, capture->events, &capture->targets, &capture->unwind,
			    &capture->offcpu, capture->bpf));
	describe_events(capture->events);
	capture->streams = rings_wanted(capture->events, false);
	capture->snapshots = rings_wanted(capture->events, true);
	if (options->timing.control)
		PK_TRY(pk_control_open(&capture->control, options->timing.control));
	if (options->files.path)
		capture->status = segment_open_output(&capture->segment, options->command != NULL);
	return capture->status ? PK_FAILED : PK_OK;
}

/* If the recording is system-wide, excludes the samples of pk-record itself, unless --include-self
 * is given. */
static void exclude_self(struct capture *capture)
{
	const uint64_t type = capture->events->items[0].attr.sample_type;

	/* The pid follows the header, IDENTIFIER and IP. */
	capture->counts.pid_offset = sizeof(struct perf_header) +
				     (type & PERF_SAMPLE_IDENTIFIER ? 2 : 1) * sizeof(uint64_t);
	if (capture->targets.system_wide && !capture->options->include_self)
		capture->counts.excluded = getpid();
}

/* Sets how samples are completed while they are written; see struct ring_counts in ring.h. */
static void complete_samples(struct capture *capture)
{
	capture->counts.events = capture->events;
	if (capture->unwind.object)
		capture->counts.joins = &capture->unwind.joins;
	if (!capture->bpf->bare.count)
		return;
	capture->counts.bare = &capture->bpf->bare;
}

/* Starts the list of recorded processes. FORK records add processes to it. A stream that starts
 * later lists the tasks of these processes. */
static void note_processes(struct capture *capture)
{
	if (capture->targets.system_wide || !(capture->options->files.rotate || capture->snapshots))
		return;
	capture->counts.forks = &capture->processes;
	processes_add(&capture->processes, capture->child.pid);
	for (size_t i = 0; i < capture->targets.pids_count; i++)
		processes_add(&capture->processes, capture->targets.pids[i]);
}

/* ---- Records ---- */

/* Writes a complete stream of the overwritten records, but not its end. */
static enum pk_status write_snapshot(struct capture *capture)
{
	struct segment *segment = &capture->segment;
	struct process_set processes = {0};
	enum pk_status status;

	processes_add_all(&processes); /* FORK records in overwritten rings were not read yet */
	status = segment_start(segment, &processes);
	for (size_t i = 0; status == PK_OK && i < capture->overwritten.count; i++)
		ring_snapshot(&capture->overwritten.items[i], segment->writer, &capture->counts);
	processes_free(&processes);
	return status;
}

/* Returns true if the kernel may have disabled the event that writes to the AUX area of the ring,
 * because the area was full. */
static bool may_be_full(const struct ring *ring, uint64_t full_pieces,
			const struct ring_counts *counts, size_t fill)
{
	return ring->aux.data && (counts->full_pieces != full_pieces || fill > ring->aux.size / 2);
}

/* Calls ioctl() for the events that write hardware traces to the ring, or to all rings if `ring` is
 * SIZE_MAX. */
static void switch_traces(const struct capture *capture, size_t ring, unsigned long request)
{
	const struct targets *targets = &capture->targets;
	const bool per_task = targets->cpus[0] < 0;

	for (size_t i = 0; i < capture->events->count; i++) {
		const struct event *event = &capture->events->items[i];

		for (size_t slot = 0; event->trace && slot < event_slots(targets); slot++) {
			const size_t of = per_task ? slot : slot / targets->tids_count;

			if ((ring == SIZE_MAX || of == ring) && event->opened.fds[slot] >= 0)
				ioctl(event->opened.fds[slot], request, 0);
		}
	}
}

/* Writes the records of a ring and the bytes of its AUX area. If the kernel has disabled the events
 * of the area, enables them again, now that the area has space. */
static bool drain_ring(struct capture *capture, size_t which)
{
	struct ring *ring = &capture->rings.items[which];
	const uint64_t full = capture->counts.full_pieces;
	const size_t fill = aux_area_fill(&ring->aux);
	const bool written = ring_drain(ring, capture->segment.writer, &capture->counts);

	if (!capture->paused && may_be_full(ring, full, &capture->counts, fill))
		switch_traces(capture, which, PERF_EVENT_IOC_ENABLE);
	return written;
}

/* Writes the records in the rings, as far as the output has room. If the reader is slow, records
 * stay in the rings, and the result is false. When the rings are full, the kernel drops records and
 * counts them. */
static bool drain(struct capture *capture)
{
	struct segment *segment = &capture->segment;
	bool written = false, all = true;

	unwind_serve(&capture->unwind);
	if (!segment->writer)
		return false;
	unwind_look(&capture->unwind, &capture->rings, capture->counts.trailer);
	for (size_t i = 0; i < capture->rings.count; i++) {
		const struct ring *ring = &capture->rings.items[i];

		if (output_room(&segment->output) >= ring_fill(ring))
			written |= drain_ring(capture, i);
		else
			all = false;
	}
	unwind_follow(&capture->unwind);
	if (output_room(&segment->output) >= offcpu_fill(&capture->offcpu))
		written |= offcpu_drain(&capture->offcpu, segment->writer, &capture->counts);
	written |= user_bpf_drain(capture->bpf, segment->writer, &capture->counts,
				  output_room(&segment->output), false);
	if (written)
		write_mark(PERF_RECORD_FINISHED_ROUND, segment->writer);
	pk_writer_flush(segment->writer);
	output_flush(&segment->output);
	return all;
}

/* ---- Switching on and off ---- */

static void enable(struct capture *capture)
{
	capture->paused = false;
	pk_event_list_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_ENABLE);
	user_bpf_start(capture->bpf);
}

static void pause_events(struct capture *capture)
{
	capture->paused = true;
	pk_event_list_pause(capture->events, &capture->targets);
	if (capture->segment.writer)
		user_bpf_drain(capture->bpf, capture->segment.writer, &capture->counts, SIZE_MAX,
			       true);
	user_bpf_pause(capture->bpf);
}

static struct progress_numbers numbers_of(const struct capture *capture)
{
	const struct segment *segment = &capture->segment;

	return (struct progress_numbers){.samples = capture->counts.samples,
					 .lost = capture->counts.lost_records,
					 .bytes = capture->bytes +
						  (segment->open ? segment->output.written : 0)};
}

/* ---- The budget ---- */

static struct budget_cost cost_of(const struct capture *capture)
{
	const struct progress_numbers numbers = numbers_of(capture);

	return spending_total(&capture->spending,
			      numbers.samples + capture->counts.excluded_samples, numbers.bytes);
}

/* Calls segment_start(). Its cost does not depend on the frequency of the events. */
static enum pk_status start_segment(struct capture *capture, struct process_set *later)
{
	struct segment *segment = &capture->segment;
	const struct budget_cost before = cost_of(capture);
	struct budget_cost after;

	PK_TRY(segment_start(segment, later));
	if (!capture->spending.budget.frequency)
		return PK_OK;
	pk_writer_flush(segment->writer);
	output_flush(&segment->output);
	after = cost_of(capture);
	spending_add_once(&capture->spending, &before, &after);
	return PK_OK;
}

/* Changes the frequency of the events if --budget requires this. All samples with the old frequency
 * must be read before. If the reader of the output is too slow for this, tries it again later. */
static void keep_budget(struct capture *capture)
{
	struct spending *spending = &capture->spending;
	struct budget_cost cost;

	if (!spending->budget.frequency || capture->paused)
		return;
	cost = cost_of(capture);
	if (!spending_step(spending, &cost))
		return;
	pace_switch(&spending->pace, PERF_EVENT_IOC_DISABLE);
	if (!drain(capture))
		spending->budget.frequency = spending->pace.frequency;
	else if (spending_apply(spending, capture->segment.writer) == PK_OK)
		capture->counts.periods = &spending->pace.periods;
	else
		capture->stop = true;
	pace_switch(&spending->pace, PERF_EVENT_IOC_ENABLE);
}

/* ---- The loop ---- */

static uint64_t until(uint64_t time, uint64_t now)
{
	return time > now ? time - now : 0;
}

static void wait_for_data(struct capture *capture)
{
	const uint64_t now = record_now();
	uint64_t wait = SHOW_INTERVAL_NS;

	if (until(capture->deadline, now) < wait)
		wait = until(capture->deadline, now);
	if (until(capture->windows.switch_at, now) < wait)
		wait = until(capture->windows.switch_at, now);
	wakeups_wait(&capture->wakeups, wait, capture->control.in,
		     output_waits_for(&capture->segment.output), &capture->signals.mask);
}

static bool output_failed(const struct capture *capture)
{
	return capture->segment.writer && pk_writer_status(capture->segment.writer) != PK_OK;
}

static bool is_over(struct capture *capture)
{
	if (capture->options->command && pk_child_ended(&capture->child))
		return true;
	/* A recorded command can continue after its first thread has ended. So for a command, the
	 * end of its process is checked above. */
	if (!capture->wakeups.alive && !capture->on_exec)
		return true;
	return capture->stop || pk_signals_stops() || record_now() >= capture->deadline ||
	       output_failed(capture);
}

static void start_split(struct capture *capture)
{
	capture->split_at = capture->options->files.split_time
				    ? record_now() + capture->options->files.split_time
				    : UINT64_MAX;
}

static void end_segment(struct capture *capture)
{
	struct segment *segment = &capture->segment;

	if (capture->options->programs.off_cpu)
		segment->lost += offcpu_write_lost(&capture->offcpu, segment->writer);
	segment->lost += user_bpf_write_lost(capture->bpf, segment->writer);
	segment_end(segment);
	capture->records += pk_writer_records(segment->writer);
}

/* Ends the output of a stream. If each stream is a file, opens the next file. Returns PK_FAILED if
 * the output failed. Then the recording must end. */
static enum pk_status next_output(struct capture *capture)
{
	struct segment *segment = &capture->segment;
	int status;

	if (!capture->options->files.rotate) {
		output_flush(&segment->output);
		return output_failed(capture) ? PK_FAILED : PK_OK;
	}
	capture->bytes += segment->output.written;
	status = segment_close(segment);
	if (!status)
		status = segment_open_output(segment, false);
	capture->status = status;
	return status ? PK_FAILED : PK_OK;
}

/* Ends the stream and starts another one. With `snapshot`, writes a stream with the records of the
 * overwritten rings between the two. Returns an error if the recording must end. */
static enum pk_status split(struct capture *capture, bool snapshot)
{
	if (capture->streams) {
		drain(capture);
		end_segment(capture);
		PK_TRY(next_output(capture));
	}
	if (capture->snapshots && snapshot) {
		PK_TRY(write_snapshot(capture));
		end_segment(capture);
		PK_TRY(next_output(capture));
	}
	start_split(capture);
	if (!capture->streams || start_segment(capture, &capture->processes) == PK_OK)
		return PK_OK;
	capture->status = PK_EXIT_FAILED;
	return PK_FAILED;
}

/* Writes the overwritten AUX areas to the stream. The records in the rings come first, because the
 * trace ends after them. */
static void snapshot_traces(struct capture *capture)
{
	const struct record_traces *traces = &capture->options->traces;
	const size_t most = traces->snapshot_size ? (size_t)traces->snapshot_size : SIZE_MAX;

	if (!traces->snapshot)
		return;
	switch_traces(capture, SIZE_MAX, PERF_EVENT_IOC_DISABLE);
	drain(capture);
	rings_snapshot_aux(&capture->rings, most, capture->segment.writer, &capture->counts);
	write_mark(PERF_RECORD_FINISHED_ROUND, capture->segment.writer);
	if (!capture->paused)
		switch_traces(capture, SIZE_MAX, PERF_EVENT_IOC_ENABLE);
	pk_writer_flush(capture->segment.writer);
}

/* Returns an error if the recording must end. */
static enum pk_status split_if_due(struct capture *capture)
{
	const struct options *options = capture->options;
	const bool asked = capture->asked != pk_signals_snapshots();

	capture->asked = pk_signals_snapshots();
	if (asked)
		snapshot_traces(capture);
	if (asked && (options->files.rotate || capture->snapshots))
		return split(capture, true);
	if (!options->files.rotate ||
	    (record_now() < capture->split_at &&
	     (!options->files.split_size ||
	      capture->segment.output.written < options->files.split_size)))
		return PK_OK;
	return split(capture, !capture->streams);
}

/* Executes the commands of --control. Returns an error if the recording must end. */
static enum pk_status obey(struct capture *capture)
{
	enum control_command command;

	while ((command = pk_control_next(&capture->control)) != CONTROL_NONE) {
		switch (command) {
		case CONTROL_ENABLE: enable(capture); break;
		case CONTROL_DISABLE: pause_events(capture); break;
		case CONTROL_STOP: capture->stop = true; break;
		case CONTROL_SNAPSHOT:
			snapshot_traces(capture);
			if (capture->options->files.rotate || capture->snapshots)
				PK_TRY(split(capture, true));
			break;
		default: break;
		}
		if (command != CONTROL_UNKNOWN)
			pk_control_acknowledge(&capture->control);
	}
	return PK_OK;
}

static void step_window(struct capture *capture)
{
	switch (windows_step(&capture->windows, record_now())) {
	case WINDOW_OPENS: enable(capture); break;
	case WINDOW_CLOSES: pause_events(capture); break;
	default: break;
	}
}

static void show_progress(struct capture *capture)
{
	const struct progress_numbers numbers = numbers_of(capture);

	progress_line_update(&capture->progress, &numbers);
}

static void loop(struct capture *capture)
{
	const uint64_t most = capture->options->files.max_size;

	while (!is_over(capture)) {
		wait_for_data(capture);
		step_window(capture);
		drain(capture);
		keep_budget(capture);
		show_progress(capture);
		if (most && capture->bytes + capture->segment.output.written >= most)
			capture->stop = true;
		if (obey(capture) != PK_OK || split_if_due(capture) != PK_OK)
			break;
	}
}

/* ---- The end ---- */

/* Writes the records that are still in the rings. Unlike drain(), it does not check that the output
 * has room, because output_write() queues the bytes and waits for the reader. Returns an error if
 * the output failed. */
static enum pk_status write_rest(struct capture *capture)
{
	struct segment *segment = &capture->segment;

	if (capture->streams) {
		unwind_look(&capture->unwind, &capture->rings, capture->counts.trailer);
		for (size_t i = 0; i < capture->rings.count; i++)
			ring_drain(&capture->rings.items[i], segment->writer, &capture->counts);
		snapshot_traces(capture);
		if (capture->options->programs.off_cpu)
			offcpu_finish(&capture->offcpu, segment->writer, &capture->counts);
		user_bpf_drain(capture->bpf, segment->writer, &capture->counts, SIZE_MAX, true);
		end_segment(capture);
		if (!capture->snapshots)
			return PK_OK;
		PK_TRY(next_output(capture));
	}
	PK_TRY(write_snapshot(capture));
	end_segment(capture);
	return PK_OK;
}

/* Reports what was lost. Lost samples are counted by the events or, if these counters are 0, by
 * LOST records. In addition, there are the blocks that --off-cpu missed, and the records that --bpf
 * lost. Returns PK_EXIT_FAILED if more was lost than --fail-on lost allows. In this case, the
 * report is an error, and -q does not suppress it. */
static int report_losses(const struct capture *capture)
{
	const struct ring_counts *counts = &capture->counts;
	const struct pk_fail_on *fail_on = &capture->options->files.fail_on;
	const uint64_t samples = counts->samples + counts->joined;
	const uint64_t whole =
		samples + counts->pieces - counts->partial_pieces - counts->full_pieces;
	const uint64_t missed = capture->offcpu.missed;
	const uint64_t of_bpf = user_bpf_lost(capture->bpf);
	const uint64_t lost = capture->segment.lost - missed - of_bpf;
	const uint64_t cut = counts->full_pieces + counts->partial_pieces;
	const uint64_t gone = missed + of_bpf + cut + (lost ? lost : counts->lost_records);
	const bool failed =
		gone && fail_on->set[PK_FAIL_LOST] &&
		100.0 * (double)gone > fail_on->percent[PK_FAIL_LOST] * (double)(whole + gone);
	const pk_message_fn print = failed ? pk_error : pk_warn;
	const char *what = counts->joined ? "samples and blocks" : "samples";
	char lost_text[32], all_text[32];

	if (lost)
		print("%s of %s %s lost: the rings were full: use a larger -m, a lower -F, or a "
		      "faster reader",
		      pk_number(lost_text, lost), pk_number(all_text, samples + lost), what);
	else if (counts->lost_records)
		print("%s records lost besides %s %s: the rings were full: use a larger -m, a "
		      "lower -F, or a faster reader",
		      pk_number(lost_text, counts->lost_records), pk_number(all_text, samples),
		      what);
	if (missed)
		print("%s blocks are missing besides %s %s: the kernel did not report their end, "
		      "or too many threads were blocked",
		      pk_number(lost_text, missed), pk_number(all_text, samples), what);
	user_bpf_report(capture->bpf, print);
	aux_events_report(counts, print);
	return failed ? PK_EXIT_FAILED : PK_EXIT_OK;
}

static int finish(struct capture *capture)
{
	struct segment *segment = &capture->segment;
	char records[32], samples[32], bytes[32];
	int status = capture->status, closed;
	struct progress_numbers numbers;
	const bool to_program = segment->output.pipe;

	progress_line_end(&capture->progress);
	pk_event_list_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_DISABLE);
	capture->paused = true;
	if (segment->open && write_rest(capture) != PK_OK && !output_failed(capture))
		return PK_EXIT_FAILED;
	if (segment->open) {
		capture->bytes += segment->output.written;
		closed = segment_close(segment);
		status = status ? status : closed;
	}
	if (capture->events->clock_instead)
		pk_warn("this machine has no hardware counter for cycles: cpu-clock was recorded "
			"instead; -e selects another event, --list prints all");
	if (capture->counts.excluded_samples)
		pk_info("%s samples of pk-record itself dropped (--include-self keeps them)",
			pk_number(samples, capture->counts.excluded_samples));
	pk_info("%s samples, %s records, %s bytes", pk_number(samples, capture->counts.samples),
		pk_number(records, capture->records), pk_number(bytes, capture->bytes));
	if (capture->counts.trace_bytes)
		pk_info("%s bytes of a hardware trace",
			pk_number(bytes, capture->counts.trace_bytes));
	unwind_report(&capture->unwind);
	if (capture->options->programs.strings)
		segment->lost += strings_report(&capture->strings);
	numbers = numbers_of(capture);
	if (!status && !to_program)
		progress_line_summary(&numbers, capture->options->files.path);
	return status ? status : report_losses(capture);
}

static void set_times(struct capture *capture)
{
	const struct options *options = capture->options;
	const uint64_t now = record_now();

	capture->deadline = options->timing.duration ? now + options->timing.duration : UINT64_MAX;
	windows_start(&capture->windows, options->timing.windows, options->timing.windows_count,
		      now);
	start_split(capture);
}

/* Starts the command, if there is one, and uncorks the output. Returns PK_EXIT_OK, or prints a
 * message and returns the exit status. */
static int start_command(struct capture *capture)
{
	int status;

	if (!capture->options->command)
		return PK_EXIT_OK;
	status = pk_child_go(&capture->child, capture->options->command);
	if (status)
		return status;
	if (capture->streams)
		pk_writer_flush(capture->segment.writer);
	output_uncork(&capture->segment.output);
	return PK_EXIT_OK;
}

static int run(struct capture *capture)
{
	const bool delayed = capture->options->timing.delay != 0;
	const bool early = capture->targets.pids_count != 0 && !delayed;
	struct budget_cost before;
	int status, command;

	capture->paused = delayed;
	if (capture->options->programs.off_cpu)
		offcpu_start(&capture->offcpu, &capture->targets);
	/* Events of existing processes are enabled before segment_start() lists the maps of these
	 * processes. So no change of the maps is missed. */
	if (early)
		pk_event_list_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_ENABLE);
	before = cost_of(capture);
	spending_start(&capture->spending, &before);
	if (capture->streams && start_segment(capture, NULL) != PK_OK) {
		pk_child_cancel(&capture->child);
		return PK_EXIT_FAILED;
	}
	if (!early && !capture->on_exec && !delayed)
		pk_event_list_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_ENABLE);
	note_processes(capture);
	exclude_self(capture);
	complete_samples(capture);
	capture->counts.trailer = tracking_trailer(capture->events);
	if (delayed)
		user_bpf_pause(capture->bpf);
	else
		user_bpf_start(capture->bpf);
	status = start_command(capture);
	if (status)
		return status;
	set_times(capture);
	progress_line_start(&capture->progress,
			    !capture->options->command && !capture->segment.output.pipe);
	loop(capture);
	status = finish(capture);
	if (capture->options->command) {
		command = pk_child_end(&capture->child, &capture->signals);
		status = status ? status : command;
	}
	return status;
}

int capture_run(struct options *options)
{
	struct capture capture = {
		.options = options,
		.events = &options->events,
		.bpf = &options->programs.user,
		.control = {.in = -1, .ack = -1},
		.unwind = {.options = options},
	};
	int status = PK_EXIT_FAILED, pid_file = -1;

	capture.segment = (struct segment){.options = options,
					   .unwind = &capture.unwind,
					   .signals = &capture.signals,
					   .events = &options->events,
					   .targets = &capture.targets,
					   .rings = &capture.rings,
					   .output = {.fd = -1, .twin = -1}};
	if (options->files.pid_file && (pid_file = pid_file_create(options->files.pid_file)) < 0)
		return PK_EXIT_FAILED;
	offcpu_init(&capture.offcpu, options);
	strings_init(&capture.strings, options);
	pk_signals_catch(&capture.signals);
	/* stdout is checked first, so that a terminal is refused before anything else happens. A
	 * file is opened last, in open_all(), because opening it deletes its content. */
	if (!options->files.path)
		capture.status = segment_open_output(&capture.segment, options->command != NULL);
	if (!capture.status && open_all(&capture) == PK_OK)
		status = run(&capture);
	else
		pk_child_cancel(&capture.child);
	unwind_close(&capture.unwind);
	spending_close(&capture.spending);
	offcpu_close(&capture.offcpu);
	strings_close(&capture.strings);
	rings_unmap(&capture.rings);
	rings_unmap(&capture.overwritten);
	pk_event_list_close(capture.events, &capture.targets);
	if (pk_probe_events_wanted(capture.events))
		pk_probe_events_remove(getpid(), pk_lookups());
	pk_targets_free(&capture.targets);
	pk_control_close(&capture.control);
	processes_free(&capture.processes);
	segment_free(&capture.segment);
	wakeups_free(&capture.wakeups);
	pid_file_remove(options->files.pid_file, pid_file);
	return capture.status ? capture.status : status;
}
