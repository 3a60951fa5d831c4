/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_WIDE_H
#define PK_WIDE_H

/*
 * Integers of 128 bits. They hold each number that is an int64_t or a uint64_t, and sums and
 * products of such numbers. Compilers have __int128 only for 64-bit processors. struct pk_wide
 * works on all processors. Results that do not fit wrap around.
 */

#include <stdbool.h>
#include <stdint.h>

/* The value is high * 2^64 + low. */
struct pk_wide {
	uint64_t low;
	int64_t high; /* less than 0 if the number is negative */
};

static inline struct pk_wide pk_wide_of(int64_t number)
{
	return (struct pk_wide){(uint64_t)number, number < 0 ? -1 : 0};
}

static inline struct pk_wide pk_wide_of_u64(uint64_t number)
{
	return (struct pk_wide){number, 0};
}

/* ---- Comparisons ---- */

static inline bool pk_wide_equal(struct pk_wide a, struct pk_wide b)
{
	return !((a.low ^ b.low) | (uint64_t)(a.high ^ b.high));
}

static inline bool pk_wide_is_zero(struct pk_wide a)
{
	return !(a.low | (uint64_t)a.high);
}

static inline bool pk_wide_less(struct pk_wide a, struct pk_wide b)
{
	return a.high == b.high ? a.low < b.low : a.high < b.high;
}

static inline struct pk_wide pk_wide_min(struct pk_wide a, struct pk_wide b)
{
	return pk_wide_less(b, a) ? b : a;
}

static inline struct pk_wide pk_wide_max(struct pk_wide a, struct pk_wide b)
{
	return pk_wide_less(a, b) ? b : a;
}

/* ---- Sums ---- */

static inline struct pk_wide pk_wide_add(struct pk_wide a, struct pk_wide b)
{
	const uint64_t low = a.low + b.low;

	return (struct pk_wide){low,
				(int64_t)((uint64_t)a.high + (uint64_t)b.high + (low < a.low))};
}

static inline struct pk_wide pk_wide_subtract(struct pk_wide a, struct pk_wide b)
{
	return (struct pk_wide){a.low - b.low,
				(int64_t)((uint64_t)a.high - (uint64_t)b.high - (a.low < b.low))};
}

static inline struct pk_wide pk_wide_negate(struct pk_wide a)
{
	return pk_wide_subtract((struct pk_wide){0}, a);
}

static inline struct pk_wide pk_wide_magnitude(struct pk_wide a)
{
	return a.high < 0 ? pk_wide_negate(a) : a;
}

static inline struct pk_wide pk_wide_and(struct pk_wide a, struct pk_wide b)
{
	return (struct pk_wide){a.low & b.low, a.high & b.high};
}

/* `bits` must be from 0 to 127. */
static inline struct pk_wide pk_wide_shift_left(struct pk_wide a, unsigned int bits)
{
	if (!bits)
		return a;
	if (bits >= 64)
		return (struct pk_wide){0, (int64_t)(a.low << (bits - 64))};
	return (struct pk_wide){a.low << bits,
				(int64_t)((uint64_t)a.high << bits | a.low >> (64 - bits))};
}

/* ---- Products ---- */

/* The same as pk_wide_product(), for compilers without __int128. It is the sum of four products of
 * 32-bit numbers. */
static inline struct pk_wide pk_wide_product_parts(uint64_t a, uint64_t b)
{
	const uint64_t a_low = (uint32_t)a, a_high = a >> 32;
	const uint64_t b_low = (uint32_t)b, b_high = b >> 32;
	const uint64_t low = a_low * b_low, high = a_high * b_high;
	const uint64_t cross = a_high * b_low, other = a_low * b_high;
	const uint64_t middle = (low >> 32) + (uint32_t)cross + (uint32_t)other;

	return (struct pk_wide){middle << 32 | (uint32_t)low,
				(int64_t)(high + (cross >> 32) + (other >> 32) + (middle >> 32))};
}

/* The same as pk_wide_divide(), for compilers without __int128. It computes one bit of the quotient
 * at a time. */
static inline struct pk_wide pk_wide_divide_bits(struct pk_wide number, struct pk_wide divisor,
						 struct pk_wide *rest)
{
	struct pk_wide quotient = {0}, left = {0};

	for (unsigned int i = 0; i < 128; i++) {
		const bool carry = left.high < 0;

		left = pk_wide_shift_left(left, 1);
		left.low |= (uint64_t)number.high >> 63;
		number = pk_wide_shift_left(number, 1);
		quotient = pk_wide_shift_left(quotient, 1);
		if (carry || (uint64_t)left.high > (uint64_t)divisor.high ||
		    (left.high == divisor.high && left.low >= divisor.low)) {
			left = pk_wide_subtract(left, divisor);
			quotient.low |= 1;
		}
	}
	*rest = left;
	return quotient;
}

#ifdef __SIZEOF_INT128__
static inline unsigned __int128 pk_wide_native(struct pk_wide a)
{
	return (unsigned __int128)(uint64_t)a.high << 64 | a.low;
}

static inline struct pk_wide pk_wide_of_native(unsigned __int128 a)
{
	return (struct pk_wide){(uint64_t)a, (int64_t)(a >> 64)};
}
#endif

/* Returns the product of two unsigned numbers. The product is also unsigned. */
static inline struct pk_wide pk_wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	return pk_wide_of_native((unsigned __int128)a * b);
#else
	return pk_wide_product_parts(a, b);
#endif
}

static inline struct pk_wide pk_wide_multiply(struct pk_wide a, struct pk_wide b)
{
	struct pk_wide product = pk_wide_product(a.low, b.low);

	product.high = (int64_t)((uint64_t)product.high + (uint64_t)a.high * b.low +
				 a.low * (uint64_t)b.high);
	return product;
}

/* Returns the quotient, and stores the remainder in *rest. All numbers are unsigned. The divisor
 * must not be 0. */
static inline struct pk_wide pk_wide_divide(struct pk_wide number, struct pk_wide divisor,
					    struct pk_wide *rest)
{
	if (!(number.high | divisor.high)) {
		*rest = pk_wide_of_u64(number.low % divisor.low);
		return pk_wide_of_u64(number.low / divisor.low);
	}
#ifdef __SIZEOF_INT128__
	*rest = pk_wide_of_native(pk_wide_native(number) % pk_wide_native(divisor));
	return pk_wide_of_native(pk_wide_native(number) / pk_wide_native(divisor));
#else
	return pk_wide_divide_bits(number, divisor, rest);
#endif
}

/* Returns the quotient, rounded down. The divisor must be greater than 0. */
static inline struct pk_wide pk_wide_floor_divide(struct pk_wide number, struct pk_wide divisor)
{
	struct pk_wide rest;

	if (number.high >= 0)
		return pk_wide_divide(number, divisor, &rest);
	/* The number is negative. The result is -1 - (-1 - number) / divisor. */
	number = pk_wide_subtract(pk_wide_of(-1), number);
	return pk_wide_subtract(pk_wide_of(-1), pk_wide_divide(number, divisor, &rest));
}

/* ---- Other types ---- */

/* Converts the number to the nearest double. */
double pk_wide_real_large(struct pk_wide number);
static inline double pk_wide_real(struct pk_wide number)
{
	if (number.high == (int64_t)number.low >> 63)
		return (double)(int64_t)number.low;
	return pk_wide_real_large(number);
}

/* Rounds the number toward 0. If the absolute value of the number is greater than 2^127 - 1, the
 * result is 2^127 - 1 or -(2^127 - 1). NaN becomes 0. */
struct pk_wide pk_wide_of_real(double real);

/* Writes the number in decimal at the end of `text`, and returns the address of its first
 * character. */
#define PK_WIDE_TEXT 48
const char *pk_wide_text(struct pk_wide number, char text[PK_WIDE_TEXT]);

#endif
