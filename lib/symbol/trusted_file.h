/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that lie where every user may write: who owns them decides whether they are believed. */
#ifndef PK_TRUSTED_FILE_H
#define PK_TRUSTED_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Root is trusted, too. */
struct pk_owners {
	uid_t reader;
	uid_t process; /* the user of the process that writes the file; if none, the reader */
};

/* What stood in the way. */
struct pk_distrust {
	uid_t owner;
	enum {
		PK_FILE_OF_ANOTHER,
		PK_LINK_OF_ANOTHER,
		PK_FILE_BEHIND_LINK, /* a link of the process's user leads to it */
	} what;
};

enum { PK_NOT_TRUSTED = -1 };

/*
 * Opens a regular file for reading, as pk_file_open() does, if it is owned by a trusted user. root
 * is the folder that the path and absolute links begin in; it stays the caller's. Links of the
 * reader and of root are followed; a link of the process's user leads to files of this user only,
 * so that nobody has others read what he may not read himself.
 * 0, an errno, or PK_NOT_TRUSTED: *distrust says why.
 */
int pk_trusted_open(int root, const char *path, const struct pk_owners *owners, int *fd,
		    struct pk_distrust *distrust);

#endif
