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
	ARCHIVE_PURGE, /* remove all builds of an object from the build-id cache */
};

struct archive_options {
	enum archive_mode mode;
	const struct pk_symbols_options *files;
	const char *output; /* NULL for stdout */
	bool zstd, all;	    /* all: include mapped objects without samples */
	struct cache *cache;
	char *const *objects; /* files to install, in addition to the inputs of run */
	int objects_count;
};

/* Writes the archive or the list for the inputs of run, or installs the objects of the inputs.
 * Returns the exit status. */
int archive(struct pk_run *run, struct pk_symbols *symbols, const struct archive_options *options);

/* ---- The cache ---- */

/* Operations on the build-id cache that need no recording. Lists the objects of the cache, or
 * removes the operands from the cache. Returns the exit status. */
int keep(const struct archive_options *options, char *const *operands, int count);

#endif
