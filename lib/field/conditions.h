/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONDITIONS_H
#define PK_CONDITIONS_H

/* The conditions of all options, joined to one expression, and the time ranges. */

#include "expression.h"

/* The units of a time range. */
enum time_kind {
	TIME_ABSOLUTE, /* the range has times of the stream's clock, in nanoseconds */
	TIME_RELATIVE, /* the range has times since the first sample, in nanoseconds */
	TIME_PERCENT,  /* The range is a part of the time between the first and the last sample, in
			* millionths of a percent. 100% is 100000000. */
};

/* A range of times that --time selects. */
struct time_range {
	enum time_kind kind;
	/* A time is in the range if it is at least `from` and at most `to`. For TIME_PERCENT, a
	 * time that is equal to `to` is in the range only if `to` is 100%. */
	uint64_t from, to;
};

/* Parses "FROM,TO", "+FROM,+TO", "A%-B%" or "N%/K". FROM and TO are in seconds, and one of them can
 * be missing. Returns false if the text is malformed. */
bool pk_time_range_parse(const char *text, struct time_range *range);

/* The fields that have options of their own. */
enum condition_field {
	CONDITION_PID,
	CONDITION_TID,
	CONDITION_CPU,
	CONDITION_SOCKET,
	CONDITION_EVENT,
	CONDITION_MODE,
	CONDITION_COMM,
	CONDITION_CGROUP,
	CONDITION_DSO,
	CONDITION_SYMBOL,
	CONDITION_STACK,
	CONDITION_FIELDS
};

/* The conditions of all options that select samples. */
struct conditions {
	/* The condition for each field, from the fastest field to the slowest. It is true if the
	 * field matches one of the given values. */
	struct pk_expression *any[CONDITION_FIELDS];
	/* The conditions of --where and the negated values. All of them must be true. */
	struct pk_expression *all;
	char *where; /* the texts of all options --where, each on a line; NULL if there are none */
	struct time_range *ranges;
	size_t ranges_count, ranges_capacity;
	uint64_t every, head; /* --every: one of this number of samples is used; --head: only this
			       * number of samples is used; 0 if the option is not given */
};

/* Adds a value of an option for a field. "!VALUE" negates the value. Values are globs, or for pid,
 * tid, cpu and socket, lists such as "1,3,5-9". Returns NULL if this succeeds, or the text of the
 * error. */
const char *pk_conditions_add(struct conditions *conditions, enum condition_field field,
			      const char *value);
/* Takes ownership of the expression. */
PK_MUST_CHECK enum pk_status pk_conditions_add_where(struct conditions *conditions,
						     struct pk_expression *where);
const char *pk_conditions_add_time(struct conditions *conditions, const char *text);
/* The times to which ranges are relative. */
struct time_span {
	uint64_t start;	      /* time of the first sample in the order of the stream */
	uint64_t first, last; /* For TIME_PERCENT: the earliest and the latest time. last is 0 if it
			       * is unknown. */
};

/* Returns true if the time is in one of the ranges. */
bool pk_conditions_in_time(const struct conditions *conditions, const struct time_span *span,
			   uint64_t time);
/* Joins the conditions on fields to one expression, which the caller owns then. *where is NULL if
 * there are no conditions. If memory is exhausted, frees the conditions and returns PK_NOMEM. */
PK_MUST_CHECK enum pk_status pk_conditions_combine(struct conditions *conditions,
						   struct pk_expression **where);
void pk_conditions_free(struct conditions *conditions);

#endif
