/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_ROTATION_H
#define PK_RECORD_ROTATION_H

/*
 * Files that are there when they are complete, and not before: each is written under a name that
 * begins with a dot and ends with .part, and locked meanwhile; then brought to disk and renamed.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct rotation {
	const char *pattern; /* for strftime(3), in its last part */
	size_t keep;	     /* so many complete files stay; 0: all */
	char part[PATH_MAX], final[PATH_MAX];
};

/* The descriptor of the next file, -1 after a message. What recordings of the same pattern left
 * behind unfinished is removed when keep is set. */
int rotation_open(struct rotation *rotation);
/* Gives the file its name. False after a message; then the file is gone. */
bool rotation_commit(struct rotation *rotation, int fd);
/* The file will not become complete. */
void rotation_abort(struct rotation *rotation);

#endif
