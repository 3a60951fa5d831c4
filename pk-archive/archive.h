/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_H
#define PK_ARCHIVE_H

#include "build_id_cache.h"
#include "run.h"
#include "symbols.h"

/* ---- The archive ---- */

enum archive_mode {
	ARCHIVE_TAR,
	ARCHIVE_LIST,
	ARCHIVE_INSTALL, /* copy objects into the build-id cache */
	ARCHIVE_REMOVE,
	ARCHIVE_PURGE, /* remove all builds of a path from the build-id cache */
};

struct archive_options {
	enum archive_mode mode;
	const struct pk_symbols_options *files;
	const char *output; /* NULL: stdout */
	bool zstd, all;	    /* all: also mapped objects without samples */
	struct cache *cache;
	char *const *objects; /* files to install, in addition to the inputs of run */
	int objects_count;
};

/* Writes the archive or the list for the inputs of run, or installs their objects. Returns the exit
 * status. */
int archive(struct pk_run *run, struct pk_symbols *symbols, const struct archive_options *options);

/* ---- The cache ---- */

/* Operations on the build-id cache without recordings: lists its objects, or removes the operands
 * from it. Returns the exit status. */
int keep(const struct archive_options *options, char *const *operands, int count);

#endif
