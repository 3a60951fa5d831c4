/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EVENT_TABLES_H
#define EVENT_TABLES_H

/* The two tables of a perf.data file that describe its events (SPEC, appendix A). */

#include "buffer.h"
#include "pkprivate.h"

/* Adds the table of events, and then their ids. at is the offset in the file at which the buffer
 * starts. Sets the place and the size of the table, and the size of an entry. */
void add_events_table(struct buffer *buffer, uint64_t at, const struct pk_events *events,
		      struct perf_file_header *header);
/* Adds the content of the feature EVENT_DESC: attrs, names and ids. */
void add_event_desc(struct buffer *buffer, const struct pk_events *events);

#endif
