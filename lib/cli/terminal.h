/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TERMINAL_H
#define PK_TERMINAL_H

/* How text is printed if stdout is a terminal: colours and width. Call these functions after stdout
 * was redirected to the output. */

#include <stdbool.h>
#include <stddef.h>

/* The words of --color, in this order. */
enum pk_colour { PK_COLOUR_ALWAYS, PK_COLOUR_AUTO, PK_COLOUR_NEVER };

/* Whether to print colours. AUTO: if stdout is a terminal, and NO_COLOR is not set or is empty. */
bool pk_uses_colour(enum pk_colour colour);

/* Shares of at least these percentages are printed in red and in green, as in perf. */
#define PK_SHARE_HOT  5.0
#define PK_SHARE_WARM 0.5
/* The escape sequence of the colour of a share; "": none. */
const char *pk_share_colour(double percent);
#define PK_COLOUR_END "\033[0m"

/* The number of columns of the terminal: COLUMNS, or its size. 0: stdout is not a terminal, or its
 * size is unknown. */
size_t pk_terminal_columns(void);
/* Whether the user's locale uses UTF-8. */
bool pk_locale_is_utf8(void);

#endif
