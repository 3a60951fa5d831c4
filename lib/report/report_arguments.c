// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "options.h"
#include "paths.h"
#include "report_arguments.h"
#include "vector.h"
#include "where.h"

/* ---- Options ---- */

static int add_time(const struct pk_option *option, void *at, const char *text)
{
	return strchr(text, '%')
		       ? pk_option_error(option, text, "percentages need pk-filter --time")
		       : pk_add_time(option, at, text);
}

/* Handles --by and --sort. option->set is 1 for --sort, whose names are the names of perf. */
static int set_by(const struct pk_option *option, void *at, const char *text)
{
	struct layout_options *layout = at;

	layout->by = text;
	layout->perf_keys = option->set;
	return PK_CONTINUE;
}

static int set_graph(const struct pk_option *option, void *at, const char *text)
{
	const char *error = pk_graph_option_parse(at, text);

	return error ? pk_option_error(option, text, error) : PK_CONTINUE;
}

static int set_inverted(const struct pk_option *option, void *at, const char *text)
{
	struct graph_options *graph = at;

	(void)option;
	(void)text;
	graph->mode = graph->mode == GRAPH_NONE ? GRAPH_ABSOLUTE : graph->mode;
	graph->ordered = graph->caller = true;
	return PK_CONTINUE;
}

static int set_depth(const struct pk_option *option, void *at, const char *text)
{
	uint64_t depth;

	if (!pk_parse_u64(text, &depth) || !depth)
		return pk_option_wrong(option, text);
	*(uint32_t *)at = depth < PK_PATH_DEPTH_MAX ? (uint32_t)depth : PK_PATH_DEPTH_MAX;
	return PK_CONTINUE;
}

static int set_percent_limit(const struct pk_option *option, void *at, const char *text)
{
	struct report_options *report = at;

	if (!pk_parse_percent(text, &report->results.percent_limit))
		return pk_option_wrong(option, text);
	report->graph.threshold = report->results.percent_limit;
	return PK_CONTINUE;
}

static int set_units(const struct pk_option *option, void *at, const char *text)
{
	return pk_units_parse(at, text) ? PK_CONTINUE : pk_option_wrong(option, text);
}

static int check_percentage(const struct pk_option *option, void *at, const char *text)
{
	(void)at;
	return strcmp(text, "relative")
		       ? pk_option_error(option, text,
					 "percentages are relative: those of the selected samples")
		       : PK_CONTINUE;
}

#define AT(member)	  PK_AT(struct report_arguments, member)
#define CONDITION(number) AT(report.tail.conditions), .parse = pk_add_condition, .set = (number)

const struct pk_option pk_report_rows[] = {
	PK_TITLE("Columns"),
	{0, "by", "FIELD,...", PK_CALL,
	 "comm,dso,symbol (default), pid, cpu, time:100ms, bytes:log2 ...; none", AT(layout),
	 .parse = set_by},
	{'s', "sort", "KEY,...", PK_CALL, "the same, with the names of perf report", AT(layout),
	 .parse = set_by, .set = 1},
	{0, "show", "NUMBER,...", PK_TEXT,
	 "children, share, samples, period, latency, sum(FIELD), avg, min, max, peak, stddev, p50, "
	 "p99.9, distinct, count, first, last",
	 AT(layout.show)},
	{'F', "fields", "LIST", PK_TEXT, "all columns, in this order; +LIST adds columns",
	 AT(layout.fields)},
	{'n', "show-nr-samples", NULL, PK_FLAG, "add the number of samples", AT(layout.samples)},
	{0, "show-total-period", NULL, PK_FLAG, "add the period", AT(layout.period)},
	{0, "children", NULL, PK_SET, "the share with callees", AT(layout.children),
	 .set = CHILDREN_YES},
	{0, "no-children", NULL, PK_SET, "only the share without callees", AT(layout.children),
	 .set = CHILDREN_NO},
	{0, "parent", "GLOB", PK_TEXT, "the outermost function of this name: the field parent",
	 AT(layout.parent)},
	{.kind = PK_ROWS, .rows = pk_weight_row, AT(report.tail)},
	{0, "unit", "ns|us|ms|s|K|M|G,...", PK_CALL, "units of numbers in the table",
	 AT(report.units), .parse = set_units, .wants = "ns, us, ms, s, K, M or G"},
	{0, "full-paths", NULL, PK_FLAG, "complete paths of objects", AT(report.full_paths)},
	PK_TITLE("Rows"),
	{0, "order", "COLUMN[:asc]", PK_TEXT, "the order of rows", AT(layout.order)},
	{0, "percent-limit", "PCT", PK_CALL, "leave out rows with a smaller share", AT(report),
	 .parse = set_percent_limit, .wants = "a number from 0 to 100"},
	{'g', "call-graph", "MODE,...", PK_CALL,
	 "print callers or callees below each row: graph|fractal|flat|folded|none, THRESHOLD, "
	 "LIMIT, caller|callee, percent|period|count",
	 AT(report.graph), .parse = set_graph},
	{'G', "inverted", NULL, PK_CALL, "-g caller", AT(report.graph), .parse = set_inverted},
	{0, "max-depth", "N", PK_CALL, "frames of a path (127)", AT(report.graph.depth),
	 .parse = set_depth, .wants = "a number of frames"},
	{0, "decay", NULL, PK_FLAG, "old samples lose weight at each refresh, as in perf top",
	 AT(report.decay)},
	PK_TITLE("Samples (!VALUE: not)"),
	{'e', "event", "GLOB", PK_CALL, "samples of these events", AT(report.tail.weigh),
	 .parse = pk_add_event},
	{'p', "pid", "LIST", PK_CALL, "of processes: 1,3,5-9", CONDITION(CONDITION_PID)},
	{0, "tid", "LIST", PK_CALL, "of threads", CONDITION(CONDITION_TID)},
	{'C', "cpu", "LIST", PK_CALL, "of processors", CONDITION(CONDITION_CPU)},
	{'c', "comm", "GLOB", PK_CALL, "of threads with this name", CONDITION(CONDITION_COMM)},
	{'d', "dso", "GLOB", PK_CALL, "in this object", CONDITION(CONDITION_DSO)},
	{'S', "symbol", "GLOB", PK_CALL, "in this function", CONDITION(CONDITION_SYMBOL)},
	{0, "socket-filter", "LIST", PK_CALL, "of processor sockets", CONDITION(CONDITION_SOCKET)},
	{0, "time", "FROM,TO", PK_CALL, "in seconds; +FROM,+TO: since the first sample",
	 AT(report.tail.conditions), .parse = add_time},
	{.kind = PK_ROWS, .rows = pk_where_row, AT(report.tail)},
	{0, "percentage", "relative", PK_CALL, "accepted as in perf report",
	 .parse = check_percentage},
	PK_OPTIONS_END,
};

/* ---- The layout ---- */

/* Makes the columns. Returns PK_CONTINUE if the program must continue, otherwise the exit status.
 */
static int make_layout(struct report_arguments *opts)
{
	struct layout_error error;

	opts->layout.side_field = &pk_report_side_field;
	opts->report.parent = opts->layout.parent;
	opts->report.children_if_callchains = opts->layout.children == CHILDREN_AUTO &&
					      !opts->layout.show &&
					      (!opts->layout.fields || *opts->layout.fields == '+');
	switch (pk_layout_make(&opts->report.layout, &opts->layout, &error)) {
	case LAYOUT_OK: return PK_CONTINUE;
	case LAYOUT_NOMEM: return pk_no_memory();
	default:
		return pk_usage_error("%s: %.*s: %s", error.option, error.value_size, error.value,
				      error.text);
	}
}

int pk_report_arguments_finish(struct report_arguments *opts)
{
	opts->report.graph_skips_first =
		!opts->layout.fields && opts->layout.by && !strncmp(opts->layout.by, "sym", 3);
	return make_layout(opts);
}

void pk_report_arguments_free(struct report_arguments *opts)
{
	pk_layout_free(&opts->report.layout);
	pk_tail_options_free(&opts->report.tail);
}
