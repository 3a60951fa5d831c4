// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "counting.h"
#include "lookups.h"
#include "probe_events.h"
#include "report.h"
#include "stat_records.h"
#include "vector.h"

struct statistics {
	struct stat_options *options;
	struct counting counting;
	struct stat_cells cells;
	struct stat_times times;
	struct stat_columns columns;
	struct stat_writer *writer; /* NULL if counts are printed as text */
	double last;		    /* end of the last interval, in seconds since the start */
};

/* ---- Default events ---- */

static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
	 "iTLB-load-misses"),
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};

/* Adds events (text) if sysfs has the event `name`. Only some processors have it. */
static enum pk_status add_if_there(struct event_list *events, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/events/%s", name);
	return access(path, F_OK) ? PK_OK : pk_event_list_parse(events, text);
}

static enum pk_status default_events(struct stat_options *options)
{
	const bool clock = options->targets.system_wide || options->targets.cpus;
	struct event_list *events = &options->events;

	options->default_events = true;
	PK_TRY(pk_event_list_parse(events, clock ? "cpu-clock" : "task-clock"));
	PK_TRY(pk_event_list_parse(events, "context-switches,cpu-migrations,page-faults,cycles"));
	PK_TRY(add_if_there(events, "stalled-cycles-frontend", "stalled-cycles-frontend"));
	PK_TRY(add_if_there(events, "stalled-cycles-backend", "stalled-cycles-backend"));
	PK_TRY(pk_event_list_parse(events, "instructions,branches,branch-misses"));
	PK_TRY(add_if_there(events, "slots",
			    "{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,"
			    "topdown-be-bound}:W"));
	for (unsigned int i = 0; i < options->detail && i < 3; i++)
		PK_TRY(pk_event_list_parse(&options->events, details[i]));
	return PK_OK;
}

/* ---- Printing ---- */

static struct stat_result result_of(struct statistics *statistics, double seconds, double at)
{
	const struct stat_cells *cells = &statistics->cells;

	return (struct stat_result){
		.events = cells->events,
		.groups = &cells->groups,
		.counts = cells->counts,
		.hidden = cells->hidden,
		.metrics =
			statistics->options->metrics.shown ? &statistics->options->metrics : NULL,
		.columns = &statistics->columns,
		.seconds = seconds,
		.user = statistics->counting.user,
		.system = statistics->counting.system,
		.at = at,
		.cgroups = stat_has_cgroups(cells->events),
		.named = statistics->options->default_events,
	};
}

/* Returns false if an error occurred while the output was written. Stores errno of the first error.
 */
static bool is_written(struct stat_options *options)
{
	if (!ferror(options->out))
		return true;
	if (!options->out_error)
		options->out_error = errno;
	return false;
}

/* Prints or writes the counts of an interval. Returns PK_FAILED if the output cannot be written any
 * more. */
static enum pk_status print_interval(void *arg, double seconds)
{
	struct statistics *statistics = arg;
	const struct stat_options *options = statistics->options;
	struct stat_result result;

	if (statistics->writer) {
		statistics->last = seconds;
		return stat_writer_round(statistics->writer, &statistics->counting, seconds, false);
	}
	stat_cells_add_up(&statistics->cells, true);
	result = result_of(statistics, seconds - statistics->last, seconds);
	if (statistics->last == 0 || options->print.clear)
		report_start(options, &result, NULL);
	report_counts(options, &result);
	statistics->last = seconds;
	return is_written(statistics->options) ? PK_OK : PK_FAILED;
}

/* Prints the counts of all runs, or the summary after the last interval. Returns false if the
 * output cannot be written. */
static bool print_end(struct statistics *statistics)
{
	struct stat_cells *cells = &statistics->cells;
	const struct stat_options *options = statistics->options;
	struct stat_result result = result_of(statistics, statistics->times.elapsed.mean, -1);

	if (statistics->writer || (options->run.interval && !options->print.summary))
		return true;
	stat_cells_average(cells);
	if (cells->runs > 1)
		result.moments = cells->moments;
	result.summary = options->run.interval;
	statistics->columns.titled = false;
	report_start(options, &result, NULL);
	report_counts(options, &result);
	report_end(options, &statistics->times);
	fflush(options->out);
	return is_written(statistics->options);
}

/* ---- Runs ---- */

static enum pk_status note_run(struct statistics *statistics)
{
	const struct counting *counting = &statistics->counting;
	struct stat_times *times = &statistics->times;

	moments_add(&times->elapsed, counting->elapsed);
	times->user = counting->of_command ? counting->user : -1;
	times->system = counting->system;
	stat_cells_add_up(&statistics->cells, false);
	stat_cells_note_run(&statistics->cells);
	if (!statistics->options->print.table)
		return PK_OK;
	if (pk_reserve(&times->runs, &times->capacity, times->elapsed.n - 1, 1,
		       sizeof(*times->runs)) != PK_OK) {
		pk_no_memory();
		return PK_NOMEM;
	}
	times->runs[times->elapsed.n - 1] = counting->elapsed;
	return PK_OK;
}

/* Runs the shell command of --pre or --post. text is NULL if there is none. Returns true if the
 * exit status of the command is 0, or if there is no command. */
static bool run_shell(const char *text, bool quiet_stdout, const struct signals *signals)
{
	char *const command[] = {(char *)"sh", (char *)"-c", (char *)text, NULL};
	struct child child = {0};
	sigset_t all;
	int signal;

	if (!text)
		return true;
	if (pk_child_fork(&child, command, quiet_stdout, signals) != PK_OK ||
	    pk_child_go(&child, command))
		return false;
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	while (!pk_child_ended(&child))
		sigwait(&all, &signal);
	if (pk_child_exit_status(&child))
		pk_error("%s: exit status %d", text, pk_child_exit_status(&child));
	return !pk_child_exit_status(&child);
}

/* Does one run, and returns its exit status. Sets *done if it was counted and --pre and --post
 * succeeded. */
static int run_once(struct statistics *statistics, const struct signals *signals, bool *done)
{
	struct counting *counting = &statistics->counting;
	struct stat_options *options = statistics->options;
	int result = PK_EXIT_FAILED;

	*done = run_shell(options->run.before, options->quiet_stdout, signals);
	if (*done && options->run.sync)
		sync();
	*done = *done && counting_open(counting, options, &statistics->cells, signals) == PK_OK &&
		(!statistics->writer || stat_writer_start(statistics->writer, counting));
	if (*done) {
		*done = counting_run(counting, signals, print_interval, statistics) == PK_OK;
		result = counting->status;
	}
	*done = *done && note_run(statistics) == PK_OK;
	if (*done && options->run.interval && !counting->complete)
		print_interval(statistics, counting->elapsed);
	if (*done && statistics->writer)
		stat_writer_round(statistics->writer, counting, counting->elapsed, true);
	*done = *done && run_shell(options->run.after, options->quiet_stdout, signals);
	return *done || result ? result : PK_EXIT_FAILED;
}

/* Forgets the counts of the previous runs. It is needed for -r 0, which prints every run
 * separately. */
static void forget_runs(struct statistics *statistics)
{
	const size_t results = statistics->cells.events->count * statistics->cells.groups.count;

	memset(statistics->cells.moments, 0, results * sizeof(*statistics->cells.moments));
	memset(statistics->cells.sums, 0, results * sizeof(*statistics->cells.sums));
	statistics->cells.runs = 0;
	statistics->times.elapsed = (struct moments){0};
}

static int run_all(struct statistics *statistics, const struct signals *signals)
{
	const uint64_t runs = statistics->options->run.repeat;
	bool done = true;
	int result = 0;

	for (uint64_t i = 0; (!runs || i < runs) && done && !pk_signals_stops(); i++) {
		const bool last = i + 1 == runs;

		result = run_once(statistics, signals, &done);
		if (done && (!runs || last || pk_signals_stops())) {
			done = print_end(statistics);
			forget_runs(statistics);
		}
		counting_close(&statistics->counting);
	}
	return result;
}

/* Adds the events of metrics. If no option selects events or metrics, adds the default events. Then
 * sets the control groups of the events. */
static enum pk_status complete_events(struct stat_options *options, const char *each_cgroup)
{
	const bool none =
		!options->events.count && !options->run.null_run && !options->metrics.shown;

	if (none)
		PK_TRY(default_events(options));
	if (options->metrics.shown)
		PK_TRY(metrics_add_events(&options->metrics, &options->events));
	if (each_cgroup)
		return pk_event_list_for_each_cgroup(&options->events, each_cgroup);
	return options->cgroups ? pk_event_list_set_cgroups(&options->events, options->cgroups)
				: PK_OK;
}

/* Defines the probes. Counting does not need the arguments of probes, but it needs their filters.
 */
static enum pk_status define_probes(struct stat_options *options)
{
	struct event_list *events = &options->events;
	const bool inherited = !options->run.no_inherit && options->print.by != STAT_THREAD &&
			       !options->targets.system_wide && !options->targets.cpus;

	for (size_t i = 0; i < events->count; i++) {
		events->items[i].probe.defined &= events->items[i].filter != NULL;
		free(events->items[i].probe.arguments);
		events->items[i].probe.arguments = NULL;
	}
	return pk_probe_events_define(events, inherited);
}

int stat_run(struct stat_options *options)
{
	struct statistics statistics = {.options = options};
	struct signals signals;
	int result;

	if (pk_printed(complete_events(options, options->each_cgroup), &options->events.messages) !=
	    PK_OK)
		return PK_EXIT_FAILED;
	if (options->stream) {
		statistics.writer = stat_writer_new(options, &result);
		if (!statistics.writer)
			return result;
	}
	pk_signals_catch(&signals);
	result = pk_printed(define_probes(options), &options->events.messages) == PK_OK
			 ? run_all(&statistics, &signals)
			 : PK_EXIT_FAILED;
	if (pk_probe_events_wanted(&options->events))
		pk_probe_events_remove(getpid(), pk_lookups());
	if (stat_writer_free(statistics.writer) != PK_OK && !result)
		result = PK_EXIT_FAILED;
	stat_cells_free(&statistics.cells);
	stat_columns_free(&statistics.columns);
	free(statistics.times.runs);
	return result;
}
