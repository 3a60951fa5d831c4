/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEFS_H
#define PK_TRACEFS_H

/* The kernel's tracing file system: the existing tracepoints and their fields. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TRACEFS_PLACE "/sys/kernel/tracing" /* usually */

/* Its mount point; root mounts it if needed. NULL: not available, see tracefs_obstacle(). */
const char *tracefs_path(struct pk_messages *messages);
/* Why tracefs_path() failed, and what the user can do. */
const char *tracefs_obstacle(void);

/* Whether it can be a part of a path. */
bool tracefs_name_is_plain(const char *name);
/* Calls found for each matching tracepoint; system and name can be shell patterns. False after a
 * message, or if found returned false. */
bool tracefs_find(const char *system, const char *name,
		  bool (*found)(void *arg, const char *system, const char *name, uint64_t id),
		  void *arg, struct pk_messages *messages);

#endif
