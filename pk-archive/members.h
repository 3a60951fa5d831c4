/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_MEMBERS_H
#define PK_ARCHIVE_MEMBERS_H

/*
 * What is to stand in the archive, in the layout of perf's build-id cache: PATH/BUILD-ID/elf,
 * .../debug, and .build-id/XX/YYYY that leads to the folder. .build-id/XX/YYYY.debug is what gdb
 * looks for.
 */

#include "symbols.h"
#include "tar.h"

struct members;

/* NULL: out of memory. Reads and allocations that fail are counted in the store's failures. */
struct members *members_new(struct pk_symbols *symbols);
void members_free(struct members *members);

enum member_status {
	MEMBER_ADDED,
	MEMBER_THERE_ALREADY,
	MEMBER_NO_BUILD_ID,
	MEMBER_BAD_PATH, /* "..", or too long */
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
/* In the order of their names, links behind all files. False: the archive is cut off, because of
 * tar_error() or, if that is 0, of what was reported last as unreadable. */
bool members_write(struct members *members, struct tar *tar, members_unreadable_fn unreadable,
		   void *arg);
size_t members_count(const struct members *members);

#endif
