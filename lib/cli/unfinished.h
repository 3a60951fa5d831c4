/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNFINISHED_H
#define PK_UNFINISHED_H

/* Temporary files that are renamed when they are complete. If a signal ends the program earlier,
 * the files are removed: SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2,
 * SIGXCPU or SIGVTALRM, unless it is ignored. For programs that do not handle these signals
 * themselves. */

#include <stdbool.h>

/* Call this before a file is created. Such signals are delayed until pk_unfinished_add() or
 * pk_unfinished_cancel(), so that no created file remains unregistered. */
void pk_unfinished_block(void);
/* Registers the created file. False: out of memory; the signals are no longer delayed either. */
bool pk_unfinished_add(const char *path);
/* Call this instead of pk_unfinished_add() if the file was not created. Keeps errno. */
void pk_unfinished_cancel(void);
/* Unregisters all files. Call it after they have been renamed or removed. */
void pk_unfinished_forget(void);

#endif
