/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BUDGET_H
#define PK_RECORD_BUDGET_H

/* The option --budget: limits for the cost of a recording. budget_step() compares the measured cost
 * with the limits, and chooses the frequency that keeps them. */

#include <stdbool.h>
#include <stdint.h>

/* What can be limited. The values are also the `cause` of RATE records (SPEC 9.17). */
enum budget_item { BUDGET_NONE, BUDGET_CPU, BUDGET_BYTES, BUDGET_ITEMS };

/* Costs of a recording, or limits of them. cpu: processor time in seconds; bytes: bytes of output.
 */
struct budget_cost {
	double of[BUDGET_ITEMS];
};

/* The state of --budget. All times are in seconds. */
struct budget {
	struct budget_cost limits; /* costs in one second; 0: not limited */
	struct budget_cost debt;   /* what was spent above the limits, and was not saved since */
	uint64_t frequency, most;  /* in Hz: the frequency now, and the largest frequency */
	bool at_least;		   /* even 1 Hz exceeds the limits */
	enum budget_item cause;	   /* why the frequency was changed last: the limit that was
				    * exceeded; BUDGET_NONE if there was room */
	double rate; /* the measured cost in one second of the limit that decided last */
};

/* Parses "cpu=PERCENT%,bytes=SIZE/UNIT", where one of the two parts can be missing. UNIT is s, min
 * or h. The limit of cpu is a share of the time of one processor. Returns false if the text is
 * wrong. */
bool budget_parse(const char *text, struct budget_cost *limits);
/* Compares costs with the limits, and sets budget->frequency. `spent` is the cost of the last
 * `seconds`. `once` is additional cost, which does not depend on the frequency: that of the records
 * at the start of a stream. Returns false if there are too few data to decide. The caller must then
 * add to the same numbers, and call it again later. After true, the caller starts to count from 0.
 */
bool budget_step(struct budget *budget, double seconds, const struct budget_cost *spent,
		 const struct budget_cost *once);

#endif
