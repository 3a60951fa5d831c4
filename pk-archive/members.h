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

struct members *members_new(void);
void members_free(struct members *members);

enum member_status {
	MEMBER_ADDED,
	MEMBER_THERE_ALREADY,
	MEMBER_NO_BUILD_ID,
	MEMBER_BAD_PATH, /* "..", or too long */
	MEMBER_UNREADABLE,
	MEMBER_NO_MEMORY,
};

/* Files are opened here, and read by members_write(): they may be deleted meanwhile. */
enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files);
/* fd is taken over. */
enum member_status members_add_kallsyms(struct members *members, const struct pk_build_id *build_id,
					int fd);
/* In the order of their names. False: tar_error(). */
bool members_write(struct members *members, struct tar *tar);
size_t members_count(const struct members *members);

#endif
