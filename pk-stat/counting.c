// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
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
#include "perf_syscall.h"

#define NS 1000000000

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
		if (!options->no_inherit && options->by != STAT_THREAD)
			attr->flags |= PERF_ATTR_INHERIT;
		/* members follow their leader */
		if (event->leader != i)
			continue;
		attr->flags |= PERF_ATTR_DISABLED;
		if (counting->of_command && !options->delay)
			attr->flags |= PERF_ATTR_ENABLE_ON_EXEC;
	}
}

bool counting_open(struct counting *counting, struct stat_options *options,
		   const struct signals *signals)
{
	const struct open_options open = {.tolerant = true};
	struct target_spec spec = options->targets;
	size_t size;

	counting->options = options;
	spec.per_task = true;
	if (options->command && !child_fork(&counting->child, options->command, false, signals))
		return false;
	if (!targets_init(&counting->targets, &spec, counting->child.pid) ||
	    !stat_groups_init(&counting->groups, options->by, &counting->targets))
		return false;
	counting->of_command = options->command && !spec.system_wide && !spec.cpus && !spec.pids &&
			       !spec.tids && !spec.uids;
	set_attrs(counting);
	if (!options->null_run && !events_open(&options->events, &counting->targets, &open))
		return false;
	size = options->events.count * counting->groups.count + 1;
	counting->now = calloc(size, sizeof(*counting->now));
	if (!counting->now)
		pk_error("out of memory");
	return counting->now != NULL;
}

void counting_close(struct counting *counting)
{
	struct event_list *events = &counting->options->events;

	if (counting->child.pid)
		child_cancel(&counting->child);
	events_close(events, &counting->targets);
	for (size_t i = 0; i < events->count; i++) {
		free(events->items[i].fds);
		free(events->items[i].ids);
		events->items[i].fds = NULL;
		events->items[i].ids = NULL;
	}
	stat_groups_free(&counting->groups);
	targets_free(&counting->targets);
	free(counting->now);
	*counting = (struct counting){0};
}

/* ---- Reading ---- */

static void read_events(struct counting *counting)
{
	const struct event_list *events = &counting->options->events;
	const size_t groups = counting->groups.count, slots = event_slots(&counting->targets);

	memset(counting->now, 0, events->count * groups * sizeof(*counting->now));
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		for (size_t slot = 0; event->fds && slot < slots; slot++) {
			uint64_t values[3];
			struct count count;

			if (event->fds[slot] < 0 ||
			    read(event->fds[slot], values, sizeof(values)) != sizeof(values))
				continue;
			count = (struct count){values[0], values[1], values[2]};
			count_add(&counting->now[i * groups + counting->groups.of_slot[slot]],
				  &count);
		}
	}
}

/* ---- Waiting ---- */

struct waiting {
	struct pollfd *processes; /* of -p and -t: readable when they have ended */
	nfds_t count;
};

static void watch(struct waiting *waiting, const struct counting *counting)
{
	const struct targets *targets = &counting->targets;

	if (counting->child.pid || !targets->pids_count)
		return;
	waiting->processes = calloc(targets->pids_count, sizeof(*waiting->processes));
	for (size_t i = 0; waiting->processes && i < targets->pids_count; i++) {
		int fd = (int)syscall(SYS_pidfd_open, targets->pids[i], 0);

		if (fd >= 0)
			waiting->processes[waiting->count++] =
				(struct pollfd){.fd = fd, .events = POLLIN};
	}
}

static void unwatch(struct waiting *waiting)
{
	for (nfds_t i = 0; i < waiting->count; i++)
		close(waiting->processes[i].fd);
	free(waiting->processes);
}

/* Processes that have ended are not looked at any more. */
static bool all_gone(struct waiting *waiting)
{
	nfds_t kept = 0;

	if (!waiting->processes)
		return false;
	for (nfds_t i = 0; i < waiting->count; i++) {
		if (waiting->processes[i].revents)
			close(waiting->processes[i].fd);
		else
			waiting->processes[kept++] = waiting->processes[i];
	}
	waiting->count = kept;
	return !kept;
}

/* Sleeps until something may have happened, or that time since the start. */
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
	ppoll(waiting->processes, waiting->count, &timeout, &signals->mask);
}

static bool is_over(struct counting *counting, struct waiting *waiting)
{
	if (signals_stops())
		return true;
	if (counting->options->command)
		return child_ended(&counting->child);
	return all_gone(waiting);
}

/* True if the end has come before that time. */
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
		     const struct signals *signals, void (*each)(void *arg, double seconds),
		     void *arg)
{
	const struct stat_options *options = counting->options;
	double interval = (double)options->interval / NS, next = interval;
	double end = options->timeout ? (double)options->timeout / NS : HUGE_VAL;
	uint64_t intervals = 0;

	while (!wait_until(counting, waiting, interval && next < end ? next : end, signals)) {
		if (!interval || next >= end)
			break;
		read_events(counting);
		each(arg, seconds_since(&counting->start));
		next += interval;
		if (options->intervals && ++intervals == options->intervals)
			break;
	}
}

/* ---- A run ---- */

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1000000;
}

static bool start(struct counting *counting, const struct signals *signals)
{
	const struct stat_options *options = counting->options;
	struct waiting none = {0};

	clock_gettime(CLOCK_MONOTONIC, &counting->start);
	if (!counting->of_command && !options->delay)
		events_ioctl(&options->events, &counting->targets, PERF_EVENT_IOC_ENABLE);
	if (options->command) {
		counting->status = child_go(&counting->child, options->command);
		if (counting->status)
			return false;
	}
	if (options->delay) {
		wait_until(counting, &none, (double)options->delay / NS, signals);
		events_ioctl(&options->events, &counting->targets, PERF_EVENT_IOC_ENABLE);
		clock_gettime(CLOCK_MONOTONIC, &counting->start);
	}
	return true;
}

/* A command that outlives its time is asked to end, and made to if it does not in a second. */
static void end_command(struct counting *counting, const struct signals *signals)
{
	const struct timespec second = {.tv_sec = 1};

	if (child_ended(&counting->child))
		return;
	kill(counting->child.pid, SIGTERM);
	ppoll(NULL, 0, &second, &signals->mask);
	if (!child_ended(&counting->child))
		kill(counting->child.pid, SIGKILL);
	while (!child_ended(&counting->child))
		ppoll(NULL, 0, &second, &signals->mask);
}

bool counting_run(struct counting *counting, const struct signals *signals,
		  void (*each)(void *arg, double seconds), void *arg)
{
	struct rusage before, after;
	struct waiting waiting = {0};

	getrusage(RUSAGE_CHILDREN, &before);
	if (!start(counting, signals))
		return false;
	watch(&waiting, counting);
	wait_all(counting, &waiting, signals, each, arg);
	unwatch(&waiting);
	counting->elapsed = seconds_since(&counting->start);
	events_ioctl(&counting->options->events, &counting->targets, PERF_EVENT_IOC_DISABLE);
	read_events(counting);
	if (counting->options->command) {
		end_command(counting, signals);
		counting->status = child_exit_status(&counting->child);
	}
	getrusage(RUSAGE_CHILDREN, &after);
	counting->user = seconds_of(&after.ru_utime) - seconds_of(&before.ru_utime);
	counting->system = seconds_of(&after.ru_stime) - seconds_of(&before.ru_stime);
	return true;
}
