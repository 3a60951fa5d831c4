// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "folded.h"

/* Splits a line at the blank before its weight; false: no weight. */
static bool split(char *line, size_t size, uint64_t *weight)
{
	size_t end = size;
	char *number;

	while (end && isspace((unsigned char)line[end - 1]))
		end--;
	line[end] = '\0';
	number = strrchr(line, ' ');
	if (!number || memchr(line, '\0', end) || !pk_parse_u64(number + 1, weight))
		return false;
	while (number > line && number[-1] == ' ')
		number--;
	*number = '\0';
	return true;
}

/* Whether the line separates rounds of --live: an empty line, or "# 12:34:56". */
static bool is_separator(const char *line)
{
	return !line[strspn(line, "\n")] ||
	       (line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]));
}

bool folded_is(const char *path)
{
	struct stat st;
	FILE *file;
	char *line = NULL;
	size_t capacity = 0;
	uint64_t weight;
	ssize_t size;
	bool folded;

	if (!strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	if (!st.st_size) /* of a recording without samples */
		return true;
	file = fopen(path, "re");
	if (!file)
		return false;
	size = getline(&line, &capacity, file);
	folded = size > 0 && memcmp(line, "PERFILE2", (size_t)size < 8 ? (size_t)size : 8) &&
		 (split(line, (size_t)size, &weight) || is_separator(line));
	free(line);
	fclose(file);
	return folded;
}

static bool add(struct pk_tree *tree, unsigned int column, const char *stack, uint64_t weight)
{
	uint32_t node = 0;

	for (;;) {
		size_t size = strcspn(stack, ";");

		node = pk_tree_node(tree, node, stack, size);
		if (!node)
			return false;
		if (!stack[size]) {
			pk_tree_add(tree, node, column, weight);
			return true;
		}
		stack += size + 1;
	}
}

int folded_read(struct pk_tree *tree, unsigned int column, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	uint64_t weight, number = 0;
	int result = PK_EXIT_OK;
	ssize_t size;

	if (!file) {
		pk_error("%s: cannot be read", path);
		return PK_EXIT_FAILED;
	}
	while ((size = getline(&line, &capacity, file)) > 0) {
		number++;
		if (!split(line, (size_t)size, &weight)) {
			if (is_separator(line))
				continue;
			pk_error("%s: line %" PRIu64 " has no weight, skipped", path, number);
			result = PK_EXIT_FAILED;
			continue;
		}
		pk_harmless(line);
		if (!add(tree, column, line, weight)) {
			pk_error("%s: out of memory", path);
			result = PK_EXIT_FAILED;
			break;
		}
	}
	if (size < 0 && !feof(file)) { /* a failed read, or a line that needs too much memory */
		pk_error("%s: cannot be read: %s", path, strerror(errno));
		result = PK_EXIT_FAILED;
	}
	free(line);
	fclose(file);
	return result;
}
