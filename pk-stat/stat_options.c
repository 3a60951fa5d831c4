// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "stat_options.h"
#include "vector.h"

/* ---- Values ---- */

static bool parse_ms(const char *text, uint64_t *ns)
{
	uint64_t ms;

	if (!pk_parse_u64(text, &ms) || !ms || ms > UINT64_MAX / 1000000)
		return false;
	*ns = ms * 1000000;
	return true;
}

static int parse_times(int c, struct stat_options *stat)
{
	uint64_t *ns = c == 'I' ? &stat->interval : c == 'D' ? &stat->delay : &stat->timeout;

	if (c == 'D' && !strcmp(optarg, "-1")) {
		stat->start_disabled = true;
		return -1;
	}
	return parse_ms(optarg, ns) ? -1
				    : pk_usage_error("%s: not a number of milliseconds", optarg);
}

static int parse_count(uint64_t *count, uint64_t least)
{
	return pk_parse_u64(optarg, count) && *count >= least
		       ? -1
		       : pk_usage_error("%s: not a number of times", optarg);
}

/* ---- Metrics ---- */

static int remember_metrics(struct stat_options *stat, const char *names)
{
	if (!pk_reserve(&stat->metric_names, &stat->metric_names_capacity, stat->metric_names_count,
			1, sizeof(*stat->metric_names)))
		return pk_no_memory();
	stat->metric_names[stat->metric_names_count++] = names;
	return -1;
}

static int load_metrics(struct stat_options *stat, const char *path)
{
	if (!metrics_load(&stat->metrics, path, &stat->events.messages))
		return PK_EXIT_FAILED;
	stat->events.json = stat->metrics.json;
	return -1;
}

/* Parses --metric=FILE:NAMES: loads the file, and stores the names. -1: continue. Else the exit
 * status. */
static int parse_metric(struct stat_options *stat)
{
	const char *colon = strrchr(optarg, ':');
	char *file;
	int result;

	if (!colon || colon == optarg || !colon[1])
		return pk_usage_error("--metric %s: must be FILE:NAME", optarg);
	file = strndup(optarg, (size_t)(colon - optarg));
	if (!file)
		return pk_no_memory();
	result = load_metrics(stat, file);
	free(file);
	return result < 0 ? remember_metrics(stat, colon + 1) : result;
}

static int choose_metrics(struct stat_options *stat)
{
	if (!stat->metric_names_count)
		return PK_EXIT_OK;
	if (!stat->metrics.json)
		return pk_usage_error("-M needs --metric-dir");
	stat->metrics.system_wide = stat->targets.system_wide;
	stat->metrics.cpus = stat->targets.system_wide || stat->targets.cpus;
	for (size_t i = 0; i < stat->metric_names_count; i++)
		if (!metrics_choose(&stat->metrics, stat->metric_names[i]))
			return PK_EXIT_USAGE;
	return PK_EXIT_OK;
}

/* ---- Options ---- */

static int parse_events(int c, struct stat_options *stat)
{
	struct event_list *events = &stat->events;

	if (c == OPT_PROBE && !events->object && stat->separator && strchr(stat->separator, '/'))
		return pk_usage_error(
			"-x %s is the separator of fields: --object %s names the file of a probe",
			stat->separator, stat->separator);
	stat->last_events = events->count;
	events->find_set = pk_event_set;
	events->find_arg = &stat->presets;
	return pk_printed(c == 'e' ? pk_event_list_parse(events, optarg)
				   : pk_event_list_add_probe(events, events->object, optarg),
			  &events->messages)
		       ? -1
	       : stat->presets.status ? stat->presets.status
				      : PK_EXIT_USAGE;
}

static int parse_filter(struct stat_options *stat)
{
	return pk_printed(pk_event_list_add_filter(&stat->events, stat->last_events, optarg),
			  &stat->events.messages)
		       ? -1
		       : PK_EXIT_USAGE;
}

/* Handles options that select events, metrics and targets. */
static int parse_target(int c, struct stat_options *stat)
{
	switch (c) {
	case OPT_PROBE:
	case 'e': return parse_events(c, stat);
	case OPT_OBJECT: stat->events.object = optarg; return -1;
	case OPT_GO_RETURNS: stat->events.go_returns = true; return -1;
	case OPT_FILTER: return parse_filter(stat);
	case 'd': stat->detail++; return -1;
	case 'M': return remember_metrics(stat, optarg);
	case OPT_METRIC: return parse_metric(stat);
	case OPT_METRIC_DIR: return load_metrics(stat, optarg);
	case OPT_METRIC_NO_GROUP: stat->metrics.no_group = true; return -1;
	case OPT_METRIC_NO_MERGE: stat->metrics.no_merge = true; return -1;
	case 'p': stat->targets.pids = optarg; return -1;
	case 't': stat->targets.tids = optarg; return -1;
	case 'u': stat->targets.uids = optarg; return -1;
	case 'a': stat->targets.system_wide = true; return -1;
	case 'C': stat->targets.cpus = optarg; return -1;
	case 'i': stat->no_inherit = true; return -1;
	case 'G': stat->cgroups = optarg; return -1;
	case OPT_EACH_CGROUP: stat->each_cgroup = optarg; return -1;
	case 'n': stat->null_run = true; return -1;
	case OPT_ALL_USER: stat->all_user = true; return -1;
	case OPT_ALL_KERNEL: stat->all_kernel = true; return -1;
	default: return STAT_OPTION_OTHER;
	}
}

static int parse_by(int c, struct stat_options *stat)
{
	switch (c) {
	case 'A': stat->by = STAT_CPU; return -1;
	case OPT_CORE: stat->by = STAT_CORE; return -1;
	case OPT_DIE: stat->by = STAT_DIE; return -1;
	case OPT_SOCKET: stat->by = STAT_SOCKET; return -1;
	case OPT_NODE: stat->by = STAT_NODE; return -1;
	case OPT_THREAD: stat->by = STAT_THREAD; return -1;
	default: return STAT_OPTION_OTHER;
	}
}

static int parse_run(int c, struct stat_options *stat)
{
	switch (c) {
	case 'I':
	case 'D':
	case OPT_TIMEOUT: return parse_times(c, stat);
	case 'r': return parse_count(&stat->repeat, 0);
	case OPT_INTERVAL_COUNT: return parse_count(&stat->intervals, 1);
	case OPT_CONTROL: stat->control = optarg; return -1;
	case OPT_PRE: stat->before = optarg; return -1;
	case OPT_POST: stat->after = optarg; return -1;
	case 'S': stat->sync = true; return -1;
	case OPT_STREAM: stat->stream = true; return -1;
	default: return STAT_OPTION_OTHER;
	}
}

static int parse_format(int c, struct stat_options *stat)
{
	switch (c) {
	case 'x':
		stat->format = STAT_CSV;
		stat->separator = strcmp(optarg, "\\t") ? optarg : "\t";
		return -1;
	case 'j': stat->format = STAT_JSON; return -1;
	case OPT_NO_METRICS: stat->no_metrics = true; return -1;
	case OPT_METRIC_ONLY: stat->metric_only = true; return -1;
	case OPT_SUMMARY: stat->summary = true; return -1;
	case OPT_NO_CSV_SUMMARY: stat->no_csv_summary = true; return -1;
	case OPT_TABLE: stat->table = true; return -1;
	case OPT_CLEAR: stat->clear = true; return -1;
	case OPT_SCALE: stat->no_scale = false; return -1;
	case OPT_NO_SCALE: stat->no_scale = true; return -1;
	case OPT_NO_MERGE: stat->no_merge = true; return -1;
	case 'B': stat->no_big_numbers = false; return -1;
	case OPT_NO_BIG: stat->no_big_numbers = true; return -1;
	default: return STAT_OPTION_OTHER;
	}
}

int stat_parse_option(int option, struct opts *opts)
{
	struct stat_options *stat = &opts->stat;
	int result = parse_target(option, stat);

	if (result == STAT_OPTION_OTHER)
		result = parse_by(option, stat);
	if (result == STAT_OPTION_OTHER)
		result = parse_run(option, stat);
	if (result == STAT_OPTION_OTHER)
		result = parse_format(option, stat);
	return result;
}

/* ---- Combinations of options ---- */

bool stat_has_target(const struct stat_options *stat)
{
	const struct target_spec *targets = &stat->targets;

	return targets->pids || targets->tids || targets->uids || targets->cpus ||
	       targets->system_wide;
}

/* Whether a file starts like a perf stream or file (in either byte order), or is compressed with
 * zstd. No program starts with these bytes. */
static bool is_recording(const char *path)
{
	static const char *const magics[] = {"PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP",
					     "\x28\xb5\x2f\xfd"};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char head[8] = "";
	ssize_t size = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (size < 0)
		pk_lookup_failed(path);
	if (fd >= 0)
		close(fd);
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (size >= (ssize_t)strlen(magics[i]) &&
		    !memcmp(head, magics[i], strlen(magics[i])))
			return true;
	return false;
}

bool stat_are_recordings(char *const *operands)
{
	struct stat st;

	if (!operands[0])
		return !fstat(STDIN_FILENO, &st) && !S_ISCHR(st.st_mode);
	if (!strcmp(operands[0], "-"))
		return true;
	if (stat(operands[0], &st)) {
		pk_lookup_failed(operands[0]);
		return false;
	}
	return S_ISREG(st.st_mode) && is_recording(operands[0]);
}

static int check_groups(const struct stat_options *stat)
{
	const struct target_spec *targets = &stat->targets;
	const bool someone = targets->pids || targets->tids || targets->uids;
	const bool wide = targets->system_wide || targets->cpus;

	if (stat->by == STAT_THREAD && !someone)
		return pk_usage_error("--per-thread needs -p, -t or -u");
	if (stat->by != STAT_ALL && stat->by != STAT_THREAD && !wide)
		return pk_usage_error("counts of CPUs need -a or -C");
	if ((stat->cgroups || stat->each_cgroup) && !wide)
		return pk_usage_error("control groups are counted on CPUs: use -a or -C");
	if (stat->cgroups && stat->each_cgroup)
		return pk_usage_error("-G and --for-each-cgroup exclude each other");
	return PK_EXIT_OK;
}

static int check_repeat(const struct stat_options *stat)
{
	if (stat->repeat == 1)
		return PK_EXIT_OK;
	if (!stat->command)
		return pk_usage_error("-r needs a command");
	if (stat->interval)
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
	if (!stat->inputs && stat->by == STAT_BY_UNSET)
		stat->by = STAT_ALL;
	if (stat->stream && (stat->format != STAT_TEXT || stat->summary || stat->metric_only))
		return pk_usage_error("--stream writes a stream, not text: pk-stat FILE prints it");
	if (stat->intervals && !stat->interval)
		return pk_usage_error("--interval-count needs -I");
	if (stat->all_user && stat->all_kernel)
		return pk_usage_error("--all-user and --all-kernel exclude each other");
	result = stat->inputs ? PK_EXIT_OK : check_groups(stat);
	if (!result)
		result = check_repeat(stat);
	if (!result)
		result = choose_metrics(stat);
	return result;
}
