// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "archive.h"
#include "options.h"
#include "symbol_options.h"

static void help(void)
{
	puts("Usage: pk-archive [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads recordings and writes a tar archive of the objects that their samples are in,\n"
	     "and of their debug files, by build-id: unpacked into ~/.debug, pk and perf find "
	     "them\n"
	     "there. Without FILE, or where it is -, stdin is read.\n"
	     "\n"
	     "  -z, --compress        with zstd\n"
	     "      --all             also objects that are mapped and were not sampled\n"
	     "      --symfs=DIR       look for the recorded files below DIR\n"
	     "      --kallsyms=FILE   kernel symbols, in the form of "
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

static const struct pk_perf_option perf_items[] = {
	{0, "unpack", "use tar -x -C ~/.debug"},
};

static const struct pk_perf_options perf = {"perf archive", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

int main(int argc, char **argv)
{
	struct pk_symbols_options files = {.no_inlines = true, .no_lines = true};
	struct archive_options options = {.files = &files};
	struct pk_common common = {.help = help};
	struct pk_symbols *symbols;
	struct pk_run run = {0};
	int c, result;

	pk_cli_init("pk-archive");
	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT "z", long_options, &perf)) != -1) {
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
