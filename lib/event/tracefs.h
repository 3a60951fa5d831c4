/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEFS_H
#define PK_TRACEFS_H

/* The kernel's tracing file system: which tracepoints there are, and what their fields are. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TRACEFS_PLACE "/sys/kernel/tracing" /* usually */

/* Where it is mounted; root mounts it if it is not. NULL: tracefs_obstacle() says why not. */
const char *tracefs_path(struct pk_messages *messages);
/* Why tracefs_path() found none, and what to do. */
const char *tracefs_obstacle(void);

/* Can it be a part of a path? */
bool tracefs_name_is_plain(const char *name);
/*
 * Calls found for each tracepoint that matches; system and name may be patterns of a shell. False
 * after a message, or when found returned false.
 */
bool tracefs_find(const char *system, const char *name,
		  bool (*found)(void *arg, const char *system, const char *name, uint64_t id),
		  void *arg, struct pk_messages *messages);

#endif
