/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ROTATION_H
#define PK_RECORD_ROTATION_H

/* Files that appear when they are complete: each is written under a name that starts with a dot and
 * ends with .part, and is locked; then it is synced and renamed. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct rotation {
	const char *pattern; /* for strftime(3), in its last part */
	size_t keep;	     /* number of complete files to keep; 0: all */
	char part[PATH_MAX], final[PATH_MAX];
};

/* Returns the descriptor of the next file, -1 after a message. If keep is set, removes the
 * incomplete files of earlier recordings with the same pattern. */
int rotation_open(struct rotation *rotation);
/* Renames the file. False after a message; then the file is removed. */
bool rotation_commit(struct rotation *rotation, int fd);
/* Removes the file, which is incomplete. */
void rotation_abort(struct rotation *rotation);

#endif
