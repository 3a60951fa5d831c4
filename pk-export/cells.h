/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_CELLS_H
#define EXPORT_CELLS_H

/* Sums of samples: one cell for each distinct stack of the samples with equal labels and of one
 * event. All zero: empty. */

#include "table.h"

struct cells {
	struct cell {
		uint32_t row; /* of the labels (samples.h) */
		uint32_t stack;
		uint32_t series;
		uint64_t samples, weight;
	} * items;
	size_t count, capacity;
	struct pk_table numbers; /* index of the cell + 1, by row, stack and series */
};

/* Adds a sample. Sums that do not fit into 63 bits stay at INT64_MAX, the largest number of most
 * formats. False: out of memory. */
bool cells_add(struct cells *cells, const struct cell *sample);
/* Sorts by row, stack and series. */
void cells_sort(struct cells *cells);
/* Removes all cells, and keeps the memory for others. */
void cells_clear(struct cells *cells);
void cells_free(struct cells *cells);

#endif
