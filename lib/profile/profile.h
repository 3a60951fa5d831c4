/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROFILE_H
#define PK_PROFILE_H

/* The loop over the samples of recordings. It decides which of them count, for which event, and
 * with which weight. A program sets up a profile, passes it every record in order, and gets a call
 * of sample() for each sample that counts. */

#include "condition.h"
#include "periods.h"
#include "weights.h"

struct pk_profile {
	/* Set by the program, or zero. */
	struct pk_context context; /* see context.h */
	struct pk_weight_options weigh;
	const struct pk_expression *where; /* the samples that count; NULL: all */
	/* Called for a sample that counts: view->counted is the event, view->period its period, and
	 * weight the result of pk_weights_weigh(). A sample with the counter values of a group
	 * causes a call for each event of the group that counts. */
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	void *arg;
	/* If a field of branches is needed (PK_NEED_BRANCHES), a sample causes a call for each
	 * entry of its branch stack, view->branch, with the weight 1 unless weigh.chosen. Else it
	 * counts once, with its newest branch. */
	bool each_branch;

	/* For reading by the program: */
	struct pk_weights *weights;
	struct pk_messages messages;
	uint64_t bytes;	     /* of all records so far, for allowance.h */
	uint64_t skipped;    /* samples of events that do not count */
	uint64_t lacking;    /* samples without the weight field */
	uint64_t counted;    /* samples that count */
	uint64_t branchless; /* with each_branch: samples without entries in the branch stack */

	/* Private to the profile: */
	struct pk_periods *periods;
	struct pk_condition *condition;
	struct pk_view view;
};

/* Adds the needs of weights and conditions to context.needs. pk_profile_init() does this, too. The
 * function is for a program that uses context.needs before. */
PK_MUST_CHECK enum pk_status pk_profile_add_needs(struct pk_profile *profile);
/* Call after the program has set its members. */
PK_MUST_CHECK enum pk_status pk_profile_init(struct pk_profile *profile);
void pk_profile_free(struct pk_profile *profile);
/* Evaluates a record, in order, also PK_RECORD_BEGIN. Returns PK_OK, an error, or the result of
 * sample() or of context.forget(). */
PK_MUST_CHECK enum pk_status pk_profile_record(struct pk_profile *profile, struct pk_reader *reader,
					       const struct pk_record *record);
/* Call at the end of a session. */
PK_MUST_CHECK enum pk_status pk_profile_end(struct pk_profile *profile);

#endif
