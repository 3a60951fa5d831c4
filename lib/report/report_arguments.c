// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "options.h"
#include "paths.h"
#include "report_arguments.h"
#include "vector.h"
#include "where.h"

/* ---- Selecting samples ---- */

static const struct pk_condition_option field_options[] = {
	{'p', CONDITION_PID, "pid", NULL},
	{REPORT_OPT_TID, CONDITION_TID, "tid", NULL},
	{'C', CONDITION_CPU, "cpu", NULL},
	{'c', CONDITION_COMM, "comm", NULL},
	{'d', CONDITION_DSO, "dso", NULL},
	{'S', CONDITION_SYMBOL, "symbol", NULL},
	{REPORT_OPT_SOCKET, CONDITION_SOCKET, "socket-filter", NULL},
};

static int parse_time(struct conditions *conditions)
{
	if (strchr(optarg, '%'))
		return pk_usage_error("--time=%s: percentages need pk-filter --time", optarg);
	return pk_time_option(conditions);
}

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_selection(int c, struct report_options *report)
{
	const int result =
		pk_condition_option(field_options, sizeof(field_options) / sizeof(*field_options),
				    c, &report->tail.conditions);

	if (result)
		return result;
	switch (c) {
	case 'e': return pk_event_option(&report->tail.weigh);
	case REPORT_OPT_TIME: return parse_time(&report->tail.conditions);
	case REPORT_OPT_WHERE: return pk_where_option(&report->tail.conditions);
	default: return 0;
	}
}

/* ---- Columns and rows ---- */

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_columns(int c, struct layout_options *layout)
{
	switch (c) {
	case REPORT_OPT_BY:
	case 's':
		layout->by = optarg;
		layout->perf_keys = c == 's';
		return -1;
	case REPORT_OPT_SHOW: layout->show = optarg; return -1;
	case 'F': layout->fields = optarg; return -1;
	case 'n': layout->samples = true; return -1;
	case REPORT_OPT_PERIOD: layout->period = true; return -1;
	case REPORT_OPT_CHILDREN: layout->children = CHILDREN_YES; return -1;
	case REPORT_OPT_NO_CHILDREN: layout->children = CHILDREN_NO; return -1;
	case REPORT_OPT_ORDER: layout->order = optarg; return -1;
	case REPORT_OPT_PARENT: layout->parent = optarg; return -1;
	default: return 0;
	}
}

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_graph(int c, struct graph_options *graph)
{
	const char *error;
	uint64_t depth;

	switch (c) {
	case 'g':
		error = pk_graph_option_parse(graph, optarg);
		return error ? pk_usage_error("--call-graph=%s: %s", optarg, error) : -1;
	case 'G':
		graph->mode = graph->mode == GRAPH_NONE ? GRAPH_ABSOLUTE : graph->mode;
		graph->ordered = graph->caller = true;
		return -1;
	case REPORT_OPT_DEPTH:
		if (!pk_parse_u64(optarg, &depth) || !depth)
			return pk_usage_error("--max-depth=%s: not a number of frames", optarg);
		graph->depth = depth < PK_PATH_DEPTH_MAX ? (uint32_t)depth : PK_PATH_DEPTH_MAX;
		return -1;
	default: return 0;
	}
}

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_rows(int c, struct report_options *report)
{
	switch (c) {
	case REPORT_OPT_WEIGHT: pk_weight_parse(optarg, &report->tail.weigh); return -1;
	case REPORT_OPT_PERCENT_LIMIT:
		if (!pk_parse_percent(optarg, &report->results.percent_limit))
			return pk_usage_error("--percent-limit=%s: not 0 to 100", optarg);
		report->graph.threshold = report->results.percent_limit;
		return -1;
	case REPORT_OPT_UNIT:
		if (pk_units_parse(&report->units, optarg))
			return -1;
		return pk_usage_error("--unit=%s: not ns, us, ms, s, K, M or G", optarg);
	case REPORT_OPT_PERCENTAGE:
		if (!strcmp(optarg, "relative"))
			return -1;
		return pk_usage_error("--percentage=%s: percentages are relative: those of the "
				      "selected samples",
				      optarg);
	case REPORT_OPT_FULL_PATHS: report->full_paths = true; return -1;
	case REPORT_OPT_DECAY: report->decay = true; return -1;
	default: return 0;
	}
}

int pk_report_option(struct report_arguments *opts, int c)
{
	int result = pk_symbol_option(&opts->report.tail.symbols, c);

	result = result ? result : parse_columns(c, &opts->layout);
	result = result ? result : parse_rows(c, &opts->report);
	result = result ? result : parse_graph(c, &opts->report.graph);
	return result ? result : parse_selection(c, &opts->report);
}

/* Makes the columns. -1: continue. Else the exit status. */
static int make_layout(struct report_arguments *opts)
{
	struct layout_error error;

	opts->layout.side_field = &pk_report_side_field;
	opts->report.parent = opts->layout.parent;
	opts->report.children_if_callchains = opts->layout.children == CHILDREN_AUTO &&
					      !opts->layout.show &&
					      (!opts->layout.fields || *opts->layout.fields == '+');
	switch (pk_layout_make(&opts->report.layout, &opts->layout, &error)) {
	case LAYOUT_OK: return -1;
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
