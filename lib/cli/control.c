// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "control.h"
#include "lookups.h"

#define NO_FIFO 0 /* open_fifo() sets errno to this value if the file is not a FIFO */

/* Opens a FIFO for reading and writing. Because this process is also a writer, read(2) does not
 * return end of file when the last other writer closes the FIFO. Refuses a regular file, because an
 * answer would overwrite its content. */
static int open_fifo(const char *name)
{
	const int fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && !S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = NO_FIFO;
	return -1;
}

static void complain(const char *name)
{
	pk_error("--control: %s: %s", name, errno == NO_FIFO ? "not a FIFO" : strerror(errno));
}

static int open_one(const char *name, bool is_fd)
{
	uint64_t number;

	if (!is_fd)
		return open_fifo(name);
	if (!pk_parse_u64(name, &number) || number > 1 << 20) {
		errno = EBADF;
		return -1;
	}
	return fcntl((int)number, F_DUPFD_CLOEXEC, 3);
}

static bool open_both(struct control *control, const char *in, const char *ack, bool is_fd)
{
	control->in = open_one(in, is_fd);
	if (control->in < 0)
		complain(in);
	else if (ack) {
		control->ack = open_one(ack, is_fd);
		if (control->ack < 0)
			complain(ack);
	}
	return control->in >= 0 && (!ack || control->ack >= 0);
}

enum pk_status pk_control_open(struct control *control, const char *text)
{
	const bool is_fd = !strncmp(text, "fd:", 3);
	char *copy, *ack;
	bool ok;

	*control = (struct control){.in = -1, .ack = -1};
	if (!is_fd && strncmp(text, "fifo:", 5)) {
		pk_error("--control '%s': must be fifo:COMMANDS[,ANSWERS] or fd:NUMBER[,NUMBER]",
			 text);
		return PK_FAILED;
	}
	copy = strdup(strchr(text, ':') + 1);
	if (!copy) {
		pk_no_memory();
		return PK_NOMEM;
	}
	ack = strchr(copy, ',');
	if (ack)
		*ack++ = 0;
	ok = open_both(control, copy, ack, is_fd);
	free(copy);
	return ok ? PK_OK : PK_FAILED;
}

void pk_control_close(struct control *control)
{
	if (control->in >= 0)
		close(control->in);
	if (control->ack >= 0)
		close(control->ack);
	control->in = control->ack = -1;
}

static enum control_command command_of(const char *line)
{
	static const char *const words[] = {
		[CONTROL_ENABLE] = "enable",	 [CONTROL_DISABLE] = "disable",
		[CONTROL_STOP] = "stop",	 [CONTROL_PING] = "ping",
		[CONTROL_SNAPSHOT] = "snapshot",
	};

	for (int i = CONTROL_ENABLE; i <= CONTROL_SNAPSHOT; i++)
		if (!strcmp(line, words[i]))
			return (enum control_command)i;
	pk_warn("--control: '%s': the commands are enable, disable, stop, ping and snapshot", line);
	return CONTROL_UNKNOWN;
}

static bool read_more(struct control *control)
{
	struct pollfd poll_fd = {.fd = control->in, .events = POLLIN};
	ssize_t n;

	if (poll(&poll_fd, 1, 0) <= 0)
		return false;
	n = read(control->in, control->line + control->used,
		 sizeof(control->line) - 1 - control->used);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(control->in); /* No program can send commands any more, or reading has failed.
				     */
		control->in = -1;
	}
	control->used += n > 0 ? (size_t)n : 0;
	return n > 0;
}

enum control_command pk_control_next(struct control *control)
{
	enum control_command command;
	char *newline;

	if (control->in < 0)
		return CONTROL_NONE;
	for (;;) {
		newline = memchr(control->line, '\n', control->used);
		if (newline || control->used == sizeof(control->line) - 1)
			break;
		if (!read_more(control))
			return CONTROL_NONE;
	}
	if (!newline)
		newline = control->line + control->used -
			  1; /* The buffer is full, but has no newline. No command is that long. */
	*newline = 0;
	command = command_of(control->line);
	control->used -= (size_t)(newline + 1 - control->line);
	memmove(control->line, newline + 1, control->used);
	return command;
}

void pk_control_acknowledge(const struct control *control)
{
	if (control->ack >= 0 && write(control->ack, "ack\n", 4) != 4)
		pk_info("--control: nobody reads the answer");
}
