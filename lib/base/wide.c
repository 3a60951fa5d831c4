// SPDX-License-Identifier: BSD-2-Clause
#include "wide.h"

double pk_wide_real_large(struct pk_wide number)
{
	const struct pk_wide magnitude = pk_wide_magnitude(number);
	unsigned int shift;
	uint64_t top;
	double real;

	if (!magnitude.high)
		return number.high < 0 ? -(double)magnitude.low : (double)magnitude.low;
	/* `top` has the highest 64 bits of the magnitude. If any lower bit is 1, the lowest bit of
	 * `top` is set. This is enough to round correctly. */
	shift = 64 - (unsigned int)__builtin_clzll((uint64_t)magnitude.high);
	top = shift == 64 ? (uint64_t)magnitude.high
			  : (uint64_t)magnitude.high << (64 - shift) | magnitude.low >> shift;
	top |= !!(magnitude.low << (64 - shift));
	real = (double)top * 2 * (double)(UINT64_C(1) << (shift - 1));
	return number.high < 0 ? -real : real;
}

struct pk_wide pk_wide_of_real(double real)
{
	const double magnitude = real < 0 ? -real : real;
	struct pk_wide number = {0};

	if (magnitude >= 0x1p127) {
		number = (struct pk_wide){UINT64_MAX, INT64_MAX};
	} else if (magnitude >= 1) {
		number.high = (int64_t)(magnitude / 0x1p64);
		number.low = (uint64_t)(magnitude - (double)number.high * 0x1p64);
	}
	return real < 0 ? pk_wide_negate(number) : number;
}

const char *pk_wide_text(struct pk_wide number, char text[PK_WIDE_TEXT])
{
	struct pk_wide magnitude = pk_wide_magnitude(number), digit;
	char *p = text + PK_WIDE_TEXT - 1;

	*p = '\0';
	do {
		magnitude = pk_wide_divide(magnitude, pk_wide_of(10), &digit);
		*--p = (char)('0' + (unsigned int)digit.low);
	} while (!pk_wide_is_zero(magnitude));
	if (number.high < 0)
		*--p = '-';
	return p;
}
