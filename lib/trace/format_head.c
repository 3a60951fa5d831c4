// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "format_head.h"

#define COMMON(member, c_type)                                                                     \
	{                                                                                          \
		"common_" #member, c_type, offsetof(struct pk_common_fields, member),              \
			sizeof(((struct pk_common_fields *)0)->member)                             \
	}

static const struct {
	const char *name, *type;
	size_t offset, size;
} common_fields[] = {
	COMMON(type, "unsigned short"),
	COMMON(flags, "unsigned char"),
	COMMON(preempt_count, "unsigned char"),
	COMMON(pid, "int"),
};

#define COMMON_COUNT (sizeof(common_fields) / sizeof(common_fields[0]))

/* ---- Names ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool pk_field_name_is_valid(const char *name)
{
	size_t size = 0;

	for (; name[size]; size++)
		if (!is_name_char(name[size]))
			return false;
	return size && size < PK_FIELD_NAME_SIZE && !is_digit(name[0]);
}

bool pk_field_is_common(const char *name)
{
	for (size_t i = 0; i < COMMON_COUNT; i++)
		if (!strcmp(common_fields[i].name, name))
			return true;
	return false;
}

void pk_field_name_make(char field[PK_FIELD_NAME_SIZE], const char *name,
			bool (*is_used)(const void *arg, const char *name), const void *arg)
{
	char plain[PK_FIELD_NAME_SIZE - 8]; /* room for a number */

	snprintf(plain, sizeof(plain), "%s", *name ? name : "value");
	for (char *p = plain; *p; p++)
		if (!is_name_char(*p))
			*p = '_';
	if (is_digit(plain[0]))
		plain[0] = '_';
	snprintf(field, PK_FIELD_NAME_SIZE, "%s", plain);
	for (unsigned int i = 2; pk_field_is_common(field) || is_used(arg, field); i++)
		snprintf(field, PK_FIELD_NAME_SIZE, "%s_%u", plain, i);
}

/* ---- The text ---- */

void pk_format_head(const char *name, uint32_t id, struct buffer *text)
{
	buffer_format(text, "name: %s\nID: %u\nformat:\n", name, id);
	for (size_t i = 0; i < COMMON_COUNT; i++)
		buffer_format(text, "\tfield:%s %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			      common_fields[i].type, common_fields[i].name, common_fields[i].offset,
			      common_fields[i].size, common_fields[i].type[0] == 'i');
	buffer_char(text, '\n');
}
