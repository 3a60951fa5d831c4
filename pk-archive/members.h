/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_MEMBERS_H
#define PK_ARCHIVE_MEMBERS_H

/* The members of the archive or of the cache, in the layout of perf's build-id cache. An object is
 * PATH/BUILD-ID/elf, or PATH/BUILD-ID/vdso for the vdso. The kernel's symbols are
 * PATH/BUILD-ID/kallsyms. A separate file with debugging information is PATH/BUILD-ID/debug. The
 * link .build-id/XX/YYYY points to the folder PATH/BUILD-ID. gdb uses the link
 * .build-id/XX/YYYY.debug. */

#include "build_id_cache.h"
#include "symbols.h"
#include "tar.h"

struct members;

/* Failed reads and allocations are counted in the failures of `symbols`. A build that the cache
 * contains under another path is skipped. If the output is an archive, cache is NULL. Returns NULL
 * if memory is exhausted. */
struct members *members_new(struct pk_symbols *symbols, struct cache *cache);
void members_free(struct members *members);

/* The result of adding an object. */
enum member_status {
	MEMBER_ADDED,
	MEMBER_THERE_ALREADY,
	MEMBER_NO_BUILD_ID,
	MEMBER_BAD_PATH, /* the path is empty or too long, has "..", or is in the folder .build-id,
			  * which is reserved for links */
	MEMBER_UNREADABLE,
	MEMBER_NO_MEMORY,
};

/* This function reports an object, or one of its files, that could not be read. The file and the
 * links to it are skipped. */
typedef void (*members_unreadable_fn)(void *arg, const char *path,
				      const struct tar_unreadable *why);

/* Adds an object and its files. The files are opened now, and members_write() reads them later. So
 * the files can be deleted in between. */
enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files);
/* Adds the kernel's list of symbols. It is read from fd, which is then closed. */
enum member_status members_add_kallsyms(struct members *members, const struct pk_build_id *build_id,
					int fd);
/* The destination of the members. Either tar or cache is set. */
struct members_output {
	struct tar *tar;
	struct cache *cache;
};

/* Writes the members sorted by name. Links are written after all files. Returns another status than
 * PK_OK if the output is incomplete. The reason is tar_error() if the output is an archive. If
 * tar_error() is 0, the reason is the file that was reported last, or exhausted memory, which is
 * counted in the failures. If the output is a cache, the error was already printed. */
PK_MUST_CHECK enum pk_status members_write(struct members *members,
					   const struct members_output *output,
					   members_unreadable_fn unreadable, void *arg);
/* Returns the number of objects. An object can have several files and links. */
size_t members_count(const struct members *members);

#endif
