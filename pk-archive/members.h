/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_MEMBERS_H
#define PK_ARCHIVE_MEMBERS_H

/* The members of the archive or of the cache, in the layout of perf's build-id cache:
 * PATH/BUILD-ID/elf (vdso and kallsyms for these), .../debug, and the link .build-id/XX/YYYY to the
 * folder. gdb uses .build-id/XX/YYYY.debug. */

#include "build_id_cache.h"
#include "symbols.h"
#include "tar.h"

struct members;

/* Failed reads and allocations are counted in the failures of `symbols`. Builds that the cache
 * contains under another path are skipped. For an archive, pass NULL as cache. Returns NULL if
 * memory is exhausted. */
struct members *members_new(struct pk_symbols *symbols, struct cache *cache);
void members_free(struct members *members);

enum member_status {
	MEMBER_ADDED,
	MEMBER_THERE_ALREADY,
	MEMBER_NO_BUILD_ID,
	MEMBER_BAD_PATH, /* empty, with "..", in the folder of the links, or too long */
	MEMBER_UNREADABLE,
	MEMBER_NO_MEMORY,
};

/* Reports an object, or one of its files, that could not be read. It is skipped, with the links to
 * it. */
typedef void (*members_unreadable_fn)(void *arg, const char *path,
				      const struct tar_unreadable *why);

/* Adds an object and its files. The files are opened now and read by members_write(), so they can
 * be deleted in between. */
enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files);
/* Adds the kernel's list of symbols, read from fd, which is then closed. */
enum member_status members_add_kallsyms(struct members *members, const struct pk_build_id *build_id,
					int fd);
/* The destination of the members: one of these. */
struct members_output {
	struct tar *tar;
	struct cache *cache;
};

/* Writes the members sorted by name, links after all files. Returns false if the output is
 * incomplete, because of tar_error() or, if that is 0, of the file that was reported last or of
 * exhausted memory (counted in the failures), or after a message of the cache. */
PK_MUST_CHECK enum pk_status members_write(struct members *members,
					   const struct members_output *output,
					   members_unreadable_fn unreadable, void *arg);
/* The number of objects, not of files and links. */
size_t members_count(const struct members *members);

#endif
