// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <string.h>
#include <wchar.h>

#include "safe_text.h"
#include "text_width.h"

void pk_text_width_start(struct pk_text_width *width)
{
	width->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

void pk_text_width_end(struct pk_text_width *width)
{
	if (width->utf8)
		freelocale(width->utf8);
	width->utf8 = (locale_t)0;
}

/* If the text starts with an escape sequence for a colour, returns the size of the sequence in
 * bytes. Otherwise returns 0. */
static size_t colour_size(const char *text, size_t size)
{
	size_t i = 2;

	if (size < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < size && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';'))
		i++;
	return i < size && text[i] == 'm' ? i + 1 : 0;
}

/* Returns the number of columns of a character that has several bytes. */
static size_t wide_columns(const struct pk_text_width *width, const char *text, size_t size)
{
	wchar_t code = (unsigned char)text[0] & (0xff >> (size + 1));
	locale_t before;
	int columns;

	for (size_t i = 1; i < size; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	if (!width->utf8)
		return 1;
	before = uselocale(width->utf8);
	columns = wcwidth(code);
	uselocale(before);
	return columns < 0 ? 1 : (size_t)columns;
}

/* Returns the size in bytes of the first character or escape sequence, and sets *columns to the
 * number of columns that it needs. */
static size_t first(const struct pk_text_width *width, const char *text, size_t size,
		    size_t *columns)
{
	const size_t colour = colour_size(text, size);
	const size_t character = colour ? colour : pk_utf8_size(text, size);

	if (colour)
		*columns = 0;
	else if (character > 1)
		*columns = wide_columns(width, text, character);
	else
		*columns = 1;
	return character ? character : 1;
}

/* Returns the number of bytes before the first byte that is not a printable ASCII character. */
static size_t plain_size(const char *text, size_t size)
{
	size_t i = 0;

	while (i < size && text[i] >= ' ' && text[i] <= '~')
		i++;
	return i;
}

size_t pk_text_columns(const struct pk_text_width *width, const char *text, size_t size)
{
	size_t at = plain_size(text, size), sum = at, columns;

	while (at < size) {
		at += first(width, text + at, size - at, &columns);
		sum += columns;
	}
	return sum;
}

size_t pk_text_fit(const struct pk_text_width *width, const char *text, size_t size, size_t columns)
{
	size_t at = 0, sum = 0, next, needed;

	for (; at < size; at += next, sum += needed) {
		next = first(width, text + at, size - at, &needed);
		if (sum + needed > columns)
			break;
	}
	return at;
}
