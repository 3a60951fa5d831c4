/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_VALUES_H
#define PK_SPAN_VALUES_H

/* The values of the fields of spans: collected from the sample of the start, kept as bytes while
 * the span is open, and joined with those of the end. */

#include "span_fields.h"

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

/* The sample that values are read from; its event has this plan. */
struct pk_span_sample {
	const struct pk_span_role_plan *plan;
	struct pk_view *view;
	const struct pk_bytes *raw;
};

void pk_span_values_free(struct pk_span_values *values);
/* Whether memory was exhausted. */
bool pk_span_values_failed(const struct pk_span_values *values);
/* Sets values->key. False: the sample lacks a field of the key. */
bool pk_span_values_key(struct pk_span_values *values, const struct pk_span_sample *sample);
/* Sets values->carried[side]. */
void pk_span_values_carried(struct pk_span_values *values, const struct pk_span_sample *sample,
			    enum pk_span_side side);
/* The tid in values->key; 0: it has none, or it is the whole key. */
uint32_t pk_span_values_task_of_key(const struct pk_span_values *values);
/* The value of the column fields->task, if it is a field of this side; else 0. */
uint32_t pk_span_values_task(struct pk_span_values *values, const struct pk_span_sample *sample,
			     enum pk_span_side side);

/* The value whose sum is the level; 1 if that is the number of spans. The sample is a start. */
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
