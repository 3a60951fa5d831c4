// SPDX-License-Identifier: BSD-2-Clause
/*
 * Measures the statistics of a comparison without reading recordings: ten million samples of
 * 100,000 rows on each side, and the intervals and probabilities of all rows.
 *
 *     cc -O2 -iquote lib/profile -iquote lib/stats -iquote lib/base -iquote libpkstream \
 *         bench/compare_speed.c build/libpkprofile.a build/libpkstats.a build/libpkstream.a -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "discovery.h"
#include "row_blocks.h"

#define ROWS	100000
#define SAMPLES 5000000

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void)
{
	struct row_blocks blocks = {0};
	static struct pk_rate_side sides[2][ROWS + 1];
	static double probabilities[ROWS + 1];
	const double start = now();
	double read, sum = 0;
	uint64_t random = 1;

	for (unsigned int side = 0; side < 2; side++) {
		for (uint64_t i = 0; i < SAMPLES; i++) {
			struct row_sample sample = {.event = 1,
						    .time = i * 1000,
						    .weight = 1000,
						    .squares = 1e6,
						    .has_time = true};

			/* The shares of the rows are very different. */
			random = random * 6364136223846793005 + 1442695040888963407;
			sample.row = (uint32_t)pow(ROWS, (double)(random >> 32) / 4294967296.0);
			if (pk_row_blocks_add(&blocks, side, &sample) != PK_OK)
				return 1;
		}
		if (pk_row_blocks_end(&blocks, side, 0) != PK_OK)
			return 1;
	}
	read = now();
	for (size_t i = 0; i < blocks.parts_count; i++) {
		const struct row_part *part = &blocks.parts[i];
		const struct pk_rate_part rate = {part->weight, 5e9, part->variance};

		sides[part->recording][part->row].squares = part->weight * 1000;
		sides[part->recording][part->row].all_squares = 5e12;
		pk_rate_side_add(&sides[part->recording][part->row], &rate);
	}
	for (uint32_t row = 0; row <= ROWS; row++) {
		struct pk_rate_change change;

		for (unsigned int side = 0; side < 2; side++)
			sides[side][row].unit = 5e9;
		pk_rate_change_measure(&change, &sides[0][row], &sides[1][row], true);
		probabilities[row] = pk_rate_change_probability(&change);
		sum += pk_rate_change_interval(&change, 0.05).low +
		       pk_rate_change_detectable(&change, 0.001);
	}
	if (pk_discovery_adjust(probabilities, ROWS + 1) != PK_OK)
		return 1;
	printf("samples to blocks %.2f s, intervals and probabilities %.2f s, %zu parts, %g\n",
	       read - start, now() - read, blocks.parts_count, sum);
	pk_row_blocks_free(&blocks);
	return 0;
}
