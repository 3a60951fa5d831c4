/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPLACE_H
#define PK_REPLACE_H

/* Outputs that are written beside the file that they replace, as .NAME.part in the same folder, and
 * get its name when they are complete. For create.c; programs call pk_outputs_keep() and
 * pk_outputs_drop() of cli.h.
 *
 * The name is given by a small process that is forked when the output is opened: after that, the
 * program enters the sandbox, which forbids to rename and remove files. This process gets one byte
 * if the output is complete. If the program ends before that, it removes the file. */

#include <stdbool.h>

struct replace_options {
	int folder;	  /* of the file: an open descriptor or AT_FDCWD */
	const char *base; /* the name of the file in it */
	const char *name; /* as the user gave it, for messages */
	bool filled;	  /* there is a file with this name that is not empty */
	bool live;	  /* if the program is killed, the output so far stays */
};

/* Creates the file beside. Returns a descriptor, or -1 with errno. */
int pk_replace_beside(const struct replace_options *options);
/* Registers a file that was created under its own name: it is removed if nothing is written. False
 * with errno. */
bool pk_replace_created(const struct replace_options *options);

#endif
