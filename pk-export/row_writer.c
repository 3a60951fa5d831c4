// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "protobuf.h"
#include "row_writer.h"
#include "safe_text.h"

/* ---- Binary values ---- */

/* The values of ClickHouse's formats RowBinary and RowBinaryWithNamesAndTypes. Numbers are
 * little-endian. The length of a text or array precedes it as a varint. The types of columns must
 * be known before the first row. The functions of this section write the value of the current
 * column. */

static const struct {
	const char *name;
	bool nullable;
} types[] = {
	[ROW_TEXT] = {"String", false},
	[ROW_ANY_TEXT] = {"Nullable(String)", true},
	[ROW_NUMBER] = {"UInt64", false},
	[ROW_ANY_NUMBER] = {"Nullable(UInt64)", true},
	[ROW_ANY_SIGNED] = {"Nullable(Int64)", true},
	[ROW_KEY] = {"FixedString(8)", false},
	[ROW_ANY_KEY] = {"Nullable(FixedString(8))", true},
	[ROW_TEXTS] = {"Array(String)", false},
	[ROW_KEYS] = {"Array(FixedString(8))", false},
	[ROW_SECONDS] = {"DateTime", false},
};

static void add_binary_text(struct buffer *out, const char *text, size_t size)
{
	protobuf_varint(out, size);
	buffer_add(out, text, size);
}

/* Adds a name to the heading. The type of the column was set before. The names stay in writer->text
 * until the heading is complete, because the number of names must precede them. */
static void binary_heading(struct row_writer *writer, const char *name)
{
	if (writer->columns == 1)
		writer->text.size = 0;
	add_binary_text(&writer->text, name, strlen(name));
}

/* Called when the heading is complete. Writes it if the format is ROW_BINARY_TYPES. The other
 * format has no heading. */
static void binary_start(struct row_writer *writer)
{
	writer->started = true;
	if (writer->format != ROW_BINARY_TYPES)
		return;
	protobuf_varint(writer->out, writer->columns);
	buffer_add(writer->out, writer->text.data, writer->text.size);
	for (unsigned int i = 0; i < writer->columns; i++)
		add_binary_text(writer->out, types[writer->types[i]].name,
				strlen(types[writer->types[i]].name));
	writer->out->failed |= writer->text.failed;
}

/* Returns the type of the current column. */
static enum row_type row_type_of(const struct row_writer *writer)
{
	assert(writer->at && writer->at <= writer->columns);
	return writer->types[writer->at - 1];
}

/* Starts a value. If a column can have missing values, a byte precedes each value. */
static void start_value(struct row_writer *writer)
{
	if (types[row_type_of(writer)].nullable)
		buffer_char(writer->out, 0);
}

static void binary_none(struct row_writer *writer)
{
	assert(types[row_type_of(writer)].nullable);
	buffer_char(writer->out, 1);
}

/* Returns true if the current column has texts. */
static bool binary_is_text(const struct row_writer *writer)
{
	const enum row_type type = row_type_of(writer);

	return type == ROW_TEXT || type == ROW_ANY_TEXT;
}

/* Writes a text. The current column must have texts. */
static void binary_text(struct row_writer *writer, const char *text, size_t size)
{
	start_value(writer);
	add_binary_text(writer->out, text, size);
}

/* Writes a number. The current column must have numbers. */
static void binary_number(struct row_writer *writer, uint64_t number)
{
	char bytes[sizeof(number)];

	start_value(writer);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> 8 * i);
	buffer_add(writer->out, bytes,
		   row_type_of(writer) == ROW_SECONDS ? sizeof(uint32_t) : sizeof(bytes));
}

static void binary_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE])
{
	start_value(writer);
	buffer_add(writer->out, key, ROW_KEY_SIZE);
}

static void binary_list(struct row_writer *writer, size_t items)
{
	protobuf_varint(writer->out, items);
}

static void binary_item(struct row_writer *writer, const char *text, size_t size)
{
	add_binary_text(writer->out, text, size);
}

/* ---- Rows of any format ---- */

static void separate(struct row_writer *writer)
{
	static const char separators[] = {
		[ROW_TSV] = '\t', [ROW_CSV] = ',', [ROW_JSON] = ',', [ROW_SCHEMA] = ','};

	if (writer->inside)
		buffer_char(writer->out, separators[writer->format]);
	else if (writer->format == ROW_JSON)
		buffer_char(writer->out, '{');
	writer->inside = true;
}

void row_column(struct row_writer *writer, const char *name)
{
	writer->at++;
	if (row_is_binary(writer->format))
		return;
	separate(writer);
	if (writer->format != ROW_JSON)
		return;
	buffer_quoted(writer->out, name, strlen(name));
	buffer_char(writer->out, ':');
}

/* Returns the type of a column whose values are never missing. */
static enum row_type without_null(enum row_type type)
{
	switch (type) {
	case ROW_ANY_TEXT: return ROW_TEXT;
	case ROW_ANY_NUMBER:
	case ROW_ANY_SIGNED: return ROW_NUMBER;
	case ROW_ANY_KEY: return ROW_KEY;
	default: return type;
	}
}

void row_heading(struct row_writer *writer, const char *name, enum row_type type)
{
	assert(writer->columns < ROW_COLUMNS_MAX);
	writer->types[writer->columns++] = writer->no_null ? without_null(type) : type;
	if (row_is_binary(writer->format)) {
		binary_heading(writer, name);
		return;
	}
	if (writer->format == ROW_JSON)
		return;
	separate(writer);
	if (writer->format != ROW_SCHEMA) {
		row_text(writer, name, strlen(name));
		return;
	}
	buffer_text(writer->out, name);
	buffer_char(writer->out, ' ');
	buffer_text(writer->out, types[writer->types[writer->columns - 1]].name);
}

static void put_zero(struct row_writer *writer)
{
	static const uint8_t zeros[ROW_KEY_SIZE];

	switch (row_type_of(writer)) {
	case ROW_NUMBER: row_number(writer, 0); break;
	case ROW_KEY: row_key(writer, zeros); break;
	default: row_text(writer, "", 0); break;
	}
}

void row_none(struct row_writer *writer)
{
	static const char *const words[] = {[ROW_TSV] = "\\N", [ROW_CSV] = "", [ROW_JSON] = "null"};

	if (writer->no_null)
		put_zero(writer);
	else if (row_is_binary(writer->format))
		binary_none(writer);
	else
		buffer_text(writer->out, words[writer->format]);
}

/* Adds text that needs no quotes. Each byte equal to `special` is written twice. */
static void add_doubled(struct buffer *out, const char *text, size_t size, char special)
{
	const char *end = text + size, *next;

	while ((next = memchr(text, special, (size_t)(end - text)))) {
		buffer_add(out, text, (size_t)(next + 1 - text));
		buffer_char(out, special);
		text = next + 1;
	}
	buffer_add(out, text, (size_t)(end - text));
}

static void add_text(struct row_writer *writer, const char *text, size_t size)
{
	if (row_is_binary(writer->format)) {
		/* In a column of numbers, a text is written as a missing value. */
		if (binary_is_text(writer))
			binary_text(writer, text, size);
		else
			row_none(writer);
	} else if (writer->format == ROW_TSV) {
		add_doubled(writer->out, text, size, '\\');
	} else {
		buffer_text(writer->out, pk_is_formula(text, size) ? "\"'" : "\"");
		add_doubled(writer->out, text, size, '"');
		buffer_char(writer->out, '"');
	}
}

void row_text(struct row_writer *writer, const char *text, size_t size)
{
	if (writer->format == ROW_JSON) {
		buffer_quoted(writer->out, text, size);
		return;
	}
	writer->text.size = 0;
	buffer_valid(&writer->text, text, size, SIZE_MAX);
	writer->out->failed |= writer->text.failed;
	add_text(writer, writer->text.data ? writer->text.data : "", writer->text.size);
}

void row_number(struct row_writer *writer, uint64_t number)
{
	if (!row_is_binary(writer->format)) {
		buffer_decimal(writer->out, number, 0);
	} else if (!binary_is_text(writer)) {
		binary_number(writer, number);
	} else {
		writer->text.size = 0;
		buffer_decimal(&writer->text, number, 0);
		writer->out->failed |= writer->text.failed;
		binary_text(writer, writer->text.data, writer->text.size);
	}
}

void row_plain(struct row_writer *writer, const char *text, size_t size, uint64_t number)
{
	if (!row_is_binary(writer->format))
		buffer_add(writer->out, text, size);
	else if (binary_is_text(writer))
		binary_text(writer, text, size);
	else
		binary_number(writer, number);
}

void row_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE])
{
	struct buffer hex = {0};

	if (row_is_binary(writer->format)) {
		binary_key(writer, key);
		return;
	}
	buffer_hex_bytes(&hex, key, ROW_KEY_SIZE);
	row_text(writer, hex.data ? hex.data : "", hex.size);
	writer->out->failed |= hex.failed;
	free(hex.data);
}

void row_list_begin(struct row_writer *writer, size_t items)
{
	if (row_is_binary(writer->format))
		binary_list(writer, items);
	else if (writer->format == ROW_JSON)
		buffer_char(writer->out, '[');
	writer->text.size = 0;
}

void row_list_item(struct row_writer *writer, const char *text, size_t size, bool first)
{
	if (row_is_binary(writer->format)) {
		binary_item(writer, text, size);
		return;
	}
	if (writer->format == ROW_JSON) {
		if (!first)
			buffer_char(writer->out, ',');
		buffer_add(writer->out, text, size);
		return;
	}
	if (!first)
		buffer_char(&writer->text, ';');
	buffer_add(&writer->text, text, size);
}

void row_list_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE], bool first)
{
	struct buffer hex = {0};

	if (row_is_binary(writer->format)) {
		buffer_add(writer->out, key, ROW_KEY_SIZE);
		return;
	}
	if (writer->format == ROW_JSON)
		buffer_char(&hex, '"');
	buffer_hex_bytes(&hex, key, ROW_KEY_SIZE);
	if (writer->format == ROW_JSON)
		buffer_char(&hex, '"');
	if (!hex.failed)
		row_list_item(writer, hex.data, hex.size, first);
	writer->out->failed |= hex.failed;
	free(hex.data);
}

void row_list_end(struct row_writer *writer)
{
	if (writer->format == ROW_JSON)
		buffer_char(writer->out, ']');
	else if (!row_is_binary(writer->format))
		add_text(writer, writer->text.data ? writer->text.data : "", writer->text.size);
	writer->out->failed |= writer->text.failed;
}

void row_end(struct row_writer *writer)
{
	writer->at = 0;
	if (row_is_binary(writer->format) && !writer->started)
		binary_start(writer);
	if (!writer->inside)
		return;
	if (writer->format == ROW_JSON)
		buffer_char(writer->out, '}');
	if (writer->format == ROW_SCHEMA)
		buffer_char(writer->out, ')');
	buffer_char(writer->out, '\n');
	writer->inside = false;
}

void row_free(struct row_writer *writer)
{
	free(writer->text.data);
}
