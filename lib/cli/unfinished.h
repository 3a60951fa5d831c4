/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNFINISHED_H
#define PK_UNFINISHED_H

/*
 * Files that are renamed when they are complete. A signal that ends the program before that removes
 * them: SIGINT, SIGTERM, SIGHUP and the others whose default is to end a program, but for those
 * of a crash. For programs that do not handle these signals themselves.
 */

#include <stdbool.h>

/* Between block and add or cancel such a signal waits: no file is created without being noted. */
void pk_unfinished_block(void);
/* The file was created. False: out of memory. */
bool pk_unfinished_add(const char *path);
/* It was not. errno stays. */
void pk_unfinished_cancel(void);
/* All of them have been renamed or removed. */
void pk_unfinished_forget(void);

#endif
