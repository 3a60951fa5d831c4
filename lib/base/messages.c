// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

#define LINE_MAX_SIZE 4096

static void add_message(struct pk_messages *messages, enum pk_severity severity, const char *format,
			va_list args)
{
	char line[1 + LINE_MAX_SIZE];
	size_t size;

	if (messages->quiet)
		return;
	line[0] = (char)severity;
	vsnprintf(line + 1, LINE_MAX_SIZE, format, args);
	size = 1 + strlen(line + 1) + 1;
	if (messages->text.size + size > PK_MESSAGES_MAX)
		messages->omitted++;
	else
		buffer_add(&messages->text, line, size);
	messages->no_memory |= messages->text.failed;
}

enum pk_status pk_messages_error(struct pk_messages *messages, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_message(messages, PK_SEVERITY_ERROR, format, args);
	va_end(args);
	return PK_FAILED;
}

void pk_messages_warn(struct pk_messages *messages, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_message(messages, PK_SEVERITY_WARNING, format, args);
	va_end(args);
}

void pk_messages_info(struct pk_messages *messages, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_message(messages, PK_SEVERITY_INFO, format, args);
	va_end(args);
}

enum pk_status pk_messages_no_memory(struct pk_messages *messages)
{
	messages->no_memory = true;
	return PK_NOMEM;
}

const char *pk_messages_next(const struct pk_messages *messages, size_t *at,
			     enum pk_severity *severity)
{
	const char *line;

	if (*at == messages->text.size)
		return NULL;
	line = messages->text.data + *at;
	*severity = (enum pk_severity)line[0];
	*at += 1 + strlen(line + 1) + 1;
	return line + 1;
}

void pk_messages_clear(struct pk_messages *messages)
{
	free(messages->text.data);
	*messages = (struct pk_messages){.quiet = messages->quiet};
}
