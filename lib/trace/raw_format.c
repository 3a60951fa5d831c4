// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "characters.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "raw_format.h"

/* ---- Common fields ---- */

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

bool pk_field_name_is_valid(const char *name)
{
	size_t size = 0;

	for (; name[size]; size++)
		if (!pk_is_of_name(name[size]))
			return false;
	return size && size < PK_FIELD_NAME_SIZE && !pk_is_digit(name[0]);
}

/* Returns whether all tracepoints have a field of this name. */
static bool is_common(const char *name)
{
	for (size_t i = 0; i < COMMON_COUNT; i++)
		if (!strcmp(common_fields[i].name, name))
			return true;
	return false;
}

void pk_field_name_make(char field[PK_FIELD_NAME_SIZE], const char *name,
			bool (*is_used)(const void *arg, const char *name), const void *arg)
{
	char plain[PK_FIELD_NAME_SIZE - 8]; /* leaves room for "_" and a number */

	snprintf(plain, sizeof(plain), "%s", *name ? name : "value");
	for (char *p = plain; *p; p++)
		if (!pk_is_of_name(*p))
			*p = '_';
	if (pk_is_digit(plain[0]))
		plain[0] = '_';
	snprintf(field, PK_FIELD_NAME_SIZE, "%s", plain);
	for (unsigned int i = 2; is_common(field) || is_used(arg, field); i++)
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

/* ---- Formats ---- */

#define CALLS_MAX 1024 /* greater than all numbers of system calls that have names */

/* ---- Fields ---- */

const struct pk_raw_field *pk_raw_layout_find(const struct pk_raw_layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->count; i++)
		if (!strcmp(layout->fields[i].name, name))
			return &layout->fields[i];
	return NULL;
}

static bool is_used(const void *layout, const char *name)
{
	return pk_raw_layout_find(layout, name) != NULL;
}

bool pk_raw_layout_add(struct pk_raw_layout *layout, const char *name,
		       const struct pk_raw_field *field)
{
	struct pk_raw_field added = *field;

	if (layout->count == PK_RAW_FIELDS_MAX)
		return false;
	pk_field_name_make(added.name, name, is_used, layout);
	layout->fields[layout->count++] = added;
	return true;
}

/* ---- Numbers ---- */

bool pk_raw_is_number(const struct pk_raw_field *field)
{
	return !field->count && field->kind <= PK_RAW_POINTER;
}

uint64_t pk_raw_number(const struct pk_raw_field *field, const uint8_t *data, size_t size)
{
	const bool is_signed = field->kind == PK_RAW_SIGNED;
	const uint8_t *at = data + field->offset;

	if (field->offset > size || field->size > size - field->offset)
		return 0;
	switch (field->size) {
	case 1: return is_signed ? (uint64_t)(int8_t)*at : *at;
	case 2: return is_signed ? (uint64_t)(int16_t)pk_load_u16(at) : pk_load_u16(at);
	case 4: return is_signed ? (uint64_t)(int32_t)pk_load_u32(at) : pk_load_u32(at);
	case 8: return pk_load_u64(at);
	default: return 0;
	}
}

/* ---- The text ---- */

static void print_declaration(const struct pk_raw_field *field, struct buffer *text)
{
	const bool is_signed = field->kind == PK_RAW_SIGNED || field->kind == PK_RAW_TEXT;
	const uint32_t elements = field->count ? field->count : 1;

	buffer_text(text, "\tfield:");
	if (field->kind == PK_RAW_POINTER)
		buffer_text(text, field->size == 8 ? "void *" : "u32");
	else if (field->kind == PK_RAW_TEXT)
		buffer_text(text, "char");
	else
		buffer_format(text, "%c%u", is_signed ? 's' : 'u', field->size * 8);
	buffer_format(text, " %s", field->name);
	if (field->count)
		buffer_format(text, "[%u]", field->count);
	buffer_format(text, ";\toffset:%zu;\tsize:%u;\tsigned:%d;\n",
		      sizeof(struct pk_common_fields) + field->offset, field->size * elements,
		      is_signed);
}

/* Returns whether a field is printed as the name of a system call. For such a field, the text of
 * the format contains the names of all system calls, so that all readers can print them. */
static bool has_call_names(const struct pk_raw_field *field, enum pk_abi abi)
{
	return abi != PK_ABI_UNKNOWN && pk_raw_is_number(field) &&
	       !strcmp(field->name, "syscall_nr");
}

static void print_conversion(const struct pk_raw_field *field, enum pk_abi abi, struct buffer *text)
{
	const char *size = field->size == 8 ? "ll" : "";

	buffer_format(text, "%s=", field->name);
	if (field->count || has_call_names(field, abi))
		buffer_text(text, "%s");
	else if (field->kind == PK_RAW_POINTER)
		buffer_text(text, "0x%llx");
	else
		buffer_format(text, "%%%s%c", size, field->kind == PK_RAW_SIGNED ? 'd' : 'u');
}

static void print_call_names(const struct pk_raw_field *field, enum pk_abi abi, struct buffer *text)
{
	buffer_format(text, ", __print_symbolic(REC->%s", field->name);
	for (uint64_t number = 0; number < CALLS_MAX; number++) {
		const char *name = pk_syscall_name(abi, number);

		if (name)
			buffer_format(text, ", { %u, \"%s\" }", (unsigned)number, name);
	}
	buffer_char(text, ')');
}

static void print_argument(const struct pk_raw_field *field, enum pk_abi abi, struct buffer *text)
{
	if (has_call_names(field, abi))
		print_call_names(field, abi, text);
	else if (field->kind == PK_RAW_BYTES)
		buffer_format(text, ", __print_hex(REC->%s, %u)", field->name, field->count);
	else if (field->count && field->kind != PK_RAW_TEXT)
		buffer_format(text, ", __print_array(REC->%s, %u, %u)", field->name, field->count,
			      field->size);
	else if (field->kind == PK_RAW_POINTER)
		buffer_format(text, ", (unsigned long long)REC->%s", field->name);
	else
		buffer_format(text, ", REC->%s", field->name);
}

char *pk_raw_format_text(const struct pk_raw_layout *layout, const char *name, uint32_t id,
			 enum pk_abi abi)
{
	struct buffer text = {0};

	pk_format_head(name, id, &text);
	for (size_t i = 0; i < layout->count; i++)
		print_declaration(&layout->fields[i], &text);
	buffer_text(&text, "\nprint fmt: \"");
	for (size_t i = 0; i < layout->count; i++) {
		if (i)
			buffer_char(&text, ' ');
		print_conversion(&layout->fields[i], abi, &text);
	}
	buffer_char(&text, '"');
	for (size_t i = 0; i < layout->count; i++)
		print_argument(&layout->fields[i], abi, &text);
	buffer_char(&text, '\n');
	return buffer_take(&text);
}
