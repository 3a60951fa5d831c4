// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "file.h"
#include "options.h"
#include "sandbox.h"
#include "symbol_options.h"

static void help(void)
{
	puts("Usage: pk-archive [OPTION...] [FILE...]\n"
	     "\n"
	     "Reads recordings and writes a tar archive of their sampled objects, by build-id.\n"
	     "Unpack it into ~/.debug for pk and perf. Without FILE or with -, reads stdin.\n"
	     "\n"
	     "  -z, --compress        compress with zstd\n"
	     "      --all             include mapped objects without samples\n"
	     "      --list            print build-ids and objects; --cached: of the cache\n"
	     "      --install         copy objects, or FILEs that are objects, to the cache\n"
	     "      --remove FILE|BUILD-ID...   remove builds from the cache\n"
	     "      --purge FILE...   remove all builds of FILE; with --all, of all objects\n"
	     "      --buildid-dir=DIR the cache (default: ~/.debug)\n"
	     "      --symfs=DIR       search for the recorded files below DIR\n"
	     "      --kallsyms=FILE   kernel symbols, in the format of "
	     "/proc/kallsyms\n" PK_COMMON_HELP "\n"
	     "  pk-archive -z -o objects.tar.zst recording.pk\n"
	     "  ssh target 'pk-archive recording.pk' | tar -x -C ~/.debug");
}

enum {
	OPT_ALL = 256,
	OPT_CACHED,
	OPT_LIST,
	OPT_INSTALL,
	OPT_REMOVE,
	OPT_PURGE,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_BUILDID_DIR,
};

static const struct option long_options[] = {
	{"compress", no_argument, NULL, 'z'},
	{"all", no_argument, NULL, OPT_ALL},
	{"list", no_argument, NULL, OPT_LIST},
	{"with-hits", no_argument, NULL, 'H'},
	{"cached", no_argument, NULL, OPT_CACHED},
	{"install", no_argument, NULL, OPT_INSTALL},
	{"remove", no_argument, NULL, OPT_REMOVE},
	{"purge", no_argument, NULL, OPT_PURGE},
	{"symfs", required_argument, NULL, OPT_SYMFS},
	{"kallsyms", required_argument, NULL, OPT_KALLSYMS},
	{"buildid-dir", required_argument, NULL, OPT_BUILDID_DIR},
	PK_COMMON_LONG,
};

struct opts {
	struct pk_common common;
	struct pk_symbols_options files;
	struct archive_options archive;
	bool cached, with_hits;
};

static int set_mode(struct opts *opts, enum archive_mode mode)
{
	if (opts->archive.mode != ARCHIVE_TAR && opts->archive.mode != mode)
		return pk_usage_error("--list, --install, --remove and --purge exclude each other");
	opts->archive.mode = mode;
	return -1;
}

/* -1: continue. Else the exit status. */
static int set_option(struct opts *opts, int option)
{
	switch (option) {
	case 'z': opts->archive.zstd = true; break;
	case 'H': opts->with_hits = true; break;
	case OPT_ALL: opts->archive.all = true; break;
	case OPT_CACHED: opts->cached = true; break;
	case OPT_LIST: return set_mode(opts, ARCHIVE_LIST);
	case OPT_INSTALL: return set_mode(opts, ARCHIVE_INSTALL);
	case OPT_REMOVE: return set_mode(opts, ARCHIVE_REMOVE);
	case OPT_PURGE: return set_mode(opts, ARCHIVE_PURGE);
	case OPT_SYMFS: opts->files.symfs = optarg; break;
	case OPT_BUILDID_DIR: opts->files.cache_dir = optarg; break;
	case OPT_KALLSYMS:
		opts->files.kallsyms = optarg;
		pk_protect_input(optarg);
		break;
	default: return pk_common_option(&opts->common, option);
	}
	return -1;
}

static int check(const struct opts *opts, int operands)
{
	const enum archive_mode mode = opts->archive.mode;
	const bool removes = mode == ARCHIVE_REMOVE || mode == ARCHIVE_PURGE;

	if (opts->archive.zstd && mode != ARCHIVE_TAR)
		return pk_usage_error("--compress is only for an archive");
	if ((opts->cached || opts->with_hits) && mode != ARCHIVE_LIST)
		return pk_usage_error("--cached and --with-hits need --list");
	if (opts->with_hits && opts->archive.all)
		return pk_usage_error("--all and --with-hits exclude each other");
	if (opts->cached && (operands || opts->with_hits || opts->archive.all))
		return pk_usage_error("--cached always lists the whole cache: it excludes FILE, "
				      "--with-hits and --all");
	if (opts->common.output && mode >= ARCHIVE_INSTALL)
		return pk_usage_error(
			"-o is not possible: only the cache is changed (--buildid-dir)");
	if (mode == ARCHIVE_PURGE && !operands != opts->archive.all)
		return pk_usage_error("--purge needs objects, or --all, which removes all objects");
	if (mode == ARCHIVE_REMOVE && opts->archive.all)
		return pk_usage_error("--remove excludes --all: use --purge --all");
	if (removes && !operands && !opts->archive.all)
		return pk_usage_error("--remove needs objects or build-ids");
	return -1;
}

static bool is_object(const char *path)
{
	char magic[4];
	int fd;
	bool elf;

	if (!strcmp(path, "-") || pk_file_open(path, &fd))
		return false;
	elf = pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	      !memcmp(magic, "\177ELF", sizeof(magic));
	close(fd);
	return elf;
}

/* Moves objects to the front of the operands; the rest are the inputs of the run. Returns the
 * number of objects. */
static int split_operands(char **operands, int count)
{
	int objects = 0;

	for (int i = 0; i < count; i++) {
		char *operand = operands[i];

		if (!is_object(operand))
			continue;
		memmove(operands + objects + 1, operands + objects,
			(size_t)(i - objects) * sizeof(*operands));
		operands[objects++] = operand;
	}
	return objects;
}

static int run_archive(struct opts *opts, struct pk_symbols *symbols, int argc, char **argv)
{
	struct archive_options *archive_options = &opts->archive;
	const enum archive_mode mode = archive_options->mode;
	struct pk_run run = {0};

	if (mode >= ARCHIVE_INSTALL || opts->cached) {
		archive_options->cache =
			cache_open(pk_symbols_cache_dir(symbols), mode == ARCHIVE_INSTALL);
		if (!archive_options->cache)
			return PK_EXIT_FAILED;
		/* Not only in the cache's folder: with Landlock, no files of processes are seen. */
		pk_sandbox_write_anywhere();
	}
	if (opts->cached || mode == ARCHIVE_REMOVE || mode == ARCHIVE_PURGE)
		return keep(archive_options, argv + optind, argc - optind);
	if (mode == ARCHIVE_INSTALL) {
		archive_options->objects = argv + optind;
		archive_options->objects_count = split_operands(argv + optind, argc - optind);
		optind += archive_options->objects_count;
	}
	pk_common_apply(&opts->common, argc, argv, &run);
	return archive(&run, symbols, archive_options);
}

static const struct pk_perf_option perf_items[] = {
	{0, "unpack", "use tar -x -C ~/.debug"},
};

static const struct pk_perf_options perf = {"perf archive", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help, .files = {.no_inlines = true, .no_lines = true}};
	struct pk_symbols *symbols;
	int c, result = -1;

	pk_cli_init("pk-archive");
	while (result < 0 &&
	       (c = pk_getopt(argc, argv, PK_COMMON_SHORT "zH", long_options, &perf)) != -1)
		result = set_option(&opts, c);
	if (result < 0)
		result = check(&opts, argc - optind);
	if (result >= 0)
		return result;
	opts.archive.files = &opts.files;
	opts.archive.output = opts.common.output;
	symbols = pk_symbols_new(&opts.files);
	if (!symbols) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	result = run_archive(&opts, symbols, argc, argv);
	cache_free(opts.archive.cache);
	return pk_symbols_finish(symbols, result);
}
