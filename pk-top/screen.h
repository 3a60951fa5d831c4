/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_SCREEN_H
#define PK_TOP_SCREEN_H

/* The terminal. It shows lines of text, and keys are read from it. The program has one screen, on
 * /dev/tty. */

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum screen_style { SCREEN_PLAIN, SCREEN_HEAD, SCREEN_SELECTED, SCREEN_HOT, SCREEN_WARM };

/* Keys that are not characters. */
enum screen_key {
	KEY_OF_NONE = 0, /* no key was pressed */
	KEY_OF_UP = 0x1000,
	KEY_OF_DOWN,
	KEY_OF_LEFT,
	KEY_OF_RIGHT,
	KEY_OF_PAGE_UP,
	KEY_OF_PAGE_DOWN,
	KEY_OF_HOME,
	KEY_OF_END,
	KEY_OF_TAB,
	KEY_OF_BACK_TAB,
	KEY_OF_ENTER,
	KEY_OF_ESCAPE,
	KEY_OF_BACKSPACE,
	KEY_OF_HELP,
	KEY_OF_SHIFT_LEFT,
	KEY_OF_SHIFT_RIGHT,
	KEY_OF_WHEEL_UP,   /* the mouse wheel */
	KEY_OF_WHEEL_DOWN, /* the mouse wheel */
	KEY_OF_CLICK,	   /* the first button of the mouse; see screen_clicked() */
	KEY_OF_RESIZE,	   /* the size of the terminal has changed */
	KEY_OF_OTHER,	   /* an unknown key */
};

/* Opens the terminal. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status screen_open(void);
/* Restores the terminal. Does nothing if the screen is not open. */
void screen_close(void);
/* Returns the descriptor from which keys are read. */
int screen_fd(void);
/* Returns the next key, without waiting for one. It is a value of enum screen_key, or a byte of a
 * character. */
int screen_key(void);
/* Returns the row of the last KEY_OF_CLICK, and sets *column. */
unsigned int screen_clicked(unsigned int *column);
void screen_size(unsigned int *rows, unsigned int *columns);
/* Writes a line. The first `prefix` columns have the style `prefix_style`. The text must fit into
 * the screen. */
void screen_line(unsigned int row, const char *text, size_t size, enum screen_style style,
		 unsigned int prefix, enum screen_style prefix_style);
/* Shows what was written. cursor is the column of the cursor in the last line. If it is -1, the
 * cursor is hidden. */
void screen_show(int cursor);
/* Writes the whole screen again, because other programs have written to the terminal. */
void screen_repair(void);

#endif
