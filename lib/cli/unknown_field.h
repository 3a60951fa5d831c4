/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNKNOWN_FIELD_H
#define PK_UNKNOWN_FIELD_H

/*
 * Misspelt names of fields. A name that is none of docs/fields.md may be that of a tracepoint's or
 * probe's field, which only the recording can tell. It is checked before the first record of the
 * kernel, so that nothing is written for a condition that cannot hold. Of several inputs, later
 * ones may have the field: then the end tells.
 */

#include "nearest.h"
#include "run.h"

/* Is this the record before which names are to be checked, and is this the only input? */
static inline bool pk_fields_are_due(const struct pk_run *run, const struct pk_record *record)
{
	return record->type != PK_RECORD_BEGIN && record->type < PERF_RECORD_HEADER_ATTR &&
	       run->files_count <= 1;
}

/* The text of an error, "no field perod; period?", for a field that no event has. False: one may
 * have it. `more`: names besides docs/fields.md, up to a NULL; may be NULL. */
bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size);
/* The same where no other text is to be shown: reports it as the value of an option, and exits. */
void pk_exit_if_unknown(const struct pk_context *context, const struct pk_reference *reference,
			const char *const *more, const char *option);

#endif
