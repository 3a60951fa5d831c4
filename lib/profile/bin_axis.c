// SPDX-License-Identifier: BSD-2-Clause
#include "bin_axis.h"

#define DIGITS	   9  /* positions of each power of ten */
#define LIMIT_BITS 80 /* positions beyond all numbers have this power of two */

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

static struct pk_wide log2_number(uint64_t position, unsigned int sub_bits)
{
	const uint64_t shift = position >> (sub_bits + 1) ? (position >> sub_bits) - 1 : 0;

	if (shift > LIMIT_BITS)
		return pk_wide_shift_left(pk_wide_of(1), LIMIT_BITS);
	return pk_wide_shift_left(pk_wide_of_u64(position - (shift << sub_bits)),
				  (unsigned int)shift);
}

static uint32_t log10_position(uint64_t number)
{
	uint32_t position = 0;

	for (; number >= 10; number /= 10)
		position += DIGITS;
	return position + (uint32_t)number;
}

static struct pk_wide log10_number(uint64_t position)
{
	const struct pk_wide limit = pk_wide_shift_left(pk_wide_of(1), LIMIT_BITS);
	struct pk_wide power = pk_wide_of(1);

	if (!position)
		return pk_wide_of(0);
	for (position--; position >= DIGITS && pk_wide_less(power, limit); position -= DIGITS)
		power = pk_wide_multiply(power, pk_wide_of(10));
	return pk_wide_multiply(power, pk_wide_of_u64(position + 1));
}

static uint32_t magnitude_position(const struct pk_scale *scale, uint64_t number)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_position(number, scale->sub_bits)
					    : log10_position(number);
}

static struct pk_wide magnitude_number(const struct pk_scale *scale, uint64_t position)
{
	return scale->kind == PK_SCALE_LOG2 ? log2_number(position, scale->sub_bits)
					    : log10_number(position);
}

/* The positions of powers of ten start at multiples of DIGITS, so that bins do not cross them. */
static int origin(const struct pk_scale *scale)
{
	return scale->kind == PK_SCALE_LOG10 ? -1 : 0;
}

struct pk_wide pk_scale_position(const struct pk_scale *scale, struct pk_wide number)
{
	if (scale->unit > 1)
		number = pk_wide_floor_divide(number, pk_wide_of_u64(scale->unit));
	if (scale->kind == PK_SCALE_LINEAR)
		return number;
	if (number.high < 0)
		return pk_wide_of(origin(scale) -
				  (int64_t)magnitude_position(scale, pk_wide_negate(number).low));
	return pk_wide_of(origin(scale) + (int64_t)magnitude_position(scale, number.low));
}

struct pk_wide pk_scale_number(const struct pk_scale *scale, struct pk_wide position)
{
	const struct pk_wide unit = pk_wide_of_u64(scale->unit), one = pk_wide_of(1);
	struct pk_wide number = position;

	if (scale->kind != PK_SCALE_LINEAR) {
		position = pk_wide_subtract(position, pk_wide_of(origin(scale)));
		if (position.high < 0) /* the numbers of a negative position end at its first */
			number = pk_wide_subtract(
				one, magnitude_number(scale, pk_wide_subtract(one, position).low));
		else
			number = magnitude_number(scale, position.low);
	}
	return pk_wide_multiply(number, unit);
}

/* ---- Bins ---- */

/* The bin with this index, counted from position 0. */
static struct pk_wide bin_at(const struct pk_bin_axis *axis, int64_t index)
{
	return pk_wide_add(axis->first, pk_wide_of(index));
}

bool pk_bin_axis_fits(const struct pk_bin_axis *axis, struct pk_wide position)
{
	struct pk_wide bin;

	if (!axis->count)
		return true;
	bin = pk_wide_floor_divide(position, axis->width);
	return !pk_wide_less(bin, bin_at(axis, (int64_t)axis->count - axis->max)) &&
	       pk_wide_less(bin, bin_at(axis, axis->max));
}

uint32_t pk_bin_axis_extend(struct pk_bin_axis *axis, struct pk_wide position)
{
	uint32_t before = 0;
	struct pk_wide bin;

	if (pk_wide_is_zero(axis->width))
		axis->width = pk_wide_of(1);
	bin = pk_wide_floor_divide(position, axis->width);
	if (!axis->count) {
		axis->first = bin;
		axis->count = 1;
	} else if (pk_wide_less(bin, axis->first)) {
		before = (uint32_t)pk_wide_subtract(axis->first, bin).low;
		axis->first = bin;
		axis->count += before;
	} else if (!pk_wide_less(bin, bin_at(axis, axis->count))) {
		axis->count = (uint32_t)pk_wide_subtract(bin, axis->first).low + 1;
	}
	return before;
}

/* The first digit of a width of 1, 2, 5, 10, 20, 50 ... */
static unsigned int first_digit(struct pk_wide width)
{
	const struct pk_wide ten = pk_wide_of(10);

	while (!pk_wide_less(width, ten))
		width = pk_wide_floor_divide(width, ten);
	return (unsigned int)width.low;
}

/* Whether bins of a LOG10 scale, after joining, are inside of a power of ten. */
static bool is_in_power(const struct pk_bin_axis *axis, uint32_t factor)
{
	return pk_wide_less(pk_wide_multiply(axis->width, pk_wide_of(factor)), pk_wide_of(DIGITS));
}

uint32_t pk_bin_axis_next_factor(const struct pk_bin_axis *axis)
{
	switch (axis->scale.kind) {
	case PK_SCALE_LINEAR: return first_digit(axis->width) == 5 ? 2 : 5;
	case PK_SCALE_LOG10: return is_in_power(axis, 1) ? 3 : 2;
	default: return 2;
	}
}

/* The number of bins after joining. */
static uint32_t joined_count(const struct pk_bin_axis *axis, uint32_t factor)
{
	const struct pk_wide last = bin_at(axis, (int64_t)axis->count - 1), by = pk_wide_of(factor);

	return (uint32_t)pk_wide_subtract(pk_wide_floor_divide(last, by),
					  pk_wide_floor_divide(axis->first, by))
		       .low +
	       1;
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
		return factor *
		       (axis->scale.kind == PK_SCALE_LOG10 && is_in_power(axis, factor) ? 3 : 2);
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
	const struct pk_wide by = pk_wide_of(factor);
	const struct pk_wide first = pk_wide_floor_divide(axis->first, by);

	*offset = (uint32_t)pk_wide_subtract(axis->first, pk_wide_multiply(first, by)).low;
	axis->count = joined_count(axis, factor);
	axis->first = first;
	axis->width = pk_wide_multiply(axis->width, by);
}

struct pk_wide pk_bin_axis_number(const struct pk_bin_axis *axis, uint32_t index)
{
	return pk_scale_number(&axis->scale, pk_wide_multiply(bin_at(axis, index), axis->width));
}

double pk_bin_axis_place(const struct pk_bin_axis *axis, struct pk_wide number)
{
	const struct pk_wide position = pk_scale_position(&axis->scale, number);
	const struct pk_wide low = pk_scale_number(&axis->scale, position);
	const struct pk_wide high =
		pk_scale_number(&axis->scale, pk_wide_add(position, pk_wide_of(1)));
	const struct pk_wide start = pk_wide_multiply(axis->first, axis->width);
	const double within = pk_wide_real(pk_wide_subtract(number, low)) /
			      pk_wide_real(pk_wide_subtract(high, low));

	return (pk_wide_real(pk_wide_subtract(position, start)) + within) /
	       pk_wide_real(axis->width);
}
