// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "buffer.h"
#include "terminal.h"
#include "vector.h"

/* The share of "   33.33 :   400113: ..."; 0: none. */
static double share_of(const char *text, size_t size)
{
	char number[16] = {0}, *end;
	const size_t length = size < sizeof(number) - 1 ? size : sizeof(number) - 1;
	double share;

	memcpy(number, text, length);
	share = strtod(number, &end);
	return end > number && (*end == ' ' || !*end) ? share : 0;
}

static void scroll(struct annotation *a)
{
	if (a->selected >= a->count)
		a->selected = a->count ? a->count - 1 : 0;
	if (a->selected < a->top)
		a->top = a->selected;
	if (a->height && a->selected >= a->top + a->height)
		a->top = a->selected - a->height + 1;
}

void annotation_select(struct annotation *a, size_t line)
{
	a->selected = line;
	scroll(a);
}

void annotation_move(struct annotation *a, long lines)
{
	const size_t back = lines < 0 ? (size_t)-lines : 0;

	annotation_select(a, back > a->selected ? 0 : a->selected + (size_t)lines);
}

/* Selects a line, in the middle of the visible ones. */
static void show(struct annotation *a, size_t line)
{
	a->selected = line;
	a->top = line > a->height / 2 ? line - a->height / 2 : 0;
	scroll(a);
}

void annotation_hottest(struct annotation *a)
{
	size_t best = 0;

	for (size_t i = 1; i < a->count; i++)
		if (a->lines[i].share > a->lines[best].share)
			best = i;
	if (a->count)
		show(a, best);
}

/* Whether line a comes before line b: it is hotter, or as hot and above it. */
static bool precedes(const struct annotation *annotation, size_t a, size_t b)
{
	const double left = annotation->lines[a].share, right = annotation->lines[b].share;

	return left > right || (!(left < right) && a < b);
}

void annotation_next(struct annotation *a, int step)
{
	const size_t from = a->selected;
	size_t next = a->count, last = a->count;

	for (size_t i = 0; i < a->count; i++) {
		const bool after = precedes(a, from, i) == (step > 0);

		if (a->lines[i].share < PK_SHARE_WARM || i == from)
			continue;
		/* `last` is the first line in this direction, if there is no next one. */
		if (last == a->count || precedes(a, i, last) == (step > 0))
			last = i;
		if (after && (next == a->count || precedes(a, i, next) == (step > 0)))
			next = i;
	}
	next = next < a->count ? next : last;
	if (next < a->count)
		show(a, next);
}

/* Replaces tabs by blanks. False: out of memory. */
static bool expand(struct annotation *a, const char *text, size_t size)
{
	struct buffer out = {0};
	size_t column = 0;

	for (size_t i = 0; i < size; i++, column++) {
		if (text[i] != '\t') {
			buffer_char(&out, text[i]);
			column = text[i] == '\n' ? SIZE_MAX : column;
			continue;
		}
		for (; column % 8 != 7; column++)
			buffer_char(&out, ' ');
		buffer_char(&out, ' ');
	}
	free(a->text);
	a->text = out.data;
	a->size = out.size;
	return !out.failed;
}

bool annotation_set(struct annotation *a, const char *text, size_t size)
{
	bool done = expand(a, text, size);
	size_t end;

	a->count = a->selected = a->top = 0;
	for (size_t at = 0; done && at < a->size; at = end + 1) {
		const char *line = a->text + at;
		const char *newline = memchr(line, '\n', a->size - at);

		end = newline ? (size_t)(newline - a->text) : a->size;
		done = pk_reserve(&a->lines, &a->capacity, a->count, 1, sizeof(*a->lines));
		if (done)
			a->lines[a->count++] =
				(struct annotation_line){line, end - at, share_of(line, end - at)};
	}
	annotation_hottest(a);
	return done;
}

void annotation_free(struct annotation *a)
{
	free(a->lines);
	free(a->text);
	*a = (struct annotation){.height = a->height};
}
