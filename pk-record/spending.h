/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SPENDING_H
#define PK_RECORD_SPENDING_H

/* Measures the cost of a recording with --budget, and reports changes of the frequency. */

#include "budget.h"
#include "pace.h"
#include "record_options.h"

/* The state of --budget in a recording. budget.frequency is 0 if the option is not given. */
struct spending {
	struct budget budget;
	struct pace pace;
	double sample;		  /* time in s for which a sample interrupts a program */
	uint64_t since;		  /* time of the last decision, as record_now() returns it */
	struct budget_cost total; /* cost at this time */
	struct budget_cost once;  /* cost of records at the start of streams since this time */
};

/* Call it after the events were opened. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status spending_open(struct spending *spending, const struct options *options,
					   struct event_list *events,
					   const struct targets *targets);
void spending_close(struct spending *spending);
/* Returns the cost of the recording so far. `samples` and `bytes` are its numbers so far. */
struct budget_cost spending_total(const struct spending *spending, uint64_t samples,
				  uint64_t bytes);
void spending_start(struct spending *spending, const struct budget_cost *total);
/* Adds the cost between two totals to the cost that does not depend on the frequency. */
void spending_add_once(struct spending *spending, const struct budget_cost *before,
		       const struct budget_cost *after);
/* Returns true if the frequency of the events must be changed to budget.frequency. */
bool spending_step(struct spending *spending, const struct budget_cost *total);
/* Sets this frequency. The events must be disabled, and their samples must have been read. Prints a
 * line. */
PK_MUST_CHECK enum pk_status spending_apply(struct spending *spending, struct pk_writer *writer);

#endif
