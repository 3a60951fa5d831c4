/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FORMAT_HEAD_H
#define PK_FORMAT_HEAD_H

/* What the formats of all tracepoints that pk makes have in common: names, and the first fields. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

#define PK_FIELD_NAME_SIZE 64 /* of the name of a field or event, with its NUL */

/* The fields that all tracepoints have, at the start of the raw bytes of a sample. */
struct pk_common_fields {
	uint16_t type; /* the ID of the format */
	uint8_t flags, preempt_count;
	uint32_t pid; /* of the thread */
};

/* Whether the text can be the name of an event. */
bool pk_field_name_is_valid(const char *name);
/* Sets *field to a valid name: other characters become "_"; a name that all tracepoints have, or
 * for which is_used returns true, gets "_2", "_3" ... at its end. An empty name becomes "value". */
void pk_field_name_make(char field[PK_FIELD_NAME_SIZE], const char *name,
			bool (*is_used)(const void *arg, const char *name), const void *arg);
/* Whether all tracepoints have a field of this name. */
bool pk_field_is_common(const char *name);

/* Adds the text of a format up to its own fields. Sets text->failed if memory is exhausted. */
void pk_format_head(const char *name, uint32_t id, struct buffer *text);

#endif
