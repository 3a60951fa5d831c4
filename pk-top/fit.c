// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <wchar.h>

#include "fit.h"
#include "safe_text.h"

/* Characters without columns after one with columns. Names with more are cut. */
#define MARKS_MAX 4

/* Characters that are not visible: they join others, or change the direction of the text. */
static bool is_hidden(wchar_t wide)
{
	return wide == 0x61c || wide == 0xfeff || (wide >= 0x200b && wide <= 0x200f) ||
	       (wide >= 0x2060 && wide <= 0x206f);
}

/* The size in bytes of the first character, and its number of columns; -1: it must be replaced. */
static size_t next_character(const char *text, size_t size, int *columns)
{
	const size_t length = pk_utf8_size(text, size);
	mbstate_t state = {0};
	wchar_t wide;

	*columns = -1;
	if (!length || pk_is_harmful(text, length))
		return length ? length : 1;
	if (length == 1)
		*columns = 1;
	else if (mbrtowc(&wide, text, length, &state) == length && !is_hidden(wide))
		*columns = wcwidth(wide);
	return length;
}

/* Appends at most `columns` columns of the text; out NULL: only counts. */
static size_t add(struct buffer *out, const char *text, size_t size, size_t columns)
{
	size_t used = 0, length;
	unsigned int marks = 0;
	int width;

	for (; size; text += length, size -= length) {
		length = next_character(text, size, &width);
		marks = width ? 0 : marks + 1;
		if (marks > MARKS_MAX)
			continue;
		if (used + (size_t)(width < 0 ? 1 : width) > columns)
			break;
		used += (size_t)(width < 0 ? 1 : width);
		if (out && width < 0)
			buffer_char(out, '?');
		else if (out)
			buffer_add(out, text, length);
	}
	return used;
}

size_t fit_columns(const char *text, size_t size)
{
	return add(NULL, text, size, SIZE_MAX / 2);
}

static void pad(struct buffer *out, char with, size_t count)
{
	while (count--)
		buffer_char(out, with);
}

void fit_text(struct buffer *out, const char *text, size_t size, size_t columns, enum fit_side side)
{
	size_t used;

	if (side == FIT_LEFT) {
		used = add(out, text, size, columns);
		pad(out, ' ', columns - used);
		return;
	}
	used = fit_columns(text, size);
	if (side == FIT_NUMBER && used > columns) {
		pad(out, '#', columns);
		return;
	}
	pad(out, ' ', used < columns ? columns - used : 0);
	add(out, text, size, columns);
}
