// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data_lines.h"
#include "find_program.h"
#include "lookups.h"

/* Whether a file exists that can be executed; else see errno. */
static bool is_program(const char *path)
{
	struct stat st;

	if (!stat(path, &st)) {
		if (S_ISREG(st.st_mode) && !access(path, X_OK))
			return true;
		errno = S_ISREG(st.st_mode) ? errno : EACCES;
	}
	if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
		pk_lookup_failed(path);
	return false;
}

/* The file in a folder, or NULL with errno. */
static char *find_in(const char *folder, int size, const char *name)
{
	char *path;

	if (asprintf(&path, "%.*s%s%s", size, folder, size ? "/" : "", name) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_program(path))
		return path;
	free(path);
	return NULL;
}

static char *find_in_path(const char *name)
{
	const char *folders = getenv("PATH");
	bool denied = false;
	char *path = NULL;
	int size;

	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	for (;; folders += size + 1) {
		size = (int)strcspn(folders, ":");
		path = find_in(folders, size, name);
		if (path || errno == ENOMEM)
			return path;
		denied |= errno == EACCES;
		if (!folders[size])
			break;
	}
	errno = denied ? EACCES : ENOENT;
	return NULL;
}

char *pk_find_program(const char *name)
{
	char folder[PATH_MAX], *path = NULL;

	if (strchr(name, '/'))
		return find_in("", 0, name);
	errno = 0;
	if (!strncmp(name, "pk-", 3) && pk_program_folder(folder, sizeof(folder)))
		path = find_in(folder, (int)strlen(folder), name);
	return path || errno == ENOMEM ? path : find_in_path(name);
}
