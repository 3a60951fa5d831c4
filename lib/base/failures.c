// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "failures.h"

void pk_failed(struct pk_failures *failures, const char *path, int error)
{
	if (!failures || failures->count++)
		return;
	failures->error = error;
	snprintf(failures->path, sizeof(failures->path), "%s", path ? path : "");
}

void pk_failed_errno(struct pk_failures *failures, const char *path)
{
	const int error = errno;

	if (pk_is_failure(error))
		pk_failed(failures, path, error);
	errno = error;
}

void pk_failures_add(struct pk_failures *failures, const struct pk_failures *others)
{
	const uint64_t before = failures->count;

	if (!before)
		*failures = *others;
	failures->count = before + others->count;
}

void *pk_need(struct pk_failures *failures, void *block)
{
	if (!block)
		pk_failed(failures, NULL, ENOMEM);
	return block;
}

enum pk_status pk_need_room(struct pk_failures *failures, enum pk_status status)
{
	if (status != PK_OK)
		pk_failed(failures, NULL, ENOMEM);
	return status;
}

char *pk_need_text(struct pk_failures *failures, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return pk_need(failures, n < 0 ? NULL : text);
}

bool pk_is_failure(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
	case ESRCH: /* the process has ended */
	case EACCES:
	case EPERM:
	case EINVAL: /* pk_file_open() found a file that is not a regular file */
	case ELOOP:
	case ENXIO:
	case ENODEV: return false;
	default: return true;
	}
}

const char *pk_failure_text(int error)
{
	if (error == ENOMEM)
		return "out of memory";
	return error ? strerror(error) : "became shorter while it was read";
}
