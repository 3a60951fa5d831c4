// SPDX-License-Identifier: BSD-2-Clause
#include "block_variance.h"

/* With fewer blocks, a variance has so few degrees of freedom that it says nothing. */
#define BLOCKS_LEAST 4
/* A recording has at least this many batches, if they did not overlap. */
#define BATCHES 12

/* The method is overlapping batch means (Meketon and Schmeiser 1984). Its degrees of freedom are
 * 3/2 of those of batches that do not overlap. */
struct pk_variance pk_block_variance(const double *weights, const double *units, size_t count)
{
	const size_t batch = count < 2 * BATCHES ? 1 : count / BATCHES;
	const double blocks = (double)count, size = (double)batch;
	double weight = 0, unit = 0, sum = 0, squares = 0, rate;

	for (size_t i = 0; i < count; i++) {
		weight += weights[i];
		unit += units[i];
	}
	if (count < BLOCKS_LEAST || !(unit > 0))
		return (struct pk_variance){0};
	rate = weight / unit;
	for (size_t i = 0; i < count; i++) {
		sum += weights[i] - rate * units[i];
		if (i >= batch)
			sum -= weights[i - batch] - rate * units[i - batch];
		if (i + 1 >= batch)
			squares += sum * sum;
	}
	return (struct pk_variance){
		.value = blocks * blocks / (size * (blocks - size) * (blocks - size + 1)) * squares,
		.freedom = (batch > 1 ? 1.5 : 1) * (blocks / size - 1),
	};
}
