// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "split_name.h"

/* Limit for the bytes of a value in a file name. (File systems allow names of 255 bytes.) Longer
 * values are cut, and get a number. */
#define VALUE_MAX 160

/* Returns the last component of a path. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *split_name_check(const char *pattern)
{
	const char *base = base_of(pattern), *at;
	unsigned int values = 0;

	for (at = strchr(pattern, '%'); at; at = strchr(at + 2, '%')) {
		if (at[1] != 'v' && at[1] != '%')
			return "only %v (the value) and %% (a percent sign) are allowed";
		if (at[1] == 'v' && at < base)
			return "%v is allowed in the file name only";
		values += at[1] == 'v';
	}
	if (values != 1)
		return "the name must contain %v once, for the value: 'out-%v.pk'";
	return strlen(base) > 64 ? "the name is too long" : NULL;
}

static bool is_plain(char c)
{
	return pk_is_of_name(c) || (c && strchr("-+,=@:.", c));
}

static void put_value(FILE *file, const char *value, size_t size, uint64_t number)
{
	size_t used = 0;

	if (!value || !size) {
		fputs(value ? "%empty" : "%none", file);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		const bool plain = is_plain(value[i]) && (i || value[i] != '.');

		used += plain ? 1 : 3;
		if (used > VALUE_MAX) {
			fprintf(file, "%%~%llu", (unsigned long long)number);
			return;
		}
		if (plain)
			fputc(value[i], file);
		else
			fprintf(file, "%%%02X", (unsigned int)(unsigned char)value[i]);
	}
}

char *split_name_of(const char *pattern, const char *value, size_t size, uint64_t number, bool part)
{
	const char *base = base_of(pattern);
	char *name = NULL;
	size_t length;
	FILE *file = open_memstream(&name, &length);

	if (!file)
		return NULL;
	for (const char *at = pattern; *at; at++) {
		if (part && at == base)
			fputc('.', file);
		if (*at != '%') {
			fputc(*at, file);
		} else if (*++at == 'v') {
			put_value(file, value, size, number);
		} else {
			fputc('%', file);
		}
	}
	if (part)
		fputs(".part", file);
	if (fclose(file)) {
		free(name);
		return NULL;
	}
	return name;
}
