// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "counting.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "procfs.h"

#define NS	     1000000000
#define PIDFD_THREAD O_EXCL /* since Linux 6.9 */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / NS;
}

/* ---- Opening ---- */

static void set_attrs(const struct counting *counting)
{
	const struct stat_options *options = counting->options;

	for (size_t i = 0; i < options->events.count; i++) {
		struct event *event = &options->events.items[i];
		struct perf_attr *attr = &event->attr;

		attr->size = PERF_ATTR_SIZE_VER9;
		attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		attr->sample_period = 0;
		if (options->all_user)
			attr->flags |= PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV;
		if (options->all_kernel)
			attr->flags |= PERF_ATTR_EXCLUDE_USER;
		if (!options->run.no_inherit && options->print.by != STAT_THREAD &&
		    event->terms.inherit != EVENT_OFF)
			attr->flags |= PERF_ATTR_INHERIT;
		/* Only leaders are enabled, because the kernel enables and disables the members of
		 * a group together with their leader. */
		if (event->leader != i)
			continue;
		attr->flags |= PERF_ATTR_DISABLED;
		if (counting->of_command && !options->run.delay && !options->run.start_disabled)
			attr->flags |= PERF_ATTR_ENABLE_ON_EXEC;
	}
}

/* Allocates the cells at the first run. Later runs have other tasks, but they use the same cells.
 * So their number of slots must be the same. */
static enum pk_status make_cells(struct counting *counting)
{
	struct stat_cells *cells = counting->cells;
	struct stat_places places = {0};
	enum pk_status status;

	if (!cells->now) {
		cells->no_scale = counting->options->print.no_scale;
		cells->no_merge = counting->options->print.no_merge;
		cells->places.cache_level = counting->options->print.cache_level;
		PK_TRY(stat_places_init(&cells->places, &counting->targets));
		return stat_cells_init(cells, &counting->options->events,
				       counting->options->print.by);
	}
	status = stat_places_init(&places, &counting->targets);
	if (status == PK_OK && stat_slots(&places) != stat_slots(&cells->places)) {
		pk_error("the online CPUs changed between two runs");
		status = PK_FAILED;
	}
	stat_places_free(&places);
	return status;
}

static void explain_missing(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		const bool absent = event->opened.error == ENOENT ||
				    event->opened.error == ENODEV ||
				    event->opened.error == EOPNOTSUPP;

		if (event->opened.error)
			pk_info("%s: %s", event->name,
				absent ? "this machine has no such counter"
				       : strerror(event->opened.error));
	}
}

enum pk_status counting_open(struct counting *counting, struct stat_options *options,
			     struct stat_cells *cells, const struct signals *signals)
{
	const struct open_options open = {.tolerant = true};
	struct pk_messages *messages = &options->events.messages;
	struct target_spec spec = options->targets;

	counting->options = options;
	counting->cells = cells;
	counting->control = (struct control){.in = -1, .ack = -1};
	spec.per_task = true;
	/* A counter of a CPU does not tell threads apart. */
	spec.every_thread = options->print.by == STAT_THREAD && spec.system_wide;
	spec.system_wide &= !spec.every_thread;
	if (options->run.control)
		PK_TRY(pk_control_open(&counting->control, options->run.control));
	if (options->command)
		PK_TRY(pk_child_fork(&counting->child, options->command, options->quiet_stdout,
				     signals));
	PK_TRY(pk_printed(pk_targets_init(&counting->targets, &spec, counting->child.pid, messages),
			  messages));
	PK_TRY(make_cells(counting));
	counting->of_command = options->command && !options->targets.system_wide && !spec.cpus &&
			       !spec.pids && !spec.tids && !spec.uids;
	set_attrs(counting);
	if (!options->run.null_run)
		PK_TRY(pk_printed(
			pk_event_list_open(&options->events, &counting->targets, &open)
				?: pk_event_list_filter(&options->events, &counting->targets),
			messages));
	explain_missing(&options->events);
	return PK_OK;
}

void counting_close(struct counting *counting)
{
	struct event_list *events;

	if (!counting->options)
		return;
	events = &counting->options->events;
	if (counting->child.pid)
		pk_child_cancel(&counting->child);
	pk_control_close(&counting->control);
	pk_event_list_close(events, &counting->targets);
	for (size_t i = 0; i < events->count; i++) {
		free(events->items[i].opened.fds);
		free(events->items[i].opened.ids);
		free(events->items[i].opened.lost);
		events->items[i].opened.fds = NULL;
		events->items[i].opened.ids = NULL;
		events->items[i].opened.lost = NULL;
	}
	pk_targets_free(&counting->targets);
	*counting = (struct counting){0};
}

/* ---- Reading ---- */

static uint64_t nanoseconds(double seconds)
{
	return seconds > 0 ? (uint64_t)(seconds * NS) : 0;
}

/* Sets the value of a clock of pk-stat itself: duration_time, user_time or system_time. The value
 * is in ns, and is stored in the first slot. */
static void read_tool(const struct counting *counting, size_t event)
{
	const uint64_t elapsed = nanoseconds(counting->elapsed);
	struct count *count = stat_cell(counting->cells, event, 0);

	*count = (struct count){elapsed, elapsed, elapsed, 0};
	if (counting->options->events.items[event].stat.tool == EVENT_TOOL_USER)
		count->value = nanoseconds(counting->user);
	if (counting->options->events.items[event].stat.tool == EVENT_TOOL_SYSTEM)
		count->value = nanoseconds(counting->system);
}

static void read_event(const struct counting *counting, size_t index)
{
	const struct event *event = &counting->options->events.items[index];
	const struct targets *targets = &counting->targets;
	struct count *cell = stat_cell(counting->cells, index, 0);

	for (size_t cpu = 0; event->opened.fds && cpu < targets->cpus_count; cpu++) {
		if (!targets->chosen[cpu])
			continue;
		for (size_t task = 0; task < targets->tids_count; task++, cell++) {
			const int fd = event->opened.fds[event_slot(targets, cpu, task)];
			uint64_t values[3];

			ssize_t size = fd < 0 ? 0 : read(fd, values, sizeof(values));

			if (size < 0)
				pk_lookup_failed(event->name);
			if (size == sizeof(values))
				*cell = (struct count){values[0], values[1], values[2], 0};
		}
	}
}

/* For -v: prints each count as the kernel reports it, before scaling. Also prints the times in ns
 * in which the event was enabled and running. perf stat -v prints the same numbers. */
static void print_counts(const struct counting *counting)
{
	const struct event_list *events = &counting->options->events;
	struct stat_cells *cells = counting->cells;

	for (size_t i = 0; i < events->count; i++) {
		struct count sum = {0};

		if (events->items[i].opened.error)
			continue;
		for (size_t slot = 0; slot < stat_slots(&cells->places); slot++) {
			sum.value += stat_cell(cells, i, slot)->value;
			sum.enabled += stat_cell(cells, i, slot)->enabled;
			sum.running += stat_cell(cells, i, slot)->running;
		}
		pk_info("%s: %" PRIu64 " %" PRIu64 " %" PRIu64, events->items[i].name, sum.value,
			sum.enabled, sum.running);
	}
}

/* Reads all events. A counter that cannot be read keeps its last value. */
static void read_events(struct counting *counting)
{
	const struct event_list *events = &counting->options->events;

	for (size_t i = 0; i < events->count; i++) {
		if (events->items[i].stat.tool)
			read_tool(counting, i);
		else
			read_event(counting, i);
	}
	if (pk_cli_verbose() > 0)
		print_counts(counting);
}

/* ---- Waiting ---- */

struct waiting {
	struct pollfd *fds; /* First --control, then a descriptor for each task of -p, -t and -u,
			     * which becomes readable when the task ends. */
	nfds_t count;
	bool tasks, stop;
};

/* Returns a descriptor that becomes readable when the thread ends. Before Linux 6.9, a thread has
 * no such descriptor. Then returns the descriptor of its process. */
static int watch_thread(pid_t tid)
{
	const int fd = (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);

	if (fd >= 0 || errno != EINVAL)
		return fd;
	return (int)syscall(SYS_pidfd_open, pk_procfs_process_of(tid, pk_lookups()), 0);
}

static enum pk_status watch(struct waiting *waiting, const struct counting *counting)
{
	const struct targets *targets = &counting->targets;
	const bool threads = counting->options->targets.tids && !counting->options->targets.pids;
	const size_t count = threads ? targets->tids_count : targets->pids_count;

	waiting->fds = calloc(count + 1, sizeof(*waiting->fds));
	if (!waiting->fds) {
		pk_no_memory();
		return PK_NOMEM;
	}
	waiting->fds[waiting->count++] =
		(struct pollfd){.fd = counting->control.in, .events = POLLIN};
	if (counting->child.pid)
		return PK_OK;
	for (size_t i = 0; i < count; i++) {
		const int fd = threads ? watch_thread(targets->tids[i])
				       : (int)syscall(SYS_pidfd_open, targets->pids[i], 0);

		waiting->tasks = true;
		if (fd < 0)
			pk_lookup_failed("state of the counted tasks");
		if (fd >= 0)
			waiting->fds[waiting->count++] =
				(struct pollfd){.fd = fd, .events = POLLIN};
	}
	return PK_OK;
}

static void unwatch(struct waiting *waiting)
{
	for (nfds_t i = 1; i < waiting->count; i++)
		close(waiting->fds[i].fd);
	free(waiting->fds);
}

/* Returns true if all tasks have ended. Stops polling the tasks that have ended. */
static bool all_gone(struct waiting *waiting)
{
	nfds_t kept = 1;

	if (!waiting->tasks)
		return false;
	for (nfds_t i = 1; i < waiting->count; i++) {
		if (waiting->fds[i].revents)
			close(waiting->fds[i].fd);
		else
			waiting->fds[kept++] = waiting->fds[i];
	}
	waiting->count = kept;
	return kept == 1;
}

/* Sleeps until a task ends, --control gets a command, a signal arrives, or `until` seconds since
 * the start have passed. Sleeps at most an hour. */
static void sleep_until(const struct counting *counting, struct waiting *waiting, double until,
			const struct signals *signals)
{
	double left = until - seconds_since(&counting->start);
	struct timespec timeout;

	if (left < 0)
		left = 0;
	if (left > 3600)
		left = 3600;
	timeout.tv_sec = (time_t)left;
	timeout.tv_nsec = (long)((left - (double)timeout.tv_sec) * NS);
	waiting->fds[0].fd = counting->control.in;
	ppoll(waiting->fds, waiting->count, &timeout, &signals->mask);
}

static void obey(struct counting *counting, struct waiting *waiting)
{
	enum control_command command;
	unsigned long request;

	while ((command = pk_control_next(&counting->control)) != CONTROL_NONE) {
		request =
			command == CONTROL_ENABLE ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
		if (command == CONTROL_ENABLE || command == CONTROL_DISABLE)
			pk_event_list_ioctl(&counting->options->events, &counting->targets,
					    request);
		waiting->stop |= command == CONTROL_STOP;
		if (command != CONTROL_UNKNOWN)
			pk_control_acknowledge(&counting->control);
	}
}

static bool is_over(struct counting *counting, struct waiting *waiting)
{
	obey(counting, waiting);
	if (pk_signals_stops() || waiting->stop)
		return true;
	if (counting->options->command)
		return pk_child_ended(&counting->child);
	return all_gone(waiting);
}

/* Waits until `until` seconds since the start. Returns true if the run ends earlier. */
static bool wait_until(struct counting *counting, struct waiting *waiting, double until,
		       const struct signals *signals)
{
	while (!is_over(counting, waiting)) {
		if (seconds_since(&counting->start) >= until)
			return false;
		sleep_until(counting, waiting, until, signals);
	}
	return true;
}

static void wait_all(struct counting *counting, struct waiting *waiting,
		     const struct signals *signals, counting_fn *each, void *arg)
{
	const struct stat_options *options = counting->options;
	double interval = (double)options->run.interval / NS, next = interval;
	double end = options->run.timeout ? (double)options->run.timeout / NS : HUGE_VAL;
	uint64_t intervals = 0;

	while (!wait_until(counting, waiting, interval && next < end ? next : end, signals)) {
		if (!interval || next >= end)
			break;
		counting->elapsed = seconds_since(&counting->start);
		read_events(counting);
		counting->complete = each(arg, counting->elapsed) != PK_OK ||
				     ++intervals == options->run.intervals;
		next += interval;
		if (counting->complete)
			break;
	}
}

/* ---- A run ---- */

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1000000;
}

static bool start(struct counting *counting, struct waiting *waiting, const struct signals *signals)
{
	const struct stat_options *options = counting->options;
	const bool later = options->run.delay || options->run.start_disabled;

	clock_gettime(CLOCK_MONOTONIC, &counting->start);
	if (!counting->of_command && !later)
		pk_event_list_ioctl(&options->events, &counting->targets, PERF_EVENT_IOC_ENABLE);
	if (options->command) {
		counting->status = pk_child_go(&counting->child, options->command);
		if (counting->status)
			return false;
	}
	if (options->run.delay) {
		wait_until(counting, waiting, (double)options->run.delay / NS, signals);
		pk_event_list_ioctl(&options->events, &counting->targets, PERF_EVENT_IOC_ENABLE);
		clock_gettime(CLOCK_MONOTONIC, &counting->start);
	}
	return true;
}

/* Ends a command that still runs at the end of the run. It gets SIGTERM. If it has not ended after
 * a second, it gets SIGKILL. */
static void end_command(struct counting *counting, const struct signals *signals)
{
	const struct timespec second = {.tv_sec = 1};

	if (pk_child_ended(&counting->child))
		return;
	kill(counting->child.pid, SIGTERM);
	ppoll(NULL, 0, &second, &signals->mask);
	if (!pk_child_ended(&counting->child))
		kill(counting->child.pid, SIGKILL);
	while (!pk_child_ended(&counting->child))
		ppoll(NULL, 0, &second, &signals->mask);
}

static void note_times(struct counting *counting, const struct rusage *before)
{
	struct rusage after;

	getrusage(RUSAGE_CHILDREN, &after);
	counting->user = seconds_of(&after.ru_utime) - seconds_of(&before->ru_utime);
	counting->system = seconds_of(&after.ru_stime) - seconds_of(&before->ru_stime);
}

enum pk_status counting_run(struct counting *counting, const struct signals *signals,
			    counting_fn *each, void *arg)
{
	struct rusage before;
	struct waiting waiting = {0};
	enum pk_status ok;

	getrusage(RUSAGE_CHILDREN, &before);
	ok = watch(&waiting, counting) ?: (start(counting, &waiting, signals) ? PK_OK : PK_FAILED);
	if (ok == PK_OK) {
		wait_all(counting, &waiting, signals, each, arg);
		counting->elapsed = seconds_since(&counting->start);
		pk_event_list_ioctl(&counting->options->events, &counting->targets,
				    PERF_EVENT_IOC_DISABLE);
		if (counting->options->command) {
			end_command(counting, signals);
			counting->status = pk_child_exit_status(&counting->child);
		}
		note_times(counting, &before);
		read_events(counting);
	}
	unwatch(&waiting);
	return ok;
}
