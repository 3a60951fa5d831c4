// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "arrows.h"

/* Limits for the number of lines side by side, and for the rows that one line spans. Jumps beyond
 * these limits have no line, because it could not be followed by eye. */
enum { LANES = 6, SPAN_MAX = 1000 };

/* The part of a line that is drawn in one lane of one row. HEAD: the end at the jump's target. */
enum piece { NOTHING, LINE, TOP, BOTTOM, TOP_HEAD, BOTTOM_HEAD };

struct arrow {
	uint32_t from, to;
};

struct arrows {
	uint32_t rows;
	unsigned int lanes;	  /* number of used lanes */
	uint8_t (*pieces)[LANES]; /* by row; lane 0 is next to the instruction */
};

static uint32_t first_of(const struct arrow *a)
{
	return a->from < a->to ? a->from : a->to;
}

static uint32_t span_of(const struct arrow *a)
{
	return a->from < a->to ? a->to - a->from : a->from - a->to;
}

/* Short lines are drawn first, so they are in the lanes next to the instructions. */
static int shortest_first(const void *left, const void *right)
{
	const struct arrow *a = left, *b = right;

	if (span_of(a) != span_of(b))
		return span_of(a) < span_of(b) ? -1 : 1;
	return first_of(a) < first_of(b) ? -1 : first_of(a) > first_of(b);
}

static bool is_free(const struct arrows *arrows, const struct arrow *a, unsigned int lane)
{
	const uint32_t first = first_of(a);

	for (uint32_t r = first; r <= first + span_of(a); r++)
		if (arrows->pieces[r][lane])
			return false;
	return true;
}

static void draw(struct arrows *arrows, const struct arrow *a, unsigned int lane)
{
	const uint32_t first = first_of(a), last = first + span_of(a);

	for (uint32_t r = first; r <= last; r++)
		arrows->pieces[r][lane] = LINE;
	arrows->pieces[first][lane] = first == a->to ? TOP_HEAD : TOP;
	arrows->pieces[last][lane] = last == a->to ? BOTTOM_HEAD : BOTTOM;
	if (lane >= arrows->lanes)
		arrows->lanes = lane + 1;
}

static size_t gather(const struct function *f, struct arrow *list)
{
	size_t count = 0;

	for (uint32_t r = 0; r < f->code.rows_count; r++) {
		const struct arrow a = {r, f->code.rows[r].jump};

		if (a.to != PK_NO_ROW && a.to != r && span_of(&a) <= SPAN_MAX)
			list[count++] = a;
	}
	return count;
}

struct arrows *arrows_new(const struct function *f)
{
	struct arrows *arrows = calloc(1, sizeof(*arrows));
	struct arrow *list = malloc((f->code.rows_count + (size_t)1) * sizeof(*list));
	size_t count;

	if (arrows) {
		arrows->rows = f->code.rows_count;
		arrows->pieces = calloc(f->code.rows_count + (size_t)1, sizeof(*arrows->pieces));
	}
	if (!list || !arrows || !arrows->pieces) {
		free(list);
		arrows_free(arrows);
		return NULL;
	}
	count = gather(f, list);
	if (count)
		qsort(list, count, sizeof(*list), shortest_first);
	for (size_t i = 0; i < count; i++)
		for (unsigned int lane = 0; lane < LANES; lane++)
			if (is_free(arrows, &list[i], lane)) {
				draw(arrows, &list[i], lane);
				break;
			}
	free(list);
	return arrows;
}

void arrows_free(struct arrows *arrows)
{
	if (!arrows)
		return;
	free(arrows->pieces);
	free(arrows);
}

enum glyph { UPPER, LOWER, UP, ACROSS, CROSSING, HEAD };

static const char *const glyphs[2][6] = {
	{"┌", "└", "│", "─", "┼", "▶"},
	{",", "`", "|", "-", "+", ">"},
};

void arrows_put(const struct arrows *arrows, uint32_t row, bool ascii, struct buffer *out)
{
	const char *const *const glyph = glyphs[ascii];
	bool across = false, head = false;

	for (unsigned int lane = arrows->lanes; lane--;) {
		const unsigned int piece = arrows->pieces[row][lane];

		if (piece > LINE) {
			buffer_text(out, glyph[piece == TOP || piece == TOP_HEAD ? UPPER : LOWER]);
			across = true;
			head |= piece == TOP_HEAD || piece == BOTTOM_HEAD;
		} else if (piece == LINE) {
			buffer_text(out, glyph[across ? CROSSING : UP]);
		} else {
			buffer_text(out, across ? glyph[ACROSS] : " ");
		}
	}
	if (!arrows->lanes)
		return;
	buffer_text(out, head ? glyph[HEAD] : across ? glyph[ACROSS] : " ");
	buffer_char(out, ' ');
}
