// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "digits.h"

#define TEXT_MAX 20 /* digits of the largest number */

/* Writes the last digits of value so that they end at end; returns the first. */
static char *digits_before(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

static char *pad(char *p, char with, unsigned int size, unsigned int width)
{
	if (size >= width)
		return p;
	memset(p, with, width - size);
	return p + (width - size);
}

static char *copy(char *p, const char *from, unsigned int size)
{
	memcpy(p, from, size);
	return p + size;
}

static char *put_filled(char *p, uint64_t value, unsigned int width, char with)
{
	char text[TEXT_MAX], *first = digits_before(text + TEXT_MAX, value);
	unsigned int size = (unsigned int)(text + TEXT_MAX - first);

	return copy(pad(p, with, size, width), first, size);
}

char *digits_decimal(char *p, uint64_t value, unsigned int width)
{
	return put_filled(p, value, width, ' ');
}

char *digits_zeros(char *p, uint64_t value, unsigned int width)
{
	return put_filled(p, value, width, '0');
}

/* Writes the sign and the digits so that they end at end. */
static char *signed_before(char *end, int64_t value)
{
	char *first = digits_before(end, value < 0 ? -(uint64_t)value : (uint64_t)value);

	if (value < 0)
		*--first = '-';
	return first;
}

char *digits_signed(char *p, int64_t value, unsigned int width)
{
	char text[TEXT_MAX + 1], *end = text + sizeof(text), *first = signed_before(end, value);
	unsigned int size = (unsigned int)(end - first);

	return copy(pad(p, ' ', size, width), first, size);
}

char *digits_left(char *p, int64_t value, unsigned int width)
{
	char text[TEXT_MAX + 1], *end = text + sizeof(text), *first = signed_before(end, value);
	unsigned int size = (unsigned int)(end - first);

	return pad(copy(p, first, size), ' ', size, width);
}

char *digits_hex(char *p, uint64_t value, unsigned int width)
{
	unsigned int size = value ? (67 - (unsigned int)__builtin_clzll(value)) / 4 : 1;

	p = pad(p, ' ', size, width);
	for (unsigned int i = size; i-- > 0; value >>= 4)
		p[i] = "0123456789abcdef"[value & 15];
	return p + size;
}
