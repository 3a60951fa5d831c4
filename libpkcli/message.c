// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>

#include "cli.h"

static const char *cli_program = "pk";
static int cli_verbosity;

void pk_cli_init(const char *program)
{
	cli_program = program;
}

void pk_cli_verbosity(int level)
{
	cli_verbosity = level;
}

int pk_cli_verbose(void)
{
	return cli_verbosity;
}

const char *pk_cli_program(void)
{
	return cli_program;
}

/* How many bytes of UTF-8 the character at p has; 1 if it is none. */
static unsigned int character_size(const unsigned char *p)
{
	unsigned int size = *p < 0xc2 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 1;

	for (unsigned int i = 1; i < size; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 1;
	return size;
}

void pk_harmless(char *text)
{
	unsigned char *p = (unsigned char *)text;

	for (unsigned int size; *p; p += size) {
		size = character_size(p);
		/* A terminal of 8 bits takes single bytes for C1 controls, too. */
		if (size == 1 && (*p < 0x20 || (*p >= 0x7f && *p < 0xa0)))
			*p = '?';
		else if (size == 2 && *p == 0xc2 && p[1] < 0xa0)
			p[0] = p[1] = '?';
	}
}

/* One write to stderr per message, so that the lines of a pipeline's programs do not mix. */
static void message(const char *format, va_list args)
{
	char text[4096], line[4200];

	vsnprintf(text, sizeof(text), format, args);
	pk_harmless(text);
	snprintf(line, sizeof(line), "%s: %s\n", cli_program, text);
	fputs(line, stderr);
}

void pk_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
}

void pk_warn(const char *format, ...)
{
	va_list args;

	if (cli_verbosity < 0)
		return;
	va_start(args, format);
	message(format, args);
	va_end(args);
}

void pk_info(const char *format, ...)
{
	va_list args;

	if (cli_verbosity < 1)
		return;
	va_start(args, format);
	message(format, args);
	va_end(args);
}

int pk_usage_hint(void)
{
	fprintf(stderr, "Try '%s --help'.\n", cli_program);
	return PK_EXIT_USAGE;
}

int pk_usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
	return pk_usage_hint();
}
