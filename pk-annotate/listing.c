// SPDX-License-Identifier: BSD-2-Clause
/* A function as text, in the lines that perf annotate --stdio has: SHARE : ADDRESS: INSTRUCTION. */
#include <inttypes.h>
#include <stdlib.h>

#include "arrows.h"
#include "report.h"

enum { SHARE_WIDTH = 8 };

/* From these shares on, perf's, a line is coloured. */
#define SHARE_HOT  5.0
#define SHARE_WARM 0.5

struct listing {
	struct report *report;
	const struct function *f;
	struct buffer *out;
	struct arrows *arrows; /* NULL: not drawn */
	void *notes;	       /* NULL: none */
};

/* ---- Head ---- */

static void put_totals(struct listing *l, unsigned int column)
{
	const struct function *f = l->f;
	const char *name = heat_event_name(l->report->heat, f->events[column]);
	const struct heat_count all = heat_event_total(l->report->heat, f->events[column]);
	const struct heat_count *count = &f->totals[column];
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

static void put_head(struct listing *l)
{
	const struct function *f = l->f;

	buffer_format(l->out, "%-*s | ", SHARE_WIDTH * (int)f->columns, " Percent");
	buffer_harmless(l->out, f->is.name, strlen(f->is.name));
	buffer_text(l->out, "  ");
	buffer_harmless(l->out, f->object.path, strlen(f->object.path));
	if (!f->reason)
		buffer_format(l->out, "  %" PRIx64 "-%" PRIx64, f->shown, f->shown + f->size);
	buffer_char(l->out, '\n');
	for (unsigned int c = 0; c < f->columns; c++)
		put_totals(l, c);
	for (int i = 0; i < 80; i++)
		buffer_char(l->out, '-');
	buffer_char(l->out, '\n');
}

/* ---- Lines ---- */

static void put_no_shares(struct listing *l)
{
	buffer_format(l->out, "%*s : ", SHARE_WIDTH * (int)l->f->columns, "");
}

static const char *colour_of(double share)
{
	return share >= SHARE_HOT ? "\033[31m" : share >= SHARE_WARM ? "\033[32m" : "";
}

static void put_shares(struct listing *l, uint32_t r)
{
	const struct function *f = l->f;

	for (unsigned int c = 0; c < f->columns; c++) {
		const double share =
			report_share(l->report, f, c, &f->counts[(size_t)r * f->columns + c]);
		const char *colour = l->report->options->colour ? colour_of(share) : "";

		buffer_text(l->out, colour);
		buffer_format(l->out, "%*.2f", SHARE_WIDTH, share);
		buffer_text(l->out, *colour ? "\033[0m" : "");
	}
	buffer_text(l->out, " : ");
}

static void put_row(struct listing *l, uint32_t r)
{
	const struct row *row = &l->f->rows[r];

	put_shares(l, r);
	buffer_format(l->out, "  %" PRIx64 ":   ", row->shown);
	if (l->arrows)
		arrows_put(l->arrows, r, l->out);
	report_instruction(l->f, r, l->out);
	if (l->notes)
		l->report->notes->add(l->notes, r, l->out);
	buffer_char(l->out, '\n');
}

static void put_rows(struct listing *l)
{
	for (uint32_t r = 0; r < l->f->rows_count; r++)
		put_row(l, r);
}

bool listing_text(struct report *report, const struct function *f)
{
	struct listing l = {.report = report, .f = f, .out = &report->out};
	bool done = true;

	put_head(&l);
	if (f->reason) {
		put_no_shares(&l);
		buffer_format(l.out, "no code: %s\n", f->reason);
	}
	if (report->options->arrows)
		l.arrows = arrows_new(f);
	if (report->notes)
		done = report->notes->begin(report->notes->arg, f, &l.notes);
	if (done)
		put_rows(&l);
	if (l.notes)
		report->notes->end(l.notes);
	buffer_char(l.out, '\n');
	done = done && (!report->options->arrows || l.arrows);
	arrows_free(l.arrows);
	return done;
}
