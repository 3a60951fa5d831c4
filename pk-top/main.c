// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "lookups.h"
#include "options.h"
#include "sandbox.h"
#include "top.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct report_arguments arguments;
	char **symbol_options; /* the options in the form in which the user gave them */
	size_t symbol_options_count, symbol_options_capacity;
	uint64_t delay;
};

/* Stores an option about symbols, because pk-annotate needs the same option. */
static int keep_option(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;
	char *copy;

	if (pk_reserve(&opts->symbol_options, &opts->symbol_options_capacity,
		       opts->symbol_options_count, 1, sizeof(*opts->symbol_options)) != PK_OK ||
	    asprintf(&copy, text ? "--%s=%s" : "--%s", option->name, text) < 0)
		return pk_no_memory();
	opts->symbol_options[opts->symbol_options_count++] = copy;
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("The screen"),
	{0, "delay", "TIME", PK_TIME, "time between refreshes (2s)", AT(delay), .least = 1},
	{.kind = PK_ROWS, .rows = pk_report_rows, AT(arguments)},
	{.kind = PK_ROWS,
	 .rows = pk_symbol_rows,
	 .parse = keep_option,
	 AT(arguments.report.tail.symbols)},
	{0, "no-inline", NULL, PK_FLAG, "leave out inlined functions",
	 AT(arguments.report.tail.symbols.no_inlines)},
	{.kind = PK_ROWS, .rows = pk_common_unconfined_rows, AT(common)},
	PK_ANSWER('a', "all-cpus", "use pk-record -a"),
	PK_ANSWER('z', "zero", "press z"),
	PK_ANSWER('U', "hide_user_symbols", "--where 'mode == \"kernel\"'"),
	PK_ANSWER('K', "hide_kernel_symbols", "--where 'mode == \"user\"'"),
	PK_ANSWER('u', "uid", "use pk-record -u"),
	PK_ANSWER('r', "realtime", "use pk-record -r"),
	PK_ANSWER('E', "entries", "the table has as many rows as the terminal"),
	PK_ANSWER('i', NULL, "use pk-record"),
	PK_ANSWER(0, "stdio", "use pk-report --live"),
	PK_ANSWER(0, "tui", "it is always a TUI"),
	PK_ANSWER(0, "all-cgroups", "use pk-record --all-cgroups"),
	PK_ANSWER(0, "branch-any", "use pk-record --branch-any"),
	PK_ANSWER(0, "branch-filter", "use pk-record --branch-filter"),
	PK_ANSWER(0, "cgroup", "use pk-record --cgroup"),
	PK_ANSWER(0, "count", "use pk-record --count"),
	PK_ANSWER(0, "filter", "use pk-record --filter"),
	PK_ANSWER(0, "freq", "use pk-record --freq"),
	PK_ANSWER(0, "mmap-pages", "use pk-record --mmap-pages"),
	PK_ANSWER(0, "namespaces", "use pk-record --namespaces"),
	PK_ANSWER(0, "bpf-event", "use pk-record --no-bpf-event"),
	PK_ANSWER(0, "inherit", "use pk-record --no-inherit"),
	PK_ANSWER(0, "overwrite", "use pk-record --overwrite"),
	PK_ANSWER(0, "num-thread-synthesize", "it is not needed"),
	PK_ANSWER(0, "proc-map-timeout", "it is not needed"),
	PK_ANSWER(0, "branch-history", "use pk-report --view branches"),
	PK_ANSWER(0, "column-widths", "columns fit the terminal"),
	PK_ANSWER(0, "count-filter", "--percent-limit"),
	PK_ANSWER(0, "hierarchy", "use pk-report --hierarchy"),
	PK_ANSWER(0, "group-sort-idx", "rows are sorted by the first event of a group"),
	PK_ANSWER(0, "ignore-callees", "use pk-fold --leaf"),
	PK_ANSWER(0, "raw-trace", "fields of tracepoints are columns: --by prev_comm,next_comm"),
	PK_ANSWER(0, "dump-symtab", "use pk-symbolize -v"),
	PK_ANSWER(0, "sym-annotate", "press a"),
	PK_ANSWER(0, "source", "press a"),
	PK_ANSWER(0, "asm-raw", "press a"),
	PK_ANSWER(0, "objdump", "press a"),
	PK_ANSWER(0, "disassembler-style", "use pk-annotate --syntax"),
	PK_ANSWER(0, "prefix", "use pk-annotate --source-prefix"),
	PK_ANSWER(0, "prefix-strip", "use pk-annotate --source-prefix"),
	PK_ANSWER(0, "max-stack", "--max-depth"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage =
		"Usage: pk-top [OPTION...] [FILE...]\n"
		"\n"
		"Shows the table of pk-report on the terminal while it reads, and lets you browse\n"
		"it. Press h for the keys.\n",
	.options = rows,
	.examples = "  pk-record -a -g | pk-symbolize | pk-top -g caller\n"
		    "  pk-top profile.pk\n",
};

static int check(struct opts *opts)
{
	const enum graph_mode mode = opts->arguments.report.graph.mode;

	if (mode == GRAPH_FLAT || mode == GRAPH_FOLDED)
		return pk_usage_error("--call-graph: flat and folded are formats of pk-report");
	if (opts->common.output)
		return pk_usage_error("--output: the key P prints to a file");
	return pk_report_arguments_finish(&opts->arguments);
}

static void free_options(struct opts *opts)
{
	for (size_t i = 0; i < opts->symbol_options_count; i++)
		free(opts->symbol_options[i]);
	free(opts->symbol_options);
	pk_report_arguments_free(&opts->arguments);
}

int main(int argc, char **argv)
{
	struct opts opts = {.arguments = REPORT_ARGUMENTS, .delay = 2000000000};
	struct top_options options = {.arguments = &opts.arguments};
	struct pk_run run = {0};
	int result;

	opts.arguments.report.graph.mode = GRAPH_ABSOLUTE; /* -g none removes the trees */
	setlocale(LC_CTYPE, "");
	pk_cli_init("pk-top");
	pk_sandbox_off();
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0)
		result = check(&opts);
	if (result < 0) {
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		options.symbol_options = (const char *const *)opts.symbol_options;
		options.symbol_options_count = (int)opts.symbol_options_count;
		options.delay = opts.delay;
		result = pk_finish(top(&run, &options));
	}
	free_options(&opts);
	return pk_exit_status(result);
}
