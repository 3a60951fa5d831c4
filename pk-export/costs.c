// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>

#include "costs.h"
#include "vector.h"

bool costs_add(struct costs *costs, const struct cost_key *key, const uint64_t *values)
{
	const uint32_t number = pk_texts_add(&costs->keys, (const char *)key, sizeof(*key));
	uint64_t *sums;

	if (!number || !pk_extend(&costs->sums, &costs->capacity,
				  (size_t)number * costs->values + costs->values))
		return false;
	sums = costs->sums + (size_t)(number - 1) * costs->values;
	for (unsigned int i = 0; i < costs->values; i++)
		sums[i] = values[i] > INT64_MAX - sums[i] ? INT64_MAX : sums[i] + values[i];
	return true;
}

static int compare(const void *left, const void *right, void *arg)
{
	const struct costs *costs = arg;
	const uint32_t *a = (const void *)pk_texts_get(&costs->keys, *(const uint32_t *)left, NULL);
	const uint32_t *b =
		(const void *)pk_texts_get(&costs->keys, *(const uint32_t *)right, NULL);

	for (size_t i = 0; i < sizeof(struct cost_key) / sizeof(*a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

bool costs_sort(struct costs *costs)
{
	const size_t count = costs->keys.count;

	costs->order = malloc((count + 1) * sizeof(*costs->order));
	if (!costs->order)
		return false;
	for (uint32_t i = 0; i < count; i++)
		costs->order[i] = i + 1;
	qsort_r(costs->order, count, sizeof(*costs->order), compare, costs);
	return true;
}

void costs_free(struct costs *costs)
{
	pk_texts_free(&costs->keys);
	free(costs->sums);
	free(costs->order);
}
