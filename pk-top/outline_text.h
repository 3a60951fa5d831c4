/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_OUTLINE_TEXT_H
#define PK_TOP_OUTLINE_TEXT_H

/* The texts of the lines of a outline, in columns of a terminal. A struct of all zero bytes with
 * `outline` is valid. */

#include <stdio.h>

#include "buffer.h"
#include "outline.h"

/* ---- Views ---- */

struct outline_texts {
	const struct outline *outline;
	/* Private: */
	struct outline_widths {
		size_t columns[LAYOUT_COLUMNS]; /* of a terminal */
		bool numbers[LAYOUT_COLUMNS];	/* the column has numbers, which are not cut */
	} widths;				/* of the lines that were visible so far */
	struct buffer cell;
};

/* Makes the columns wide enough for the visible lines. Call it before the functions below. */
void outline_text_measure(struct outline_texts *texts);
/* Append a line of `width` columns. Texts are cut. A number that does not fit is replaced by
 * "#". */
PK_MUST_CHECK enum pk_status outline_text_titles(struct outline_texts *texts, size_t width,
						 struct buffer *out);
PK_MUST_CHECK enum pk_status outline_text_line(struct outline_texts *texts, size_t line,
					       size_t width, struct buffer *out);
/* The number of columns of the first part of such a line: up to its first share. */
unsigned int outline_text_prefix(const struct outline_texts *texts, size_t line, size_t width);
/* Prints the titles and all lines. Nothing is cut. */
PK_MUST_CHECK enum pk_status outline_text_print(struct outline_texts *texts, FILE *out);
/* Forgets the widths, because the table has other columns. */
void outline_text_reset(struct outline_texts *texts);
void outline_text_free(struct outline_texts *texts);

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
