/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_OCCURRENCES_H
#define EXPORT_OCCURRENCES_H

/* Occurrences are events whose samples stand for something that happened. They are tracepoints,
 * probes, and spans, which have a duration. These functions read their fields as values for other
 * formats. */

#include "buffer.h"
#include "field.h"
#include "sched_event.h"

/* What is known of an event whose samples are occurrences. */
struct occurrence {
	bool looked_up;
	bool is_span;
	struct pk_tracepoint *tracepoint; /* the format of the event's fields; NULL for a probe, or
					   * if the stream has no format */
	struct pk_sched_format sched;
	const struct pk_tracepoint_field *start,
		*duration; /* if the event is a span, the fields with its start and its duration */
};

/* The occurrences of all events. A struct of zero bytes is empty. */
struct occurrences {
	struct occurrence *items; /* the index is the index of the event */
	size_t count;
	uint64_t epoch;
};

/* The value of a field of a sample. */
struct occurrence_value {
	const char *name;
	size_t name_size;
	enum pk_value_kind kind; /* PK_VALUE_NONE for an array, and for a field that the sample does
				  * not have */
	uint64_t number; /* the value of a number; if the number has a sign, in two's complement */
	struct pk_bytes text;
};

/* Returns the occurrence of an event. pk_event_is_occurrence() must be true for the event. Returns
 * NULL if memory is exhausted. */
const struct occurrence *occurrence_of(struct occurrences *occurrences,
				       const struct pk_context *context,
				       const struct pk_event *event);
/* Reads a field of the sample. *index starts at 0 and is advanced to the next field. The fields
 * that all tracepoints have, and start and duration of spans, are skipped. Returns false if there
 * are no more fields. */
bool occurrence_value(const struct occurrence *occurrence, struct pk_view *view, size_t *index,
		      struct occurrence_value *value);
/* Reads the start and the duration of a span, in nanoseconds. Returns false if the sample is not a
 * span or lacks these fields. */
bool occurrence_times(const struct occurrence *occurrence, struct pk_view *view, uint64_t *start,
		      uint64_t *duration);
/* Writes a value as JSON. Addresses and numbers beyond 2^53 are written as strings, because
 * JavaScript would round such numbers. */
void occurrence_json(struct buffer *out, const struct occurrence_value *value);
void occurrences_free(struct occurrences *occurrences);

#endif
