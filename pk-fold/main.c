// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold_option.h"
#include "folded_lines.h"
#include "lookups.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct pk_fold_options fold;
	bool by_weight; /* --sort=weight */
};

static void help(void)
{
	puts("Usage: pk-fold [OPTION...] [FILE...]\n"
	     "\n"
	     "Sums up samples by their stacks. Prints \"thread;caller;...;leaf WEIGHT\" for "
	     "flamegraph.pl.\n"
	     "\n"
	     "      --weight=WHAT     period (default; 1 for tracepoints), samples, latency, "
	     "FIELD\n"
	     "      --event=GLOB      fold these events (default: the first, and all tracepoints)\n"
	     "      --where=EXPR      only samples that fulfil the expression\n"
	     "      --by=FIELD,...    fields before the frames: comm (default), pid, cpu, type "
	     "...; none\n"
	     "      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR, --no-inline "
	     "...\n"
	     "                        as in pk-symbolize, for unsymbolized files and data types\n"
	     "      --root=GLOB, --leaf=GLOB   start, end stacks at frames with this name\n"
	     "      --reverse         the leaf first  --max-depth=N  at most N frames  "
	     "--collapse-recursion\n"
	     "      --addresses --modules --lines --full-names --inlines[=no] --suffixes[=kji]\n"
	     "      --diff=BASE       print two weights: of BASE, and of the other inputs\n"
	     "      --live=TIME       each TIME, print the time and stacks, and start again\n"
	     "      --sort=ORDER      name (default) or weight\n" PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-fold | flamegraph.pl > app.svg\n"
	     "  pk-fold --diff=before.pk after.pk | flamegraph.pl > diff.svg");
}

enum {
	OPT_LIVE = 256,
	OPT_SORT,
};

static const struct option long_options[] = {
	{"live", required_argument, NULL, OPT_LIVE},
	{"sort", required_argument, NULL, OPT_SORT},
	PK_FOLD_LONG,
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'g', "call-graph", "complete stacks are always printed; pk-record -g records them"},
	{'G', "inverted", "stacks start with the caller; --reverse starts with the leaf"},
	{'s', NULL, "--by"},
	{'F', "fields", "--by"},
	{'n', "show-nr-samples", "--weight samples"},
	{'T', "threads", "--by tid"},
	{'p', "parent", "--root"},
	{'k', NULL, "--vmlinux"},
	{'b', "branch-stack", "use --by with the fields of branches"},
	{'c', "comms", "use pk-filter --comm"},
	{'C', "cpu", "use pk-filter --cpu"},
	{'d', "dsos", "use pk-filter --dso"},
	{'S', "symbols", "use pk-filter --symbol"},
	{0, "pid", "use pk-filter --pid"},
	{0, "tid", "use pk-filter --tid"},
	{0, "time", "use pk-filter --time"},
	{0, "symbol-filter", "use pk-filter --symbol"},
	{'D', "dump-raw-trace", "use pk-script --dump"},
	{'I', "show-info", "use pk-script -I"},
	{0, "header", "use pk-script --header"},
	{0, "header-only", "use pk-script --header-only"},
	{0, "stats", "use pk-script --stats"},
	{0, "tasks", "use pk-script --show-task-events"},
	{0, "mmaps", "use pk-script --show-mmap-events"},
	{0, "max-stack", "--max-depth"},
	{0, "latency", "--weight latency"},
	{0, "children",
	 "each line is a complete stack; add the weights of those with the function"},
	{0, "stdio", "the output is always text"},
	{0, "inline", "--inlines"},
	{0, "mem-mode", "--by type,typeoff"},
};

static const struct pk_perf_options perf = {"perf report", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

static bool parse_sort(const char *text, bool *by_weight)
{
	*by_weight = !strcmp(text, "weight");
	return *by_weight || !strcmp(text, "name");
}

static int parse_option(int c, struct opts *opts)
{
	int result = pk_fold_option(&opts->fold, c);

	if (result)
		return result;
	switch (c) {
	case OPT_LIVE:
		if (pk_parse_time(optarg, &opts->fold.live) && opts->fold.live)
			return -1;
		return pk_usage_error("--live=%s: not a time", optarg);
	case OPT_SORT:
		if (parse_sort(optarg, &opts->by_weight))
			return -1;
		return pk_usage_error("--sort=%s: must be name or weight", optarg);
	default: return pk_common_option(&opts->common, c);
	}
}

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, &perf)) != -1) {
		result = parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	if (!opts->fold.stacks.max_depth && !opts->fold.stacks.prefix_count)
		return pk_usage_error("--by=none --max-depth=0: nothing is left to print");
	if (opts->fold.base && opts->fold.live)
		return pk_usage_error("--diff and --live exclude each other");
	return -1;
}

struct printer {
	struct folded_options options;
	bool printed;	    /* an output was printed */
	bool live;	    /* --live */
	uint64_t lines_cut; /* number of lines that were too long */
};

/* With --live, an empty line and a line with the time separate the outputs. */
static bool print(void *arg, const struct pk_fold_result *result)
{
	struct printer *printer = arg;
	uint64_t cut = 0;
	bool done;

	printer->options.allowance = result->allowance;
	printer->options.columns = result->pairs ? 2 : 1;
	if (printer->printed)
		putchar('\n');
	if (result->heading[0])
		puts(result->heading);
	printer->printed = true;
	done = folded_print(result->tree, stdout, &printer->options, &cut);
	printer->lines_cut += cut;
	if (printer->live)
		fflush(stdout);
	return done;
}

static int fold(struct pk_run *run, struct opts *opts)
{
	struct printer printer = {.options.by_weight = opts->by_weight, .live = opts->fold.live};
	int result = pk_fold(run, &opts->fold, print, &printer);
	char number[32];

	if (printer.lines_cut)
		pk_warn("%s lines were too long; \"[...]\" replaces frames in their middle",
			pk_number(number, printer.lines_cut));
	return result;
}

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help, .fold = PK_FOLD_DEFAULTS};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-fold");
	opts.fold.tail.symbols.tried = pk_report_tried;
	result = parse(argc, argv, &opts);
	if (result < 0) {
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		if (opts.fold.base)
			pk_protect_input(opts.fold.base);
		result = pk_output_text(opts.common.output);
		if (!result)
			result = pk_finish(fold(&run, &opts));
	}
	pk_tail_options_free(&opts.fold.tail);
	return pk_exit_status(result);
}
