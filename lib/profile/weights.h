/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WEIGHTS_H
#define PK_WEIGHTS_H

/* Decides which samples are used, and determines their weights. */

#include "field.h"
#include "messages.h"

/* What the weight of a sample is. */
enum pk_weight_kind {
	PK_WEIGHT_USUAL, /* the period, but at least 1; it is 1 for samples of tracepoints and
			  * probes */
	PK_WEIGHT_PERIOD,
	PK_WEIGHT_SAMPLES, /* 1 for each sample */
	PK_WEIGHT_LATENCY, /* the period divided by pk_parallelism_of(), and rounded */
	PK_WEIGHT_FIELD, /* The value of a field of the sample. It is 0 if the value is negative. In
			  * a group, it is 0 for all events except the event of the sample. */
};

/* The options that decide which samples are used, and with which weight. */
struct pk_weight_options {
	enum pk_weight_kind kind;
	const char *field; /* for PK_WEIGHT_FIELD */
	bool chosen; /* The user has chosen the weight. Otherwise entries of the branch stack have
		      * the weight 1. */
	/* The names or globs of the events whose samples are used. If there are no names, spans are
	 * used. If there are no spans either, the samples of all tracepoints and probes are used,
	 * and those of the first event that samples execution. If no event samples execution, this
	 * is the event of the first sample that is not of a tracepoint or probe. */
	const char **events;
	int events_count;
	bool each_event; /* The caller separates events. So the samples of all events are used if
			    `events` is empty. */
};

/* Sets kind and field from the argument of --weight, which is period, samples, latency, or a field.
 * text must stay valid. */
void pk_weight_parse(const char *text, struct pk_weight_options *options);

/* The rule that determines the weight of the samples of an event. */
enum pk_weight_rule {
	PK_RULE_UNKNOWN,
	PK_RULE_SKIP,	 /* the samples of the event are not used */
	PK_RULE_LACKING, /* the sample does not have this kind of weight */
	PK_RULE_ONE,
	PK_RULE_PERIOD,
	PK_RULE_LATENCY,
	PK_RULE_FIELD,
};

struct pk_weights;

/* The caller keeps context, options and messages. *messages gets one line for each
 * event whose samples have a weight. The line names the weight. Returns NULL if memory is
 * exhausted. */
struct pk_weights *pk_weights_new(struct pk_context *context,
				  const struct pk_weight_options *options,
				  struct pk_messages *messages);
void pk_weights_free(struct pk_weights *weights);
/* Returns the field that is the weight, or NULL if the weight is not a field. */
const struct pk_reference *pk_weights_field(const struct pk_weights *weights);
/* Returns true if each sample of the event stands for one occurrence of a tracepoint or of a probe.
 */
bool pk_event_is_occurrence(const struct pk_event *event);
/* Returns true if the samples of the event are spans. The period of a span is its duration in
 * nanoseconds (SPEC 9.15). */
bool pk_event_is_span(const struct pk_event *event);
/* Returns the rule of view->counted, the event for which the sample is counted. Sets *weight to the
 * weight of the sample. Returns PK_RULE_UNKNOWN if memory is exhausted. */
enum pk_weight_rule pk_weights_weigh(struct pk_weights *weights, struct pk_view *view,
				     uint64_t *weight);
/* Returns the period of the sample divided by pk_parallelism_of(), in units of 1/PK_LATENCY_UNIT.
 * The fraction is needed because periods can be as small as 1. PK_NEED_PARALLELISM must be set. */
#define PK_LATENCY_UNIT 1000
uint64_t pk_view_latency(const struct pk_view *view);
/* Returns the name of the event whose samples are used by default, or "spans". Returns NULL if the
 * name is not known yet. */
const char *pk_weights_default(const struct pk_weights *weights);
/* If several kinds of spans are used by default, returns their names, separated by commas. They are
 * for a warning, because the times of different kinds of spans must not be added. Otherwise returns
 * NULL. */
const char *pk_weights_kinds(struct pk_weights *weights);
/* Returns true if a sample of a selected event (options.events) was weighed. */
bool pk_weights_matched(const struct pk_weights *weights);
/* Returns the unit of all weights: "samples", "nanoseconds", the name of a field, or the name of an
 * event if the weights are its periods. Returns NULL if the weights have several units, or if there
 * was no weight yet. */
const char *pk_weights_unit(const struct pk_weights *weights);
/* Returns the unit of the weights of an event, in the form of pk_weights_unit(). Returns NULL if
 * the samples of the event are not used or do not have this kind of weight, or if memory is
 * exhausted. */
const char *pk_weights_unit_of(struct pk_weights *weights, const struct pk_event *event);
/* Returns true if weights of different units were returned. */
bool pk_weights_mixed(const struct pk_weights *weights);

#endif
