/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TERMINAL_H
#define PK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* The words of the option --color. They are in this order. */
enum pk_colour { PK_COLOUR_ALWAYS, PK_COLOUR_AUTO, PK_COLOUR_NEVER };

/* Returns true if colours shall be printed. With AUTO, this is so if stdout is a terminal, and
 * NO_COLOR is not set or is empty. */
bool pk_uses_colour(enum pk_colour colour);

/* A percentage of at least PK_SHARE_HOT is printed in red. A percentage of at least PK_SHARE_WARM
 * is printed in green. perf does the same. */
#define PK_SHARE_HOT  5.0
#define PK_SHARE_WARM 0.5
/* Returns the escape sequence for the colour of a percentage, or "" if it has no colour. */
const char *pk_share_colour(double percent);
#define PK_COLOUR_END "\033[0m"

/* Returns the number of columns of the terminal. It is the value of COLUMNS, or the size that the
 * terminal reports. Returns 0 if stdout is not a terminal, or if the size is unknown. */
size_t pk_terminal_columns(void);
/* Returns true if the user's locale uses UTF-8. */
bool pk_locale_is_utf8(void);

/* ---- The pager, which prints long text page by page ---- */

/*
 * If stdout is a terminal, starts the pager. The pager is the command in PK_PAGER, or else in
 * PAGER, or else "less -FRX". With these options, less ends by itself if the text fits on the
 * screen. Afterwards stdout is a pipe to the pager. If stderr is a terminal, stderr is also
 * redirected to the pager.
 *
 * If the command is empty or "cat", or if less does not exist, there is no pager, and the text is
 * printed directly.
 *
 * Call this function before the text is printed, but after all long work. Until pk_finish(), the
 * program ignores SIGINT, because the pager handles it. It also ignores SIGPIPE, because the user
 * can leave the pager at any time. That is not an error.
 */
void pk_pager_start(void);
/* If stdout is a terminal, forks the process that will execute the pager. Call it before the
 * program enters a sandbox, because the sandbox forbids to start processes. The process waits until
 * pk_pager_start() is called, or until the program ends. */
void pk_pager_prepare(void);
/* How the pager has ended. */
enum pk_pager_result {
	PK_PAGER_NONE,
	PK_PAGER_LEFT,	/* The user has left the pager, or the text has ended. */
	PK_PAGER_FAILED /* The command cannot be run. */
};

/* pk_finish() calls this function after it has closed stdout. Waits until the user has left the
 * pager. */
enum pk_pager_result pk_pager_end(void);

#endif
