/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_FIELDS_H
#define PK_SPAN_FIELDS_H

/* The fields of the spans of one definition in a session: which columns the events have, and what
 * each of them is for. */

#include "span_format.h"
#include "span_plans.h"

struct pk_span_fields {
	/* Set by the caller. */
	struct pk_span_plans *plans;
	bool has_level; /* spans have the fields "level" and "others" */
	/* For reading. The columns of keys, and those that are carried from each side. */
	struct pk_span_list {
		struct pk_span_item {
			uint32_t column;
			bool is_text;
			bool is_whole; /* a number that is not reduced to a common size */
		} items[PK_SPAN_FIELDS_MAX];
		size_t count;
	} keys, carry[PK_SPAN_SIDES];
	/* The columns that spans have, in their order, after "start" and "duration". */
	struct pk_span_joined {
		enum { PK_SPAN_OF_START, PK_SPAN_OF_END, PK_SPAN_OF_KEY, PK_SPAN_PARTS } part;
		bool is_text;
	} joined[PK_SPAN_FIELDS_MAX];
	size_t joined_count;
	size_t task;  /* the hidden column, the tid of the span's task; or SIZE_MAX */
	size_t level; /* the hidden column whose sum is the level; SIZE_MAX: the number of spans */
	size_t task_key; /* the place in `keys` of the first one that is a tid; or SIZE_MAX */
	/* Of `joined`, or SIZE_MAX: */
	size_t moved; /* the value is whether the cpu has changed */
	size_t ret;   /* the field "error" is computed of this value */
};

/* Adds the fields of spans to the format, which was started: "start", "duration", the active
 * columns, "error" (if ret is a column), "level" and "others" (if has_level), "gap", "unfinished".
 * complain() gets a text for each field that no event on its side has. If memory is exhausted, sets
 * pk_context.failed. */
void pk_span_fields_prepare(struct pk_span_fields *fields, struct pk_span_format *format,
			    void (*complain)(void *arg, const char *text), void *arg);

#endif
