/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TERMINAL_H
#define PK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* The words of --color, in this order. */
enum pk_colour { PK_COLOUR_ALWAYS, PK_COLOUR_AUTO, PK_COLOUR_NEVER };

/* Whether to print colours. With AUTO, they are printed if stdout is a terminal, and NO_COLOR is
 * not set or is empty. */
bool pk_uses_colour(enum pk_colour colour);

/* Shares of at least these percentages are printed in red and in green, as in perf. */
#define PK_SHARE_HOT  5.0
#define PK_SHARE_WARM 0.5
/* The escape sequence of the colour of a share, or "" if it has none. */
const char *pk_share_colour(double percent);
#define PK_COLOUR_END "\033[0m"

/* The number of columns of the terminal: COLUMNS, or its size. Returns 0 if stdout is not a
 * terminal, or its size is unknown. */
size_t pk_terminal_columns(void);
/* Whether the user's locale uses UTF-8. */
bool pk_locale_is_utf8(void);

/* ---- The pager: prints long text page by page ---- */

/*
 * If stdout is a terminal, starts the command $PK_PAGER, else $PAGER, else "less -FRX", which ends
 * by itself if the text fits on the screen. stdout is then written to it, and stderr if that is a
 * terminal. If the command is empty or "cat", or less does not exist, the text is printed directly.
 *
 * Call it before the text is printed, but after all long work: until pk_finish(), the program
 * ignores SIGINT, which the pager handles, and SIGPIPE: the user can leave the pager at any time.
 * That is not an error.
 */
void pk_pager_start(void);
/* If stdout is a terminal, forks the process that will execute the command, because a sandbox that
 * is entered now forbids that later. It waits for pk_pager_start(), or ends with the program. */
void pk_pager_prepare(void);
enum pk_pager_result {
	PK_PAGER_NONE,
	PK_PAGER_LEFT,	/* by the user, or at the end of the text */
	PK_PAGER_FAILED /* the command cannot be run */
};

/* For pk_finish(), after stdout was closed: waits until the user has left the pager. */
enum pk_pager_result pk_pager_end(void);

#endif
