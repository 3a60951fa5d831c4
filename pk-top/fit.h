/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_FIT_H
#define PK_TOP_FIT_H

/* Text in the columns of a terminal: some characters have two columns, others none. */

#include "buffer.h"

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
