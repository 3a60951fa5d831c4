/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of the spans of one definition in a session: which columns the events have, and what
 * each of them is for. */
#ifndef PK_SPAN_FIELDS_H
#define PK_SPAN_FIELDS_H

#include "span_format.h"
#include "span_plans.h"

struct pk_span_fields {
	/* Set by the caller. */
	struct pk_span_plans *plans;
	bool has_level; /* spans have the fields "level" and "others" */
	/* For reading: the columns of keys, and those that are carried from each side. */
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

/* ---- Their values ---- */

struct pk_span_values {
	/* Set by the caller. */
	const struct pk_span_fields *fields;
	/* The values of the current sample, by pk_span_values_key() and pk_span_values_carried().
	 */
	struct buffer key, carried[PK_SPAN_SIDES];

	/* Private. */
	struct buffer hidden;
	struct pk_span_calls calls;
	uint64_t calls_epoch; /* when calls was cleared */
	struct pk_span_value items[PK_SPAN_FIELDS_MAX];
};

/* The sample that values are read from. Its event has this plan. */
struct pk_span_sample {
	const struct pk_span_role_plan *plan;
	struct pk_view *view;
	const struct pk_bytes *raw;
};

void pk_span_values_free(struct pk_span_values *values);
/* Whether memory was exhausted. */
bool pk_span_values_failed(const struct pk_span_values *values);
/* Sets values->key. Returns false if the sample lacks a field of the key. */
bool pk_span_values_key(struct pk_span_values *values, const struct pk_span_sample *sample);
/* Sets values->carried[side]. */
void pk_span_values_carried(struct pk_span_values *values, const struct pk_span_sample *sample,
			    enum pk_span_side side);
/* The tid in values->key, or 0 if it has none, or it is the whole key. */
uint32_t pk_span_values_task_of_key(const struct pk_span_values *values);
/* The value of the column fields->task if it is a field of this side, otherwise 0. */
uint32_t pk_span_values_task(struct pk_span_values *values, const struct pk_span_sample *sample,
			     enum pk_span_side side);

/* The value whose sum is the level. It is 1 if that is the number of spans. The sample is a
 * start. */
uint64_t pk_span_values_amount(struct pk_span_values *values, const struct pk_span_sample *sample);

/* A span whose values are joined. */
struct pk_span_parts {
	uint64_t start, duration;
	const uint8_t *key, *carried; /* of the start */
	bool moved;		      /* start and end have different cpus */
	bool gap;
	uint64_t level, others; /* used if fields->has_level */
	enum pk_span_end {
		PK_SPAN_ENDED, /* values->carried is that of its end */
		PK_SPAN_OPEN,  /* it was open at the end of the recording or of its task */
		PK_SPAN_REPLACED,
		PK_SPAN_EXITED, /* its task has ended, and so has it */
	} end;
};

/* The values of a span, one for each field of pk_span_fields_prepare(). Valid until the next call.
 */
const struct pk_span_value *pk_span_values_join(struct pk_span_values *values,
						const struct pk_span_parts *parts);

#endif
