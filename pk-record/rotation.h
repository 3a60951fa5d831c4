/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ROTATION_H
#define PK_RECORD_ROTATION_H

/* Files that get their final names when they are complete. Until then, each has a name that starts
 * with a dot and ends with .part, and is locked; then it is synced and renamed. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct rotation {
	const char *pattern; /* path of the files; its last component is a format of strftime(3) */
	size_t keep;	     /* number of complete files to keep; 0: all */
	/* Paths of the current file: incomplete, complete. part is "" without a file. */
	char part[PATH_MAX], final[PATH_MAX];
};

/* Returns the descriptor of the next file, -1 after a message. If keep is set, removes the
 * incomplete files of earlier recordings with the same pattern. */
int rotation_open(struct rotation *rotation);
/* Syncs and renames the file. If keep is set, removes older files. False after a message; then the
 * file is removed. The caller closes fd. */
bool rotation_commit(struct rotation *rotation, int fd);
/* Removes the current file, which is incomplete. */
void rotation_abort(struct rotation *rotation);

#endif
