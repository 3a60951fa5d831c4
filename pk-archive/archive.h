/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_H
#define PK_ARCHIVE_H

#include "build_id_cache.h"
#include "run.h"
#include "symbols.h"

enum archive_mode {
	ARCHIVE_TAR,
	ARCHIVE_LIST,
	ARCHIVE_INSTALL, /* into the build-id cache */
	ARCHIVE_REMOVE,
	ARCHIVE_PURGE, /* all builds of a path */
};

struct archive_options {
	enum archive_mode mode;
	const struct pk_symbols_options *files;
	const char *output; /* NULL: stdout */
	bool zstd, all;	    /* all: also what is mapped and was not sampled */
	struct cache *cache;
	char *const *objects; /* files that are installed, besides what run names */
	int objects_count;
};

/* Writes the archive, or list, for what run names, or installs it. The exit status. */
int archive(struct pk_run *run, struct pk_symbols *symbols, const struct archive_options *options);

#endif
