/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NEAREST_H
#define PK_NEAREST_H

/* Names of fields that no event can have, and the name that the user may have meant. */

#include "field.h"

/* The most similar name so far; start with `wanted` set and the rest zero. */
struct pk_nearest {
	const char *wanted;
	const char *name; /* NULL: none is similar */
	size_t distance;  /* letters that differ */
};

void pk_nearest_try(struct pk_nearest *nearest, const char *name);
/* Tries all fields, and those of the session's tracepoints and probes. The name found is valid
 * until pk_context.epoch changes. */
void pk_nearest_try_fields(struct pk_nearest *nearest, const struct pk_context *context);

/*
 * Is it sure that no event of the session has it? To be asked when the header's records have been
 * taken in. A tracepoint whose format is not known may have any field, and an event that is named
 * may still come.
 */
bool pk_reference_is_unknown(const struct pk_context *context,
			     const struct pk_reference *reference);

#endif
