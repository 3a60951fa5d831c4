// SPDX-License-Identifier: BSD-2-Clause
#define NCURSES_WIDECHAR 1
#define _GNU_SOURCE
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "screen.h"
#include "status.h"

enum { PAIR_HOT = 1, PAIR_WARM };

static struct {
	SCREEN *screen; /* NULL if the screen is not open */
	FILE *terminal;
	bool color;
	unsigned int clicked_row, clicked_column;
} state;

static void set_colors(void)
{
	const char *no_color = getenv("NO_COLOR");

	state.color = !(no_color && *no_color) && has_colors() && start_color() == OK &&
		      use_default_colors() == OK && init_pair(PAIR_HOT, COLOR_RED, -1) == OK &&
		      init_pair(PAIR_WARM, COLOR_GREEN, -1) == OK;
}

/* Returns true if the terminal can move its cursor. */
static bool can_move(void)
{
	const char *move_cursor = tigetstr("cup");

	return move_cursor && move_cursor != (const char *)-1;
}

enum pk_status screen_open(void)
{
	const int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	const char *type = getenv("TERM");

	state.terminal = fd < 0 ? NULL : fdopen(fd, "r+e");
	if (!state.terminal) {
		pk_error("/dev/tty: %s: a terminal is needed (pk-report needs none)",
			 strerror(errno));
		if (fd >= 0)
			close(fd);
		return PK_FAILED;
	}
	state.screen = newterm(NULL, state.terminal, state.terminal);
	if (state.screen && !can_move()) {
		endwin();
		delscreen(state.screen);
		state.screen = NULL;
	}
	if (!state.screen) {
		pk_error("the terminal cannot be used: TERM=%s", type ? type : "");
		fclose(state.terminal);
		return PK_FAILED;
	}
	set_colors();
	/* This program also reads the keys that normally send signals. So Ctrl-C ends only this
	 * program. The programs before it in the pipeline notice that their output is closed. */
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	/* The descriptions of some terminals lack these keys, which all terminals send. */
	define_key("\033[1;2D", KEY_SLEFT);
	define_key("\033[1;2C", KEY_SRIGHT);
	/* Presses are reported at once. By default, ncurses waits to find out whether a second
	 * click follows. */
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
	set_escdelay(25);
	curs_set(0);
	return PK_OK;
}

void screen_close(void)
{
	if (!state.screen)
		return;
	endwin();
	delscreen(state.screen);
	fclose(state.terminal);
	state.screen = NULL;
}

int screen_fd(void)
{
	return fileno(state.terminal);
}

/* ---- Keys ---- */

static int mouse_key(void)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return KEY_OF_OTHER;
	if (event.bstate & BUTTON4_PRESSED)
		return KEY_OF_WHEEL_UP;
	if (event.bstate & BUTTON5_PRESSED)
		return KEY_OF_WHEEL_DOWN;
	if (!(event.bstate & BUTTON1_PRESSED))
		return KEY_OF_OTHER;
	state.clicked_row = (unsigned int)event.y;
	state.clicked_column = (unsigned int)event.x;
	return KEY_OF_CLICK;
}

unsigned int screen_clicked(unsigned int *column)
{
	*column = state.clicked_column;
	return state.clicked_row;
}

static int special_key(int key)
{
	switch (key) {
	case KEY_UP: return KEY_OF_UP;
	case KEY_DOWN: return KEY_OF_DOWN;
	case KEY_LEFT: return KEY_OF_LEFT;
	case KEY_RIGHT: return KEY_OF_RIGHT;
	case KEY_PPAGE: return KEY_OF_PAGE_UP;
	case KEY_NPAGE: return KEY_OF_PAGE_DOWN;
	case KEY_HOME: return KEY_OF_HOME;
	case KEY_END: return KEY_OF_END;
	case KEY_BTAB: return KEY_OF_BACK_TAB;
	case KEY_ENTER: return KEY_OF_ENTER;
	case KEY_BACKSPACE: return KEY_OF_BACKSPACE;
	case KEY_F(1): return KEY_OF_HELP;
	case KEY_SLEFT: return KEY_OF_SHIFT_LEFT;
	case KEY_SRIGHT: return KEY_OF_SHIFT_RIGHT;
	case KEY_MOUSE: return mouse_key();
	case KEY_RESIZE: return KEY_OF_RESIZE;
	default: return KEY_OF_OTHER;
	}
}

int screen_key(void)
{
	const int key = getch();

	switch (key) {
	case ERR: return KEY_OF_NONE;
	case '\t': return KEY_OF_TAB;
	case '\r':
	case '\n': return KEY_OF_ENTER;
	case 27: return KEY_OF_ESCAPE;
	case 8:
	case 127: return KEY_OF_BACKSPACE;
	default: return key > 0 && key < 256 ? key : special_key(key);
	}
}

/* ---- Lines ---- */

void screen_size(unsigned int *rows, unsigned int *columns)
{
	int height, width;

	getmaxyx(stdscr, height, width);
	*rows = height > 0 ? (unsigned int)height : 1;
	*columns = width > 0 ? (unsigned int)width : 1;
}

static attr_t attributes(enum screen_style style)
{
	switch (style) {
	case SCREEN_HEAD: return A_BOLD;
	case SCREEN_SELECTED: return A_REVERSE;
	case SCREEN_HOT: return state.color ? (attr_t)COLOR_PAIR(PAIR_HOT) : A_NORMAL;
	case SCREEN_WARM: return state.color ? (attr_t)COLOR_PAIR(PAIR_WARM) : A_NORMAL;
	default: return A_NORMAL;
	}
}

void screen_line(unsigned int row, const char *text, size_t size, enum screen_style style,
		 unsigned int prefix, enum screen_style prefix_style)
{
	move((int)row, 0);
	attrset((int)attributes(style));
	addnstr(text, (int)size);
	clrtoeol();
	if (prefix)
		mvchgat((int)row, 0, (int)prefix, attributes(prefix_style) & ~A_COLOR,
			(short)PAIR_NUMBER(attributes(prefix_style)), NULL);
	attrset(A_NORMAL);
}

void screen_show(int cursor)
{
	unsigned int rows, columns;

	screen_size(&rows, &columns);
	curs_set(cursor >= 0);
	move((int)rows - 1, cursor >= 0 && cursor < (int)columns ? cursor : 0);
	refresh();
}

void screen_repair(void)
{
	clearok(curscr, TRUE);
}
