/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_BINARY_H
#define EXPORT_ROW_BINARY_H

/* The values of ClickHouse's formats RowBinary and RowBinaryWithNamesAndTypes: little-endian
 * numbers, and lengths as varints before texts and arrays. The types of columns are known before
 * the first row. Called by row_writer.c; values are those of the current column. */

#include "row_writer.h"

/* Adds a name to the heading; its type is set already. */
void binary_heading(struct row_writer *writer, const char *name);
/* The type of the current column. */
enum row_type row_type_of(const struct row_writer *writer);
/* Ends the heading: writes it for ROW_BINARY_TYPES. */
void binary_start(struct row_writer *writer);
void binary_none(struct row_writer *writer);
/* Whether the current column has texts. */
bool binary_is_text(const struct row_writer *writer);
/* Only in a column of texts. */
void binary_text(struct row_writer *writer, const char *text, size_t size);
/* Only in a column of numbers. */
void binary_number(struct row_writer *writer, uint64_t number);
void binary_key(struct row_writer *writer, const uint8_t key[ROW_KEY_SIZE]);
void binary_list(struct row_writer *writer, size_t items);
void binary_item(struct row_writer *writer, const char *text, size_t size);

#endif
