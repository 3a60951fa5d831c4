// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "archive.h"
#include "options.h"
#include "symbol_options.h"

static void help(void)
{
	puts("Usage: pk-archive [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads recordings and writes a tar archive of their sampled objects and debug files, "
	     "by\n"
	     "build-id. Unpack it into ~/.debug, where pk and perf find the files. Without FILE, "
	     "or\n"
	     "if FILE is -, reads stdin.\n"
	     "\n"
	     "  -z, --compress        compress with zstd\n"
	     "      --all             include mapped objects without samples\n"
	     "      --symfs=DIR       search for the recorded files below DIR\n"
	     "      --kallsyms=FILE   kernel symbols, in the format of "
	     "/proc/kallsyms\n" PK_COMMON_HELP "\n"
	     "  pk-archive -z -o objects.tar.zst recording.pk\n"
	     "  ssh target 'pk-archive recording.pk' | tar -x -C ~/.debug");
}

enum { OPT_ALL = 256, OPT_SYMFS, OPT_KALLSYMS };

static const struct option long_options[] = {
	{"compress", no_argument, NULL, 'z'},
	{"all", no_argument, NULL, OPT_ALL},
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"kallsyms", required_argument, NULL, OPT_KALLSYMS},
	PK_COMMON_LONG,
};

int main(int argc, char **argv)
{
	struct pk_symbols_options files = {.no_inlines = true, .no_lines = true};
	struct archive_options options = {.files = &files};
	struct pk_common common = {.help = help};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	int c, result;

	pk_cli_init("pk-archive");
	while ((c = getopt_long(argc, argv, PK_COMMON_SHORT "z", long_options, NULL)) != -1) {
		switch (c) {
		case 'z': options.zstd = true; break;
		case OPT_ALL: options.all = true; break;
		case OPT_SYMFS: files.symfs = optarg; break;
		case OPT_KALLSYMS:
			files.kallsyms = optarg;
			pk_protect_input(optarg);
			break;
		default:
			result = pk_common_option(&common, c);
			if (result >= 0)
				return result;
		}
	}
	pk_common_apply(&common, argc, argv, &run);
	options.output = common.output;
	symbols = pk_symbols_new(&files);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = archive(&run, symbols, &options);
	return pk_symbols_finish(symbols, result);
}
