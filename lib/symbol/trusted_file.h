/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens files in folders where every user can write. The owner of a file decides whether the file
 * is trusted. */
#ifndef PK_TRUSTED_FILE_H
#define PK_TRUSTED_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* The trusted users. root is always trusted, too. */
struct pk_owners {
	uid_t reader;
	uid_t process; /* The user of the process that writes the file. If the process has ended, it
			* is equal to `reader`. */
};

/* Why a file is not trusted. */
struct pk_distrust {
	uid_t owner;
	enum {
		PK_FILE_OF_ANOTHER,
		PK_LINK_OF_ANOTHER,
		PK_FILE_BEHIND_LINK, /* a symbolic link that belongs to the process's user leads to
				      * a file of another user */
	} what;
};

enum { PK_NOT_TRUSTED = -1 };

/*
 * Opens a regular file for reading, like pk_file_open(), if a trusted user owns it. The path and
 * absolute links start in the folder `root`, which still belongs to the caller. Links of the reader
 * and of root are followed. After a link of the process's user, only files of this user are opened.
 * So no user can make the reader open a file that the user cannot read. Returns 0, an errno, or
 * PK_NOT_TRUSTED. If the result is PK_NOT_TRUSTED, *distrust is set to the reason.
 */
int pk_trusted_open(int root, const char *path, const struct pk_owners *owners, int *fd,
		    struct pk_distrust *distrust);

#endif
