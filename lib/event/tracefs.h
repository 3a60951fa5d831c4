/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACEFS_H
#define PK_TRACEFS_H

/* The kernel's tracing file system: the existing tracepoints and their fields. */

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define TRACEFS_PLACE "/sys/kernel/tracing" /* the usual mount point */

/* The mount point of tracefs. If it is not mounted and this user is root, mounts it. NULL: not
 * available, see tracefs_obstacle(). */
const char *tracefs_path(struct pk_messages *messages);
/* A text for messages: why tracefs_path() failed, and what the user can do. */
const char *tracefs_obstacle(void);

/* Whether the name of a system or tracepoint can be a part of a path: not empty, without slash or
 * leading dot, shorter than 128 bytes. */
bool tracefs_name_is_plain(const char *name);
/* Calls found for each tracepoint that matches; system and name can be shell patterns. True even if
 * none matches. False after a message, or if found returned false. */
bool tracefs_find(const char *system, const char *name,
		  bool (*found)(void *arg, const char *system, const char *name, uint64_t id),
		  void *arg, struct pk_messages *messages);

#endif
