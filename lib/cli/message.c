// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "cli.h"
#include "signals.h"

static const char *cli_program = "pk";
static int cli_verbosity;

/* A closed descriptor. The commands that the program starts find it closed, too. */
static void occupy(int fd)
{
	if (fcntl(fd, F_GETFD) >= 0)
		return;
	if (open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
		epoll_create1(EPOLL_CLOEXEC); /* where there is no /dev, as in a chroot */
}

void pk_cli_init(const char *program)
{
	cli_program = program;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		occupy(fd);
	signals_init();
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
