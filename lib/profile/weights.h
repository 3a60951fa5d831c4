/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WEIGHTS_H
#define PK_WEIGHTS_H

/* Which samples count, and how much. */

#include "field.h"
#include "messages.h"

enum pk_weight_kind {
	PK_WEIGHT_USUAL, /* the period; samples of tracepoints and probes count one each */
	PK_WEIGHT_PERIOD,
	PK_WEIGHT_SAMPLES, /* one each */
	PK_WEIGHT_LATENCY, /* the period, divided by the threads of the process that run */
	PK_WEIGHT_FIELD,   /* a number of the sample */
};

struct pk_weight_options {
	enum pk_weight_kind kind;
	const char *field; /* FIELD */
	const char *
		*events; /* names or globs; none: the event of the first sample, and tracepoints */
	int events_count;
	bool each_event; /* events are kept apart: by default all count */
};

/* What is added for samples of an event. */
enum pk_weight_rule {
	PK_RULE_UNKNOWN,
	PK_RULE_SKIP,	 /* the event does not count */
	PK_RULE_LACKING, /* it does not have what is to be weighed */
	PK_RULE_ONE,
	PK_RULE_PERIOD,
	PK_RULE_LATENCY,
	PK_RULE_FIELD,
};

struct pk_weights;

/* All stay the caller's. *messages gets a line about each event. NULL: out of memory. */
struct pk_weights *pk_weights_new(struct pk_context *context,
				  const struct pk_weight_options *options,
				  struct pk_messages *messages);
void pk_weights_free(struct pk_weights *weights);
/* The rule for the event that the sample counts for, and in *weight how much it counts. UNKNOWN:
 * out of memory. */
enum pk_weight_rule pk_weights_weigh(struct pk_weights *weights, struct pk_view *view,
				     uint64_t *weight);
/* The name of the event that counts by default; NULL: none was met. */
const char *pk_weights_default(const struct pk_weights *weights);
/* Has any sample been of an event that was asked for? */
bool pk_weights_matched(const struct pk_weights *weights);
/* Do weights of unlike units count together? */
bool pk_weights_mixed(const struct pk_weights *weights);

#endif
