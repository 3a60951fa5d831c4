/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WEIGHTS_H
#define PK_WEIGHTS_H

/* Which samples count, and with which weight. */

#include "field.h"
#include "messages.h"

enum pk_weight_kind {
	PK_WEIGHT_USUAL, /* the period; 1 for samples of tracepoints and probes */
	PK_WEIGHT_PERIOD,
	PK_WEIGHT_SAMPLES, /* one each */
	PK_WEIGHT_LATENCY, /* the period, divided by the number of running threads of the process */
	PK_WEIGHT_FIELD,   /* a field of the sample */
};

struct pk_weight_options {
	enum pk_weight_kind kind;
	const char *field; /* FIELD */
	const char *
		*events; /* names or globs; none: the event of the first sample, and tracepoints */
	int events_count;
	bool each_event; /* events are kept apart: by default, all count */
};

/* The weight for samples of an event. */
enum pk_weight_rule {
	PK_RULE_UNKNOWN,
	PK_RULE_SKIP,	 /* the event does not count */
	PK_RULE_LACKING, /* it lacks the weight field */
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
/* The rule for the event that the sample counts for, and its weight in *weight. UNKNOWN: out of
 * memory. */
enum pk_weight_rule pk_weights_weigh(struct pk_weights *weights, struct pk_view *view,
				     uint64_t *weight);
/* The name of the event that counts by default; NULL: none yet. */
const char *pk_weights_default(const struct pk_weights *weights);
/* Whether any sample was of a selected event. */
bool pk_weights_matched(const struct pk_weights *weights);
/* Whether weights of different units were added. */
bool pk_weights_mixed(const struct pk_weights *weights);

#endif
