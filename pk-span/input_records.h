/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef INPUT_RECORDS_H
#define INPUT_RECORDS_H

/* Records of the input that pk-span writes unchanged, or keeps until it has its own formats. */

#include "buffer.h"
#include "context.h"
#include "run.h"

/* Writes a record of the input. Records and attrs of events get the id of their event. */
PK_MUST_CHECK enum pk_status input_record_copy(struct pk_run *run, const struct pk_record *record);

/* Reads the record TRACING_DATA. Stores its payload in `formats`, so that it is written later,
 * together with the formats of derived events. If `too_late` is set, or if there are formats
 * already, or if they are too large, drops the record after a message. */
PK_MUST_CHECK enum pk_status input_formats_keep(struct pk_run *run, struct pk_context *context,
						bool too_late, const struct pk_record *record,
						struct buffer *formats);

/* Writes the record TRACING_DATA with these formats. */
PK_MUST_CHECK enum pk_status input_formats_write(struct pk_run *run, const struct buffer *formats);

#endif
