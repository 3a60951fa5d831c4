// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lookups.h"
#include "recordings.h"

bool pk_starts_recording(const char *head, size_t size)
{
	static const char *const magics[] = {"PERFILE2", "2ELIFREP", "PERFFILE", "ELIFFREP",
					     "\x28\xb5\x2f\xfd"};

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (size >= strlen(magics[i]) && !memcmp(head, magics[i], strlen(magics[i])))
			return true;
	return false;
}

static bool has_magic(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char head[8] = "";
	ssize_t size = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (size < 0)
		pk_lookup_failed(path);
	if (fd >= 0)
		close(fd);
	return size > 0 && pk_starts_recording(head, (size_t)size);
}

bool pk_is_recording(const char *path)
{
	char data[PATH_MAX];
	struct stat st;

	if (stat(path, &st)) {
		pk_lookup_failed(path);
		return false;
	}
	if (S_ISREG(st.st_mode))
		return has_magic(path);
	if (!S_ISDIR(st.st_mode) || snprintf(data, sizeof(data), "%s/data", path) >= PATH_MAX)
		return false;
	return !stat(data, &st) && S_ISREG(st.st_mode) && has_magic(data);
}
