// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "options.h"
#include "symbol_options.h"
#include "unwind_stage.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options symbols;
	bool keep;
};

static void help(void)
{
	puts("Usage: pk-unwind [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads perf.data files and streams of perf or pk whose samples have registers and a\n"
	     "piece of the stack, or the processor's list of calls (LBR), and writes streams "
	     "whose\n"
	     "samples have a callchain instead. Adds callers that frame pointers of arm64 lack.\n"
	     "Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --symfs=DIR       look for the recorded files below DIR\n"
	     "      --keep            leave registers, stacks and branches in the "
	     "samples\n" PK_COMMON_HELP "\n"
	     "  pk-record --call-graph dwarf ./app | pk-unwind | pk-symbolize | pk-fold > "
	     "app.folded\n"
	     "  pk-unwind --symfs rootfs target.data > target.pk");
}

enum { OPT_SYMFS = 256, OPT_KEEP };

static const struct option long_options[] = {
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"keep", no_argument, NULL, OPT_KEEP},
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'g', "call-graph", "use pk-record --call-graph dwarf"},
	{0, "max-stack", "use pk-fold --max-depth"},
};

static const struct pk_perf_options perf = {"perf report", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, &perf)) != -1) {
		switch (c) {
		case OPT_SYMFS: opts->symbols.symfs = optarg; break;
		case OPT_KEEP: opts->keep = true; break;
		default:
			result = pk_common_option(&opts->common, c);
			if (result >= 0)
				return result;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct unwind_options options = {.argc = argc, .argv = argv};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	struct opts opts = {.common.help = help};
	int result;

	pk_cli_init("pk-unwind");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	options.output = opts.common.output;
	options.keep = opts.keep;
	options.symbols = &opts.symbols;
	symbols = pk_symbols_new(&opts.symbols);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = unwind_stream(&run, symbols, &options);
	return pk_symbols_finish(symbols, result);
}
