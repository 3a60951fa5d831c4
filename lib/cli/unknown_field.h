/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNKNOWN_FIELD_H
#define PK_UNKNOWN_FIELD_H

/*
 * Misspelt names of fields. A name that is not in docs/fields.md can be a field of a tracepoint or
 * probe; only the recording defines those. The name is checked before the first record of the
 * kernel, so that no output is written for a condition that can never be true. With several inputs,
 * a later one can have the field: then the name is checked at the end.
 */

#include "unknown_reference.h"
#include "run.h"

/* Whether names must be checked before this record: it is a record of the kernel, and there is only
 * one input. */
static inline bool pk_fields_are_due(const struct pk_run *run, const struct pk_record *record)
{
	return record->type != PK_RECORD_BEGIN && record->type < PERF_RECORD_HEADER_ATTR &&
	       run->files_count <= 1;
}

/* The checks return PK_FAILED after a message. The callers then end the run with pk_run_refuse().
 */

/* If pk_unknown_field() is true, prints its text as an error of the option's value. */
PK_MUST_CHECK enum pk_status pk_check_field(const struct pk_context *context,
					    const struct pk_reference *reference,
					    const char *const *more, const char *option);
/* If no event has the field, prints the text `instead`, such as what to use in its place. Does
 * nothing if `instead` is NULL. */
PK_MUST_CHECK enum pk_status pk_check_instead(const struct pk_context *context,
					      const struct pk_reference *reference,
					      const char *instead);
/* Prints an error if the field of a tracepoint is a text in all events that have it. */
PK_MUST_CHECK enum pk_status pk_check_no_text(const struct pk_context *context,
					      struct pk_column *column, const char *option);

#endif
