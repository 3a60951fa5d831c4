/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNKNOWN_REFERENCE_H
#define PK_UNKNOWN_REFERENCE_H

/* Messages about unknown names of fields, with the name that the user probably meant. */

#include "field.h"

/* Returns true if no event of the session can have the field. Call this function after the records
 * of the header. It returns false if this is not certain: a tracepoint with an unknown format can
 * have any field, and an event that the reference names can still be defined later. */
bool pk_reference_is_unknown(const struct pk_context *context,
			     const struct pk_reference *reference);

/* Writes the text of an error, such as "no field perod; period?", for a field that no event has.
 * Returns false if an event can have the field. `more` is a list of further names that are valid,
 * which ends with NULL. It may be NULL. */
bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size);

#endif
