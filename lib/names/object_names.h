/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OBJECT_NAMES_H
#define PK_OBJECT_NAMES_H

/* The names of objects in a message: "app, libfoo.so, libc.so.6 and 2 others". */

#include <stddef.h>
#include <stdint.h>

struct pk_dictionary;

#define PK_OBJECTS_NAMED 3 /* the highest number of objects that are named */

struct pk_object_names {
	char text[256];
};

/* Returns the names of the first PK_OBJECTS_NAMED objects, without their folders. ids are those of
 * DSOs in the dictionary. count is the number of all objects, also of those without an id. */
struct pk_object_names pk_object_names(const struct pk_dictionary *dictionary, const uint32_t *ids,
				       size_t count);
/* Returns the last component of the path of a DSO, or "" if it is unknown. */
const char *pk_object_file(const struct pk_dictionary *dictionary, uint32_t dso);

#endif
