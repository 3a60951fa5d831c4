/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NEAREST_H
#define PK_NEAREST_H

/* The known word that is most similar to an unknown one: what the user probably meant. */

#include <stddef.h>

/* The name so far that is most similar to `wanted`. Start with `wanted` set and the rest zero. */
struct pk_nearest {
	const char *wanted;
	const char *name; /* NULL: none is similar */
	size_t distance;  /* number of letters to insert, remove, replace, or swap with the next one
			   */
	char hint[80];	  /* of pk_nearest_hint() */
};

/* Stores name, without a copy, if it is more similar. Names that differ in more than about a third
 * of the letters are ignored. */
void pk_nearest_try(struct pk_nearest *nearest, const char *name);
/* The end of a message about the unknown word: "; NAME?", or "" if no name is similar. */
const char *pk_nearest_hint(struct pk_nearest *nearest);

#endif
