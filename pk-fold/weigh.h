/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_WEIGH_H
#define PK_FOLD_WEIGH_H

#include "fold.h"

/* How much each sample of a session counts, and whether it does. */
struct weighing;

/* What is added for samples of an event. */
enum rule {
	RULE_UNKNOWN,
	RULE_SKIP,    /* of an event that is not folded */
	RULE_LACKING, /* the event has not what is to be weighed */
	RULE_ONE,
	RULE_PERIOD,
	RULE_LATENCY,
	RULE_FIELD,
};

/* NULL: out of memory. */
struct weighing *weighing_new(const struct fold_options *options);
void weighing_free(struct weighing *weighing);
/* For a new session, whose events these are. False: out of memory. */
bool weighing_forget(struct weighing *weighing, const struct pk_events *events);
/* For TRACING_DATA to be loaded into; what was taken of earlier ones is forgotten. */
struct pk_tracepoints *weighing_tracepoints(struct weighing *weighing);
/* For latency: takes in what tells which threads run: switches, exits, samples. False: out of
 * memory. */
bool weighing_record(struct weighing *weighing, const struct pk_record *record);
/* The rule for samples that count for event, and in *weight how much this one does, whose period is
 * that. RULE_UNKNOWN: out of memory. */
enum rule weighing_weigh(struct weighing *weighing, const struct pk_event *event,
			 const struct pk_record *record, uint64_t period, uint64_t *weight);
/* The name of the event that is folded by default; NULL: none was met. */
const char *weighing_default(const struct weighing *weighing);
/* Has any sample been of an event that was asked for? */
bool weighing_matched(const struct weighing *weighing);
/* Do weights of unlike units count together? */
bool weighing_mixed(const struct weighing *weighing);
/* Has any record told of threads that run? */
bool weighing_switches(const struct weighing *weighing);

#endif
