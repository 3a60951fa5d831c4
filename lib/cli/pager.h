/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGER_H
#define PK_PAGER_H

/* Prints long text through a pager, page by page. */

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
