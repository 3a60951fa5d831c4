/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes rows of named values, as text or as ClickHouse's RowBinary. Texts become valid UTF-8
 * without control characters. */
#ifndef EXPORT_ROW_WRITER_H
#define EXPORT_ROW_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

/* ---- Levels of rows ---- */

#define ROW_LEVEL_MAX 6

struct row_levels {
	uint64_t state; /* of the random numbers; 0: not yet drawn */
};

/* Draws the level of a row. Each run has other random numbers, so the author of a recording cannot
 * choose the levels of its rows. nanoseconds means that this is the unit of the weight. */
unsigned int row_level(struct row_levels *levels, uint64_t samples, uint64_t weight,
		       bool nanoseconds);

enum row_format {
	ROW_TSV,	  /* a heading, and \ before a backslash; \N: no value */
	ROW_CSV,	  /* with a heading; an absent value is empty (RFC 4180) */
	ROW_JSON,	  /* an object on each line; null: no value */
	ROW_BINARY,	  /* RowBinary of ClickHouse */
	ROW_BINARY_TYPES, /* RowBinaryWithNamesAndTypes: a heading with the types of columns */
	ROW_SCHEMA,	  /* the heading only, as in CREATE TABLE of ClickHouse */
};

static inline bool row_is_binary(enum row_format format)
{
	return format == ROW_BINARY || format == ROW_BINARY_TYPES;
}

/* The type of a column in binary formats. ANY means that a row can be without a value. */
enum row_type {
	ROW_TEXT,
	ROW_ANY_TEXT,
	ROW_NUMBER,
	ROW_ANY_NUMBER,
	ROW_ANY_SIGNED,
	ROW_KEY, /* ROW_KEY_SIZE bytes; in text, hexadecimal digits */
	ROW_ANY_KEY,
	ROW_TEXTS,
	ROW_KEYS,
	ROW_SECONDS, /* since 1970; in binary formats 32 bits */
};

#define ROW_KEY_SIZE	16
#define ROW_COLUMNS_MAX 32

struct row_writer {
	struct buffer *out;
	enum row_format format;
	bool no_null; /* a missing value is an empty text, 0, or a key of zeros */
	/* Private to the writer: */
	bool inside; /* of a row */
	struct buffer text;
	enum row_type types[ROW_COLUMNS_MAX];
	unsigned int columns;
	unsigned int at; /* number of the current column, from 1 on */
	bool started;	 /* in binary formats: after the heading */
};

/* The value of a column: first its name, then one of the functions below. */
void row_column(struct row_writer *writer, const char *name);
void row_none(struct row_writer *writer);
void row_text(struct row_writer *writer, const char *text, size_t size);
void row_number(struct row_writer *writer, uint64_t number);
/* A number, in two's complement, that is printed as this text. */
void row_plain(struct row_writer *writer, const char *text, size_t size, uint64_t number);
void row_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE]);
/* A list of texts. It is an array in JSON and binary formats. In others, ';' separates the
 * texts. */
void row_list_begin(struct row_writer *writer, size_t items);
void row_list_item(struct row_writer *writer, const char *text, size_t size, bool first);
/* A key in such a list. */
void row_list_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE], bool first);
void row_list_end(struct row_writer *writer);
void row_end(struct row_writer *writer);
/* A column of the heading, which row_end() ends. JSON has no heading. There, this sets the type
 * only. */
void row_heading(struct row_writer *writer, const char *name, enum row_type type);
void row_free(struct row_writer *writer);

#endif
