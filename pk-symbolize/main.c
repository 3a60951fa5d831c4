// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "symbolize.h"

struct opts {
	struct pk_symbols_options symbols;
	struct pk_fail_on fail_on;
	uint64_t dictionary_max;
	const char *output;
	int verbose;
};

static void help(void)
{
	puts("Usage: pk-symbolize [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads perf or pk streams and writes them with a stack of named frames behind every\n"
	     "sample. Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "      --symfs=DIR       look for the recorded files below DIR\n"
	     "      --kallsyms=FILE   kernel symbols, in the form of /proc/kallsyms\n"
	     "      --no-inline       only the functions that have symbols (the default so far)\n"
	     "      --no-demangle     names of C++ functions as the linker has them\n"
	     "      --dictionary-size=SIZE\n"
	     "                        begin the dictionary anew when it takes more memory (256M)\n"
	     "      --fail-on=LIST    exit status 1 if more than PCT percent are lost, truncated "
	     "or\n"
	     "                        unresolved: lost[=PCT],truncated[=PCT],unresolved[=PCT]\n"
	     "  -o, --output=FILE     instead of stdout\n"
	     "  -v, --verbose         say where symbols come from\n"
	     "  -q, --quiet           only errors\n"
	     "      --help, --version\n"
	     "\n"
	     "  pk-record -a -g --for 10s | pk-symbolize | pk-fold > host.folded\n"
	     "  pk-symbolize --symfs rootfs --kallsyms kallsyms target.pk | pk-fold");
}

enum {
	OPT_SYMFS = 256,
	OPT_KALLSYMS,
	OPT_NO_INLINE,
	OPT_NO_DEMANGLE,
	OPT_DICTIONARY_SIZE,
	OPT_FAIL_ON,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"kallsyms", required_argument, NULL, OPT_KALLSYMS},
	{"no-inline", no_argument, NULL, OPT_NO_INLINE},
	{"no-demangle", no_argument, NULL, OPT_NO_DEMANGLE},
	{"dictionary-size", required_argument, NULL, OPT_DICTIONARY_SIZE},
	{"fail-on", required_argument, NULL, OPT_FAIL_ON},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c;

	while ((c = getopt_long(argc, argv, "o:vq", long_options, NULL)) != -1) {
		switch (c) {
		case OPT_SYMFS: opts->symbols.symfs = optarg; break;
		case OPT_KALLSYMS: opts->symbols.kallsyms = optarg; break;
		case OPT_NO_INLINE: break;
		case OPT_NO_DEMANGLE: opts->symbols.no_demangle = true; break;
		case OPT_DICTIONARY_SIZE:
			if (!pk_parse_size(optarg, &opts->dictionary_max))
				return pk_usage_error("--dictionary-size=%s: not a size", optarg);
			break;
		case OPT_FAIL_ON:
			if (!pk_parse_fail_on(optarg, &opts->fail_on))
				return pk_usage_error("--fail-on=%s: unknown", optarg);
			break;
		case 'o': opts->output = optarg; break;
		case 'v': opts->verbose++; break;
		case 'q': opts->verbose = -1; break;
		case OPT_HELP: help(); return pk_finish(PK_EXIT_OK);
		case OPT_VERSION:
			printf("pk-symbolize %s\n", pk_version());
			return pk_finish(PK_EXIT_OK);
		default: return pk_usage_error("see above");
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct symbolize_options options = {.argc = argc, .argv = argv};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	struct opts opts = {.dictionary_max = UINT64_C(256) << 20};
	int result;

	pk_cli_init("pk-symbolize");
	result = parse(argc, argv, &opts);
	if (result >= 0)
		return result;
	pk_cli_verbosity(opts.verbose);
	run.files = argv + optind;
	run.files_count = argc - optind;
	run.fail_on = opts.fail_on;
	options.output = opts.output;
	options.dictionary_max = opts.dictionary_max;
	options.live = !opts.symbols.symfs;
	symbols = pk_symbols_new(&opts.symbols);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = symbolize(&run, symbols, &options);
	pk_symbols_free(symbols);
	return result;
}
