// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <string.h>

#include "digits.h"

#define TEXT_MAX 20 /* the number of decimal digits of UINT64_MAX */

/* The numbers from 00 to 99 as text, with two digits for each number. */
static const char pairs[] = "00010203040506070809"
			    "10111213141516171819"
			    "20212223242526272829"
			    "30313233343536373839"
			    "40414243444546474849"
			    "50515253545556575859"
			    "60616263646566676869"
			    "70717273747576777879"
			    "80818283848586878889"
			    "90919293949596979899";

/* Writes the decimal digits of `value` into the bytes that end at `end`. Returns the address of the
 * first digit. */
static char *digits_before(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * value, 2);
	} else {
		*--end = (char)('0' + value);
	}
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

/* Like digits_before(), and also writes a minus sign before the digits if the value is negative. */
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

/* Returns the eight hexadecimal digits of `value` as characters, packed into a 64-bit number. When
 * the number is stored in memory, its bytes are the text of the digits. The code converts all eight
 * digits in parallel. First each group of 4 bits moves into a byte of its own. Then each byte
 * becomes a character. */
static uint64_t hex_of_32(uint32_t value)
{
	uint64_t x = value;

	x = (x << 16 | x) & UINT64_C(0x0000ffff0000ffff);
	x = (x << 8 | x) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x << 4 | x) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	x += UINT64_C(0x3030303030303030) +
	     ((x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101)) *
		     ('a' - '0' - 10);
	return htobe64(x);
}

char *digits_hex(char *p, uint64_t value, unsigned int width)
{
	unsigned int size = value ? (67 - (unsigned int)__builtin_clzll(value)) / 4 : 1;
	uint64_t digits[2];

	digits[1] = hex_of_32((uint32_t)value);
	if (size > 8)
		digits[0] = hex_of_32((uint32_t)(value >> 32));
	p = pad(p, ' ', size, width);
	return copy(p, (const char *)digits + sizeof(digits) - size, size);
}
