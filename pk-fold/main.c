// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold_rows.h"
#include "folded_lines.h"
#include "lookups.h"
#include "options.h"

struct opts {
	struct pk_common common;
	struct pk_fold_options fold;
	bool by_weight; /* --sort=weight was given */
};

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	{.kind = PK_ROWS, .rows = pk_fold_rows, AT(fold)},
	PK_TITLE("Output"),
	{0, "live", "TIME", PK_TIME, "each TIME, print the time and the stacks, and start again",
	 AT(fold.live), .least = 1},
	{0, "sort", "name|weight", PK_WORD, "the order of the lines (name)", AT(by_weight)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER('g', "call-graph",
		  "complete stacks are always printed; pk-record -g records them"),
	PK_ANSWER('G', "inverted", "stacks start with the caller; --reverse starts with the leaf"),
	PK_ANSWER('s', NULL, "--by"),
	PK_ANSWER('F', "fields", "--by"),
	PK_ANSWER('n', "show-nr-samples", "--weight samples"),
	PK_ANSWER('T', "threads", "--by tid"),
	PK_ANSWER('p', "parent", "--root"),
	PK_ANSWER('b', "branch-stack", "use --by with the fields of branches"),
	PK_ANSWER(0, "latency", "--weight latency"),
	PK_ANSWER(0, "children",
		  "each line is a complete stack; add the weights of those with the function"),
	PK_ANSWER(0, "stdio", "the output is always text"),
	PK_ANSWER(0, "inline", "--inlines"),
	PK_ANSWER(0, "mem-mode", "--by type,typeoff"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-fold [OPTION...] [FILE...]\n"
		 "\n"
		 "Sums up samples by their stacks. Prints \"thread;caller;...;leaf WEIGHT\" for\n"
		 "flamegraph.pl. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-fold | flamegraph.pl > "
		    "app.svg\n"
		    "  pk-fold --diff=before.pk after.pk | flamegraph.pl > diff.svg\n",
};

static int check(const struct pk_fold_options *fold)
{
	if (!fold->stacks.max_depth && !fold->stacks.prefix_count)
		return pk_usage_error("--by=none --max-depth=0: nothing is left to print");
	if (fold->base && fold->live)
		return pk_usage_error("--diff and --live exclude each other");
	return PK_CONTINUE;
}

struct printer {
	struct folded_options options;
	bool printed;	    /* print() was called before and has printed stacks */
	bool live;	    /* --live was given */
	uint64_t lines_cut; /* number of lines that were too long */
};

/* Prints the folded stacks. With --live, this is called several times. Then an empty line and a
 * line with the time are between the outputs. */
static enum pk_status print(void *arg, const struct pk_fold_result *result)
{
	struct printer *printer = arg;
	uint64_t cut = 0;
	enum pk_status status;

	printer->options.allowance = result->allowance;
	printer->options.columns = result->pairs ? 2 : 1;
	if (printer->printed)
		putchar('\n');
	if (result->heading[0])
		puts(result->heading);
	printer->printed = true;
	status = folded_print(result->tree, stdout, &printer->options, &cut);
	printer->lines_cut += cut;
	if (printer->live)
		fflush(stdout);
	return status;
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
	struct opts opts = {.fold = PK_FOLD_DEFAULTS};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-fold");
	opts.fold.tail.symbols.tried = pk_report_tried;
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0)
		result = check(&opts.fold);
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
