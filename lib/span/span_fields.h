/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields that the spans of one definition have in a session. This says which columns the events
 * have, and what each column is used for. */
#ifndef PK_SPAN_FIELDS_H
#define PK_SPAN_FIELDS_H

#include "span_format.h"
#include "span_plans.h"

/* The columns that the spans of one definition have. */
struct pk_span_fields {
	/* Set by the caller: */
	struct pk_span_plans *plans;
	bool has_level; /* spans have the fields "level" and "others" */
	bool has_age;	/* spans have the field "age" instead of "duration" */
	/* Returns whether a carried text with this name is used. If it is NULL, all are used. Spans
	 * do not have the texts that are not used. */
	bool (*uses)(void *arg, const char *name);
	void *uses_arg;
	/* For reading: the columns of the key, and for each side the columns that are carried from
	 * this side. */
	struct pk_span_list {
		struct pk_span_item {
			uint32_t column;
			bool is_text;
			bool is_whole; /* the value is a number of full size;
					* pk_span_column.common_size does not shorten it */
		} items[PK_SPAN_FIELDS_MAX];
		size_t count;
	} keys, carry[PK_SPAN_SIDES];
	/* The columns of a span, in the order of its fields. The fields "start" and "duration" come
	 * before these columns. */
	struct pk_span_joined {
		enum { PK_SPAN_OF_START, PK_SPAN_OF_END, PK_SPAN_OF_KEY, PK_SPAN_PARTS } part;
		bool is_text;
	} joined[PK_SPAN_FIELDS_MAX];
	size_t joined_count;
	size_t task;  /* index of the hidden column that has the tid of the span's task; SIZE_MAX if
		       * there is none */
	size_t level; /* Index of the hidden column whose values are summed to get the level. If it
		       * is SIZE_MAX, the level is the number of spans. */
	size_t task_key; /* index in `keys` of the first field that is the tid of a task; SIZE_MAX
			  * if there is none */
	/* Indexes in `joined`; SIZE_MAX if there is no such column: */
	size_t moved; /* column whose value is whether the cpu has changed */
	size_t ret;   /* column that the field "error" is computed from */
};

/* Adds the fields of spans to the format, which must be started already. The first fields are
 * "start", "duration" and the active columns. "error" follows if there is a column "ret" but no
 * column "error". "level" and "others" follow if has_level is set. The last fields are "gap" and
 * "unfinished". complain() gets a text for each field that no event on the field's side has. If
 * memory is exhausted, sets pk_context.failed. */
void pk_span_fields_prepare(struct pk_span_fields *fields, struct pk_span_format *format,
			    void (*complain)(void *arg, const char *text), void *arg);

/* ---- Values of fields ---- */

/* Reads the values of columns from samples. */
struct pk_span_values {
	/* Set by the caller: */
	const struct pk_span_fields *fields;
	/* The values of the current sample. They are set by pk_span_values_key() and
	 * pk_span_values_carried(). */
	struct buffer key, carried[PK_SPAN_SIDES];

	/* Private: */
	struct buffer hidden;
	struct pk_span_calls calls;
	uint64_t calls_epoch; /* the epoch in which `calls` was cleared */
	struct pk_span_value items[PK_SPAN_FIELDS_MAX];
};

/* The sample that values are read from, and the plan of its event. */
struct pk_span_sample {
	const struct pk_span_role_plan *plan;
	struct pk_view *view;
	const struct pk_bytes *raw;
};

void pk_span_values_free(struct pk_span_values *values);
/* Returns whether memory was exhausted. */
static inline bool pk_span_values_failed(const struct pk_span_values *values)
{
	return values->key.failed | values->carried[PK_SPAN_START].failed |
	       values->carried[PK_SPAN_END].failed | values->hidden.failed;
}
/* Sets values->key. Returns false if the sample lacks a field of the key. */
bool pk_span_values_key(struct pk_span_values *values, const struct pk_span_sample *sample);
/* Sets values->carried[side] to the values that are carried from the sample. */
void pk_span_values_carried(struct pk_span_values *values, const struct pk_span_sample *sample,
			    enum pk_span_side side);
/* Returns the tid in values->key. Returns 0 if the key contains no tid, or if the key contains only
 * the tid. */
uint32_t pk_span_values_task_of_key(const struct pk_span_values *values);
/* Returns the value of the column fields->task if the column belongs to this side, otherwise 0. */
uint32_t pk_span_values_task(struct pk_span_values *values, const struct pk_span_sample *sample,
			     enum pk_span_side side);

/* Returns the amount that a start adds to the level. It is 1 if the level is the number of spans.
 * The sample must be a start. */
uint64_t pk_span_values_amount(struct pk_span_values *values, const struct pk_span_sample *sample);

/* The data of a span from which pk_span_values_join() makes the values. */
struct pk_span_parts {
	uint64_t start, duration;
	const uint8_t *key, *carried; /* values of the key and carried values that were read at the
				       * start of the span */
	bool moved;		      /* the start and the end have different cpus */
	bool gap;
	uint64_t level, others; /* used if fields->has_level is set */
	enum pk_span_end {
		PK_SPAN_ENDED, /* ended by a sample; values->carried[PK_SPAN_END] has its values */
		PK_SPAN_OPEN,  /* open at the end of the recording or of its task */
		PK_SPAN_REPLACED,
		PK_SPAN_EXITED, /* ended because its task has ended */
	} end;
};

/* Returns the values of a span, one for each field of pk_span_fields_prepare(). They are valid
 * until the next call. */
const struct pk_span_value *pk_span_values_join(struct pk_span_values *values,
						const struct pk_span_parts *parts);

#endif
