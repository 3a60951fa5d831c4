// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "options.h"
#include "symbol_options.h"
#include "symbolize.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options symbols;
	uint64_t dictionary_max;
	bool addresses, mark_truncated;
};

static void help(void)
{
	puts("Usage: pk-symbolize [OPTION...] [FILE...]\n"
	     "\n"
	     "Adds a stack of named frames to every sample, and writes a stream.\n"
	     "Without FILE, or if FILE is -, reads stdin.\n"
	     "\n"
	     "      --symfs=DIR       search for the recorded files below DIR\n"
	     "      --debug-dir=DIR, --buildid-dir=DIR    debugging information; perf's cache\n"
	     "      --debuginfod[=TIME]  request missing files from servers, each for at most 60s\n"
	     "      --kallsyms=, --vmlinux=, --guest-kallsyms=, --guest-vmlinux=, "
	     "--guest-modules=FILE,\n"
	     "      --guest-symfs=DIR  of kernels\n"
	     "      --no-cache        do not cache the running kernel's symbols in ~/.cache/pk\n"
	     "      --no-inline, --no-demangle  no inlined functions; no demangled names\n"
	     "      --lines           look up source files, lines and columns\n"
	     "      --addresses       make frames of addresses instead of functions\n"
	     "      --mark-truncated  add a frame where callers are missing\n"
	     "      --dictionary-size=SIZE  clear the dictionary when it is larger "
	     "(256M)\n" PK_COMMON_HELP "\n"
	     "  pk-record -a -g --for 10s | pk-symbolize | pk-fold > host.folded\n"
	     "  pk-symbolize --symfs rootfs --kallsyms kallsyms target.pk | pk-fold");
}

enum { OPT_LINES = 256, OPT_ADDRESSES, OPT_MARK_TRUNCATED, OPT_DICTIONARY_SIZE };

static const struct option long_options[] = {
	PK_SYMBOLS_LONG,
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},
	{"lines", no_argument, NULL, OPT_LINES},
	{"addresses", no_argument, NULL, OPT_ADDRESSES},
	{"mark-truncated", no_argument, NULL, OPT_MARK_TRUNCATED},
	{"dictionary-size", required_argument, NULL, OPT_DICTIONARY_SIZE},
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'k', NULL, "--vmlinux"},
	{'m', "modules", "modules are searched where they were loaded from"},
	{0, "inline", "inlined functions are included by default: --no-inline"},
	{0, "demangle", "names are demangled by default: --no-demangle"},
	{0, "srcline", "--lines"},
};

static const struct pk_perf_options perf = {"perf report", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, &perf)) != -1) {
		switch (c) {
		case OPT_LINES: opts->symbols.no_lines = false; break;
		case OPT_ADDRESSES: opts->addresses = true; break;
		case OPT_MARK_TRUNCATED: opts->mark_truncated = true; break;
		case OPT_DICTIONARY_SIZE:
			if (!pk_parse_size(optarg, &opts->dictionary_max))
				return pk_usage_error("--dictionary-size=%s: not a size", optarg);
			break;
		default:
			result = pk_symbol_option(&opts->symbols, c);
			if (!result)
				result = pk_common_option(&opts->common, c);
			if (result >= 0)
				return result;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct symbolize_options options = {.argc = argc, .argv = argv};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	struct opts opts = {.common.help = help,
			    .symbols = {.no_lines = true, .tried = pk_report_tried},
			    .dictionary_max = UINT64_C(256) << 20};
	int result;

	pk_cli_init("pk-symbolize");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_common_apply(&opts.common, argc, argv, &run);
	options.output = opts.common.output;
	options.dictionary_max = opts.dictionary_max;
	options.frames = opts.addresses ? PK_FRAMES_OF_ADDRESSES : PK_FRAMES_OF_FUNCTIONS;
	options.mark_truncated = opts.mark_truncated;
	options.symbols = &opts.symbols;
	symbols = pk_symbols_new(&opts.symbols);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = symbolize(&run, symbols, &options);
	return pk_symbols_finish(symbols, result);
}
