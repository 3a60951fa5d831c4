/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DIGITS_H
#define DIGITS_H

/*
 * Numbers as text, faster than printf. Each writes at p, without a NUL, and returns where it ends.
 * width: blanks come before what is shorter, as with printf's %*.
 */

#include <stddef.h>
#include <stdint.h>

#define DIGITS_MAX 32 /* the most that one of these writes with a width up to that */

char *digits_decimal(char *p, uint64_t value, unsigned int width);
/* Zeros before what is shorter. */
char *digits_zeros(char *p, uint64_t value, unsigned int width);
char *digits_signed(char *p, int64_t value, unsigned int width);
/* Blanks behind what is shorter. */
char *digits_left(char *p, int64_t value, unsigned int width);
char *digits_hex(char *p, uint64_t value, unsigned int width);

/*
 * Reads hexadecimal digits; *p goes behind the last one. At most 16: more cannot be an address.
 * 0 digits: the result is 0 and *p stays.
 */
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
