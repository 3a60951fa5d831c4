// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>

#include "row_order.h"

/* Merges the sorted rows of the order with `added` ones. */
static void merge(const struct row_order *order, const uint32_t *added, size_t added_count,
		  uint32_t *out, row_order_compare *compare, void *arg)
{
	size_t old = 0, new = 0;

	while (old < order->count || new < added_count) {
		const bool first =
			new == added_count ||
			(old < order->count && compare(&order->rows[old], &added[new], arg) < 0);

		*out++ = first ? order->rows[old++] : added[new ++];
	}
}

bool pk_row_order_extend(struct row_order *order, size_t count, row_order_compare *compare,
			 void *arg)
{
	size_t more;
	uint32_t *added, *rows, *ranks;

	if (count < order->count)
		pk_row_order_free(order);
	more = count - order->count;
	if (!more)
		return true;
	added = calloc(more, sizeof(*added));
	rows = calloc(count, sizeof(*rows));
	ranks = calloc(count + 1, sizeof(*ranks));
	if (!added || !rows || !ranks) {
		free(added);
		free(rows);
		free(ranks);
		return false;
	}
	for (size_t i = 0; i < more; i++)
		added[i] = (uint32_t)(order->count + i + 1);
	qsort_r(added, more, sizeof(*added), compare, arg);
	merge(order, added, more, rows, compare, arg);
	for (size_t i = 0; i < count; i++)
		ranks[rows[i]] = (uint32_t)i;
	free(added);
	pk_row_order_free(order);
	*order = (struct row_order){rows, ranks, count};
	return true;
}

void pk_row_order_free(struct row_order *order)
{
	free(order->rows);
	free(order->ranks);
	*order = (struct row_order){0};
}
