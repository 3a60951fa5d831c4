// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "quantiles.h"

#define EXACT_BITS 7 /* numbers of up to so many bits have their own bucket */
#define SUB_BITS   (EXACT_BITS - 1)
#define ROW_SHIFT  13
#define SIGN	   (1u << (ROW_SHIFT - 1)) /* set: not negative; so buckets sort like numbers */
#define MAGNITUDE  (SIGN - 1)

/* ---- Buckets ---- */

static uint32_t bucket_of_magnitude(uint64_t value)
{
	unsigned int shift;

	if (value >> EXACT_BITS == 0)
		return (uint32_t)value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - SUB_BITS;
	return (shift << SUB_BITS) + (uint32_t)(value >> shift);
}

/* The middle of a bucket. */
static uint64_t middle(uint32_t bucket)
{
	const unsigned int shift = bucket >> EXACT_BITS ? (bucket >> SUB_BITS) - 1 : 0;
	const uint64_t low = (uint64_t)(bucket - (shift << SUB_BITS)) << shift;

	return low + (shift ? UINT64_C(1) << (shift - 1) : 0);
}

static uint32_t bucket_of(struct pk_wide value)
{
	if (value.high < 0)
		return MAGNITUDE - bucket_of_magnitude(pk_wide_negate(value).low);
	return SIGN | bucket_of_magnitude(value.low);
}

static struct pk_wide number_of(uint32_t bucket)
{
	if (bucket & SIGN)
		return pk_wide_of_u64(middle(bucket & MAGNITUDE));
	return pk_wide_negate(pk_wide_of_u64(middle(MAGNITUDE - bucket)));
}

/* ---- Counting ---- */

bool pk_quantiles_add(struct pk_quantiles *quantiles, uint32_t row, struct pk_wide value)
{
	const uint64_t key = (uint64_t)row << ROW_SHIFT | bucket_of(value);
	const uint64_t count = pk_table_get_u64(&quantiles->counts, key);

	return pk_table_set_u64(&quantiles->counts, key, count + 1);
}

bool pk_quantiles_renumber(struct pk_quantiles *quantiles, const uint32_t *to, uint32_t count)
{
	struct pk_table counts = {0};
	const struct pk_table_slot *slot;
	size_t cursor = 0;
	bool done = true;

	while (done && (slot = pk_table_next(&quantiles->counts, &cursor))) {
		const uint64_t row = slot->key >> ROW_SHIFT;
		const uint64_t bucket = slot->key & (SIGN | MAGNITUDE);

		if (row <= count && to[row])
			done = pk_table_set_u64(&counts, (uint64_t)to[row] << ROW_SHIFT | bucket,
						slot->value);
	}
	pk_table_free(&quantiles->counts);
	quantiles->counts = counts;
	return done;
}

static int compare(const void *left, const void *right)
{
	const struct pk_quantile_cell *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

bool pk_quantiles_sort(struct pk_quantiles *quantiles)
{
	const struct pk_table_slot *slot;
	struct pk_quantile_cell *cells = malloc((quantiles->counts.count + 1) * sizeof(*cells));
	size_t n = 0, cursor = 0;

	if (!cells)
		return false;
	while ((slot = pk_table_next(&quantiles->counts, &cursor)))
		cells[n++] = (struct pk_quantile_cell){slot->key, slot->value};
	qsort(cells, n, sizeof(*cells), compare);
	for (size_t i = 1; i < n; i++)
		if (cells[i].key >> ROW_SHIFT == cells[i - 1].key >> ROW_SHIFT)
			cells[i].rank += cells[i - 1].rank;
	free(quantiles->cells);
	quantiles->cells = cells;
	quantiles->cells_count = n;
	return true;
}

/* The first cell of the row, or of a later one. */
static size_t first_of(const struct pk_quantiles *quantiles, uint64_t row)
{
	size_t low = 0, high = quantiles->cells_count;

	while (low < high) {
		const size_t half = low + (high - low) / 2;

		if (quantiles->cells[half].key >> ROW_SHIFT < row)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

bool pk_quantiles_get(const struct pk_quantiles *quantiles, uint32_t row, double share,
		      struct pk_wide *value)
{
	const size_t end = first_of(quantiles, row + UINT64_C(1));
	size_t at = first_of(quantiles, row);
	double rank;

	if (at == end)
		return false;
	rank = ceil(share * (double)quantiles->cells[end - 1].rank);
	while (at + 1 < end && (double)quantiles->cells[at].rank < rank)
		at++;
	*value = number_of((uint32_t)(quantiles->cells[at].key & (SIGN | MAGNITUDE)));
	return true;
}

void pk_quantiles_free(struct pk_quantiles *quantiles)
{
	pk_table_free(&quantiles->counts);
	free(quantiles->cells);
	*quantiles = (struct pk_quantiles){0};
}
