// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "file.h"
#include "options.h"
#include "sandbox.h"
#include "symbol_options.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options files;
	struct archive_options archive;
	bool cached, with_hits;
};

static int set_mode(const struct pk_option *option, void *at, const char *text)
{
	enum archive_mode *mode = at;

	(void)text;
	if (*mode != ARCHIVE_TAR && *mode != option->set)
		return pk_usage_error("--list, --install, --remove and --purge exclude each other");
	*mode = (enum archive_mode)option->set;
	return PK_CONTINUE;
}

#define AT(member)   PK_AT(struct opts, member)
#define MODE(number) AT(archive.mode), .parse = set_mode, .set = (number)

static const struct pk_option rows[] = {
	PK_TITLE("The archive, or the cache"),
	{'z', "compress", NULL, PK_FLAG, "compress with zstd", AT(archive.zstd)},
	{0, "all", NULL, PK_FLAG, "include mapped objects without samples", AT(archive.all)},
	{0, "list", NULL, PK_CALL, "print build-ids and objects", MODE(ARCHIVE_LIST)},
	{'H', "with-hits", NULL, PK_FLAG, "with --list, only objects with samples, as in perf",
	 AT(with_hits)},
	{0, "cached", NULL, PK_FLAG, "with --list, those of the cache", AT(cached)},
	{0, "install", NULL, PK_CALL, "copy objects, or FILEs that are objects, to the cache",
	 MODE(ARCHIVE_INSTALL)},
	{0, "remove", NULL, PK_CALL, "remove builds, FILEs or build-ids, from the cache",
	 MODE(ARCHIVE_REMOVE)},
	{0, "purge", NULL, PK_CALL, "remove all builds of FILEs; with --all, of all objects",
	 MODE(ARCHIVE_PURGE)},
	{0, "buildid-dir", "DIR", PK_TEXT, "the cache (~/.debug)", AT(files.cache_dir)},
	{0, "symfs", "DIR", PK_TEXT, "search for the recorded files below DIR", AT(files.symfs)},
	{0, "kallsyms", "FILE", PK_INPUT, "kernel symbols, in the format of /proc/kallsyms",
	 AT(files.kallsyms)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER(0, "unpack", "use tar -x -C ~/.debug"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage =
		"Usage: pk-archive [OPTION...] [FILE...]\n"
		"\n"
		"Reads recordings and writes a tar archive of their sampled objects, by build-id.\n"
		"Unpack it into ~/.debug for pk and perf. Without FILE or with -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-archive -z -o objects.tar.zst recording.pk\n"
		    "  ssh target 'pk-archive recording.pk' | tar -x -C ~/.debug\n",
};

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
	return PK_CONTINUE;
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

/* Moves the operands that are objects to the front. The other operands are the inputs of the run.
 * Returns the number of objects. */
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
		/* Writing is not limited to the folder of the cache. Such a limit needs Landlock,
		 * and Landlock hides the files of other processes in /proc, where objects are
		 * searched. */
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

int main(int argc, char **argv)
{
	struct opts opts = {.files = {.no_inlines = true, .no_lines = true}};
	struct pk_symbols *symbols;
	int result;

	pk_cli_init("pk-archive");
	result = pk_parse_options(&command, &opts, &argc, &argv);
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
