// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "pkutil.h"
#include "span_format.h"

/* The size of a text's place: the offset of its bytes, and their number with the NUL. */
#define PLACE_SIZE 4u

/* ---- Fields ---- */

static bool is_used(const void *arg, const char *name)
{
	const struct pk_span_format *format = arg;

	for (size_t i = 0; i < format->count; i++)
		if (!strcmp(format->fields[i].name, name))
			return true;
	return false;
}

bool pk_span_format_has(const struct pk_span_format *format, const char *name)
{
	return pk_field_is_common(name) || is_used(format, name);
}

void pk_span_format_start(struct pk_span_format *format, const char *name, uint32_t id,
			  bool big_endian)
{
	format->id = id;
	format->big_endian = big_endian;
	format->count = format->texts_count = 0;
	format->size = sizeof(struct pk_common_fields);
	format->address = SIZE_MAX;
	snprintf(format->name, sizeof(format->name), "%s", name);
}

bool pk_span_format_add(struct pk_span_format *format, const char *name, enum pk_span_kind kind)
{
	struct pk_span_field *field = &format->fields[format->count];

	if (format->count == PK_SPAN_FIELDS_MAX)
		return false;
	pk_field_name_make(field->name, name, is_used, format);
	field->kind = kind;
	field->offset = format->size;
	if (kind == PK_SPAN_TEXT)
		format->texts[format->texts_count++] = (uint8_t)format->count;
	format->size += kind == PK_SPAN_TEXT ? PLACE_SIZE : sizeof(uint64_t);
	format->count++;
	return true;
}

bool pk_span_format_set_address(struct pk_span_format *format, const char *name)
{
	for (size_t i = 0; i < format->count; i++) {
		if (format->fields[i].kind == PK_SPAN_TEXT ||
		    strcmp(format->fields[i].name, name) != 0)
			continue;
		format->address = i;
		return true;
	}
	return false;
}

static const char *type_of(enum pk_span_kind kind)
{
	switch (kind) {
	case PK_SPAN_SIGNED: return "s64";
	case PK_SPAN_HEX: return "void *";
	case PK_SPAN_TEXT: return "__data_loc char[]";
	default: return "u64";
	}
}

static void print_field(struct buffer *text, const struct pk_span_field *field)
{
	static const char *const conversions[] = {
		[PK_SPAN_UNSIGNED] = "%llu",
		[PK_SPAN_SIGNED] = "%lld",
		[PK_SPAN_HEX] = "0x%llx",
		[PK_SPAN_TEXT] = "%s",
	};

	buffer_format(text, "%s=%s", field->name, conversions[field->kind]);
}

static void print_argument(struct buffer *text, const struct pk_span_field *field)
{
	if (field->kind == PK_SPAN_TEXT)
		buffer_format(text, ", __get_str(%s)", field->name);
	else if (field->kind == PK_SPAN_HEX)
		buffer_format(text, ", (unsigned long long)REC->%s", field->name);
	else
		buffer_format(text, ", REC->%s", field->name);
}

void pk_span_format_text(const struct pk_span_format *format, struct buffer *text)
{
	pk_format_head(format->name, format->id, text);
	for (size_t i = 0; i < format->count; i++) {
		const struct pk_span_field *field = &format->fields[i];

		buffer_format(text, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			      type_of(field->kind), field->name, field->offset,
			      field->kind == PK_SPAN_TEXT ? PLACE_SIZE : 8,
			      field->kind == PK_SPAN_SIGNED || field->kind == PK_SPAN_TEXT);
	}
	buffer_text(text, "\nprint fmt: \"");
	for (size_t i = 0; i < format->count; i++) {
		if (i)
			buffer_char(text, ' ');
		print_field(text, &format->fields[i]);
	}
	buffer_char(text, '"');
	for (size_t i = 0; i < format->count; i++)
		print_argument(text, &format->fields[i]);
	buffer_char(text, '\n');
}

/* ---- Samples ---- */

/* The bytes of a text that fit, if so many bytes of texts precede it. */
static size_t text_size(const struct pk_span_value *value, size_t before)
{
	const size_t room = before < PK_SPAN_TEXTS_MAX ? PK_SPAN_TEXTS_MAX - before : 0;

	return value->text.size < room ? (size_t)value->text.size : room;
}

size_t pk_span_format_size(const struct pk_span_format *format, const struct pk_span_value *values)
{
	size_t texts = 0;

	for (size_t i = 0; i < format->texts_count; i++)
		texts += text_size(&values[format->texts[i]], texts) + 1;
	return PK_ALIGN8(sizeof(uint32_t) + format->size + texts) - sizeof(uint32_t);
}

static void store_u32(bool swapped, uint8_t *at, uint32_t value)
{
	pk_store_u32(at, swapped ? __builtin_bswap32(value) : value);
}

static void put_numbers(const struct pk_span_format *format, bool swapped,
			const struct pk_span_value *values, uint8_t *raw)
{
	for (size_t i = 0; i < format->count; i++) {
		const struct pk_span_field *field = &format->fields[i];
		const uint64_t number = values[i].number;

		if (pk_likely(field->kind != PK_SPAN_TEXT))
			pk_store_u64(raw + field->offset,
				     swapped ? __builtin_bswap64(number) : number);
	}
}

void pk_span_format_put(const struct pk_span_format *format, uint32_t tid,
			const struct pk_span_value *values, uint8_t *raw, size_t size)
{
	const bool swapped = format->big_endian != PK_HOST_IS_BIG;
	const uint16_t type = (uint16_t)format->id;
	size_t at = format->size, texts = 0;

	memset(raw, 0, sizeof(struct pk_common_fields));
	pk_store_u16(raw + offsetof(struct pk_common_fields, type),
		     swapped ? __builtin_bswap16(type) : type);
	store_u32(swapped, raw + offsetof(struct pk_common_fields, pid), tid);
	put_numbers(format, swapped, values, raw);
	for (size_t i = 0; i < format->texts_count; i++) {
		const size_t field = format->texts[i];
		const size_t length = text_size(&values[field], texts);

		store_u32(swapped, raw + format->fields[field].offset,
			  (uint32_t)(at | (length + 1) << 16));
		if (length)
			memcpy(raw + at, values[field].text.data, length);
		raw[at + length] = '\0';
		at += length + 1;
		texts += length + 1;
	}
	memset(raw + at, 0, size - at);
}
