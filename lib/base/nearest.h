/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NEAREST_H
#define PK_NEAREST_H

/* For an unknown word, finds the most similar known word, which the user probably meant. */

#include <stddef.h>

/* The most similar name that was found until now. At first, the caller sets `wanted`, and all other
 * members are zero. */
struct pk_nearest {
	const char *wanted;
	const char *name; /* NULL if no name is similar */
	size_t distance;  /* how many letters of `wanted` must be inserted, removed, replaced or
			   * swapped to get `name` */
	char hint[80];	  /* memory for the text that pk_nearest_hint() returns */
};

/* Stores the pointer to the name if the name is more similar than the stored name. A name is
 * ignored if it differs in more than about a third of the letters. */
void pk_nearest_try(struct pk_nearest *nearest, const char *name);
/* Returns the text to add to a message about the unknown word. The text is "; NAME?", or "" if no
 * name is similar. */
const char *pk_nearest_hint(struct pk_nearest *nearest);

#endif
