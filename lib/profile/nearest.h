/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NEAREST_H
#define PK_NEAREST_H

/* Unknown names of fields, and the name that the user probably meant. */

#include "field.h"

/* The most similar name so far; start with `wanted` set and the rest zero. */
struct pk_nearest {
	const char *wanted;
	const char *name; /* NULL: none is similar */
	size_t distance;  /* number of letters that differ */
};

void pk_nearest_try(struct pk_nearest *nearest, const char *name);
/* Tries all fields, and those of the session's tracepoints and probes. The name found is valid
 * until pk_context.epoch changes. */
void pk_nearest_try_fields(struct pk_nearest *nearest, const struct pk_context *context);

/*
 * Whether certainly no event of the session has the field. Call it after the records of the header.
 * A tracepoint with an unknown format can have any field, and an event that the reference names can
 * still follow.
 */
bool pk_reference_is_unknown(const struct pk_context *context,
			     const struct pk_reference *reference);

#endif
