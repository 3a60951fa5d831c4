// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "event_tables.h"
#include "lookups.h"
#include "pmu_json.h"
#include "recordings.h"
#include "stat_options.h"

/* ---- Values ---- */

/* Parses a number of milliseconds. */
static int set_ms(const struct pk_option *option, void *at, const char *text)
{
	uint64_t ms;

	if (!pk_parse_u64(text, &ms) || !ms || ms > UINT64_MAX / 1000000)
		return pk_option_wrong(option, text);
	*(uint64_t *)at = ms * 1000000;
	return PK_CONTINUE;
}

static int set_cache(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;
	uint64_t level = 0;

	if (text && (!pk_parse_u64(text + (*text == 'L' || *text == 'l'), &level) || !level ||
		     level > CACHE_LEVELS))
		return pk_option_wrong(option, text);
	stat->print.by = STAT_CACHE;
	stat->print.cache_level = (int)level;
	return PK_CONTINUE;
}

static int set_delay(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;

	if (strcmp(text, "-1"))
		return set_ms(option, &stat->run.delay, text);
	stat->run.start_disabled = true;
	return PK_CONTINUE;
}

static int set_separator(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;

	(void)option;
	stat->print.format = STAT_CSV;
	stat->print.separator = strcmp(text, "\\t") ? text : "\t";
	return PK_CONTINUE;
}

/* ---- Metrics ---- */

static int load_metrics(struct stat_options *stat, const char *path)
{
	if (metrics_load(&stat->metrics, path, &stat->events.messages) != PK_OK)
		return PK_EXIT_FAILED;
	stat->events.json = stat->metrics.json;
	return PK_CONTINUE;
}

int stat_use_tables(struct stat_options *stat)
{
	const char *path = getenv("PK_EVENTS_DIR");

	if (stat->metrics.json)
		return PK_CONTINUE;
	if (path && *path)
		return load_metrics(stat, path);
	stat->metrics.json = pk_event_tables(&stat->events.messages);
	stat->events.json = stat->metrics.json;
	return pk_printed(stat->metrics.json ? PK_OK : PK_FAILED, &stat->events.messages) == PK_OK
		       ? PK_CONTINUE
		       : PK_EXIT_FAILED;
}

static int read_metrics(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	return load_metrics(at, text);
}

/* Parses the argument FILE:NAMES. Loads the metrics of the file, and stores the names of the
 * metrics to select. */
static int add_metric(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;
	const char *colon = strrchr(text, ':');
	char *file;
	int result;

	if (!colon || colon == text || !colon[1])
		return pk_option_wrong(option, text);
	file = strndup(text, (size_t)(colon - text));
	if (!file)
		return pk_no_memory();
	result = load_metrics(stat, file);
	free(file);
	return result < 0 ? pk_text_list_add(&stat->metric_names, colon + 1) : result;
}

static int choose_metrics(struct stat_options *stat)
{
	size_t count;

	if (!stat->metric_names.count)
		return PK_EXIT_OK;
	if (stat_use_tables(stat) != PK_CONTINUE)
		return PK_EXIT_FAILED;
	pk_pmu_json_metrics(stat->metrics.json, &count);
	if (pk_printed(PK_OK, &stat->events.messages) == PK_OK && !count)
		return pk_usage_error("-M needs --metric-dir, or the package pk-events if it has "
				      "this processor");
	stat->metrics.system_wide = stat->targets.system_wide;
	stat->metrics.cpus = stat->targets.system_wide || stat->targets.cpus;
	for (size_t i = 0; i < stat->metric_names.count; i++)
		if (metrics_choose(&stat->metrics, stat->metric_names.items[i]) != PK_OK)
			return PK_EXIT_USAGE;
	return PK_EXIT_OK;
}

/* ---- Options ---- */

/* Parses --event or --probe. For --probe, option->set is 1. */
static int add_events(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;
	struct event_list *events = &stat->events;

	if (option->set && !events->object && stat->print.separator &&
	    strchr(stat->print.separator, '/'))
		return pk_usage_error(
			"-x %s is the separator of fields: --object %s names the file of a probe",
			stat->print.separator, stat->print.separator);
	if (stat_use_tables(stat) != PK_CONTINUE)
		return PK_EXIT_FAILED;
	stat->last_events = events->count;
	events->find_set = pk_event_set;
	events->try_sets = pk_event_sets_try;
	events->find_arg = &stat->presets;
	return pk_printed(option->set ? pk_event_list_add_probe(events, events->object, text)
				      : pk_event_list_parse(events, text),
			  &events->messages) == PK_OK
		       ? PK_CONTINUE
	       : stat->presets.status ? stat->presets.status
				      : PK_EXIT_USAGE;
}

static int add_filter(const struct pk_option *option, void *at, const char *text)
{
	struct stat_options *stat = at;

	(void)option;
	return pk_printed(pk_event_list_add_filter(&stat->events, stat->last_events, text),
			  &stat->events.messages) == PK_OK
		       ? PK_CONTINUE
		       : PK_EXIT_USAGE;
}

#define AT(member) PK_AT(struct stat_options, member)
#define BY(value)  AT(print.by), .set = (value)
#define MS	   .parse = set_ms, .wants = "a number of milliseconds"
#define TIMES	   .wants = "a number of times"

const struct pk_option stat_rows[] = {
	PK_TITLE("What is counted"),
	{'e', "event", "LIST", PK_CALL, "events, as in pk-record", .parse = add_events},
	{0, "filter", "FILTER", PK_CALL, "a filter of the kernel for the events before it",
	 .parse = add_filter},
	{0, "object", "FILE", PK_TEXT, "the file of --probe", AT(events.object)},
	{0, "probe", "PLACE", PK_CALL, "a probe, as in pk-record", .parse = add_events, .set = 1},
	{0, "go-returns", NULL, PK_FLAG, "allow probes at returns of Go functions",
	 AT(events.go_returns)},
	{'d', "detailed", NULL, PK_MORE, "events of caches; -dd, -ddd: more of them", AT(detail)},
	{'M', "metrics", "NAMES", PK_TEXTS, "metrics of --metric-dir", AT(metric_names)},
	{0, "metric", "FILE:NAMES", PK_CALL, "metrics of a file", .parse = add_metric,
	 .wants = "FILE:NAME"},
	{0, "metric-dir", "DIR", PK_CALL, "files of events and metrics", .parse = read_metrics},
	{0, "metric-no-group", NULL, PK_FLAG, "do not group the events of a metric",
	 AT(metrics.no_group)},
	{0, "metric-no-merge", NULL, PK_FLAG, "do not share events between metrics",
	 AT(metrics.no_merge)},
	{'p', "pid", "LIST", PK_TEXT, "processes", AT(targets.pids)},
	{'t', "tid", "LIST", PK_TEXT, "threads", AT(targets.tids)},
	{'u', "uid", "LIST", PK_TEXT, "users", AT(targets.uids)},
	{'a', "all-cpus", NULL, PK_FLAG, "all processors", AT(targets.system_wide)},
	{'C', "cpu", "LIST", PK_TEXT, "processors", AT(targets.cpus)},
	{'i', "no-inherit", NULL, PK_FLAG, "not the children of the tasks", AT(run.no_inherit)},
	{'G', "cgroup", "LIST", PK_TEXT, "control groups, one for each event", AT(cgroups)},
	{0, "for-each-cgroup", "LIST", PK_TEXT, "all events in each control group",
	 AT(each_cgroup)},
	{'n', "null", NULL, PK_FLAG, "no events: only the time", AT(run.null_run)},
	{0, "all-user", NULL, PK_FLAG, "only in user mode", AT(all_user)},
	{0, "all-kernel", NULL, PK_FLAG, "only in the kernel", AT(all_kernel)},
	PK_TITLE("When"),
	{'r', "repeat", "N", PK_NUMBER, "run the command N times; 0: until Ctrl-C", AT(run.repeat),
	 TIMES},
	{0, "confidence", "PCT", PK_PERCENT, "with -r, +- is an interval of the mean",
	 AT(print.confidence)},
	{0, "pre", "CMD", PK_TEXT, "a shell command before each run", AT(run.before)},
	{0, "post", "CMD", PK_TEXT, "a shell command after each run", AT(run.after)},
	{'S', "sync", NULL, PK_FLAG, "call sync(2) before each run", AT(run.sync)},
	{'I', "interval", "MS", PK_CALL, "print the counts of each interval", AT(run.interval), MS},
	PK_ALSO(0, "interval-print", "MS", "interval"),
	{0, "interval-count", "N", PK_NUMBER, "stop after N intervals", AT(run.intervals),
	 .least = 1, TIMES},
	{0, "interval-clear", NULL, PK_FLAG, "clear the terminal before each interval",
	 AT(print.clear)},
	{0, "for", "TIME", PK_TIME, "stop after this time", AT(run.timeout), .least = 1,
	 .most = (double)INT64_MAX, .wants = "a time such as 30s, 500ms or 5m"},
	{0, "timeout", "MS", PK_CALL, "the same, in milliseconds", AT(run.timeout), MS},
	{'D', "delay", "MS", PK_CALL, "start to count after this time, or when --control says it",
	 .parse = set_delay, .wants = "a number of milliseconds"},
	{0, "control", "fifo:IN[,ACK]", PK_TEXT, "a FIFO for the commands enable and disable",
	 AT(run.control)},
	PK_TITLE("How counts are printed"),
	{'A', "per-cpu", NULL, PK_SET, "for each processor", BY(STAT_CPU)},
	PK_ALSO(0, "no-aggr", NULL, "per-cpu"),
	{0, "per-core", NULL, PK_SET, "for each core", BY(STAT_CORE)},
	{0, "per-cluster", NULL, PK_SET, "for each cluster of cores", BY(STAT_CLUSTER)},
	{0, "per-cache", "[LEVEL]", PK_CALL, "for each cache of a level, or each last cache",
	 .parse = set_cache, .wants = "L1 to L4"},
	{0, "per-die", NULL, PK_SET, "for each die", BY(STAT_DIE)},
	{0, "per-socket", NULL, PK_SET, "for each socket", BY(STAT_SOCKET)},
	PK_ALSO(0, "aggr-socket", NULL, "per-socket"),
	{0, "per-node", NULL, PK_SET, "for each node", BY(STAT_NODE)},
	{0, "per-thread", NULL, PK_SET, "for each thread", BY(STAT_THREAD)},
	{'x', "field-separator", "SEP", PK_CALL, "values with SEP between them",
	 .parse = set_separator},
	{0, "no-csv-summary", NULL, PK_FLAG, "no column \"summary\" in the lines of --summary",
	 AT(print.no_csv_summary)},
	{'j', "json", NULL, PK_SET, "JSON", AT(print.format), .set = STAT_JSON},
	PK_ALSO(0, "json-output", NULL, "json"),
	{0, "stream", NULL, PK_FLAG, "write counts as a stream, for pk-stat or perf stat report",
	 AT(stream)},
	{0, "summary", NULL, PK_FLAG, "after the intervals, print their sums", AT(print.summary)},
	{0, "table", NULL, PK_FLAG, "with -r, a table of the times of all runs", AT(print.table)},
	{0, "metric-only", NULL, PK_FLAG, "print only metrics", AT(print.metric_only)},
	{0, "no-metrics", NULL, PK_FLAG, "print no metrics", AT(print.no_metrics)},
	{0, "scale", NULL, PK_CLEAR, "scale counts of events that shared a counter (default)",
	 AT(print.no_scale)},
	{0, "no-scale", NULL, PK_FLAG, "do not scale them", AT(print.no_scale)},
	{0, "no-merge", NULL, PK_FLAG, "print the counts of each PMU of an event",
	 AT(print.no_merge)},
	{'B', "big-num", NULL, PK_CLEAR, "numbers with a separator of thousands (default)",
	 AT(print.no_big_numbers)},
	{0, "no-big-num", NULL, PK_FLAG, "without it", AT(print.no_big_numbers)},
	PK_OPTIONS_END,
};

/* ---- Combinations of options ---- */

bool stat_has_target(const struct stat_options *stat)
{
	const struct target_spec *targets = &stat->targets;

	return targets->pids || targets->tids || targets->uids || targets->cpus ||
	       targets->system_wide;
}

bool stat_are_recordings(char *const *operands)
{
	struct stat st;

	if (!operands[0])
		return !fstat(STDIN_FILENO, &st) && !S_ISCHR(st.st_mode);
	if (!strcmp(operands[0], "-"))
		return true;
	return pk_is_recording(operands[0]);
}

static int check_groups(const struct stat_options *stat)
{
	const struct target_spec *targets = &stat->targets;
	const bool someone = targets->pids || targets->tids || targets->uids;
	const bool wide = targets->system_wide || targets->cpus;

	if (stat->print.by == STAT_THREAD && !someone && !targets->system_wide)
		return pk_usage_error("--per-thread needs -p, -t, -u or -a");
	if (stat->print.by != STAT_ALL && stat->print.by != STAT_THREAD && !wide)
		return pk_usage_error("counts of CPUs need -a or -C");
	if ((stat->cgroups || stat->each_cgroup) && !wide)
		return pk_usage_error("control groups are counted on CPUs: use -a or -C");
	if (stat->cgroups && stat->each_cgroup)
		return pk_usage_error("-G and --for-each-cgroup exclude each other");
	return PK_EXIT_OK;
}

static int check_repeat(const struct stat_options *stat)
{
	if (stat->run.repeat == 1)
		return stat->print.confidence > 0 ? pk_usage_error("--confidence needs -r")
						  : PK_EXIT_OK;
	if (!stat->command)
		return pk_usage_error("-r needs a command");
	if (stat->print.confidence >= 100)
		return pk_usage_error("--confidence must be less than 100");
	if (stat->run.interval)
		return pk_usage_error("-r and -I exclude each other");
	if (stat->stream)
		return pk_usage_error("-r and --stream exclude each other");
	return PK_EXIT_OK;
}

int stat_check_options(struct stat_options *stat)
{
	int result;

	if (stat->inputs && stat->stream)
		return pk_usage_error(
			"--stream needs something to count: the input is a stream already");
	if (!stat->inputs && stat->print.by == STAT_BY_UNSET)
		stat->print.by = STAT_ALL;
	if (stat->stream &&
	    (stat->print.format != STAT_TEXT || stat->print.summary || stat->print.metric_only))
		return pk_usage_error("--stream writes a stream, not text: pk-stat FILE prints it");
	if (stat->print.by == STAT_CLUSTER && (stat->inputs || stat->stream))
		return pk_usage_error("streams do not contain the clusters of a machine: use "
				      "--per-cache, --per-core or --per-die");
	if (stat->print.by == STAT_CACHE && stat->stream)
		return pk_usage_error("--stream writes the counts of each processor: use "
				      "--per-cache with the pk-stat that reads them");
	if (stat->run.intervals && !stat->run.interval)
		return pk_usage_error("--interval-count needs -I");
	if (stat->all_user && stat->all_kernel)
		return pk_usage_error("--all-user and --all-kernel exclude each other");
	for (size_t i = 0; stat->print.by == STAT_CPU && i < stat->events.count; i++)
		if (stat->events.items[i].terms.percore)
			return pk_usage_error("%s: percore excludes -A: --per-core adds the counts "
					      "of the threads of each core",
					      stat->events.items[i].name);
	result = stat->inputs ? PK_EXIT_OK : check_groups(stat);
	if (!result)
		result = check_repeat(stat);
	if (!result)
		result = choose_metrics(stat);
	return result;
}
