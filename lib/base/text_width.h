/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEXT_WIDTH_H
#define TEXT_WIDTH_H

/* Finds how many columns a text needs on a terminal. Combining characters need no column, and many
 * characters of East Asia need two. An invalid byte needs one. Escape sequences for colours need
 * none. */

#include <locale.h>
#include <stddef.h>

/* The locale that is used to find the width of characters. */
struct pk_text_width {
	locale_t utf8; /* A locale with UTF-8. If the machine has none, it is 0, and each character
			* needs one column. */
};

void pk_text_width_start(struct pk_text_width *width);
void pk_text_width_end(struct pk_text_width *width);
size_t pk_text_columns(const struct pk_text_width *width, const char *text, size_t size);
/* Returns the size in bytes of the longest prefix of the text that needs at most `columns` columns.
 * The prefix does not end inside a character. It includes the combining characters that follow its
 * last character. */
size_t pk_text_fit(const struct pk_text_width *width, const char *text, size_t size,
		   size_t columns);

#endif
