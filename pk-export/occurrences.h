/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_OCCURRENCES_H
#define EXPORT_OCCURRENCES_H

/* Events whose samples stand for something that happened: tracepoints, probes, and spans, which
 * have a duration. Their fields, as values of other formats. */

#include "buffer.h"
#include "field.h"
#include "sched_event.h"

struct occurrence {
	bool looked_up;
	bool is_span;
	struct pk_tracepoint *tracepoint; /* NULL: no format, or a probe */
	struct pk_sched_format sched;
	const struct pk_tracepoint_field *start, *duration; /* of spans */
};

/* Zeroed, it is empty. */
struct occurrences {
	struct occurrence *items; /* by index of the event */
	size_t count;
	uint64_t epoch;
};

/* A value of a sample. */
struct occurrence_value {
	const char *name;
	size_t name_size;
	enum pk_value_kind kind; /* NONE: an array, or not in the sample */
	uint64_t number;	 /* in two's complement */
	struct pk_bytes text;
};

/* NULL: out of memory. The event must be one of pk_event_is_occurrence(). */
const struct occurrence *occurrence_of(struct occurrences *occurrences,
				       const struct pk_context *context,
				       const struct pk_event *event);
/* The field at an index, 0, 1 ..., of the sample. Those of all tracepoints, and start and duration
 * of spans, are left out. *index moves on to the next one. Returns false if there are no more. */
bool occurrence_value(const struct occurrence *occurrence, struct pk_view *view, size_t *index,
		      struct occurrence_value *value);
/* The start and the duration of a span, in nanoseconds. Returns false if there is none. */
bool occurrence_times(const struct occurrence *occurrence, struct pk_view *view, uint64_t *start,
		      uint64_t *duration);
/* Adds a value in JSON. Numbers beyond 2^53, which JavaScript rounds, and addresses are strings. */
void occurrence_json(struct buffer *out, const struct occurrence_value *value);
void occurrences_free(struct occurrences *occurrences);

#endif
