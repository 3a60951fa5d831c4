/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_LEVEL_H
#define EXPORT_ROW_LEVEL_H

/*
 * The level of a row says in which samples of all rows it is: the rows of level k and above are a
 * random sample, from which sums are estimated without reading the others. The size of a row is its
 * number of samples, or its weight in units of 100 ms if that is more. The row has level k or above
 * with the probability min(1, size / 16^k), so the sum of weight * max(1, 16^k / size) over these
 * rows is an unbiased estimate of the sum of all weights (Poisson sampling, proportional to size).
 */

#include <stdbool.h>
#include <stdint.h>

#define ROW_LEVEL_MAX 6

struct row_levels {
	uint64_t state; /* of the random numbers; 0: not yet drawn */
};

/* Draws the level of a row. Each run has other random numbers, so the author of a recording cannot
 * choose the levels of its rows. nanoseconds: the unit of the weight. */
unsigned int row_level(struct row_levels *levels, uint64_t samples, uint64_t weight,
		       bool nanoseconds);

#endif
