/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_LOOPS_H
#define PK_ANNOTATE_LOOPS_H

/* Loops of a function: from the target of a backward jump to the last row that jumps there. */

#include "function.h"

struct loops {
	uint32_t *last;		 /* by row: the last row of the loop that starts there; PK_NO_ROW:
				  * none */
	struct pk_count *before; /* by row: the sum of all previous rows, in the first column */
};

/* False: out of memory. Call loops_clear() in any case. */
bool loops_find(struct loops *loops, const struct function *f);
void loops_clear(struct loops *loops);
/* The samples of the loop that starts at a row; last[row] must not be PK_NO_ROW. */
struct pk_count loops_count(const struct loops *loops, uint32_t row);

#endif
