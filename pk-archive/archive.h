/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_H
#define PK_ARCHIVE_H

#include "build_id_cache.h"
#include "run.h"
#include "symbols.h"

/* ---- The archive ---- */

/* What pk-archive does. */
enum archive_mode {
	ARCHIVE_TAR,
	ARCHIVE_LIST,
	ARCHIVE_INSTALL, /* copy objects into the build-id cache */
	ARCHIVE_REMOVE,
	ARCHIVE_PURGE, /* remove all builds of an object from the build-id cache */
};

/* The options of pk-archive. */
struct archive_options {
	enum archive_mode mode;
	const struct pk_symbols_options *files;
	const char *output; /* path of the output; NULL selects stdout */
	bool zstd, all; /* `zstd` compresses the archive. `all` includes objects that were mapped
			 * but have no samples. */
	struct cache *cache;
	char *const *
		objects; /* paths of objects to install, in addition to the objects of the inputs */
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
