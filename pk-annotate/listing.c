// SPDX-License-Identifier: BSD-2-Clause
/* A function as text, in the format of perf annotate --stdio: SHARE : ADDRESS: INSTRUCTION. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrows.h"
#include "loops.h"
#include "annotate_report.h"
#include "type_notes.h"
#include "source_view.h"
#include "terminal.h"

enum { SHARE_WIDTH = 8 };

/* Loops with at least this percentage of the first event get a line of their own. */
#define LOOP_HOT 10.0

struct listing {
	struct report *report;
	const struct function *f;
	struct buffer *out;
	struct arrows *arrows; /* NULL: not drawn */
	struct pk_function_types types;
	struct source_view *source; /* NULL: not shown */
	struct loops loops;
	bool *near; /* by row: whether the row is shown; NULL: all rows are */
	char margin[SHARE_WIDTH * COLUMNS_MAX + 8]; /* margin of lines without instruction */
};

/* ---- Head ---- */

static void put_totals(struct listing *l, unsigned int column)
{
	const struct function *f = l->f;
	const char *name = pk_histogram_event_name(l->report->histogram, f->events[column]);
	const struct pk_count all = pk_histogram_total(l->report->histogram, f->events[column]);
	const struct pk_count *count = &f->totals[column];
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

static void put_head(struct listing *l)
{
	const struct function *f = l->f;

	buffer_format(l->out, "%-*s | ", SHARE_WIDTH * (int)f->columns, " Percent");
	buffer_harmless(l->out, f->is.name, strlen(f->is.name));
	buffer_text(l->out, "  ");
	buffer_harmless(l->out, f->object.path, strlen(f->object.path));
	if (!f->code.reason)
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

static void put_shares(struct listing *l, uint32_t r)
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
	report_instruction(l->f, r, l->out);
	if (l->types.flow)
		type_note_text(&l->types, r, l->out);
	if (l->f->blocks.rows)
		blocks_put_marks(&l->f->blocks, r, l->out);
	buffer_char(l->out, '\n');
}

/* Writes a line before the first instruction of a hot loop. */
static void put_loop(struct listing *l, uint32_t r)
{
	struct pk_count count;
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

/* With --context: marks the rows at most that many rows away from a hot one (PK_SHARE_WARM). NULL:
 * out of memory. */
static bool *find_near(const struct listing *l)
{
	const uint32_t count = l->f->code.rows_count, context = l->report->options->context;
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

static bool prepare(struct listing *l)
{
	const struct annotate_options *options = l->report->options;

	if (!loops_find(&l->loops, l->f))
		return false;
	if (options->arrows)
		l->arrows = arrows_new(l->f);
	if (options->source)
		l->source = source_view_new(l->f, l->report->files,
					    pk_code_objects_failures(l->report->objects));
	if (options->only_hot)
		l->near = find_near(l);
	if ((options->arrows && !l->arrows) || (options->source && !l->source) ||
	    (options->only_hot && !l->near))
		return false;
	return !options->types || l->f->code.reason ||
	       pk_function_types_read(&l->types, &l->report->typing, &l->f->code);
}

bool listing_text(struct report *report, const struct function *f)
{
	struct listing l = {.report = report, .f = f, .out = &report->out};
	bool done;

	snprintf(l.margin, sizeof(l.margin), "%*s : ", SHARE_WIDTH * (int)f->columns, "");
	put_head(&l);
	if (f->code.reason)
		buffer_format(l.out, "%sno code: %s\n", l.margin, f->code.reason);
	done = prepare(&l);
	if (done)
		put_rows(&l);
	buffer_char(l.out, '\n');
	pk_function_types_free(&l.types);
	free(l.near);
	source_view_free(l.source);
	arrows_free(l.arrows);
	loops_clear(&l.loops);
	return done;
}
