/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_LOOPS_H
#define PK_ANNOTATE_LOOPS_H

/* Loops of a function: from the target of a jump back to the last such jump. */

#include "function.h"

struct loops {
	uint32_t *last;		 /* by row: the last row of the loop that starts there; PK_NO_ROW:
				  * none */
	struct pk_count *before; /* of the first column: the sum of all previous rows */
};

/* False: out of memory. Must be cleared in any case. */
bool loops_find(struct loops *loops, const struct function *f);
void loops_clear(struct loops *loops);
/* The samples of the loop that starts at a row. */
struct pk_count loops_count(const struct loops *loops, uint32_t row);

#endif
