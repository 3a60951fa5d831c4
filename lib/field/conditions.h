/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONDITIONS_H
#define PK_CONDITIONS_H

/* The conditions of all options, as one expression, and time ranges. */

#include "expression.h"

enum time_kind {
	TIME_ABSOLUTE, /* nanoseconds of the stream's clock */
	TIME_RELATIVE, /* since the first sample */
	TIME_PERCENT,  /* the time from the first sample to the last is 100000000 (100% with 6
			* decimals) */
};

struct time_range {
	enum time_kind kind;
	uint64_t from, to; /* both included */
};

/* Parses "FROM,TO" in seconds, of which one can be missing, "+FROM,+TO", "A%-B%" or "N%/K". Returns
 * false if it is malformed. */
bool pk_time_range_parse(const char *text, struct time_range *range);

/* Fields with their own options. */
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

struct conditions {
	/* By field, the fastest first: matches one of the given values. */
	struct pk_expression *any[CONDITION_FIELDS];
	/* The conditions that must all be true: --where and negated values. */
	struct pk_expression *all;
	char *where; /* the texts of all --where, each on its line; NULL: none */
	struct time_range *ranges;
	size_t ranges_count, ranges_capacity;
	uint64_t every, head; /* 0: not given */
};

/* Adds a value of an option for a field. "!VALUE" negates it. Values are globs or, for pid, tid and
 * cpu, lists like "1,3,5-9". Returns NULL, or the error. */
const char *pk_conditions_add(struct conditions *conditions, enum condition_field field,
			      const char *value);
/* Takes ownership of the expression. */
PK_MUST_CHECK enum pk_status pk_conditions_add_where(struct conditions *conditions,
						     struct pk_expression *where);
const char *pk_conditions_add_time(struct conditions *conditions, const char *text);
/* The times that ranges refer to. */
struct time_span {
	uint64_t start; /* of the first sample in the order of the stream */
	uint64_t first,
		last; /* for TIME_PERCENT: the earliest and the latest time; last 0: unknown */
};

/* True if the time is in one of the ranges. */
bool pk_conditions_in_time(const struct conditions *conditions, const struct time_span *span,
			   uint64_t time);
/* Moves the conditions on fields into one expression. *where is NULL if there are none. Returns
 * PK_NOMEM if memory is exhausted. The conditions are freed then. */
PK_MUST_CHECK enum pk_status pk_conditions_combine(struct conditions *conditions,
						   struct pk_expression **where);
void pk_conditions_free(struct conditions *conditions);

#endif
