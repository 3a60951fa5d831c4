/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes rows of named values. The rows are text, or ClickHouse's RowBinary. Texts become valid
 * UTF-8 without control characters. */
#ifndef EXPORT_ROW_WRITER_H
#define EXPORT_ROW_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

/* How rows are written. */
enum row_format {
	ROW_TSV,  /* tab-separated values with a heading; \ is escaped as \\, and a missing value is
		   * \N */
	ROW_CSV,  /* comma-separated values with a heading (RFC 4180); a missing value is empty */
	ROW_JSON, /* an object on each line; a missing value is null */
	ROW_BINARY,	  /* RowBinary of ClickHouse */
	ROW_BINARY_TYPES, /* RowBinaryWithNamesAndTypes of ClickHouse: it starts with a heading that
			   * has the types of columns */
	ROW_SCHEMA, /* only the heading: names and types of columns as in CREATE TABLE of ClickHouse
		     */
};

static inline bool row_is_binary(enum row_format format)
{
	return format == ROW_BINARY || format == ROW_BINARY_TYPES;
}

/* The type of a column in binary formats. Values can be missing in columns of the types ROW_ANY_*.
 */
enum row_type {
	ROW_TEXT,
	ROW_ANY_TEXT,
	ROW_NUMBER,
	ROW_ANY_NUMBER,
	ROW_ANY_SIGNED,
	ROW_KEY, /* a key of ROW_KEY_SIZE bytes; in text formats, it is written as hexadecimal
		  * digits */
	ROW_ANY_KEY,
	ROW_TEXTS,
	ROW_KEYS,
	ROW_SECONDS, /* seconds since 1970; 32 bits in binary formats */
};

#define ROW_KEY_SIZE	8
#define ROW_COLUMNS_MAX 32

/* An output of rows, and the state of the current row. */
struct row_writer {
	struct buffer *out;
	enum row_format format;
	bool no_null; /* write a missing value as an empty text, the number 0, or a key of zeros */
	/* Only row_writer.c uses these members: */
	bool inside; /* a row was started and not ended */
	struct buffer text;
	enum row_type types[ROW_COLUMNS_MAX];
	unsigned int columns;
	/* Number of the column that is being written; the first column is number 1. */
	unsigned int at;
	bool started; /* true if the heading is complete; used by binary formats */
};

/* To write a value, first call row_column() with the name of the column, and then one of the
 * functions below. */
void row_column(struct row_writer *writer, const char *name);
void row_none(struct row_writer *writer);
void row_text(struct row_writer *writer, const char *text, size_t size);
void row_number(struct row_writer *writer, uint64_t number);
/* Writes a number in two's complement. In text formats, `text` is written. */
void row_plain(struct row_writer *writer, const char *text, size_t size, uint64_t number);
void row_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE]);
/* A list of texts. In JSON and binary formats, it is an array. In the other formats, ';' separates
 * the texts. */
void row_list_begin(struct row_writer *writer, size_t items);
void row_list_item(struct row_writer *writer, const char *text, size_t size, bool first);
/* Writes a key as an item of a list. */
void row_list_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE], bool first);
void row_list_end(struct row_writer *writer);
void row_end(struct row_writer *writer);
/* Adds a column to the heading. row_end() ends the heading. JSON has no heading, so there, only the
 * type of the column is set. */
void row_heading(struct row_writer *writer, const char *name, enum row_type type);
void row_free(struct row_writer *writer);

#endif
