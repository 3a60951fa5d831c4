/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TALLY_H
#define PK_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

#define PK_TALLY_DELAYED 8

/* The sums of weights for each pair of a group of samples and a stack. If all members are zero,
 * there are no sums. */
struct pk_tally {
	uint64_t *direct; /* the sums of group 0, by stack */
	size_t direct_count;
	/* The last weights of group 0, which are not in the sums yet. The sum of a stack is often
	 * not in the processor's cache, so it is prefetched before the weight is added. */
	struct pk_delayed {
		uint32_t stack;
		uint64_t weight;
	} delayed[PK_TALLY_DELAYED];
	unsigned int delayed_at; /* the number of weights that were put into `delayed` */
	struct pk_cell {
		uint32_t group, stack;
		uint64_t weight;
	} * cells; /* the sums of all other groups, in the order in which they occurred first */
	size_t cells_count, cells_capacity;
	struct pk_table numbers; /* by group and stack: the index of the cell in `cells`, plus 1 */
};

/* The slow path of pk_tally_add(), for groups other than 0 and for new stacks of group 0. */
PK_MUST_CHECK enum pk_status pk_tally_add_new(struct pk_tally *tally, uint32_t group,
					      uint32_t stack, uint64_t weight);

/* Adds a weight. stack is an index from 0 on. It must be small, because for group 0 it is the index
 * of an array. */
static inline enum pk_status pk_tally_add(struct pk_tally *tally, uint32_t group, uint32_t stack,
					  uint64_t weight)
{
	struct pk_delayed *const delayed = &tally->delayed[tally->delayed_at % PK_TALLY_DELAYED];

	if (group || stack >= tally->direct_count)
		return pk_tally_add_new(tally, group, stack, weight);
	__builtin_prefetch(&tally->direct[stack], 1);
	tally->direct[delayed->stack] += delayed->weight;
	*delayed = (struct pk_delayed){stack, weight};
	tally->delayed_at++;
	return PK_OK;
}

/* Returns all cells, sorted by group and then by stack, and empties the tally. For group 0, there
 * are only cells whose weight is not 0. The caller frees the array. If memory is exhausted, empties
 * the tally and returns NULL. */
struct pk_cell *pk_tally_cells(struct pk_tally *tally, size_t *count);
void pk_tally_free(struct pk_tally *tally);

#endif
