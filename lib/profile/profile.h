/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROFILE_H
#define PK_PROFILE_H

/* The loop over the samples of recordings. It decides which samples are counted, for which event,
 * and with which weight. A program sets up a profile, and passes all records to it in order. The
 * profile calls sample() for each sample that is counted. */

#include "condition.h"
#include "periods.h"
#include "weights.h"

/* The state of the loop over samples, with the options of the program. */
struct pk_profile {
	/* The program sets the following members, or leaves them zero. */
	struct pk_context context; /* see context.h */
	struct pk_weight_options weigh;
	const struct pk_expression *where; /* the condition that samples must meet; if it is NULL,
					      there is no condition */
	/* Called for each sample that is counted. view->counted is the event, view->period is its
	 * period, and weight is the result of pk_weights_weigh(). For a sample with the counter
	 * values of a group, it is called for each event of the group whose samples are used. */
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	void *arg;
	/* If a field of branches is needed (PK_NEED_BRANCHES), sample() is called for each entry of
	 * the branch stack of a sample. view->branch is the index of the entry. The weight is 1
	 * unless weigh.chosen is set. If each_branch is false, sample() is called once, and fields
	 * of branches use the newest branch. */
	bool each_branch;

	/* The program may read the following members. */
	struct pk_weights *weights;
	struct pk_messages messages;
	uint64_t bytes;	     /* the size of all records so far, in bytes (for allowance.h) */
	uint64_t skipped;    /* number of samples whose event is not used */
	uint64_t lacking;    /* number of samples that do not have the chosen weight */
	uint64_t counted;    /* number of calls of sample() */
	uint64_t branchless; /* with each_branch: number of samples without entries in the branch
			      * stack */

	/* The following members are private. */
	struct pk_periods *periods;
	struct pk_condition *condition;
	struct pk_view view;
};

/* Adds the needs of weights and conditions to context.needs. pk_profile_init() does this, too. A
 * program calls this function only if it reads context.needs before pk_profile_init(). */
PK_MUST_CHECK enum pk_status pk_profile_add_needs(struct pk_profile *profile);
/* Call this function after the program has set its members. */
PK_MUST_CHECK enum pk_status pk_profile_init(struct pk_profile *profile);
void pk_profile_free(struct pk_profile *profile);
/* Evaluates a record, including PK_RECORD_BEGIN. Call it for all records in order. Returns PK_OK,
 * an error, or the result of sample() or of context.forget(). */
PK_MUST_CHECK enum pk_status pk_profile_record(struct pk_profile *profile, struct pk_reader *reader,
					       const struct pk_record *record);
/* Call this function for a sample that must not be counted, in place of pk_profile_record(). */
PK_MUST_CHECK enum pk_status pk_profile_leave_out(struct pk_profile *profile,
						  const struct pk_record *record);
/* Call this function at the end of a session. */
PK_MUST_CHECK enum pk_status pk_profile_end(struct pk_profile *profile);

#endif
