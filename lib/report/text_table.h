/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_TEXT_TABLE_H
#define PK_REPORT_TEXT_TABLE_H

/* The parts of the text table: for its files only. */

#include "formats.h"
#include "text_width.h"

struct table_column {
	const struct column *column;
	const char *title;
	unsigned int sets; /* numbers side by side in each cell */
	size_t set_width;  /* of each, in columns of a terminal */
	size_t width;	   /* in columns of a terminal */
	bool fixed;	   /* longer texts are cut */
	bool right;	   /* aligned to the right */
};

struct table {
	const struct results *results;
	const struct sheet *sheet;
	const struct text_options *options;
	struct table_column columns[LAYOUT_COLUMNS];
	unsigned int columns_count;
	struct buffer cell, text, joined;
	struct pk_text_width widths;
};

/* ---- table_cells.c ---- */

/* Adds characters to a line. */
void pk_text_table_pad(struct buffer *out, size_t count, char with);
/* Sets table->cell to a text of the input: harmless characters only, and not the separator. */
void pk_text_table_safe(struct table *table, const char *text, size_t size);
/* Sets table->cell to the text of a column's cell. */
void pk_text_table_make_cell(struct table *table, const struct table_column *column, uint32_t line);
/* Adds the cell to the text, aligned. pad_end: also add blanks after it. */
void pk_text_table_add_cell(struct table *table, const struct table_column *column, bool pad_end);
/* Sets the widths and titles of table->columns. False: out of memory. */
bool pk_text_table_measure_columns(struct table *table);
/* Prints the lines in table->text, cut to the width of the terminal. */
void pk_text_table_print_lines(struct table *table);
/* Prints the text as a line. False: out of memory. */
bool pk_text_table_print_line(struct table *table);

/* ---- text_table.c and text_table.c ---- */

#endif
