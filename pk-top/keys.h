/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_KEYS_H
#define PK_TOP_KEYS_H

/* The keys of the table. The browser of perf report uses the same keys. */

#include <stddef.h>

enum command {
	COMMAND_NONE,
	COMMAND_UP,
	COMMAND_DOWN,
	COMMAND_PAGE_UP,
	COMMAND_PAGE_DOWN,
	COMMAND_HOME,
	COMMAND_END,
	COMMAND_ENTER,
	COMMAND_IN,
	COMMAND_OUT,
	COMMAND_EXPAND,
	COMMAND_COLLAPSE,
	COMMAND_FILTER,
	COMMAND_DSO,
	COMMAND_THREAD,
	COMMAND_SYMBOL,
	COMMAND_ANNOTATE,
	COMMAND_BY,
	COMMAND_INVERT,
	COMMAND_NEXT,
	COMMAND_PREVIOUS,
	COMMAND_FREEZE,
	COMMAND_ZERO,
	COMMAND_PRINT,
	COMMAND_HELP,
	COMMAND_REDRAW,
	COMMAND_QUIT,
};

/* Returns the command of a key from screen_key(). */
enum command keys_command(int key);
/* Returns a line of the help text, or NULL after the last line. */
const char *keys_help(size_t line);

#endif
