// SPDX-License-Identifier: BSD-2-Clause
#include "bin_axis.h"

#define DIGITS 9 /* positions of each power of ten */

static __int128 floor_divide(__int128 number, __int128 divisor)
{
	const __int128 quotient = number / divisor;

	return quotient - (number % divisor < 0);
}

/* ---- Scales ---- */

/* Of a number that is not negative; 0 for 0. */
static uint32_t log2_position(uint64_t number, unsigned int sub_bits)
{
	unsigned int shift;

	if (number >> (sub_bits + 1) == 0)
		return (uint32_t)number;
	shift = 63u - (unsigned int)__builtin_clzll(number) - sub_bits;
	return (shift << sub_bits) + (uint32_t)(number >> shift);
}

static __int128 log2_number(uint64_t position, unsigned int sub_bits)
{
	const uint64_t shift = position >> (sub_bits + 1) ? (position >> sub_bits) - 1 : 0;

	if (shift > 80)
		return (__int128)1 << 80;
	return (__int128)(position - (shift << sub_bits)) << shift;
}

static uint32_t log10_position(uint64_t number)
{
	uint32_t position = 0;

	for (; number >= 10; number /= 10)
		position += DIGITS;
	return position + (uint32_t)number;
}

static __int128 log10_number(uint64_t position)
{
	__int128 power = 1;

	if (!position)
		return 0;
	for (position--; position >= DIGITS && power < (__int128)1 << 80; position -= DIGITS)
		power *= 10;
	return power * (__int128)(position + 1);
}

static __int128 magnitude_position(const struct pk_scale *scale, uint64_t number)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_position(number, scale->sub_bits)
					    : log10_position(number);
}

static __int128 magnitude_number(const struct pk_scale *scale, uint64_t position)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_number(position, scale->sub_bits)
					    : log10_number(position);
}

/* The positions of powers of ten start at multiples of DIGITS, so that bins do not cross them. */
static int origin(const struct pk_scale *scale)
{
	return scale->kind == PK_SCALE_LOG10 ? -1 : 0;
}

__int128 pk_scale_position(const struct pk_scale *scale, __int128 number)
{
	if (scale->unit > 1)
		number = floor_divide(number, scale->unit);
	if (scale->kind == PK_SCALE_LINEAR)
		return number;
	if (number < 0)
		return origin(scale) - magnitude_position(scale, (uint64_t)-number);
	return origin(scale) + magnitude_position(scale, (uint64_t)number);
}

__int128 pk_scale_number(const struct pk_scale *scale, __int128 position)
{
	if (scale->kind == PK_SCALE_LINEAR)
		return position * scale->unit;
	position -= origin(scale);
	if (position < 0)
		return (1 - magnitude_number(scale, (uint64_t)(1 - position))) * scale->unit;
	return magnitude_number(scale, (uint64_t)position) * scale->unit;
}

/* ---- Bins ---- */

static __int128 end_of(const struct pk_bin_axis *axis)
{
	return axis->first + axis->count;
}

bool pk_bin_axis_fits(const struct pk_bin_axis *axis, __int128 position)
{
	__int128 bin;

	if (!axis->count)
		return true;
	bin = floor_divide(position, axis->width);
	return bin >= end_of(axis) - axis->max && bin < axis->first + axis->max;
}

uint32_t pk_bin_axis_extend(struct pk_bin_axis *axis, __int128 position)
{
	uint32_t before = 0;
	__int128 bin;

	if (!axis->width)
		axis->width = 1;
	bin = floor_divide(position, axis->width);
	if (!axis->count) {
		axis->first = bin;
		axis->count = 1;
	} else if (bin < axis->first) {
		before = (uint32_t)(axis->first - bin);
		axis->first = bin;
		axis->count += before;
	} else if (bin >= end_of(axis)) {
		axis->count = (uint32_t)(bin - axis->first + 1);
	}
	return before;
}

/* The first digit of a width of 1, 2, 5, 10, 20, 50 ... */
static unsigned int first_digit(__int128 width)
{
	while (width >= 10)
		width /= 10;
	return (unsigned int)width;
}

uint32_t pk_bin_axis_next_factor(const struct pk_bin_axis *axis)
{
	switch (axis->scale.kind) {
	case PK_SCALE_LINEAR: return first_digit(axis->width) == 5 ? 2 : 5;
	case PK_SCALE_LOG10: return axis->width < DIGITS ? 3 : 2;
	default: return 2;
	}
}

/* The number of bins after joining. */
static __int128 joined_count(const struct pk_bin_axis *axis, uint32_t factor)
{
	return floor_divide(end_of(axis) - 1, factor) - floor_divide(axis->first, factor) + 1;
}

/* The next larger factor. Linear: the width is then round, too. 5 is no factor of 2, nor 2 of 5. */
static uint32_t following(const struct pk_bin_axis *axis, uint32_t factor)
{
	static const uint32_t after_1[] = {2, 5, 10}, after_2[] = {5, 10, 25},
			      after_5[] = {2, 4, 10};
	const unsigned int digit = first_digit(axis->width);
	const uint32_t *factors = digit == 1 ? after_1 : digit == 2 ? after_2 : after_5;
	uint32_t power = 1;

	if (axis->scale.kind != PK_SCALE_LINEAR)
		return factor * (axis->scale.kind == PK_SCALE_LOG10 && axis->width * factor < DIGITS
					 ? 3
					 : 2);
	for (;; power *= 10)
		for (unsigned int i = 0; i < 3; i++)
			if (factors[i] * power > factor)
				return factors[i] * power;
}

uint32_t pk_bin_axis_factor(const struct pk_bin_axis *axis, uint32_t count)
{
	uint32_t factor = 1;

	while (axis->count && joined_count(axis, factor) > (count < 2 ? 2 : count))
		factor = following(axis, factor);
	return factor;
}

void pk_bin_axis_join(struct pk_bin_axis *axis, uint32_t factor, uint32_t *offset)
{
	const __int128 first = floor_divide(axis->first, factor);
	const __int128 count = joined_count(axis, factor);

	*offset = (uint32_t)(axis->first - first * factor);
	axis->first = first;
	axis->count = (uint32_t)count;
	axis->width *= factor;
}

__int128 pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index)
{
	return pk_scale_number(&axis->scale, (axis->first + index) * axis->width);
}

double pk_bin_axis_place(const struct pk_bin_axis *axis, __int128 number)
{
	const __int128 position = pk_scale_position(&axis->scale, number);
	const __int128 low = pk_scale_number(&axis->scale, position);
	const __int128 high = pk_scale_number(&axis->scale, position + 1);
	const double within = (double)(number - low) / (double)(high - low);

	return ((double)(position - axis->first * axis->width) + within) / (double)axis->width;
}
