// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "browser.h"
#include "cli.h"
#include "fit.h"
#include "keys.h"
#include "screen.h"
#include "terminal.h"

#define HEAD_LINES 3 /* above the rows; one line is below them */

struct drawing {
	struct browser *browser;
	unsigned int rows, columns;
};

static void put(const struct drawing *d, unsigned int row, const char *text, size_t size,
		enum screen_style style)
{
	struct buffer *line = &d->browser->line;

	line->size = 0;
	fit_text(line, text, size, d->columns, FIT_LEFT);
	if (row < d->rows && !line->failed)
		screen_line(row, line->data, line->size, style, 0, SCREEN_PLAIN);
}

static void put_text(const struct drawing *d, unsigned int row, const char *text,
		     enum screen_style style)
{
	put(d, row, text, strlen(text), style);
}

static enum screen_style style_of(double share)
{
	return share >= PK_SHARE_HOT	? SCREEN_HOT
	       : share >= PK_SHARE_WARM ? SCREEN_WARM
					: SCREEN_PLAIN;
}

/* ---- Table ---- */

static void add_zooms(const struct screen_view *view, struct buffer *out)
{
	const struct layout *layout = view->reporter->results.layout;

	for (unsigned int i = 0; i < view->zooms_count; i++) {
		const struct pk_field *field = layout->shown[view->zooms[i].field];

		buffer_text(out, field ? field->name : "field");
		buffer_text(out, ": ");
		buffer_text(out, view->zooms[i].text);
		buffer_text(out, "  ");
	}
	if (view->filter) {
		buffer_text(out, "/");
		buffer_text(out, view->filter);
		buffer_text(out, "  ");
	}
}

/* The filters, and the numbers of the last interval. */
static void put_head(const struct drawing *d)
{
	struct buffer text = {0};

	add_zooms(&d->browser->view, &text);
	buffer_text(&text, d->browser->head);
	if (!text.failed)
		put(d, 1, text.data, text.size, SCREEN_PLAIN);
	free(text.data);
}

/* The event, and the number of samples. */
static void put_title(const struct drawing *d)
{
	const struct screen_view *view = &d->browser->view;
	const struct sheet *sheet = view_sheet(view);
	struct buffer text = {0};
	const char *event;
	size_t size = 0;
	char number[32];

	if (!sheet) {
		put_text(d, 0, "Samples: 0", SCREEN_HEAD);
		return;
	}
	event = pk_results_event(&view->reporter->results, sheet->event, &size);
	buffer_format(&text, "Samples: %s of ", pk_number(number, sheet->sets[0].samples));
	buffer_text(&text, event ? "event '" : "all events");
	buffer_add(&text, event, event ? size : 0);
	buffer_text(&text, event ? "'" : "");
	buffer_format(&text, ", Event count (approx.): %s",
		      pk_number(number, sheet->sets[0].weight));
	if (view->reporter->results.sheets_count > 1)
		buffer_format(&text, " [%zu/%zu]", view->sheet + 1,
			      view->reporter->results.sheets_count);
	if (!text.failed)
		put(d, 0, text.data, text.size, SCREEN_HEAD);
	free(text.data);
}

static void put_row(const struct drawing *d, unsigned int row, size_t index)
{
	struct screen_view *view = &d->browser->view;
	struct buffer *line = &d->browser->line;
	const enum screen_style style = index == view->selected ? SCREEN_SELECTED : SCREEN_PLAIN;
	unsigned int prefix =
		style == SCREEN_PLAIN ? view_text_prefix(&d->browser->texts, index, d->columns) : 0;

	line->size = 0;
	if (!view_text_line(&d->browser->texts, index, d->columns, line))
		return;
	prefix = prefix > d->columns ? d->columns : prefix;
	screen_line(row, line->data, line->size, style, prefix, style_of(view_share(view, index)));
}

static void draw_table(const struct drawing *d)
{
	struct browser *b = d->browser;
	struct screen_view *view = &b->view;

	put_title(d);
	put_head(d);
	b->line.size = 0;
	view_text_measure(&b->texts);
	if (d->rows > HEAD_LINES && view_text_titles(&b->texts, d->columns, &b->line))
		screen_line(2, b->line.data, b->line.size, SCREEN_HEAD, 0, SCREEN_PLAIN);
	for (unsigned int i = 0; i < view->height; i++) {
		if (view->top + i < view->count)
			put_row(d, HEAD_LINES + i, view->top + i);
		else
			put_text(d, HEAD_LINES + i, "", SCREEN_PLAIN);
	}
}

/* ---- Other pages ---- */

/* Whether options leave out samples that pk-annotate counts. */
static bool omits(const struct browser *b)
{
	return b->reporter->where || b->reporter->options->conditions.ranges_count;
}

/* The number of lines above the annotation. */
static unsigned int annotation_head(const struct browser *b, unsigned int rows)
{
	return omits(b) && rows > 2;
}

static void draw_annotation(const struct drawing *d)
{
	struct annotation *a = &d->browser->annotation;
	struct buffer *line = &d->browser->line;
	const unsigned int head = annotation_head(d->browser, d->rows);

	if (head)
		put_text(d, 0, "Shares of all samples: the options' conditions do not apply here",
			 SCREEN_HEAD);
	for (unsigned int i = 0; i < a->height; i++) {
		const bool selected = a->top + i == a->selected;
		const struct annotation_line *at;

		if (a->top + i >= a->count) {
			put_text(d, head + i, "", SCREEN_PLAIN);
			continue;
		}
		at = &a->lines[a->top + i];
		line->size = 0;
		fit_text(line, at->text, at->size, d->columns, FIT_LEFT);
		if (line->failed)
			return;
		screen_line(head + i, line->data, line->size,
			    selected ? SCREEN_SELECTED : SCREEN_PLAIN,
			    selected || d->columns < 8 ? 0 : 8, style_of(at->share));
	}
}

static void draw_help(const struct drawing *d)
{
	size_t line = 0;

	for (unsigned int i = 0; i + 1 < d->rows; i++) {
		const char *text = keys_help(line);

		line += text != NULL;
		put_text(d, i, text ? text : "", SCREEN_PLAIN);
	}
}

/* ---- Last line ---- */

#define ENDED "the input has ended"

static const char *const prompts[] = {
	[PROMPT_FILTER] = "Rows with: ", [PROMPT_BY] = "Group by: ", [PROMPT_FILE] = "Print to: "};

static const char *state_of(const struct browser *b)
{
	if (b->page == PAGE_HELP)
		return "any key: back";
	if (b->page == PAGE_ANNOTATION)
		return "Tab: next hot line  H: hottest  s: source  q: back";
	if (b->reporter->ended)
		return ENDED "  h: help  q: quit";
	return b->frozen ? "frozen  f: continue  h: help  q: quit" : "h: help  q: quit";
}

/* The part of the current input that was read, in percent. -1: unknown. */
static int progress_of(const struct browser *b)
{
	struct stat st;

	if (b->run->piped || b->run->fd < 0 || fstat(b->run->fd, &st) || !S_ISREG(st.st_mode) ||
	    b->offset >= (uint64_t)st.st_size)
		return -1;
	return (int)(100 * (double)b->offset / (double)st.st_size);
}

static void add_state(const struct browser *b, struct buffer *out)
{
	const int progress = b->reporter->ended ? -1 : progress_of(b);

	if (progress >= 0 && b->page == PAGE_TABLE)
		buffer_format(out, "reading: %d%%  ", progress);
	buffer_text(out, state_of(b));
}

/* Returns the column of the cursor; -1: hidden. */
static int draw_last(const struct drawing *d)
{
	const struct browser *b = d->browser;
	const struct prompt *prompt = &b->prompt;
	struct buffer text = {0};
	int cursor = -1;

	if (prompt->kind) {
		buffer_text(&text, prompts[prompt->kind]);
		buffer_add(&text, prompt->text, prompt->size);
		cursor = text.failed ? 0 : (int)fit_columns(text.data, text.size);
	} else if (!b->message[0]) {
		add_state(b, &text);
	} else {
		buffer_text(&text, b->message);
		if (b->reporter->ended && b->page == PAGE_TABLE)
			buffer_text(&text, "  (" ENDED ")");
	}
	if (!text.failed)
		put(d, d->rows - 1, text.data, text.size, SCREEN_HEAD);
	free(text.data);
	return cursor;
}

void browser_draw(struct browser *b)
{
	struct drawing d = {.browser = b};
	unsigned int height;

	screen_size(&d.rows, &d.columns);
	height = d.rows > HEAD_LINES + 1 ? d.rows - HEAD_LINES - 1 : 0;
	if (b->view.height != height) {
		b->view.height = height;
		view_move(&b->view, 0);
	}
	b->annotation.height = d.rows - 1 - annotation_head(b, d.rows);
	annotation_move(&b->annotation, 0);
	switch (b->page) {
	case PAGE_TABLE: draw_table(&d); break;
	case PAGE_ANNOTATION: draw_annotation(&d); break;
	case PAGE_HELP: draw_help(&d); break;
	}
	screen_show(draw_last(&d));
	b->changed = false;
}
