/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DIGITS_H
#define DIGITS_H

/* These functions convert numbers to text, and are faster than printf().
 *
 * Each function that writes a text puts the text at p, without a NUL. It returns the address after
 * the text. `width` is the least number of characters. If the number has fewer characters,
 * digits_decimal(), digits_signed() and digits_hex() add blanks before the number. */

#include <stddef.h>
#include <stdint.h>

#define DIGITS_MAX 32 /* if `width` is at most 32, a function writes at most 32 bytes */

char *digits_decimal(char *p, uint64_t value, unsigned int width);
/* Adds zeros before the number, not blanks. */
char *digits_zeros(char *p, uint64_t value, unsigned int width);
char *digits_signed(char *p, int64_t value, unsigned int width);
/* Adds the blanks after the number, not before it. */
char *digits_left(char *p, int64_t value, unsigned int width);
char *digits_hex(char *p, uint64_t value, unsigned int width);

/* Reads up to 16 hexadecimal digits (64 bits) without a 0x prefix, and moves *p after the digits.
 * Returns how many digits it has read. If there is no digit at *p, returns 0, sets *value to 0, and
 * does not change *p. */
static inline size_t digits_parse_hex(const char **p, const char *end, uint64_t *value)
{
	const char *begin = *p;

	*value = 0;
	for (; *p < end && *p - begin < 16; ++*p) {
		unsigned c = (unsigned char)**p;

		if (c - '0' < 10)
			c -= '0';
		else if ((c | 0x20) - 'a' < 6)
			c = (c | 0x20) - 'a' + 10;
		else
			break;
		*value = *value << 4 | c;
	}
	return (size_t)(*p - begin);
}

#endif
