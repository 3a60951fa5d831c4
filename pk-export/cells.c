// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cells.h"
#include "vector.h"

static void add_limited(uint64_t *sum, uint64_t more)
{
	*sum = more > INT64_MAX - *sum ? INT64_MAX : *sum + more;
}

/* NULL: out of memory. */
static struct cell *find(struct cells *cells, const struct cell *sample)
{
	const uint64_t key = pk_mix64(((uint64_t)sample->row << 32 | sample->stack) ^
					      pk_table_secret(&cells->numbers),
				      UINT64_C(0x9e3779b97f4a7c15) + sample->series);
	struct pk_probe probe = pk_table_probe(&cells->numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct cell *cell = &cells->items[number - 1];

		if (cell->row == sample->row && cell->stack == sample->stack &&
		    cell->series == sample->series)
			return cell;
	}
	if (!pk_vector_reserve(cells, 1) || !pk_table_add(&cells->numbers, key, cells->count + 1))
		return NULL;
	cells->items[cells->count] =
		(struct cell){.row = sample->row, .stack = sample->stack, .series = sample->series};
	return &cells->items[cells->count++];
}

bool cells_add(struct cells *cells, const struct cell *sample)
{
	struct cell *cell = find(cells, sample);

	if (!cell)
		return false;
	add_limited(&cell->samples, sample->samples);
	add_limited(&cell->weight, sample->weight);
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->series > b->series) - (a->series < b->series);
}

void cells_sort(struct cells *cells)
{
	if (cells->count)
		qsort(cells->items, cells->count, sizeof(*cells->items), compare);
	pk_table_free(&cells->numbers);
}

void cells_clear(struct cells *cells)
{
	cells->count = 0;
	pk_table_clear(&cells->numbers);
}

void cells_free(struct cells *cells)
{
	free(cells->items);
	pk_table_free(&cells->numbers);
}
