// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "loops.h"

bool loops_find(struct loops *loops, const struct function *f)
{
	const size_t count = f->code.rows_count;

	loops->last = malloc((count + 1) * sizeof(*loops->last));
	loops->before = calloc(count + 1, sizeof(*loops->before));
	if (!loops->last || !loops->before)
		return false;
	for (uint32_t r = 0; r < count; r++) {
		const struct pk_count *here = &f->counts[(size_t)r * f->columns];
		const uint32_t to = f->code.rows[r].jump;

		loops->last[r] = PK_NO_ROW;
		if (to <= r)
			loops->last[to] = r;
		loops->before[r + 1].samples = loops->before[r].samples + here->samples;
		loops->before[r + 1].weight = loops->before[r].weight + here->weight;
	}
	return true;
}

void loops_clear(struct loops *loops)
{
	free(loops->last);
	free(loops->before);
	*loops = (struct loops){0};
}

struct pk_count loops_count(const struct loops *loops, uint32_t row)
{
	const struct pk_count *first = &loops->before[row];
	const struct pk_count *end = &loops->before[loops->last[row] + 1];

	return (struct pk_count){end->samples - first->samples, end->weight - first->weight};
}
