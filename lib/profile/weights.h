/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WEIGHTS_H
#define PK_WEIGHTS_H

/* Decides which samples count, and with which weight. */

#include "field.h"
#include "messages.h"

enum pk_weight_kind {
	PK_WEIGHT_USUAL, /* the period, at least 1; 1 for samples of tracepoints and probes */
	PK_WEIGHT_PERIOD,
	PK_WEIGHT_SAMPLES, /* 1 for each sample */
	PK_WEIGHT_LATENCY, /* the period, divided by pk_parallelism_of() and rounded */
	PK_WEIGHT_FIELD,   /* the value of a field of the sample; 0 if it is negative, and for the
			    * other events of a group */
};

struct pk_weight_options {
	enum pk_weight_kind kind;
	const char *field;   /* FIELD */
	bool chosen;	     /* by the user; else 1 for entries of the branch stack */
	const char **events; /* names or globs of the events that count; none: spans, or without
			      * spans the first event that samples execution (if there is none, the
			      * event of the first sample), and all tracepoints and probes */
	int events_count;
	bool each_event; /* the caller keeps events apart: without `events`, all events count */
};

/* Sets kind and field from the argument of --weight: period, samples, latency, or a field. text
 * must stay valid. */
void pk_weight_parse(const char *text, struct pk_weight_options *options);

/* The weight for samples of an event. */
enum pk_weight_rule {
	PK_RULE_UNKNOWN,
	PK_RULE_SKIP,	 /* the event does not count */
	PK_RULE_LACKING, /* its samples have no such weight */
	PK_RULE_ONE,
	PK_RULE_PERIOD,
	PK_RULE_LATENCY,
	PK_RULE_FIELD,
};

struct pk_weights;

/* context, options and messages stay the caller's. *messages gets a line about the weights of each
 * event that counts. NULL: out of memory. */
struct pk_weights *pk_weights_new(struct pk_context *context,
				  const struct pk_weight_options *options,
				  struct pk_messages *messages);
void pk_weights_free(struct pk_weights *weights);
/* The field that is the weight, or NULL if the weight is not a field. */
const struct pk_reference *pk_weights_field(const struct pk_weights *weights);
/* Whether each sample of the event stands for one occurrence: of a tracepoint or of a probe. */
bool pk_event_is_occurrence(const struct pk_event *event);
/* Whether the event's samples are spans: their period is the duration in nanoseconds (SPEC 9.15).
 */
bool pk_event_is_span(const struct pk_event *event);
/* The rule for the event that the sample counts for, and its weight in *weight. Returns UNKNOWN if
 * memory is exhausted. */
enum pk_weight_rule pk_weights_weigh(struct pk_weights *weights, struct pk_view *view,
				     uint64_t *weight);
/* The period of the sample, divided by pk_parallelism_of(), in parts of 1/PK_LATENCY_UNIT: periods
 * can be as small as 1. Needs PK_NEED_PARALLELISM. */
#define PK_LATENCY_UNIT 1000
uint64_t pk_view_latency(const struct pk_view *view);
/* The name of the event that counts by default, or "spans", or NULL if there is none yet. */
const char *pk_weights_default(const struct pk_weights *weights);
/* If several kinds of spans count by default, returns their names, separated by commas, for a
 * warning: their times are different quantities. Otherwise returns NULL. */
const char *pk_weights_kinds(struct pk_weights *weights);
/* True if a sample of a selected event (options.events) was weighed. */
bool pk_weights_matched(const struct pk_weights *weights);
/* The unit of all weights: "samples", "nanoseconds", the name of a field, or of an event, for its
 * periods. Returns NULL if they have several, or none were returned. */
const char *pk_weights_unit(const struct pk_weights *weights);
/* The unit of the weights of an event that counts, in the same words. Returns NULL if the event
 * does not count, or memory is exhausted. */
const char *pk_weights_unit_of(struct pk_weights *weights, const struct pk_event *event);
/* True if weights of different units were returned. */
bool pk_weights_mixed(const struct pk_weights *weights);

#endif
