// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "lookups.h"
#include "options.h"
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

/* ---- The terminal ---- */

/* Parses a list of numbers. Returns false if the list is malformed or too long. */
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

static int set_widths(const struct pk_option *option, void *at, const char *text)
{
	return parse_column_widths(text, at) ? PK_CONTINUE : pk_option_wrong(option, text);
}

static int set_width(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;
	uint64_t width;

	if (!pk_parse_u64(text, &width))
		return pk_option_wrong(option, text);
	opts->arguments.report.width = width;
	opts->width_chosen = true;
	return PK_CONTINUE;
}

/* Sets colours and the width for the kind of output. Call it after stdout was redirected to the
 * output. */
static void look_at_output(struct opts *opts)
{
	opts->arguments.report.colour = pk_uses_colour(opts->colour);
	if (!opts->width_chosen)
		opts->arguments.report.width = pk_terminal_columns();
}

/* ---- Options ---- */

static int add_base(const struct pk_option *option, void *at, const char *text)
{
	struct report_arguments *arguments = at;

	if (arguments->layout.bases == LAYOUT_BASES)
		return pk_usage_error("--%s: at most %d", option->name, LAYOUT_BASES);
	arguments->report.bases[arguments->layout.bases++] = text;
	return PK_CONTINUE;
}

/* Handles --per. A word that is not a unit is the name of an event. */
static int set_unit(const struct pk_option *option, void *at, const char *text)
{
	static const char *const words[] = {
		[ROW_UNIT_SHARE] = "share", [ROW_UNIT_RUN] = "run", [ROW_UNIT_SECOND] = "second"};
	struct report_options *report = at;

	(void)option;
	report->unit = ROW_UNIT_EVENT;
	report->unit_event = text;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(text, words[i])) {
			report->unit = (enum row_unit)i;
			report->unit_event = NULL;
		}
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Tables"),
	{0, "view", "NAME", PK_PRESET, "options under a name, such as mem or c2c; list prints all",
	 AT(presets)},
	{0, "group", NULL, PK_FLAG, "events side by side", AT(arguments.layout.group)},
	{0, "merge-events", NULL, PK_FLAG, "all events in one table",
	 AT(arguments.layout.merge_events)},
	{'H', "hierarchy", NULL, PK_FLAG, "a level of rows for each field",
	 AT(arguments.layout.hierarchy)},
	{0, "diff", "BASE", PK_CALL,
	 "compare with a recording: --show baseline,delta,delta-abs,ratio,wdiff:1:1,base-period",
	 AT(arguments), .parse = add_base},
	{0, "per", "share|run|second|EVENT", PK_CALL,
	 "what --diff compares: shares, or weights per recording, second or count of EVENT",
	 AT(arguments.report), .parse = set_unit},
	{0, "tolerance", "PCT", PK_PERCENT, "changes up to PCT are no changes (5)",
	 AT(arguments.report.differences.tolerance)},
	{0, "fdr", "PCT", PK_PERCENT, "false discovery rate of the changed rows (1)",
	 AT(arguments.report.differences.discoveries)},
	{0, "match-renamed", NULL, PK_FLAG,
	 "--diff: functions with the same callers and callees are the same function",
	 AT(arguments.report.match_renamed)},
	{0, "fail-if", "EXPR", PK_TEXT,
	 "exit status 3 if EXPR is true for a row of --diff, as 'symbol == \"f\" && change > 5%'",
	 AT(arguments.report.findings.condition)},
	{0, "live", "TIME", PK_TIME,
	 "each TIME, print a table, and start again; with --decay, continue",
	 AT(arguments.report.live), .least = 1},
	{0, "limit", "N", PK_NUMBER, "print at most N rows", AT(arguments.report.results.limit),
	 .least = 1, .wants = "a number of rows"},
	{.kind = PK_ROWS, .rows = pk_header_rows, AT(arguments.report.header)},
	PK_TITLE("Format"),
	{0, "csv", NULL, PK_SET, "comma-separated values", AT(arguments.report.format),
	 .set = FORMAT_CSV},
	{0, "json", NULL, PK_SET, "JSON", AT(arguments.report.format), .set = FORMAT_JSON},
	{0, "markdown", NULL, PK_SET, "a table for a pull request", AT(arguments.report.format),
	 .set = FORMAT_MARKDOWN},
	{0, "max-bytes", "SIZE", PK_SIZE, "print at most SIZE bytes, in whole lines",
	 AT(arguments.report.max_bytes), .least = 1},
	{'t', "field-separator", "TEXT", PK_TEXT, "TEXT between columns, which are not aligned",
	 AT(arguments.report.separator), .least = 1, .wants = "a text"},
	{0, "color", "[always|auto|never]", PK_WORD, "colors (auto)", AT(colour),
	 .without = "always"},
	{0, "width", "N", PK_CALL, "columns of the table (those of the terminal)",
	 .parse = set_width, .wants = "a number of columns"},
	{'w', "column-widths", "N,...", PK_CALL, "the widths of the columns",
	 AT(arguments.report.column_widths), .parse = set_widths, .wants = "a list of widths"},
	{0, "no-pager", NULL, PK_CLEAR, "do not start a pager on a terminal",
	 AT(arguments.report.pager)},
	{.kind = PK_ROWS, .rows = pk_report_rows, AT(arguments)},
	{.kind = PK_ROWS, .rows = pk_function_rows, AT(arguments.report.tail.symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_input_rows},
	{.name = "stdio", .kind = PK_IGNORED, .help = "accepted as in perf: the output is text"},
	PK_ANSWER(0, "max-stack", "--max-depth"),
	PK_ANSWER('x', "exclude-other", "use --where 'stack ~ \"GLOB\"'"),
	PK_ANSWER('T', "threads", "--by tid"),
	PK_ANSWER('b', "branch-stack", "--view branches"),
	PK_ANSWER(0, "latency", "--show latency"),
	PK_ANSWER(0, "time-quantum", "use --sort time:100ms"),
	PK_ANSWER(0, "tui", "use pk-top"),
	PK_ANSWER(0, "mem-mode", "--view mem"),
	PK_ANSWER(0, "ignore-callees",
		  "use pk-fold --leaf GLOB, which counts them for the function"),
	PK_ANSWER('U', "hide-unresolved", "use --where 'symbol ~ \"?*\"'"),
	PK_ANSWER(0, "group-sort-idx", "rows are sorted by the first event of a group"),
	PK_ANSWER(0, "raw-trace", "fields of tracepoints are columns: --by prev_comm,next_comm"),
	PK_ANSWER(0, "parallelism", "use --where 'parallelism == N'"),
	PK_ANSWER(0, "show-cpu-utilization", "--by mode"),
	PK_ANSWER(0, "ns", "--unit ns"),
	PK_ANSWER(0, "stdio-color", "--color"),
	PK_ANSWER(0, "branch-history", "--view branches"),
	PK_ANSWER(0, "samples", "use pk-script"),
	PK_ANSWER(0, "skip-empty", "events without samples have no table"),
	PK_ANSWER(0, "stitch-lbr", "use pk-unwind"),
	PK_ANSWER('M', "disassembler-style", "use pk-annotate"),
	PK_ANSWER(0, "objdump", "use pk-annotate"),
	PK_ANSWER(0, "source", "use pk-annotate"),
	PK_ANSWER(0, "asm-raw", "use pk-annotate"),
	PK_ANSWER(0, "percent-type", "use pk-annotate"),
	PK_ANSWER(0, "prefix", "use pk-annotate"),
	PK_ANSWER(0, "showcpuutilization", "--by mode"),
	PK_ANSWER(0, "pretty", "use pk-script --dump"),
	PK_ANSWER(0, "show-ref-call-graph", "--event selects the event whose callchains are shown"),
	PK_ANSWER(0, "total-cycles", "use pk-annotate --blocks"),
	PK_ANSWER(0, "baseline-only", "rows of both recordings are shown"),
	PK_ANSWER(
		0, "compute",
		"--diff shows the difference of shares; --weight and --show select other numbers"),
	PK_ANSWER(0, "formula", "--diff shows both shares and their difference"),
	PK_ANSWER(0, "period", "--show period"),
	PK_ANSWER(0, "cycles-hist", "use pk-annotate --blocks"),
	PK_ANSWER(0, "stream", "use pk-plot flame --diff"),
	PK_ANSWER(0, "prefix-strip", "use pk-annotate"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-report [OPTION...] [FILE...]\n"
		 "       pk-report [OPTION...] --diff BASE... -- NEW...\n"
		 "\n"
		 "Groups samples by fields, adds them up, and prints tables. Reads output of\n"
		 "pk-symbolize. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -g -- ./app | pk-symbolize | pk-report\n"
		    "  pk-report --by comm,dso --show share,samples,p99 -n profile.pk\n",
};

/* Checks for options that exclude each other. */
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
	if (report->match_renamed && layout->bases != 1)
		return pk_usage_error("--match-renamed needs --diff, with one base");
	if (finding_options_set(&report->findings) && !layout->bases)
		return pk_usage_error("--%s needs --diff", report->findings.condition
								   ? "fail-if"
								   : "fail-on=regression");
	if (layout->merge_events && layout->group)
		return pk_usage_error("--merge-events and --group exclude each other");
	if (layout->hierarchy && layout->children == CHILDREN_YES)
		return pk_usage_error("--hierarchy and --children exclude each other");
	if (layout->children == CHILDREN_AUTO && (layout->hierarchy || layout->bases))
		layout->children = CHILDREN_NO;
	return PK_CONTINUE;
}

/* Returns the number of words after the last "--", or 0 if there is no "--". */
static int count_after_marker(int argc, char *const *argv)
{
	for (int i = argc - 1; i > 0; i--)
		if (!strcmp(argv[i], "--"))
			return argc - 1 - i;
	return 0;
}

/* With --diff, the operands before "--" are further files of the base. */
static void find_bases(struct report_arguments *arguments, int after, int argc, char *const *argv)
{
	if (!arguments->layout.bases || !after)
		return;
	arguments->layout.decides = true;
	arguments->report.more_bases = argv + optind;
	arguments->report.more_bases_count = argc - after - optind;
	optind = argc - after;
}

/* Prepares --fail-if after the columns are known. */
static int prepare_findings(struct report_options *report)
{
	size_t at = 0;
	const char *error = pk_findings_prepare(&report->findings, &report->layout, &at);

	report->layout.has_differences |= finding_options_set(&report->findings);
	if (error == pk_expression_no_memory)
		return pk_no_memory();
	return error ? pk_usage_error("--fail-if: %s: at '%s'", error,
				      report->findings.condition + at)
		     : PK_CONTINUE;
}

int main(int argc, char **argv)
{
	struct opts opts = {.arguments = REPORT_ARGUMENTS, .colour = PK_COLOUR_AUTO};
	struct pk_run run = {0};
	const int after = count_after_marker(argc, argv);
	int result;

	pk_cli_init("pk-report");
	opts.common.fail_on.compares = true;
	opts.arguments.report.out = stdout;
	opts.arguments.report.pager = true;
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0) {
		find_bases(&opts.arguments, after, argc, argv);
		opts.arguments.report.findings.regressions =
			opts.common.fail_on.set[PK_FAIL_REGRESSION];
		opts.arguments.report.findings.regression =
			opts.common.fail_on.percent[PK_FAIL_REGRESSION];
		result = check_options(&opts.arguments);
	}
	if (result < 0)
		result = pk_report_arguments_finish(&opts.arguments);
	if (result < 0)
		result = prepare_findings(&opts.arguments.report);
	if (result < 0) {
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		for (unsigned int i = 0; i < opts.arguments.layout.bases; i++)
			pk_protect_input(opts.arguments.report.bases[i]);
		pk_protect_inputs(opts.arguments.report.more_bases,
				  opts.arguments.report.more_bases_count);
		result = pk_output_text(opts.common.output);
		look_at_output(&opts);
		if (!result && opts.arguments.report.pager && !opts.arguments.report.live)
			pk_pager_prepare();
		if (!result)
			result = pk_finish(pk_summarize(&run, &opts.arguments.report));
	}
	pk_expression_free(opts.arguments.report.findings.expression);
	pk_report_arguments_free(&opts.arguments);
	pk_presets_free(&opts.presets);
	return pk_exit_status(result);
}
