// SPDX-License-Identifier: BSD-2-Clause
#include "keys.h"
#include "screen.h"

#define CONTROL(letter) ((letter)&0x1f)

static const struct {
	int key;
	enum command command;
} bindings[] = {
	{KEY_OF_UP, COMMAND_UP},
	{KEY_OF_DOWN, COMMAND_DOWN},
	{KEY_OF_PAGE_UP, COMMAND_PAGE_UP},
	{KEY_OF_PAGE_DOWN, COMMAND_PAGE_DOWN},
	{' ', COMMAND_PAGE_DOWN},
	{KEY_OF_HOME, COMMAND_HOME},
	{KEY_OF_END, COMMAND_END},
	{KEY_OF_ENTER, COMMAND_ENTER},
	{KEY_OF_RIGHT, COMMAND_IN},
	{KEY_OF_LEFT, COMMAND_OUT},
	{KEY_OF_ESCAPE, COMMAND_OUT},
	{'+', COMMAND_TOGGLE},
	{'E', COMMAND_EXPAND},
	{'C', COMMAND_COLLAPSE},
	{'/', COMMAND_SEARCH},
	{'n', COMMAND_SEARCH_NEXT},
	{'N', COMMAND_SEARCH_BACK},
	{'F', COMMAND_FILTER},
	{'<', COMMAND_SORT_LEFT},
	{'>', COMMAND_SORT_RIGHT},
	{'r', COMMAND_REVERSE},
	{'[', COMMAND_SCROLL_LEFT},
	{']', COMMAND_SCROLL_RIGHT},
	{KEY_OF_SHIFT_LEFT, COMMAND_SCROLL_LEFT},
	{KEY_OF_SHIFT_RIGHT, COMMAND_SCROLL_RIGHT},
	{KEY_OF_WHEEL_UP, COMMAND_WHEEL_UP},
	{KEY_OF_WHEEL_DOWN, COMMAND_WHEEL_DOWN},
	{KEY_OF_CLICK, COMMAND_CLICK},
	{'d', COMMAND_DSO},
	{'t', COMMAND_THREAD},
	{'s', COMMAND_SYMBOL},
	{'a', COMMAND_ANNOTATE},
	{'b', COMMAND_BY},
	{'i', COMMAND_INVERT},
	{KEY_OF_TAB, COMMAND_NEXT},
	{KEY_OF_BACK_TAB, COMMAND_PREVIOUS},
	{'f', COMMAND_FREEZE},
	{'z', COMMAND_ZERO},
	{'P', COMMAND_PRINT},
	{'h', COMMAND_HELP},
	{'?', COMMAND_HELP},
	{KEY_OF_HELP, COMMAND_HELP},
	{CONTROL('L'), COMMAND_REDRAW},
	{CONTROL('D'), COMMAND_NO_MORE_KEYS},
	{'q', COMMAND_QUIT},
	{CONTROL('C'), COMMAND_QUIT},
};

enum command keys_command(int key)
{
	for (size_t i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++)
		if (bindings[i].key == key)
			return bindings[i].command;
	return COMMAND_NONE;
}

const char *keys_help(size_t line)
{
	static const char *const lines[] = {
		"Up, Down, PgUp, PgDn, Home, End   select a line",
		"Enter   open or close a tree; zoom into a row without one",
		"Right, Left   the same: in and out    Esc   out",
		"+       open or close a tree          i     callers or callees first",
		"E, C    open, close all trees         Tab   next event",
		"/ n N   search; next, previous match  F     only rows with a text",
		"< > r   sort by another column; reverse the order",
		"[ ]     scroll long names; also Shift-Left, Shift-Right",
		"Mouse   wheel: move; click: select, open or close, sort by a title",
		"d t s   only this object, thread, symbol; again: all",
		"a       annotate the function         b     group by other fields",
		"f       freeze the table              z     set all numbers to 0",
		"P       print the lines to a file     ^L    draw the screen again",
		"h ?     this help                     q     quit; ^D: at the end",
		"",
		"Annotated functions: Tab, Shift-Tab   next, previous hot line",
		"H       hottest line                  s     source lines    / n N [ ]",
		"Left q  back to the table",
	};

	return line < sizeof(lines) / sizeof(lines[0]) ? lines[line] : NULL;
}
