/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_MEMBERS_H
#define PK_ARCHIVE_MEMBERS_H

/*
 * What is to stand in the archive or the cache, in the layout of perf's build-id cache:
 * PATH/BUILD-ID/elf,
 * .../debug, and .build-id/XX/YYYY that leads to the folder. .build-id/XX/YYYY.debug is what gdb
 * looks for.
 */

#include "build_id_cache.h"
#include "symbols.h"
#include "tar.h"

struct members;

/* NULL: out of memory. Reads and allocations that fail are counted in the store's failures. Builds
 * that the cache has under another path are there already; NULL: they are not for a cache. */
struct members *members_new(struct pk_symbols *symbols, struct cache *cache);
void members_free(struct members *members);

enum member_status {
	MEMBER_ADDED,
	MEMBER_THERE_ALREADY,
	MEMBER_NO_BUILD_ID,
	MEMBER_BAD_PATH, /* "..", that of the links, or too long */
	MEMBER_UNREADABLE,
	MEMBER_NO_MEMORY,
};

/* An object, or a file of one, that could not be read is left out, with the links to it. */
typedef void (*members_unreadable_fn)(void *arg, const char *path,
				      const struct tar_unreadable *why);

/* Files are opened here, and read by members_write(): they may be deleted meanwhile. */
enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files);
/* fd is taken over. */
enum member_status members_add_kallsyms(struct members *members, const struct pk_build_id *build_id,
					int fd);
/* Where they are written to: one of these. */
struct members_output {
	struct tar *tar;
	struct cache *cache;
};

/* In the order of their names, links behind all files. False: the output is cut off, because of
 * tar_error() or, if that is 0, of what was reported last. */
bool members_write(struct members *members, const struct members_output *output,
		   members_unreadable_fn unreadable, void *arg);
size_t members_count(const struct members *members);

#endif
