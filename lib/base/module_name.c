// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "module_name.h"

const char *pk_module_suffix(const char *path)
{
	static const char *const suffixes[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst"};
	const size_t size = strlen(path);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const size_t tail = strlen(suffixes[i]);

		if (size > tail && path[size - tail - 1] != '/' &&
		    !strcmp(path + size - tail, suffixes[i]))
			return path + size - tail;
	}
	return NULL;
}

bool pk_module_name(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
	const char *end = pk_module_suffix(path);
	const size_t length = end ? (size_t)(end - start) : 0;

	if (!end || length >= size)
		return false;
	for (size_t i = 0; i < length; i++)
		name[i] = (char)(start[i] == '-' ? '_' : start[i]);
	name[length] = '\0';
	return true;
}
