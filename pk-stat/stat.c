// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "counting.h"
#include "report.h"

struct statistics {
	struct stat_options *options;
	struct counting counting;
	struct stat_times times;
	struct count *before;	 /* counts at the last interval */
	struct count *since;	 /* counts since then */
	struct moments *moments; /* of several runs */
	struct count *sums;	 /* likewise */
	double last;		 /* seconds at the last interval */
};

/* ---- What is counted where nobody says ---- */

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
	 "iTLB-load-misses"),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

/* Only some processors count these. */
static bool add_stalled(struct event_list *events, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/events/%s", name);
	return access(path, F_OK) || events_parse(events, name);
}

static bool default_events(struct stat_options *options)
{
	const bool clock = options->targets.system_wide || options->targets.cpus;
	struct event_list *events = &options->events;

	if (!events_parse(events, clock ? "cpu-clock" : "task-clock") ||
	    !events_parse(events, "context-switches,cpu-migrations,page-faults,cycles") ||
	    !add_stalled(events, "stalled-cycles-frontend") ||
	    !add_stalled(events, "stalled-cycles-backend") ||
	    !events_parse(events, "instructions,branches,branch-misses"))
		return false;
	for (unsigned int i = 0; i < options->detail && i < 3; i++)
		if (!events_parse(&options->events, details[i]))
			return false;
	return true;
}

/* ---- Intervals ---- */

static void print_counts(struct statistics *statistics, const struct count *counts, double seconds,
			 double at)
{
	const struct stat_result result = {
		.events = &statistics->options->events,
		.groups = &statistics->counting.groups,
		.counts = counts,
		.seconds = seconds,
		.at = at,
	};

	report_counts(statistics->options, &result);
}

static size_t cells(const struct statistics *statistics)
{
	return statistics->options->events.count * statistics->counting.groups.count;
}

static void print_interval(void *arg, double seconds)
{
	struct statistics *statistics = arg;
	const bool first = statistics->last == 0;
	const size_t n = cells(statistics);
	const struct count *now = statistics->counting.now;

	for (size_t i = 0; i < n; i++) {
		const struct event *event =
			&statistics->options->events.items[i / statistics->counting.groups.count];

		statistics->since[i] =
			event->snapshot ? now[i] : count_since(&now[i], &statistics->before[i]);
		statistics->before[i] = now[i];
	}
	if (first)
		report_begin(statistics->options);
	print_counts(statistics, statistics->since, seconds - statistics->last, seconds);
	statistics->last = seconds;
}

/* ---- Runs ---- */

static bool allocate(struct statistics *statistics)
{
	const size_t n = cells(statistics) + 1;

	if (statistics->before)
		return true;
	statistics->before = calloc(n, sizeof(*statistics->before));
	statistics->since = calloc(n, sizeof(*statistics->since));
	statistics->moments = calloc(n, sizeof(*statistics->moments));
	statistics->sums = calloc(n, sizeof(*statistics->sums));
	if (statistics->before && statistics->since && statistics->moments && statistics->sums)
		return true;
	pk_error("out of memory");
	return false;
}

static void note_run(struct statistics *statistics)
{
	const struct counting *counting = &statistics->counting;

	moments_add(&statistics->times.elapsed, counting->elapsed);
	statistics->times.user = counting->of_command ? counting->user : -1;
	statistics->times.system = counting->system;
	for (size_t i = 0; i < cells(statistics); i++) {
		moments_add(&statistics->moments[i], count_scaled(&counting->now[i]));
		count_add(&statistics->sums[i], &counting->now[i]);
	}
}

static void print_end(struct statistics *statistics)
{
	const uint64_t runs = statistics->times.elapsed.n;
	struct stat_result result = {
		.events = &statistics->options->events,
		.groups = &statistics->counting.groups,
		.counts = statistics->sums,
		.seconds = statistics->times.elapsed.mean,
		.at = -1,
	};

	if (statistics->options->interval)
		return;
	for (size_t i = 0; i < cells(statistics) && runs > 1; i++) {
		statistics->sums[i].value /= runs;
		statistics->sums[i].enabled /= runs;
		statistics->sums[i].running /= runs;
	}
	if (runs > 1)
		result.moments = statistics->moments;
	report_begin(statistics->options);
	report_counts(statistics->options, &result);
}

/* The exit status of the run; *done: it is one that counts. */
static int run_once(struct statistics *statistics, const struct signals *signals, bool last,
		    bool *done)
{
	struct counting *counting = &statistics->counting;
	struct stat_options *options = statistics->options;
	int result = PK_EXIT_FAILED;

	*done = counting_open(counting, options, signals) && allocate(statistics);
	if (*done) {
		*done = counting_run(counting, signals, print_interval, statistics);
		result = counting->status;
	}
	if (*done)
		note_run(statistics);
	if (*done && options->interval)
		print_interval(statistics, counting->elapsed);
	if (*done && (last || signals_stops()))
		print_end(statistics);
	counting_close(counting);
	return result;
}

int stat_run(struct stat_options *options)
{
	struct statistics statistics = {.options = options};
	const uint64_t runs = options->repeat ? options->repeat : 1;
	struct signals signals;
	bool done = true;
	int result = 0;

	if (!options->events.count && !options->null_run && !default_events(options))
		return PK_EXIT_FAILED;
	signals_take(&signals);
	for (uint64_t i = 0; i < runs && done && !signals_stops(); i++)
		result = run_once(&statistics, &signals, i + 1 == runs, &done);
	if (statistics.times.elapsed.n)
		report_end(options, &statistics.times);
	free(statistics.before);
	free(statistics.since);
	free(statistics.moments);
	free(statistics.sums);
	return result;
}
