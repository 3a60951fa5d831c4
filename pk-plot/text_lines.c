// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "text_lines.h"

static bool read_lines(FILE *file, bool (*line)(void *arg, char *text), void *arg)
{
	char *text = NULL;
	size_t capacity = 0, count = 0;
	ssize_t size;
	bool done = true;

	while (done && (size = getline(&text, &capacity, file)) >= 0) {
		if (size && text[size - 1] == '\n')
			text[size - 1] = '\0';
		errno = 0;
		if (count++ == TEXT_LINES_MAX)
			errno = EFBIG;
		done = !errno && line(arg, text);
		if (!done && !errno)
			errno = ENOMEM;
	}
	free(text);
	return done && feof(file);
}

bool text_lines_read(const char *path, bool missing, bool (*line)(void *arg, char *text), void *arg)
{
	FILE *file = fopen(path, "re");
	bool done;

	if (!file && missing && errno == ENOENT)
		return true;
	done = file && read_lines(file, line, arg);
	if (!done)
		pk_error("%s: %s", path, strerror(errno));
	if (file)
		fclose(file);
	return done;
}
