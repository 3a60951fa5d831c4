/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef DIGITS_H
#define DIGITS_H

/* Numbers as text, faster than printf. Each function writes at p, without a NUL, and returns the
 * end. width: shorter numbers get blanks before them, as with printf's %*. */

#include <stddef.h>
#include <stdint.h>

#define DIGITS_MAX 32 /* the most bytes that one function writes for a width of at most this */

char *digits_decimal(char *p, uint64_t value, unsigned int width);
/* Shorter numbers get zeros before them. */
char *digits_zeros(char *p, uint64_t value, unsigned int width);
char *digits_signed(char *p, int64_t value, unsigned int width);
/* Shorter numbers get blanks after them. */
char *digits_left(char *p, int64_t value, unsigned int width);
char *digits_hex(char *p, uint64_t value, unsigned int width);

/* Reads hexadecimal digits; *p moves to the end of them. At most 16: more cannot be an address.
 * Returns their number; 0 digits: the value is 0 and *p is unchanged. */
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
