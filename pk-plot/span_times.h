/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_TIMES_H
#define PK_SPAN_TIMES_H

/* When a sample was: a span has a start and an end; other samples have a time. */

#include "field.h"

struct span_times {
	struct pk_column duration, call, function;
};

/* False: out of memory. */
bool span_times_init(struct span_times *times);
void span_times_free(struct span_times *times);

struct span_extent {
	bool is_span;
	uint64_t start, end; /* ns; equal if it is no span */
};

/* False: the sample has no time. */
bool span_times_of(struct span_times *times, struct pk_view *view, struct span_extent *extent);
/* What a span is called: the system call, the function (the event of the probe), or the event
 * without its system. Valid until the next call or record. */
struct pk_bytes span_times_name(struct span_times *times, struct pk_view *view);
/* The name of an event without its system. */
const char *event_short_name(const struct pk_event *event);

#endif
