/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEFS_H
#define PK_TRACEFS_H

/* The kernel's tracing file system: the existing tracepoints and their fields. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TRACEFS_PLACE "/sys/kernel/tracing" /* the usual mount point */

/* Returns the mount point of tracefs. If tracefs is not mounted and this user is root, mounts it.
 * Returns NULL if tracefs is not available. pk_tracefs_obstacle() gives the reason. */
const char *pk_tracefs_path(struct pk_messages *messages);
/* Returns a text for messages: why pk_tracefs_path() failed, and what the user can do. */
const char *pk_tracefs_obstacle(void);

/* Returns true if the name of a system or tracepoint can be a component of a path. It must not be
 * empty, must not contain a slash or start with a dot, and must be shorter than 128 bytes. */
bool pk_tracefs_name_is_plain(const char *name);
/* Calls found for each tracepoint that matches. system and name can be shell patterns. Returns
 * PK_OK even if no tracepoint matches. Returns PK_FAILED after a message, or if found failed. */
enum pk_status pk_tracefs_find(const char *system, const char *name,
			       enum pk_status (*found)(void *arg, const char *system,
						       const char *name, uint64_t id),
			       void *arg, struct pk_messages *messages);

#endif
