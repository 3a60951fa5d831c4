// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "inject.h"
#include "options.h"
#include "symbol_options.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options files;
	struct inject_options inject;
	bool chosen; /* something of what there is to add */
};

static void help(void)
{
	puts("Usage: pk-inject [OPTION...] [FILE...]\n"
	     "\n"
	     "Adds to a stream what its analysis on another machine needs. To be run where it was\n"
	     "recorded. Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --self-contained  all of these (the default if none is named):\n"
	     "      --build-ids[=all] of objects that samples are in, or of all that are mapped\n"
	     "      --symbols[=all]   functions of programs that samples are in, or all\n"
	     "      --kernel[=all]    functions of the kernel and its modules, likewise\n"
	     "      --jit             functions out of perf-PID.map and jitdump\n"
	     "      --lines           inlined functions and source lines of sampled addresses\n"
	     "      --symfs=DIR       look for the recorded files below DIR\n"
	     "      --kallsyms=FILE   kernel symbols, in the form of /proc/kallsyms\n"
	     "      --no-demangle     names of C++ functions as the linker has "
	     "them\n" PK_COMMON_HELP "\n"
	     "  pk-record -a -g --for 10s | pk-inject | ssh desk 'pk-symbolize | pk-fold'\n"
	     "  pk-inject perf.data > portable.pk");
}

enum {
	OPT_SELF_CONTAINED = 256,
	OPT_BUILD_IDS,
	OPT_SYMBOLS,
	OPT_KERNEL,
	OPT_JIT,
	OPT_LINES,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_NO_DEMANGLE,
};

static const struct option long_options[] = {
	{"self-contained", no_argument, NULL, OPT_SELF_CONTAINED},
	{"build-ids", optional_argument, NULL, OPT_BUILD_IDS},
	{"symbols", optional_argument, NULL, OPT_SYMBOLS},
	{"kernel", optional_argument, NULL, OPT_KERNEL},
	{"jit", no_argument, NULL, OPT_JIT},
	{"lines", no_argument, NULL, OPT_LINES},
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"kallsyms", required_argument, NULL, OPT_KALLSYMS},
	{"no-demangle", no_argument, NULL, OPT_NO_DEMANGLE},
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'b', NULL, "--build-ids"},
	{0, "buildid-all", "--build-ids=all"},
	{'j', NULL, "--jit"},
	{'k', "vmlinux", "use --kallsyms, or pk-symbolize --vmlinux"},
	{'s', "sched-stat", "use pk-record --off-cpu"},
	{0, "itrace", "hardware traces are not decoded"},
	{0, "convert-callchain", "use pk-unwind"},
};

static const struct pk_perf_options perf = {"perf inject", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* optarg is NULL or "all". -1: go on. */
static int choose(struct opts *opts, enum inject_what *what, const char *name)
{
	opts->chosen = true;
	*what = optarg ? INJECT_WHOLE : INJECT_TOUCHED;
	if (optarg && strcmp(optarg, "all"))
		return pk_usage_error("--%s=%s: can only be all", name, optarg);
	return -1;
}

static void choose_all(struct inject_options *inject)
{
	enum inject_what *const all[] = {&inject->build_ids, &inject->symbols, &inject->kernel,
					 &inject->jit, &inject->lines};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (*all[i] == INJECT_NONE)
			*all[i] = INJECT_TOUCHED;
}

/* -1: go on. Else the exit status. */
static int set_option(struct opts *opts, int option)
{
	struct inject_options *inject = &opts->inject;

	switch (option) {
	case OPT_SELF_CONTAINED:
		opts->chosen = true;
		choose_all(inject);
		break;
	case OPT_BUILD_IDS: return choose(opts, &inject->build_ids, "build-ids");
	case OPT_SYMBOLS: return choose(opts, &inject->symbols, "symbols");
	case OPT_KERNEL: return choose(opts, &inject->kernel, "kernel");
	case OPT_JIT: return choose(opts, &inject->jit, "jit");
	case OPT_LINES: return choose(opts, &inject->lines, "lines");
	case OPT_SYMFS: opts->files.symfs = optarg; break;
	case OPT_KALLSYMS:
		opts->files.kallsyms = optarg;
		pk_protect_input(optarg);
		break;
	case OPT_NO_DEMANGLE: opts->files.no_demangle = true; break;
	default: return pk_common_option(&opts->common, option);
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	int c, result = -1;

	pk_cli_init("pk-inject");
	while (result < 0 &&
	       (c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, &perf)) != -1)
		result = set_option(&opts, c);
	if (result >= 0)
		return result;
	if (!opts.chosen)
		choose_all(&opts.inject);
	pk_common_apply(&opts.common, argc, argv, &run);
	opts.files.no_inlines = opts.files.no_lines = opts.inject.lines == INJECT_NONE;
	opts.inject.files = &opts.files;
	opts.inject.output = opts.common.output;
	opts.inject.argc = argc;
	opts.inject.argv = argv;
	symbols = pk_symbols_new(&opts.files);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = inject(&run, symbols, &opts.inject);
	return pk_symbols_finish(symbols, result);
}
