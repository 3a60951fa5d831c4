/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_QUANTILES_H
#define PK_QUANTILES_H

/*
 * Quantiles of numbers, for each row of a table. Numbers are counted in buckets: each number of up
 * to 7 bits has its own, and each larger power of two has 64. The middle of a bucket differs from
 * its numbers by less than 0.8 percent. Memory is proportional to the number of distinct pairs of
 * row and bucket; a row has at most 7,552 buckets. A struct of all zero bytes is empty and valid.
 */

#include <stdbool.h>

#include "table.h"

struct pk_quantiles {
	struct pk_table counts; /* by row and bucket */
	/* Set by pk_quantiles_sort(): */
	struct pk_quantile_cell {
		uint64_t key;  /* row and bucket */
		uint64_t rank; /* number of values of the row up to this bucket */
	} * cells;
	size_t cells_count;
};

/* False: out of memory. */
bool pk_quantiles_add(struct pk_quantiles *quantiles, uint32_t row, struct pk_wide value);
/* Call it when the numbers of rows change, to: see pk_renumber(). False: out of memory. */
bool pk_quantiles_renumber(struct pk_quantiles *quantiles, const uint32_t *to, uint32_t count);
/* Call it after the last number, and before pk_quantiles_get(). False: out of memory. */
bool pk_quantiles_sort(struct pk_quantiles *quantiles);
/* The smallest number that is not less than `share` (0 to 1) of the numbers of the row, within the
 * error of a bucket. False: the row has no numbers. */
bool pk_quantiles_get(const struct pk_quantiles *quantiles, uint32_t row, double share,
		      struct pk_wide *value);
void pk_quantiles_free(struct pk_quantiles *quantiles);

#endif
