// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "pkprivate.h"

int pk_temporary_open(void)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not every file system supports O_TMPFILE. */
	if (snprintf(name, sizeof(name), "%s/pk-XXXXXX", folder) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

static enum pk_status write_out(struct pk_input *input, int fd)
{
	const size_t size = input->end - input->begin;

	if (pk_write_all(fd, pk_input_at(input), size) != PK_OK) {
		input->error = errno;
		return PK_IO;
	}
	pk_input_consume(input, size);
	return PK_OK;
}

enum pk_status pk_input_spool(struct pk_input *input, int *fd)
{
	enum pk_status status = PK_OK;

	*fd = pk_temporary_open();
	if (*fd < 0) {
		input->error = errno;
		return PK_IO;
	}
	while (!status) {
		status = write_out(input, *fd);
		if (!status)
			status = pk_input_want(input, 1);
	}
	/* PK_TRUNCATED means that a compressed file ends too early. The data before its end can
	 * still be used. */
	if (status == PK_END || status == PK_TRUNCATED)
		return PK_OK;
	close(*fd);
	*fd = -1;
	return status;
}

bool pk_input_can_seek(const struct pk_input *input, uint64_t *position)
{
	size_t unread = input->end - input->begin;
	struct stat st;
	off_t at;

	if (input->read || input->zstd || input->raw_begin < input->raw_end ||
	    fstat(input->options.fd, &st) || !S_ISREG(st.st_mode))
		return false;
	at = lseek(input->options.fd, 0, SEEK_CUR);
	if (at < 0 || (uint64_t)at < unread)
		return false;
	*position = (uint64_t)at - unread;
	return true;
}

void pk_input_switch(struct pk_input *input, ssize_t (*read)(void *arg, void *buf, size_t size),
		     void *arg)
{
	input->read = read;
	input->read_arg = arg;
	input->is_pipe = false;
	input->begin = input->end;
	input->offset = 0;
}
