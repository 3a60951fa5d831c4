/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAMELESS_OBJECTS_H
#define PK_NAMELESS_OBJECTS_H

/* Finds the objects whose functions have no names, and reports the cause and the remedy. A sample
 * counts for the object of its innermost frame without a name. */

#include "resolve.h"

struct pk_nameless_objects;

/* The caller keeps the dictionary. Returns NULL if memory is exhausted. */
struct pk_nameless_objects *pk_nameless_objects_new(const struct pk_dictionary *dictionary);
void pk_nameless_objects_free(struct pk_nameless_objects *nameless); /* may be NULL */
/* Drops what was counted. Call it when ids of the dictionary become invalid. */
void pk_nameless_objects_forget(struct pk_nameless_objects *nameless);
/* Counts a sample that has the stack. */
PK_MUST_CHECK enum pk_status pk_nameless_objects_count(struct pk_nameless_objects *nameless,
						       uint32_t stack);
/* Ends a session. If at least 5 percent of its samples were counted for an object that was not
 * found, or that has no symbols, adds a warning for each cause. Each cause is reported only once.
 * An object that is of another build, gone or damaged has a warning of its own, and so has a guest.
 */
void pk_nameless_objects_report(struct pk_nameless_objects *nameless, struct resolver *resolver,
				struct pk_messages *messages);

#endif
