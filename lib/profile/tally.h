/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TALLY_H
#define PK_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* Sums of weights for each pair of group of samples and stack. Zeroed, it is empty. */
struct pk_tally {
	uint64_t *direct; /* of group 0, by stack */
	size_t direct_count;
	struct pk_cell {
		uint32_t group, stack;
		uint64_t weight;
	} * cells; /* of other groups, in order of appearance */
	size_t cells_count, cells_capacity;
	struct pk_table numbers; /* index of the cell + 1, by group and stack */
};

/* For pk_tally_add: the slow path, for other groups and for new stacks of group 0. */
PK_MUST_CHECK enum pk_status pk_tally_add_new(struct pk_tally *tally, uint32_t group,
					      uint32_t stack, uint64_t weight);

/* Adds a weight. stack is an index: it starts at 0 and must be small, because group 0 uses it as an
 * index of an array. */
static inline enum pk_status pk_tally_add(struct pk_tally *tally, uint32_t group, uint32_t stack,
					  uint64_t weight)
{
	if (group || stack >= tally->direct_count)
		return pk_tally_add_new(tally, group, stack, weight);
	tally->direct[stack] += weight;
	return PK_OK;
}

/* Returns all cells, sorted by group, then by stack, and empties the tally. Group 0 has only cells
 * with a weight. The caller frees the array. Returns NULL if memory is exhausted. The tally is
 * empty then, too. */
struct pk_cell *pk_tally_cells(struct pk_tally *tally, size_t *count);
void pk_tally_free(struct pk_tally *tally);

#endif
