/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNFINISHED_H
#define PK_UNFINISHED_H

/* Files that are renamed when they are complete. A signal that ends the program earlier removes
 * them: SIGINT, SIGTERM, SIGHUP and the others whose default is to end a program, except those of a
 * crash. For programs that do not handle these signals themselves. */

#include <stdbool.h>

/* Such a signal is delayed between block and add or cancel: so every created file is registered. */
void pk_unfinished_block(void);
/* Registers the created file. False: out of memory. */
bool pk_unfinished_add(const char *path);
/* The file was not created. Keeps errno. */
void pk_unfinished_cancel(void);
/* All files have been renamed or removed. */
void pk_unfinished_forget(void);

#endif
