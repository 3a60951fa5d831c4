/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DIGITS_H
#define DIGITS_H

/* Numbers as text, faster than printf. The functions that write put the text at p, without a NUL,
 * and return the address after it. width is the least number of characters: digits_decimal(),
 * digits_signed() and digits_hex() fill up with blanks before the number. */

#include <stddef.h>
#include <stdint.h>

#define DIGITS_MAX 32 /* if width is not larger than this, no more bytes than this are written */

char *digits_decimal(char *p, uint64_t value, unsigned int width);
/* Fills up with zeros before the number. */
char *digits_zeros(char *p, uint64_t value, unsigned int width);
char *digits_signed(char *p, int64_t value, unsigned int width);
/* Fills up with blanks after the number. */
char *digits_left(char *p, int64_t value, unsigned int width);
char *digits_hex(char *p, uint64_t value, unsigned int width);

/* Reads up to 16 hexadecimal digits (64 bits), without 0x, and moves *p after them. Returns the
 * number of digits. If it is 0, *value is 0 and *p is unchanged. */
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
