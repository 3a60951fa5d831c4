/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_COSTS_H
#define EXPORT_COSTS_H

/* Sums of values for each line of a function, and for each call from a line. */

#include "texts.h"

struct cost_key {
	uint32_t function, file, line;
	uint32_t callee; /* 0: the function's own cost */
};

/* All zero, with `values`: empty. */
struct costs {
	unsigned int values; /* number of values of each cost */
	struct pk_texts keys;
	uint64_t *sums; /* values for each key */
	size_t capacity;
	uint32_t *order; /* after costs_sort(): numbers of the keys */
};

/* False: out of memory. */
bool costs_add(struct costs *costs, const struct cost_key *key, const uint64_t *values);
/* Sorts by the members of the key, in their order. False: out of memory. */
bool costs_sort(struct costs *costs);
static inline const struct cost_key *costs_key(const struct costs *costs, size_t index)
{
	return (const void *)pk_texts_get(&costs->keys, costs->order[index], NULL);
}
static inline const uint64_t *costs_sums(const struct costs *costs, size_t index)
{
	return costs->sums + (size_t)(costs->order[index] - 1) * costs->values;
}
void costs_free(struct costs *costs);

#endif
