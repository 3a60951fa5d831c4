// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "span_format.h"

/* In the raw bytes, a text field has this size. It contains the offset of the text, and the size of
 * the text with the NUL. */
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

bool pk_span_format_add(struct pk_span_format *format, const char *name, enum pk_value_kind kind)
{
	struct pk_span_field *field = &format->fields[format->count];

	if (format->count == PK_SPAN_FIELDS_MAX)
		return false;
	pk_field_name_make(field->name, name, is_used, format);
	field->kind = kind;
	field->of = NULL;
	field->words = NULL;
	field->offset = format->size;
	if (kind == PK_VALUE_TEXT)
		format->texts[format->texts_count++] = (uint8_t)format->count;
	format->size += kind == PK_VALUE_TEXT ? PLACE_SIZE : sizeof(uint64_t);
	format->count++;
	return true;
}

bool pk_span_format_set_address(struct pk_span_format *format, const char *name)
{
	for (size_t i = 0; i < format->count; i++) {
		if (format->fields[i].kind == PK_VALUE_TEXT ||
		    strcmp(format->fields[i].name, name) != 0)
			continue;
		format->address = i;
		return true;
	}
	return false;
}

/* Returns the type of a field of this kind. Readers find out the kind from the type, or from "print
 * fmt". */
static const char *type_of(enum pk_value_kind kind)
{
	switch (kind) {
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT:
	case PK_VALUE_SIGNED_WORDS: return "s64";
	case PK_VALUE_HEX:
	case PK_VALUE_ADDRESS: return "void *";
	case PK_VALUE_TEXT: return "__data_loc char[]";
	case PK_VALUE_DURATION: return "ktime_t";
	case PK_VALUE_BYTES: return "size_t";
	case PK_VALUE_DEVICE: return "dev_t";
	case PK_VALUE_ERROR:
	case PK_VALUE_RESULT: return "error_t";
	default: return "u64";
	}
}

static void print_field(const struct pk_span_field *field, struct buffer *conversions,
			struct buffer *arguments)
{
	const char *name = field->name;

	buffer_format(conversions, "%s=", name);
	if (field->words) {
		pk_tracepoint_words_format(field->of, field->words, name, conversions, arguments);
	} else if (field->kind == PK_VALUE_TEXT) {
		buffer_text(conversions, "%s");
		buffer_format(arguments, ", __get_str(%s)", name);
	} else if (field->kind == PK_VALUE_DEVICE) {
		buffer_text(conversions, "%u,%u");
		buffer_format(arguments,
			      ", (unsigned int)(REC->%s >> 20), (unsigned int)(REC->%s & 0xfffff)",
			      name, name);
	} else if (pk_kind_is_hex(field->kind)) {
		buffer_text(conversions, "0x%llx");
		buffer_format(arguments, ", (unsigned long long)REC->%s", name);
	} else {
		buffer_text(conversions, pk_kind_is_signed(field->kind) ? "%lld" : "%llu");
		buffer_format(arguments, ", REC->%s", name);
	}
}

void pk_span_format_text(const struct pk_span_format *format, struct buffer *text)
{
	struct buffer arguments = {0};

	pk_format_head(format->name, format->id, text);
	for (size_t i = 0; i < format->count; i++) {
		const struct pk_span_field *field = &format->fields[i];

		buffer_format(text, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			      type_of(field->kind), field->name, field->offset,
			      field->kind == PK_VALUE_TEXT ? PLACE_SIZE : 8,
			      pk_kind_is_signed(field->kind) || field->kind == PK_VALUE_TEXT);
	}
	buffer_text(text, "\nprint fmt: \"");
	for (size_t i = 0; i < format->count; i++) {
		if (i)
			buffer_char(text, ' ');
		print_field(&format->fields[i], text, &arguments);
	}
	buffer_char(text, '"');
	buffer_add(text, arguments.data, arguments.size);
	buffer_char(text, '\n');
	text->failed |= arguments.failed;
	free(arguments.data);
}

/* ---- Samples ---- */

/* Returns how many bytes of a text fit into a sample. `before` is the number of bytes of the texts
 * before it. */
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

		if (pk_likely(field->kind != PK_VALUE_TEXT))
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
