/* SPDX-License-Identifier: BSD-2-Clause */
/* Files in folders where every user can write: the owner decides whether they are trusted. */
#ifndef PK_TRUSTED_FILE_H
#define PK_TRUSTED_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* The trusted users; root is trusted, too. */
struct pk_owners {
	uid_t reader;
	uid_t process; /* the user of the process that writes the file; if the process has ended:
			* reader */
};

/* The reason why a file is not trusted. */
struct pk_distrust {
	uid_t owner;
	enum {
		PK_FILE_OF_ANOTHER,
		PK_LINK_OF_ANOTHER,
		PK_FILE_BEHIND_LINK, /* a link of the process's user points to it */
	} what;
};

enum { PK_NOT_TRUSTED = -1 };

/*
 * Opens a regular file for reading, like pk_file_open(), if a trusted user owns it. The path and
 * absolute links start in the folder root, which stays the caller's. Links of the reader and of
 * root are followed. After a link of the process's user, only files of this user are opened: no
 * user can make the reader open a file that the user cannot read. Returns 0, an errno, or
 * PK_NOT_TRUSTED. With the last, *distrust is the reason.
 */
int pk_trusted_open(int root, const char *path, const struct pk_owners *owners, int *fd,
		    struct pk_distrust *distrust);

#endif
