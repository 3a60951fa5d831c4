// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "lookups.h"
#include "options.h"
#include "pager.h"
#include "presets.h"
#include "report_arguments.h"
#include "summarize.h"
#include "terminal.h"

struct opts {
	struct pk_common common;
	struct report_arguments arguments;
	struct pk_presets presets;
	enum pk_colour colour;
	bool width_chosen;
};

static void help(void)
{
	puts("Usage: pk-report [OPTION...] [FILE...]\n"
	     "\n"
	     "Groups samples by fields, adds them up, and prints tables. Reads output of "
	     "pk-symbolize.\n"
	     "\n" REPORT_COLUMNS_HELP
	     "      --view=NAME       options under a name, such as mem or c2c; list prints all\n"
	     "      --group           events side by side; --merge-events: in one table   -H, "
	     "--hierarchy\n"
	     "      --diff=BASE       compare with a recording: --show baseline,delta,delta-abs,"
	     "ratio,\n"
	     "                        wdiff:1:1,base-period\n"
	     "      --order=COLUMN[:asc]  --limit=N  --percent-limit=PCT   order and number of "
	     "rows\n"
	     "  -g, --call-graph=graph|fractal|flat|folded|none,THRESHOLD,LIMIT,caller|callee,\n"
	     "                    percent|period|count   print callers or callees below each row\n"
	     "  -G, --inverted        -g caller    --max-depth=N   frames of a path (127)\n"
	     "      --csv, --json     -t, --field-separator=TEXT   --full-paths of objects\n"
	     "      --live=TIME       each TIME, print a table, and start again; with --decay, "
	     "continue\n"
	     "      --header, --header-only, -I, --show-info   print the header of the recording\n"
	     "      --color=auto|always|never  --no-pager  --width=N, -w, "
	     "--column-widths=N,...\n" REPORT_SAMPLES_HELP PK_COMMON_HELP "\n"
	     "  pk-record -g -- ./app | pk-symbolize | pk-report\n"
	     "  pk-report --by comm,dso --show share,samples,p99 -n profile.pk");
}

enum {
	OPT_LIMIT = 256,
	OPT_VIEW,
	OPT_CSV,
	OPT_JSON,
	OPT_LIVE,
	OPT_GROUP,
	OPT_MERGE_EVENTS,
	OPT_DIFF,
	OPT_HEADER,
	OPT_HEADER_ONLY,
	OPT_COLOR,
	OPT_WIDTH,
	OPT_NO_PAGER,
};

static const char letters[] = "Ht:Iw:" REPORT_SHORT PK_COMMON_SHORT;

static const struct option long_options[] = {
	{"view", required_argument, NULL, OPT_VIEW},
	{"limit", required_argument, NULL, OPT_LIMIT},
	{"csv", no_argument, NULL, OPT_CSV},
	{"json", no_argument, NULL, OPT_JSON},
	{"field-separator", required_argument, NULL, 't'},
	{"live", required_argument, NULL, OPT_LIVE},
	{"group", no_argument, NULL, OPT_GROUP},
	{"merge-events", no_argument, NULL, OPT_MERGE_EVENTS},
	{"hierarchy", no_argument, NULL, 'H'},
	{"diff", required_argument, NULL, OPT_DIFF},
	{"header", no_argument, NULL, OPT_HEADER},
	{"header-only", no_argument, NULL, OPT_HEADER_ONLY},
	{"show-info", no_argument, NULL, 'I'},
	{"color", optional_argument, NULL, OPT_COLOR},
	{"width", required_argument, NULL, OPT_WIDTH},
	{"column-widths", required_argument, NULL, 'w'},
	{"no-pager", no_argument, NULL, OPT_NO_PAGER},
	REPORT_LONG,
	PK_SYMBOLS_LONG,
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{0, "max-stack", "--max-depth"},
	{'x', "exclude-other", "use --where 'stack ~ \"GLOB\"'"},
	{'i', "input", "name the file without an option"},
	{'D', "dump-raw-trace", "use pk-script --dump"},
	{'k', NULL, "--vmlinux"},
	{'T', "threads", "--by tid"},
	{'b', "branch-stack", "--view branches"},
	{0, "comms", "--comm"},
	{0, "dsos", "--dso"},
	{0, "symbols", "--symbol"},
	{0, "symbol-filter", "--symbol"},
	{0, "stats", "use pk-script --stats"},
	{0, "tasks", "use pk-script --show-task-events"},
	{0, "mmaps", "use pk-script --show-mmap-events"},
	{0, "latency", "--show latency"},
	{0, "time-quantum", "use --sort time:100ms"},
	{0, "stdio", "the output is always text"},
	{0, "tui", "the output is always text"},
	{0, "mem-mode", "--view mem"},
	{0, "ignore-callees", "use pk-fold --leaf GLOB, which counts them for the function"},
	{0, "inline", "inlined functions are always shown; --no-inline leaves them out"},
	{'U', "hide-unresolved", "use --where 'symbol ~ \"?*\"'"},
	{0, "group-sort-idx", "rows are sorted by the first event of a group"},
	{0, "raw-trace", "fields of tracepoints are columns: --by prev_comm,next_comm"},
	{0, "parallelism", "use --where 'parallelism == N'"},
	{0, "show-cpu-utilization", "--by mode"},
	{0, "ns", "--unit ns"},
	{0, "stdio-color", "--color"},
	{0, "demangle", "names are demangled; --no-demangle shows the others"},
	{0, "itrace", "hardware traces are not decoded"},
	{0, "branch-history", "--view branches"},
	{0, "samples", "use pk-script"},
	{0, "skip-empty", "events without samples have no table"},
	{0, "stitch-lbr", "use pk-unwind"},
	{'M', "disassembler-style", "use pk-annotate"},
	{0, "objdump", "use pk-annotate"},
	{0, "source", "use pk-annotate"},
	{0, "asm-raw", "use pk-annotate"},
	{0, "percent-type", "use pk-annotate"},
	{0, "prefix", "use pk-annotate"},
	{0, "prefix-strip", "use pk-annotate"},
};

static const struct pk_perf_options perf = {"perf report", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* -1: continue; 0: not such an option. */
static int parse_header(int c, struct header_options *header)
{
	switch (c) {
	case OPT_HEADER: header->wanted = HEADER_SHOWN; return -1;
	case OPT_HEADER_ONLY: header->wanted = HEADER_ONLY; return -1;
	case 'I':
		header->whole = true;
		if (header->wanted == HEADER_NONE)
			header->wanted = HEADER_SHOWN;
		return -1;
	default: return 0;
	}
}

/* ---- The terminal ---- */

/* A list of numbers. False: malformed, or too long. */
static bool parse_column_widths(const char *text, size_t widths[LAYOUT_COLUMNS])
{
	unsigned int count = 0;

	for (;; text++) {
		uint64_t width = 0;
		const char *const start = text;

		for (; *text >= '0' && *text <= '9' && width <= UINT16_MAX; text++)
			width = width * 10 + (uint64_t)(*text - '0');
		if (text == start || width > UINT16_MAX || count == LAYOUT_COLUMNS)
			return false;
		widths[count++] = width;
		if (!*text)
			return true;
		if (*text != ',')
			return false;
	}
}

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_terminal(int c, struct opts *opts)
{
	uint64_t width;

	switch (c) {
	case OPT_COLOR:
		if (pk_parse_colour(optarg, &opts->colour))
			return -1;
		return pk_usage_error("--color=%s: must be auto, always or never", optarg);
	case OPT_WIDTH:
		if (!pk_parse_u64(optarg, &width))
			return pk_usage_error("--width=%s: not a number of columns", optarg);
		opts->arguments.report.width = width;
		opts->width_chosen = true;
		return -1;
	case 'w':
		if (parse_column_widths(optarg, opts->arguments.report.column_widths))
			return -1;
		return pk_usage_error("--column-widths=%s: not a list of widths", optarg);
	case OPT_NO_PAGER: opts->arguments.report.pager = false; return -1;
	default: return 0;
	}
}

/* Call it after stdout was redirected to the output. */
static void look_at_output(struct opts *opts)
{
	opts->arguments.report.colour = pk_uses_colour(opts->colour);
	if (!opts->width_chosen)
		opts->arguments.report.width = pk_terminal_columns();
}

/* -1: continue; 0: not such an option; else the exit status. */
static int parse_sets(int c, struct report_arguments *arguments)
{
	struct layout_options *layout = &arguments->layout;

	switch (c) {
	case OPT_GROUP: layout->group = true; return -1;
	case OPT_MERGE_EVENTS: layout->merge_events = true; return -1;
	case 'H': layout->hierarchy = true; return -1;
	case OPT_DIFF:
		if (layout->bases == LAYOUT_BASES)
			return pk_usage_error("--diff: at most %d", LAYOUT_BASES);
		arguments->report.bases[layout->bases++] = optarg;
		return -1;
	default: return 0;
	}
}

/* -1: continue; else the exit status. */
static int parse_option(int c, struct opts *opts)
{
	struct report_options *report = &opts->arguments.report;
	int result;

	switch (c) {
	case OPT_LIMIT:
		if (pk_parse_u64(optarg, &report->results.limit) && report->results.limit)
			return -1;
		return pk_usage_error("--limit=%s: not a number of rows", optarg);
	case OPT_CSV: report->format = FORMAT_CSV; return -1;
	case OPT_JSON: report->format = FORMAT_JSON; return -1;
	case 't':
		if (!*optarg)
			return pk_usage_error("--field-separator: empty");
		report->separator = optarg;
		return -1;
	case OPT_LIVE:
		if (pk_parse_time(optarg, &report->live) && report->live)
			return -1;
		return pk_usage_error("--live=%s: not a time", optarg);
	default:
		result = parse_sets(c, &opts->arguments);
		result = result ? result : parse_header(c, &report->header);
		result = result ? result : parse_terminal(c, opts);
		result = result ? result : pk_report_option(&opts->arguments, c);
		return result ? result : pk_common_option(&opts->common, c);
	}
}

/* Options that exclude each other. -1: continue. Else the exit status. */
static int check_options(struct report_arguments *arguments)
{
	struct layout_options *layout = &arguments->layout;
	const struct report_options *report = &arguments->report;
	const bool trees = report->graph.mode != GRAPH_NONE;

	if (trees && report->format != FORMAT_TEXT)
		return pk_usage_error("--call-graph needs the table, not --csv or --json");
	if (report->header.wanted != HEADER_NONE && report->format != FORMAT_TEXT)
		return pk_usage_error("--header needs the table, not --csv or --json");
	if (report->header.wanted != HEADER_NONE && report->live)
		return pk_usage_error("--header and --live exclude each other");
	if (report->decay && !report->live)
		return pk_usage_error("--decay needs --live");
	if (layout->bases && (trees || layout->group || report->live))
		return pk_usage_error("--diff and %s exclude each other", trees ? "--call-graph"
									  : layout->group
										  ? "--group"
										  : "--live");
	if (layout->merge_events && layout->group)
		return pk_usage_error("--merge-events and --group exclude each other");
	if (layout->hierarchy && layout->children == CHILDREN_YES)
		return pk_usage_error("--hierarchy and --children exclude each other");
	if (layout->children == CHILDREN_AUTO && (layout->hierarchy || layout->bases))
		layout->children = CHILDREN_NO;
	return -1;
}

/* -1: continue. Else the exit status. */
static int parse(int *argc, char ***argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(*argc, *argv, letters, long_options, &perf)) != -1) {
		result = c == OPT_VIEW ? pk_preset_option(&opts->presets, optarg, argc, argv)
				       : parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	result = check_options(&opts->arguments);
	if (result >= 0)
		return result;
	return pk_report_arguments_finish(&opts->arguments);
}

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help, .arguments = REPORT_ARGUMENTS};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-report");
	opts.arguments.report.out = stdout;
	opts.arguments.report.pager = true;
	result = parse(&argc, &argv, &opts);
	if (result < 0) {
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		for (unsigned int i = 0; i < opts.arguments.layout.bases; i++)
			pk_protect_input(opts.arguments.report.bases[i]);
		result = pk_output_text(opts.common.output);
		look_at_output(&opts);
		if (!result && opts.arguments.report.pager && !opts.arguments.report.live)
			pk_pager_prepare();
		if (!result)
			result = pk_finish(pk_summarize(&run, &opts.arguments.report));
	}
	pk_report_arguments_free(&opts.arguments);
	pk_presets_free(&opts.presets);
	return pk_exit_status(result);
}
