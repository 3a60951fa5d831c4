/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_OUTLINE_TEXT_H
#define PK_TOP_OUTLINE_TEXT_H

/* The texts of the lines of an outline. Their widths are in columns of a terminal. A struct is
 * valid if `outline` is set and all other bytes are zero. */

#include <stdio.h>

#include "buffer.h"
#include "outline.h"

/* The horizontal position of cut texts. */
struct text_scroll {
	size_t columns; /* number of columns by which the user has scrolled to the right */
	size_t hidden;	/* the greatest number of columns that a cut text lacks; the caller resets
			 * it before it draws a screen */
};

/* ---- Views ---- */

struct outline_texts {
	const struct outline *outline;
	struct text_scroll scroll;
	/* Private: */
	struct outline_widths {
		size_t columns[LAYOUT_COLUMNS]; /* width in columns of the terminal */
		bool numbers[LAYOUT_COLUMNS];	/* the column has numbers, which are not cut */
	} widths; /* the greatest widths of all lines that were visible so far */
	struct buffer cell;
};

/* Makes the columns wide enough for the visible lines. Call it before the following functions. */
void outline_text_measure(struct outline_texts *texts);
/* These functions append a line of `width` columns. Long texts are cut. If a number does not fit,
 * it is replaced by "#". */
PK_MUST_CHECK enum pk_status outline_text_titles(struct outline_texts *texts, size_t width,
						 struct buffer *out);
PK_MUST_CHECK enum pk_status outline_text_line(struct outline_texts *texts, size_t line,
					       size_t width, struct buffer *out);
/* Returns the number of columns from the start of a line to the end of its first share. */
unsigned int outline_text_prefix(const struct outline_texts *texts, size_t line, size_t width);
/* Returns the index of the column that has the title at column x of the screen. Returns the number
 * of columns of the table if there is none. */
unsigned int outline_text_column(const struct outline_texts *texts, size_t width, size_t x);
/* Searches for a line whose fields, or whose branch, contain a text. Upper and lower case are not
 * distinguished. With step 1 or -1, starts with the line after or before the selected line, with
 * step 0 at the selected line. After the last line, the first one follows. Returns the number of
 * lines if no line contains the text. */
size_t outline_text_search(struct outline_texts *texts, const char *text, int step);
/* Returns the line that is the number `i` of such a search, from 0 on, if there are `count` lines.
 */
size_t search_line(size_t selected, size_t count, int step, size_t i);
/* Prints the titles and all lines. Nothing is cut. */
PK_MUST_CHECK enum pk_status outline_text_print(struct outline_texts *texts, FILE *out);
/* Sets the widths to 0, because the table has other columns now. */
void outline_text_reset(struct outline_texts *texts);
void outline_text_free(struct outline_texts *texts);

/* ---- Lines that fit ---- */

/* Text in the columns of a terminal. Some characters have two columns, and others have none. */

enum fit_side { FIT_LEFT, FIT_RIGHT, FIT_NUMBER };

/* Returns the number of columns that fit_text() needs for a text. */
size_t fit_columns(const char *text, size_t size);
/* Appends the text, cut to `columns` columns. Fills the columns with blanks after the text
 * (FIT_LEFT) or before the text (FIT_RIGHT, FIT_NUMBER). A FIT_NUMBER text that does not fit is not
 * cut. Instead, the columns are filled with "#". Two kinds of bytes become "?": bytes that are not
 * characters of the locale, and bytes that could harm the terminal. */
void fit_text(struct buffer *out, const char *text, size_t size, size_t columns,
	      enum fit_side side);
/* Does the same with FIT_LEFT. If the text is too long, leaves out its first columns, as far as the
 * user has scrolled, but not more than needed to see its end. */
void fit_scrolled(struct buffer *out, const char *text, size_t size, size_t columns,
		  struct text_scroll *scroll);

#endif
