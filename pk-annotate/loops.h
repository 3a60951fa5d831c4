/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_LOOPS_H
#define PK_ANNOTATE_LOOPS_H

/* Loops of a function: from the target of a jump back to the last such jump. */

#include "function.h"

struct loops {
	uint32_t *last;		 /* by row: the last one of the loop that begins there; PK_NO_ROW */
	struct pk_count *before; /* of the first column: of all rows in front of a row */
};

/* False: out of memory. To be cleared in any case. */
bool loops_find(struct loops *loops, const struct function *f);
void loops_clear(struct loops *loops);
/* What was sampled in the loop that begins at a row. */
struct pk_count loops_count(const struct loops *loops, uint32_t row);

#endif
