// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pgo_traces.h"
#include "vector.h"

struct pgo_trace *pgo_traces_get(struct pgo_traces *traces, uint32_t from, uint32_t to,
				 uint32_t end, size_t most, bool *full)
{
	const uint64_t key =
		pk_mix64(((uint64_t)from << 32 | to) ^ pk_table_secret(&traces->numbers),
			 UINT64_C(0x9e3779b97f4a7c15) + end);
	struct pk_probe probe = pk_table_probe(&traces->numbers, key);
	uint64_t number;

	*full = false;
	while ((number = pk_probe_next(&probe))) {
		struct pgo_trace *trace = &traces->items[number - 1];

		if (trace->from == from && trace->to == to && trace->end == end)
			return trace;
	}
	*full = traces->count >= most;
	if (*full || pk_vector_reserve(traces, 1) != PK_OK ||
	    pk_table_add(&traces->numbers, key, traces->count + 1) != PK_OK)
		return NULL;
	traces->items[traces->count] = (struct pgo_trace){from, to, end, 0, 0};
	return &traces->items[traces->count++];
}

/* Compares three offsets. The first of them decides if they differ. PGO_NONE comes first. */
static int compare(const uint32_t a[3], const uint32_t b[3])
{
	for (int i = 0; i < 3; i++)
		if (a[i] != b[i])
			return a[i] + 1 < b[i] + 1 ? -1 : 1;
	return 0;
}

static int compare_branches(const void *left, const void *right)
{
	const struct pgo_trace *a = left, *b = right;

	return compare((const uint32_t[]){a->from, a->to, a->end},
		       (const uint32_t[]){b->from, b->to, b->end});
}

static int compare_ranges(const void *left, const void *right)
{
	const struct pgo_trace *a = left, *b = right;

	return compare((const uint32_t[]){a->to, a->end, a->from},
		       (const uint32_t[]){b->to, b->end, b->from});
}

void pgo_traces_sort(struct pgo_traces *traces, enum pgo_order order)
{
	pk_table_free(&traces->numbers);
	if (traces->count)
		qsort(traces->items, traces->count, sizeof(*traces->items),
		      order == PGO_BY_BRANCH ? compare_branches : compare_ranges);
}

void pgo_traces_free(struct pgo_traces *traces)
{
	pk_table_free(&traces->numbers);
	free(traces->items);
	*traces = (struct pgo_traces){0};
}
