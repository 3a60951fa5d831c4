/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROFILE_H
#define PK_PROFILE_H

/*
 * The loop over the samples of recordings: which of them count, for which event, and how much. A
 * program sets up a profile, hands it every record in order, and is called for each sample that
 * counts.
 */

#include "condition.h"
#include "weights.h"

struct pk_profile {
	/* The program's to set, or zero. */
	struct pk_context context; /* see context.h */
	struct pk_weight_options weigh;
	const struct pk_expression *where; /* samples that count; NULL: all */
	/* A sample that counts: view->counted is the event, view->period how much of it, weight
	 * what the weights make of that. Called several times for a sample with the values of a
	 * group. */
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	void *arg;

	/* For the program to read. */
	struct pk_weights *weights;
	struct pk_messages messages;
	uint64_t skipped; /* samples of events that do not count */
	uint64_t lacking; /* samples without the number that is to be weighed */
	uint64_t counted; /* samples that count */

	/* The profile's own. */
	struct pk_periods *periods;
	struct pk_condition *condition;
	struct pk_view view;
};

/* Adds to context.needs what weights and conditions need; for a program that must know it before
 * the next call, which does it, too. False: out of memory. */
bool pk_profile_add_needs(struct pk_profile *profile);
/* After the program has set its part. False: out of memory. */
bool pk_profile_init(struct pk_profile *profile);
void pk_profile_free(struct pk_profile *profile);
/* Takes in a record, in order, PK_RECORD_BEGIN included. PK_NOMEM, or what sample() returned. */
PK_MUST_CHECK enum pk_status pk_profile_record(struct pk_profile *profile, struct pk_reader *reader,
					       const struct pk_record *record);
/* At the end of a session. */
PK_MUST_CHECK enum pk_status pk_profile_end(struct pk_profile *profile);

#endif
