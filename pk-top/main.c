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
	char **symbol_options; /* as the user gave them */
	size_t symbol_options_count, symbol_options_capacity;
	uint64_t delay;
};

static void help(void)
{
	puts("Usage: pk-top [OPTION...] [FILE...]\n"
	     "\n"
	     "Shows the table of pk-report on the terminal while it reads, and lets you browse it. "
	     "Press h for the keys.\n"
	     "\n"
	     "      --delay=TIME      time between refreshes (2s)\n"
	     "      --decay           old samples lose weight at each refresh, as in perf "
	     "top\n" REPORT_COLUMNS_HELP
	     "      --order=COLUMN[:asc]  --percent-limit=PCT   order of rows, hidden rows\n"
	     "  -g, --call-graph=graph|fractal|none,THRESHOLD,caller|callee   trees of rows\n"
	     "  -G, --inverted        -g caller    --max-depth=N   frames of a path (127)\n"
	     "      --full-paths of objects\n" REPORT_SAMPLES_HELP PK_COMMON_HELP_UNCONFINED "\n"
	     "  pk-record -a -g | pk-symbolize | pk-top -g caller\n"
	     "  pk-top profile.pk");
}

enum { OPT_DELAY = 256 };

static const char letters[] = REPORT_SHORT PK_COMMON_SHORT;

static const struct option long_options[] = {
	{"delay", required_argument, NULL, OPT_DELAY},
	REPORT_LONG,
	PK_SYMBOLS_LONG,
	PK_COMMON_LONG_UNCONFINED,
};

static const struct pk_perf_option perf_items[] = {
	{'a', "all-cpus", "use pk-record -a"},
	{'z', "zero", "press z"},
	{'U', "hide_user_symbols", "--where 'mode == \"kernel\"'"},
	{'K', "hide_kernel_symbols", "--where 'mode == \"user\"'"},
	{'u', "uid", "use pk-record -u"},
	{'r', "realtime", "use pk-record -r"},
	{'E', "entries", "the table has as many rows as the terminal"},
	{'i', NULL, "use pk-record"},
	{'k', NULL, "--vmlinux"},
	{0, "stdio", "use pk-report --live"},
	{0, "tui", "it is always a TUI"},
	{0, "max-stack", "--max-depth"},
	{0, "comms", "--comm"},
	{0, "dsos", "--dso"},
	{0, "symbols", "--symbol"},
};

static const struct pk_perf_options perf = {"perf top", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* Stores an option of PK_SYMBOLS_LONG for pk-annotate. False: out of memory. */
static bool keep_option(struct opts *opts, int c)
{
	const struct option *option = long_options;
	char *text = NULL;

	while (option->name && option->val != c)
		option++;
	if (!option->name ||
	    !pk_reserve(&opts->symbol_options, &opts->symbol_options_capacity,
			opts->symbol_options_count, 1, sizeof(*opts->symbol_options)) ||
	    asprintf(&text, optarg ? "--%s=%s" : "--%s", option->name, optarg) < 0)
		return false;
	opts->symbol_options[opts->symbol_options_count++] = text;
	return true;
}

static int parse_option(int c, struct opts *opts)
{
	int result;

	if (c == OPT_DELAY) {
		if (pk_parse_time(optarg, &opts->delay) && opts->delay)
			return -1;
		return pk_usage_error("--delay=%s: not a time", optarg);
	}
	if (c >= PK_OPT_SYMFS && c <= PK_OPT_NO_DEMANGLE && !keep_option(opts, c))
		return pk_no_memory();
	result = pk_report_option(&opts->arguments, c);
	return result ? result : pk_common_option(&opts->common, c);
}

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, letters, long_options, &perf)) != -1) {
		result = parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	if (opts->arguments.report.graph.mode == GRAPH_FLAT ||
	    opts->arguments.report.graph.mode == GRAPH_FOLDED)
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
	struct opts opts = {
		.common.help = help, .arguments = REPORT_ARGUMENTS, .delay = 2000000000};
	struct top_options options = {.arguments = &opts.arguments};
	struct pk_run run = {0};
	int result;

	setlocale(LC_CTYPE, "");
	pk_cli_init("pk-top");
	pk_sandbox_off();
	result = parse(argc, argv, &opts);
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
