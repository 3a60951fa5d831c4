/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_WRITER_H
#define EXPORT_ROW_WRITER_H

/* Writes rows of named values as text. Texts become valid UTF-8 without control characters. */

#include <stdbool.h>

#include "buffer.h"

enum row_format {
	ROW_TSV,  /* a heading, and \ before a backslash; \N: no value */
	ROW_CSV,  /* a heading; nothing: no value (RFC 4180) */
	ROW_JSON, /* an object on each line; null: no value */
};

struct row_writer {
	struct buffer *out;
	enum row_format format;
	/* Private to the writer: */
	bool inside; /* of a row */
	struct buffer text;
};

/* The value of a column: first its name, then one of the functions below. */
void row_column(struct row_writer *writer, const char *name);
void row_none(struct row_writer *writer);
void row_text(struct row_writer *writer, const char *text, size_t size);
void row_number(struct row_writer *writer, uint64_t number);
/* A number that is printed as this text. */
void row_plain(struct row_writer *writer, const char *text, size_t size);
/* A list of texts: in JSON an array, else separated by ';'. */
void row_list_begin(struct row_writer *writer);
void row_list_item(struct row_writer *writer, const char *text, size_t size, bool first);
void row_list_end(struct row_writer *writer);
void row_end(struct row_writer *writer);
/* A column of the heading, which row_end() ends. Does nothing for JSON. */
void row_heading(struct row_writer *writer, const char *name);

#endif
