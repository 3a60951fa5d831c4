// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "event_parser.h"

#define EXCERPT 100 /* the longest text that a message shows, in columns */

enum pk_status pk_event_parser_no_memory(const struct event_parser *parser)
{
	return pk_messages_no_memory(parser->messages);
}

/* Returns true if the byte is inside of a UTF-8 character, after its first byte. Such a byte has no
 * column of its own. */
static bool is_inside(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Reports the text around the position, and a caret below the position. */
static void show_place(struct pk_messages *messages, const char *text, size_t at)
{
	size_t from = at > EXCERPT / 2 ? at - EXCERPT / 2 : 0, size, columns = 0;

	while (from < at && is_inside(text[from]))
		from++;
	for (size_t i = from; i < at; i++)
		columns += !is_inside(text[i]);
	size = strnlen(text + from, EXCERPT);
	while (size && is_inside(text[from + size]))
		size--;
	pk_messages_error(messages, "  %.*s", (int)size, text + from);
	pk_messages_error(messages, "  %*s", (int)columns + 1, "^");
}

enum pk_status pk_event_parser_complain(const struct event_parser *parser, size_t at,
					const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pk_messages_error(parser->messages, "event: %s", text);
	show_place(parser->messages, parser->text, at);
	return PK_FAILED;
}
