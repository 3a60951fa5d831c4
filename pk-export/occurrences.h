/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_OCCURRENCES_H
#define EXPORT_OCCURRENCES_H

/* Occurrences are events whose samples stand for something that happened. They are tracepoints,
 * probes, and spans, which have a duration. These functions read their fields as values for other
 * formats. */

#include "buffer.h"
#include "field.h"
#include "sched_event.h"

struct occurrence {
	bool looked_up;
	bool is_span;
	struct pk_tracepoint *tracepoint; /* NULL for a probe, or if there is no format */
	struct pk_sched_format sched;
	const struct pk_tracepoint_field *start, *duration; /* fields of a span */
};

/* If all members are 0, it is empty. */
struct occurrences {
	struct occurrence *items; /* by index of the event */
	size_t count;
	uint64_t epoch;
};

/* The value of a field of a sample. */
struct occurrence_value {
	const char *name;
	size_t name_size;
	enum pk_value_kind kind; /* NONE for an array, or if not in the sample */
	uint64_t number;	 /* in two's complement if it is signed */
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
