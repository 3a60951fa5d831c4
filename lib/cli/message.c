// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "signals.h"

/* The global state of the program, which messages and the exit status need. Other files of lib/cli
 * have their own state, such as the inputs and outputs (create.c), the pager (terminal.c) and the
 * sandbox (sandbox.c). */
static struct {
	const char *name;
	int verbosity;
	struct pk_failures failures; /* the failed lookups of the program */
	bool no_memory;		     /* true if pk_no_memory() has printed its message */
} program = {.name = "pk"};

/* Opens a replacement if the descriptor is closed. The replacement is closed again in the commands
 * that the program starts. */
static void occupy(int fd)
{
	if (fcntl(fd, F_GETFD) >= 0)
		return;
	if (open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
		epoll_create1(
			EPOLL_CLOEXEC); /* An epoll descriptor can be neither read nor written. It
					   is used if there is no /dev, for example in a chroot. */
}

void pk_cli_init(const char *name)
{
	program.name = name;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		occupy(fd);
	pk_signals_init();
}

void pk_cli_verbosity(int level)
{
	program.verbosity = level;
}

int pk_cli_verbose(void)
{
	return program.verbosity;
}

const char *pk_cli_program(void)
{
	return program.name;
}

/* Writes each message with one write to stderr. So the lines of several programs in a pipeline do
 * not mix. */
static void message(const char *format, va_list args)
{
	char text[4096], line[4200];

	vsnprintf(text, sizeof(text), format, args);
	pk_harmless(text);
	snprintf(line, sizeof(line), "%s: %s\n", program.name, text);
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

	if (program.verbosity < 0)
		return;
	va_start(args, format);
	message(format, args);
	va_end(args);
}

void pk_info(const char *format, ...)
{
	va_list args;

	if (program.verbosity < 1)
		return;
	va_start(args, format);
	message(format, args);
	va_end(args);
}

int pk_usage_hint(void)
{
	fprintf(stderr, "Try '%s --help'.\n", program.name);
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

/* ---- Failures (lookups.h) ---- */

struct pk_failures *pk_lookups(void)
{
	return &program.failures;
}

void pk_lookup_failed(const char *path)
{
	pk_failed_errno(&program.failures, path);
}

int pk_no_memory(void)
{
	if (!program.no_memory)
		pk_error("out of memory");
	program.no_memory = true;
	return PK_EXIT_FAILED;
}

bool pk_memory_exhausted(void)
{
	return program.no_memory;
}

void pk_exit_no_memory(void)
{
	exit(pk_no_memory());
}

void pk_report_failures(const struct pk_failures *failures)
{
	const char *reason = pk_failure_text(failures->error);
	char number[32];

	if (!failures->count)
		return;
	pk_number(number, failures->count);
	if (*failures->path)
		pk_error("%s lookup%s failed: %s: %s", number, failures->count == 1 ? "" : "s",
			 failures->path, reason);
	else
		pk_error("%s lookup%s failed: %s", number, failures->count == 1 ? "" : "s", reason);
}

void pk_print_messages(struct pk_messages *messages)
{
	enum pk_severity severity;
	const char *text;

	for (size_t at = 0; (text = pk_messages_next(messages, &at, &severity));) {
		switch (severity) {
		case PK_SEVERITY_ERROR: pk_error("%s", text); break;
		case PK_SEVERITY_WARNING: pk_warn("%s", text); break;
		case PK_SEVERITY_INFO: pk_info("%s", text); break;
		}
	}
	if (messages->omitted)
		pk_error("%zu more messages", messages->omitted);
	if (messages->no_memory)
		pk_no_memory();
	pk_failures_add(&program.failures, &messages->failures);
	pk_messages_clear(messages);
}

enum pk_status pk_printed(enum pk_status status, struct pk_messages *messages)
{
	pk_print_messages(messages);
	return status;
}
