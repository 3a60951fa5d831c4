/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNKNOWN_FIELD_H
#define PK_UNKNOWN_FIELD_H

/*
 * Finds misspelt names of fields. A name that is not in docs/fields.md can be a field of a
 * tracepoint or probe. Only the recording defines such fields. A name is checked before the first
 * record of the kernel. So the program writes no output for a condition that can never be true. If
 * there are several inputs, a later input can have the field. The name is then checked at the end.
 */

#include "unknown_reference.h"
#include "run.h"

/* Returns true if names must be checked before this record. This is so if the record is a record of
 * the kernel, and there is only one input. */
static inline bool pk_fields_are_due(const struct pk_run *run, const struct pk_record *record)
{
	return record->type != PK_RECORD_BEGIN && record->type < PERF_RECORD_HEADER_ATTR &&
	       run->files_count <= 1;
}

/* The following checks print a message and return PK_FAILED if they find an error. The callers then
 * end the run with pk_run_refuse(). */

/* If pk_unknown_field() returns true, prints its text as an error in the value of the option. */
PK_MUST_CHECK enum pk_status pk_check_field(const struct pk_context *context,
					    const struct pk_reference *reference,
					    const char *const *more, const char *option);
/* If no event has the field, prints the text `instead`, which tells the user what to use. If
 * `instead` is NULL, does nothing. */
PK_MUST_CHECK enum pk_status pk_check_instead(const struct pk_context *context,
					      const struct pk_reference *reference,
					      const char *instead);
/* Prints an error if the field is a text in all events that have this field. */
PK_MUST_CHECK enum pk_status pk_check_no_text(const struct pk_context *context,
					      struct pk_column *column, const char *option);

#endif
