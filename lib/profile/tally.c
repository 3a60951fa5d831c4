// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "tally.h"
#include "vector.h"

static enum pk_status add_direct(struct pk_tally *tally, uint32_t stack, uint64_t weight)
{
	PK_TRY(pk_extend(&tally->direct, &tally->direct_count, stack));
	tally->direct[stack] += weight;
	return PK_OK;
}

enum pk_status pk_tally_add_new(struct pk_tally *tally, uint32_t group, uint32_t stack,
				uint64_t weight)
{
	const uint64_t key = (uint64_t)group << 32 | stack;
	uint64_t number;

	if (!group)
		return add_direct(tally, stack, weight);
	number = pk_table_get_u64(&tally->numbers, key);
	if (!number) {
		number = tally->cells_count + 1;
		PK_TRY(pk_reserve(&tally->cells, &tally->cells_capacity, tally->cells_count, 1,
				  sizeof(*tally->cells)));
		PK_TRY(pk_table_set_u64(&tally->numbers, key, number));
		tally->cells[tally->cells_count++] = (struct pk_cell){group, stack, 0};
	}
	tally->cells[number - 1].weight += weight;
	return PK_OK;
}

/* Adds the delayed weights to the sums. */
static void add_delayed(struct pk_tally *tally)
{
	for (size_t i = 0; i < PK_TALLY_DELAYED && tally->direct_count; i++) {
		tally->direct[tally->delayed[i].stack] += tally->delayed[i].weight;
		tally->delayed[i] = (struct pk_delayed){0, 0};
	}
}

static int compare(const void *left, const void *right)
{
	const struct pk_cell *a = left, *b = right;
	int order = (a->group > b->group) - (a->group < b->group);

	return order ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

/* Copies the cells to an array. Returns their number. */
static size_t take_cells(const struct pk_tally *tally, struct pk_cell *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < tally->direct_count; i++)
		if (tally->direct[i])
			cells[n++] = (struct pk_cell){0, (uint32_t)i, tally->direct[i]};
	if (tally->cells_count) {
		memcpy(cells + n, tally->cells, tally->cells_count * sizeof(*cells));
		qsort(cells + n, tally->cells_count, sizeof(*cells), compare);
	}
	return n + tally->cells_count;
}

static void clear(struct pk_tally *tally)
{
	if (tally->direct_count)
		memset(tally->direct, 0, tally->direct_count * sizeof(*tally->direct));
	if (tally->cells_count)
		pk_table_clear(&tally->numbers);
	tally->cells_count = 0;
}

struct pk_cell *pk_tally_cells(struct pk_tally *tally, size_t *count)
{
	size_t n = tally->cells_count;
	struct pk_cell *cells;

	add_delayed(tally);
	for (size_t i = 0; i < tally->direct_count; i++)
		n += tally->direct[i] != 0;
	cells = malloc((n + 1) * sizeof(*cells));
	if (cells)
		*count = take_cells(tally, cells);
	clear(tally);
	return cells;
}

void pk_tally_free(struct pk_tally *tally)
{
	free(tally->direct);
	free(tally->cells);
	pk_table_free(&tally->numbers);
	*tally = (struct pk_tally){0};
}
