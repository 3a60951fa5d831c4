/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_VIEW_TEXT_H
#define PK_TOP_VIEW_TEXT_H

/* The texts of the lines of a view, in columns of a terminal. A struct of all zero bytes with
 * `view` is valid. */

#include <stdio.h>

#include "buffer.h"
#include "view.h"

/* ---- Views ---- */

struct view_texts {
	const struct screen_view *view;
	/* Private: */
	struct view_widths {
		size_t columns[LAYOUT_COLUMNS]; /* of a terminal */
		bool numbers[LAYOUT_COLUMNS];	/* the column has numbers, which are not cut */
	} widths;				/* of the lines that were visible so far */
	struct buffer cell;
};

/* Makes the columns wide enough for the visible lines. Call it before the functions below. */
void view_text_measure(struct view_texts *texts);
/* Append a line of `width` columns. Texts are cut; a number that does not fit is replaced by "#".
 * False: out of memory. */
bool view_text_titles(struct view_texts *texts, size_t width, struct buffer *out);
bool view_text_line(struct view_texts *texts, size_t line, size_t width, struct buffer *out);
/* The number of columns of the first part of such a line: up to its first share. */
unsigned int view_text_prefix(const struct view_texts *texts, size_t line, size_t width);
/* Prints the titles and all lines; nothing is cut. False: out of memory. */
bool view_text_print(struct view_texts *texts, FILE *out);
/* Forgets the widths: the table has other columns. */
void view_text_reset(struct view_texts *texts);
void view_text_free(struct view_texts *texts);

/* ---- Lines that fit ---- */

/* Text in the columns of a terminal: some characters have two columns, others none. */

enum fit_side { FIT_LEFT, FIT_RIGHT, FIT_NUMBER };

/* The number of columns of a text, when fit_text() has made it harmless. */
size_t fit_columns(const char *text, size_t size);
/* Appends the text, cut to `columns` columns, with blanks after it (LEFT) or before it (RIGHT,
 * NUMBER). A NUMBER that does not fit is not cut: the columns are filled with "#". Bytes that are
 * not characters of the locale, and those that could harm the terminal, become
 * "?". */
void fit_text(struct buffer *out, const char *text, size_t size, size_t columns,
	      enum fit_side side);

#endif
