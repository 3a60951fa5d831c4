// SPDX-License-Identifier: BSD-2-Clause
/* Prints a function as text, in the format of perf annotate --stdio. Each line is SHARE : ADDRESS:
 * INSTRUCTION. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate_report.h"
#include "blocks.h"
#include "buffer.h"
#include "source_view.h"
#include "terminal.h"

/* ---- Arrows ---- */

/* Jumps within a function are drawn as lines to the left of the instructions. */

struct arrows;

/* LANES is the largest number of vertical lines side by side. SPAN_MAX is the largest number of
 * rows from one end of a line to the other. Jumps beyond these limits have no line, because a
 * reader could not follow it. */
enum { LANES = 6, SPAN_MAX = 1000 };

/* What is drawn in one lane of one row. A lane is a column of characters. TOP and BOTTOM are the
 * ends of a line. HEAD means that the jump's target is at this end. */
enum piece { NOTHING, LINE, TOP, BOTTOM, TOP_HEAD, BOTTOM_HEAD };

struct arrow {
	uint32_t from, to;
};

struct arrows {
	uint32_t rows;
	unsigned int lanes;	  /* number of lanes in which arrows are drawn */
	uint8_t (*pieces)[LANES]; /* the part of an arrow in each row and lane; lane 0 is next to
				   * the instruction */
};

static uint32_t first_of(const struct arrow *a)
{
	return a->from < a->to ? a->from : a->to;
}

static uint32_t span_of(const struct arrow *a)
{
	return a->from < a->to ? a->to - a->from : a->from - a->to;
}

/* Sorts short lines before long lines. Short lines are drawn first, so they are in the lanes next
 * to the instructions. */
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

static void arrows_free(struct arrows *arrows)
{
	if (!arrows)
		return;
	free(arrows->pieces);
	free(arrows);
}

/* Returns NULL if memory is exhausted. */
static struct arrows *arrows_new(const struct function *f)
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

enum glyph { UPPER, LOWER, UP, ACROSS, CROSSING, HEAD };

static const char *const glyphs[2][6] = {
	{"┌", "└", "│", "─", "┼", "▶"},
	{",", "`", "|", "-", "+", ">"},
};

/* Appends the characters of all lanes of one row. All rows of a function have the same width. With
 * ascii, no UTF-8 box characters are used. */
static void arrows_put(const struct arrows *arrows, uint32_t row, bool ascii, struct buffer *out)
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

/* ---- Loops ---- */

/* The loops of a function. A loop is the code from the target of a backward jump to the last row
 * that jumps to this target. */

struct loops {
	uint32_t *last; /* for each row, the last row of the loop that starts in this row, or
			 * PK_NO_ROW if no loop starts there */
	struct hit_count *before; /* for each row, the sum of the counts of the first column in all
				   * previous rows */
};

/* The caller must call loops_clear() also after an error. */
static enum pk_status loops_find(struct loops *loops, const struct function *f)
{
	const size_t count = f->code.rows_count;

	loops->last = malloc((count + 1) * sizeof(*loops->last));
	loops->before = calloc(count + 1, sizeof(*loops->before));
	if (!loops->last || !loops->before)
		return PK_NOMEM;
	for (uint32_t r = 0; r < count; r++) {
		const struct hit_count *here = &f->counts[(size_t)r * f->columns];
		const uint32_t to = f->code.rows[r].jump;

		loops->last[r] = PK_NO_ROW;
		if (to <= r)
			loops->last[to] = r;
		loops->before[r + 1].samples = loops->before[r].samples + here->samples;
		loops->before[r + 1].weight = loops->before[r].weight + here->weight;
	}
	return PK_OK;
}

static void loops_clear(struct loops *loops)
{
	free(loops->last);
	free(loops->before);
	*loops = (struct loops){0};
}

/* Returns the count of the loop that starts in a row. last[row] must not be PK_NO_ROW. */
static struct hit_count loops_count(const struct loops *loops, uint32_t row)
{
	const struct hit_count *first = &loops->before[row];
	const struct hit_count *end = &loops->before[loops->last[row] + 1];

	return (struct hit_count){end->samples - first->samples, end->weight - first->weight};
}

/* ---- Listings ---- */

/* A loop gets its own line if it has at least this percentage of the first event's samples. */
#define LOOP_HOT 10.0

struct listing {
	struct report *report;
	const struct function *f;
	struct buffer *out;
	struct arrows *arrows; /* NULL if no arrows are drawn */
	struct pk_function_types types;
	struct source_view *source; /* NULL if no source lines are shown */
	struct loops loops;
	bool *near; /* for each row, true if the row is shown; NULL if all rows are shown */
	char margin[SHARE_WIDTH * COLUMNS_MAX + 8]; /* start of lines that are not instructions */
};

/* ---- Head ---- */

static void put_totals(struct listing *l, unsigned int column)
{
	const struct function *f = l->f;
	const char *name = code_hits_event_name(l->report->hits, f->events[column]);
	const struct hit_count all = code_hits_total(l->report->hits, f->events[column]);
	const struct hit_count *count = &f->totals[column];
	const uint64_t part = weight_of(l->report->options, count);
	const uint64_t whole = weight_of(l->report->options, &all);
	char number[32];

	buffer_format(l->out, "%*s | ", SHARE_WIDTH * (int)f->columns, "");
	buffer_harmless(l->out, name, strlen(name));
	buffer_format(l->out, ": %s samples", pk_number(number, count->samples));
	if (!l->report->options->by_samples)
		buffer_format(l->out, ", %s events", pk_number(number, count->weight));
	buffer_format(l->out, ", %.2f%% of all\n",
		      whole ? 100 * (double)part / (double)whole : 0.0);
}

static void put_blocks(struct listing *l)
{
	const struct function_blocks *blocks = &l->f->blocks;
	char count[32], executed[32], all[32];

	buffer_format(l->out, "%*s | blocks: %s, in %s of %s instructions",
		      SHARE_WIDTH * (int)l->f->columns, "", pk_number(count, blocks->count),
		      pk_number(executed, blocks->executed_rows),
		      pk_number(all, l->f->code.rows_count));
	if (blocks->cycles)
		buffer_format(l->out, ", %.2f instructions per cycle",
			      (double)blocks->instructions / (double)blocks->cycles);
	buffer_char(l->out, '\n');
}

/* `file` is the object, or the source file if source lines are shown instead of instructions. */
static void put_head(struct listing *l, const char *file)
{
	const struct function *f = l->f;

	buffer_format(l->out, "%-*s | ", SHARE_WIDTH * (int)f->columns, " Percent");
	buffer_harmless(l->out, f->is.name, strlen(f->is.name));
	buffer_text(l->out, "  ");
	buffer_harmless(l->out, file, strlen(file));
	if (f->code.size)
		buffer_format(l->out, "  %" PRIx64 "-%" PRIx64, f->code.shown,
			      f->code.shown + f->code.size);
	buffer_char(l->out, '\n');
	for (unsigned int c = 0; c < f->columns; c++)
		put_totals(l, c);
	if (f->blocks.rows && !f->code.reason)
		put_blocks(l);
	for (int i = 0; i < 80; i++)
		buffer_char(l->out, '-');
	buffer_char(l->out, '\n');
}

/* ---- Lines ---- */

static void put_shares(const struct listing *l, uint32_t r)
{
	const struct function *f = l->f;

	for (unsigned int c = 0; c < f->columns; c++) {
		const double share =
			report_share(l->report, f, c, &f->counts[(size_t)r * f->columns + c]);
		const char *colour = l->report->options->colour ? pk_share_colour(share) : "";

		buffer_text(l->out, colour);
		buffer_format(l->out, "%*.2f", SHARE_WIDTH, share);
		buffer_text(l->out, *colour ? PK_COLOUR_END : "");
	}
	buffer_text(l->out, " : ");
}

static void put_row(struct listing *l, uint32_t r)
{
	const struct pk_row *row = &l->f->code.rows[r];

	put_shares(l, r);
	buffer_format(l->out, "  %" PRIx64 ":   ", row->shown);
	if (l->arrows)
		arrows_put(l->arrows, r, l->report->options->ascii, l->out);
	pk_function_code_line(&l->f->code, r, l->out);
	if (l->types.flow)
		type_note_text(&l->types, r, l->out);
	if (l->f->blocks.rows)
		blocks_put_marks(&l->f->blocks, r, l->out);
	buffer_char(l->out, '\n');
}

/* If a hot loop starts in the row, writes a line for the loop. */
static void put_loop(struct listing *l, uint32_t r)
{
	struct hit_count count;
	double share;

	if (l->loops.last[r] == PK_NO_ROW)
		return;
	count = loops_count(&l->loops, r);
	share = report_share(l->report, l->f, 0, &count);
	if (share >= LOOP_HOT)
		buffer_format(l->out, "%sloop up to %" PRIx64 ": %.2f%%\n", l->margin,
			      l->f->code.rows[l->loops.last[r]].shown, share);
}

static bool is_hot(const struct listing *l, uint32_t r)
{
	const struct function *f = l->f;

	for (unsigned int c = 0; c < f->columns; c++)
		if (report_share(l->report, f, c, &f->counts[(size_t)r * f->columns + c]) >=
		    PK_SHARE_WARM)
			return true;
	return false;
}

/* For --context=N: marks the rows (`count` is their number) that are at most N rows away from a hot
 * row. A row is hot if its share is at least PK_SHARE_WARM. Returns NULL if memory is exhausted. */
static bool *find_near(const struct listing *l, uint32_t count)
{
	const uint32_t context = l->report->options->context;
	bool *near = calloc(count + (size_t)1, sizeof(*near));
	uint32_t left = 0;

	for (uint32_t r = 0; near && r < count; r++) {
		left = is_hot(l, r) ? context + 1 : left;
		near[r] = left;
		left -= left > 0;
	}
	left = 0;
	for (uint32_t r = count; near && r--;) {
		left = is_hot(l, r) ? context + 1 : left;
		near[r] |= left > 0;
		left -= left > 0;
	}
	return near;
}

static void put_rows(struct listing *l)
{
	bool passed = false;

	for (uint32_t r = 0; r < l->f->code.rows_count; r++) {
		if (l->near && !l->near[r]) {
			passed = true;
			continue;
		}
		if (passed)
			buffer_format(l->out, "%s...\n", l->margin);
		passed = false;
		put_loop(l, r);
		if (l->source)
			source_view_put(l->source, r, l->margin, l->out);
		put_row(l, r);
	}
	if (passed)
		buffer_format(l->out, "%s...\n", l->margin);
}

static enum pk_status prepare(struct listing *l)
{
	const struct annotate_options *options = l->report->options;

	PK_TRY(loops_find(&l->loops, l->f));
	if (options->arrows)
		l->arrows = arrows_new(l->f);
	if (options->source)
		l->source = source_view_new(l->f, l->report->files,
					    pk_code_objects_failures(l->report->objects));
	if (options->only_hot)
		l->near = find_near(l, l->f->code.rows_count);
	if ((options->arrows && !l->arrows) || (options->source && !l->source) ||
	    (options->only_hot && !l->near))
		return PK_NOMEM;
	return !options->types || l->f->code.reason
		       ? PK_OK
		       : pk_function_types_read(&l->types, &l->report->typing, &l->f->code);
}

enum pk_status listing_text(struct report *report, const struct function *f)
{
	struct listing l = {.report = report, .f = f, .out = &report->out};
	enum pk_status status;

	snprintf(l.margin, sizeof(l.margin), "%*s : ", SHARE_WIDTH * (int)f->columns, "");
	put_head(&l, f->object.path);
	if (f->code.reason)
		buffer_format(l.out, "%sno code: %s\n", l.margin, f->code.reason);
	status = prepare(&l);
	if (status == PK_OK)
		put_rows(&l);
	buffer_char(l.out, '\n');
	pk_function_types_free(&l.types);
	free(l.near);
	source_view_free(l.source);
	arrows_free(l.arrows);
	loops_clear(&l.loops);
	return status;
}

/* ---- Source lines ---- */

static void put_line(const struct listing *l, const struct function_lines *lines, uint32_t n)
{
	size_t size;
	const char *text =
		pk_source_texts_line(l->report->files, lines->file, lines->first + n, &size);

	put_shares(l, n);
	buffer_format(l->out, "%6" PRIu32, lines->first + n);
	if (text && size) {
		buffer_text(l->out, "  ");
		buffer_harmless(l->out, text, size);
	}
	buffer_char(l->out, '\n');
}

enum pk_status listing_lines_text(struct report *report, const struct function_lines *lines)
{
	struct listing l = {.report = report, .f = &lines->f, .out = &report->out};
	bool passed = false;

	snprintf(l.margin, sizeof(l.margin), "%*s : ", SHARE_WIDTH * (int)lines->f.columns, "");
	put_head(&l, lines->file);
	if (report->options->only_hot) {
		l.near = find_near(&l, lines->count);
		if (!l.near)
			return PK_NOMEM;
	}
	for (uint32_t n = 0; n < lines->count; n++) {
		if (!l.near || l.near[n])
			put_line(&l, lines, n);
		else if (!passed)
			buffer_format(l.out, "%s...\n", l.margin);
		passed = l.near && !l.near[n];
	}
	buffer_char(l.out, '\n');
	free(l.near);
	return PK_OK;
}
