/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TEXT_LINES_H
#define PK_TEXT_LINES_H

/* Small text files that options name. */

#include <stdbool.h>
#include <stddef.h>

#define TEXT_LINES_MAX 1000000 /* lines of a file; longer files are refused */

/* Calls line() with each line of the file, without its newline; it can change the text, and returns
 * false if memory is exhausted. missing: the file need not exist. False after a message. */
bool text_lines_read(const char *path, bool missing, bool (*line)(void *arg, char *text),
		     void *arg);

#endif
