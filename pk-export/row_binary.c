// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <string.h>

#include "protobuf.h"
#include "row_binary.h"

static const struct {
	const char *name;
	bool nullable;
} types[] = {
	[ROW_TEXT] = {"String", false},
	[ROW_ANY_TEXT] = {"Nullable(String)", true},
	[ROW_NUMBER] = {"UInt64", false},
	[ROW_ANY_NUMBER] = {"Nullable(UInt64)", true},
	[ROW_ANY_SIGNED] = {"Nullable(Int64)", true},
	[ROW_KEY] = {"FixedString(16)", false},
	[ROW_ANY_KEY] = {"Nullable(FixedString(16))", true},
	[ROW_TEXTS] = {"Array(String)", false},
	[ROW_KEYS] = {"Array(FixedString(16))", false},
	[ROW_SECONDS] = {"DateTime", false},
};

static void add_text(struct buffer *out, const char *text, size_t size)
{
	protobuf_varint(out, size);
	buffer_add(out, text, size);
}

/* The names are in `text` until the heading is complete: their number comes first. */
void binary_heading(struct row_writer *writer, const char *name)
{
	if (writer->columns == 1)
		writer->text.size = 0;
	add_text(&writer->text, name, strlen(name));
}

void binary_start(struct row_writer *writer)
{
	writer->started = true;
	if (writer->format != ROW_BINARY_TYPES)
		return;
	protobuf_varint(writer->out, writer->columns);
	buffer_add(writer->out, writer->text.data, writer->text.size);
	for (unsigned int i = 0; i < writer->columns; i++)
		add_text(writer->out, types[writer->types[i]].name,
			 strlen(types[writer->types[i]].name));
	writer->out->failed |= writer->text.failed;
}

enum row_type row_type_of(const struct row_writer *writer)
{
	assert(writer->at && writer->at <= writer->columns);
	return writer->types[writer->at - 1];
}

/* A column that can be without a value has a byte before each value. */
static void start_value(struct row_writer *writer)
{
	if (types[row_type_of(writer)].nullable)
		buffer_char(writer->out, 0);
}

void binary_none(struct row_writer *writer)
{
	assert(types[row_type_of(writer)].nullable);
	buffer_char(writer->out, 1);
}

bool binary_is_text(const struct row_writer *writer)
{
	const enum row_type type = row_type_of(writer);

	return type == ROW_TEXT || type == ROW_ANY_TEXT;
}

void binary_text(struct row_writer *writer, const char *text, size_t size)
{
	start_value(writer);
	add_text(writer->out, text, size);
}

void binary_number(struct row_writer *writer, uint64_t number)
{
	char bytes[sizeof(number)];

	start_value(writer);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> 8 * i);
	buffer_add(writer->out, bytes,
		   row_type_of(writer) == ROW_SECONDS ? sizeof(uint32_t) : sizeof(bytes));
}

void binary_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE])
{
	start_value(writer);
	buffer_add(writer->out, key, ROW_KEY_SIZE);
}

void binary_list(struct row_writer *writer, size_t items)
{
	protobuf_varint(writer->out, items);
}

void binary_item(struct row_writer *writer, const char *text, size_t size)
{
	add_text(writer->out, text, size);
}
