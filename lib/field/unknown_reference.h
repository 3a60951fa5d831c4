/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNKNOWN_REFERENCE_H
#define PK_UNKNOWN_REFERENCE_H

/* Unknown names of fields, and the name that the user probably meant. */

#include "field.h"

/* True if no event of the session can have the field. Call it after the records of the header.
 * False also if it is not certain: a tracepoint with an unknown format can have any field, and an
 * event that the reference names can still be defined later. */
bool pk_reference_is_unknown(const struct pk_context *context,
			     const struct pk_reference *reference);

/* The text of an error, "no field perod; period?", for a field that no event has. Returns false if
 * an event can have it. `more` has further names, in addition to docs/fields.md, up to a NULL. It
 * may be NULL. */
bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size);

#endif
