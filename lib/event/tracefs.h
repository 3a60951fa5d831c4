/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEFS_H
#define PK_TRACEFS_H

/* The kernel's tracing file system: the existing tracepoints and their fields. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TRACEFS_PLACE "/sys/kernel/tracing" /* the usual mount point */

/* The mount point of tracefs. If it is not mounted and this user is root, mounts it. Returns NULL
 * if it is not available, for the reason of pk_tracefs_obstacle(). */
const char *pk_tracefs_path(struct pk_messages *messages);
/* A text for messages: why pk_tracefs_path() failed, and what the user can do. */
const char *pk_tracefs_obstacle(void);

/* Whether the name of a system or tracepoint can be a part of a path: not empty, without slash or
 * leading dot, shorter than 128 bytes. */
bool pk_tracefs_name_is_plain(const char *name);
/* Calls found for each tracepoint that matches. System and name can be shell patterns. True even if
 * none matches. Returns PK_FAILED after a message, or if found returned false. */
enum pk_status pk_tracefs_find(const char *system, const char *name,
			       enum pk_status (*found)(void *arg, const char *system,
						       const char *name, uint64_t id),
			       void *arg, struct pk_messages *messages);

#endif
