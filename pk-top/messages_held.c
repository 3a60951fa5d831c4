// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "messages_held.h"
#include "status.h"

#define PART 4096 /* bytes; more than the length of a message */

static struct {
	int original, memory; /* descriptors; `memory` is 0 if stderr is not held */
	off_t read;	      /* size of the messages that messages_last() has read */
	bool stopped;
	off_t end; /* size of the messages before messages_stop() */
} held;

enum pk_status messages_hold(void)
{
	held.original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	held.memory = memfd_create("pk-top", MFD_CLOEXEC);
	if (held.original >= 0 && held.memory >= 0 && dup2(held.memory, STDERR_FILENO) >= 0)
		return PK_OK;
	pk_error("stderr: %s", strerror(errno));
	held.memory = 0;
	return PK_FAILED;
}

/* Returns the start of the text after "pk-top: ". */
static const char *without_name(const char *line)
{
	const char *colon = strstr(line, ": ");

	return colon && !strncmp(line, pk_cli_program(), (size_t)(colon - line)) ? colon + 2 : line;
}

bool messages_last(char *text, size_t size)
{
	char part[PART + 1];
	const off_t end = held.memory ? lseek(held.memory, 0, SEEK_END) : 0;
	const off_t from = end - PART > held.read ? end - PART : held.read;
	ssize_t count;
	char *line;

	if (end <= held.read)
		return false;
	held.read = end;
	count = pread(held.memory, part, PART, from);
	while (count > 0 && part[count - 1] == '\n')
		count--;
	if (count <= 0)
		return false;
	part[count] = '\0';
	line = strrchr(part, '\n');
	snprintf(text, size, "%s", without_name(line ? line + 1 : part));
	return true;
}

void messages_stop(void)
{
	if (!held.stopped && held.memory)
		held.end = lseek(held.memory, 0, SEEK_END);
	held.stopped = true;
}

void messages_release(void)
{
	char part[PART];
	off_t at = 0;
	ssize_t count;

	if (!held.memory)
		return;
	if (held.stopped)
		(void)!ftruncate(held.memory, held.end);
	dup2(held.original, STDERR_FILENO);
	while ((count = pread(held.memory, part, sizeof(part), at)) > 0 &&
	       fwrite(part, 1, (size_t)count, stderr) == (size_t)count)
		at += count;
	close(held.memory);
	close(held.original);
	held.memory = 0;
}
