/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TALLY_H
#define PK_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* The weights of each stack, separately for each group of samples. All zero: empty. */
struct pk_tally {
	uint64_t *direct; /* of group 0, by stack */
	size_t direct_count;
	struct pk_cell {
		uint32_t group, stack;
		uint64_t weight;
	} * cells; /* of other groups, in order of appearance */
	size_t cells_count, cells_capacity;
	struct pk_table numbers; /* of the cell + 1, by group and stack */
};

/* For pk_tally_add: adds a new cell. */
bool pk_tally_add_new(struct pk_tally *tally, uint32_t group, uint32_t stack, uint64_t weight);

/* stack: counted from 0; numbers are small. False: out of memory. */
static inline bool pk_tally_add(struct pk_tally *tally, uint32_t group, uint32_t stack,
				uint64_t weight)
{
	if (group || stack >= tally->direct_count)
		return pk_tally_add_new(tally, group, stack, weight);
	tally->direct[stack] += weight;
	return true;
}

/* All cells with a weight, sorted by group, then by stack; to be freed. Empties the tally. NULL:
 * out of memory. */
struct pk_cell *pk_tally_cells(struct pk_tally *tally, size_t *count);
void pk_tally_free(struct pk_tally *tally);

#endif
