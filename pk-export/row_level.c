// SPDX-License-Identifier: BSD-2-Clause
#include "hash.h"
#include "row_level.h"

/* From 0 on, less than 1: splitmix64. */
static double draw(struct row_levels *levels)
{
	uint64_t bits;

	if (!levels->state)
		levels->state = pk_secret();
	bits = levels->state += UINT64_C(0x9e3779b97f4a7c15);
	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

unsigned int row_level(struct row_levels *levels, uint64_t samples, uint64_t weight,
		       bool nanoseconds)
{
	const double number = draw(levels);
	double size = (double)samples;
	unsigned int level = 0;

	if (nanoseconds && (double)weight / 1e8 > size)
		size = (double)weight / 1e8;
	while (level < ROW_LEVEL_MAX && number < (size /= 16))
		level++;
	return level;
}
