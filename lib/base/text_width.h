/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEXT_WIDTH_H
#define TEXT_WIDTH_H

/* The columns that text needs on a terminal: combining characters need none, and many characters of
 * East Asia need two. An invalid byte needs one. Escape sequences of colours need none. */

#include <locale.h>
#include <stddef.h>

struct pk_text_width {
	locale_t utf8; /* 0: the machine has no such locale; then all characters need one column */
};

void pk_text_width_start(struct pk_text_width *width);
void pk_text_width_end(struct pk_text_width *width);
size_t pk_text_columns(const struct pk_text_width *width, const char *text, size_t size);
/* The size in bytes of the longest part at the start of text that needs at most so many columns. It
 * ends after a whole character, with its combining characters. */
size_t pk_text_fit(const struct pk_text_width *width, const char *text, size_t size,
		   size_t columns);

#endif
