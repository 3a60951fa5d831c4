/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_FORMATS_H
#define PK_REPORT_FORMATS_H

/* The formats of the report. */

#include <stdio.h>

#include "amount_text.h"
#include "graph_text.h"
#include "results.h"

struct text_options {
	FILE *out;
	const char *separator;	  /* NULL: aligned columns */
	struct units units;	  /* of --unit */
	bool full_paths;	  /* of objects; else the last component */
	bool comments;		  /* print the lines that start with "#" */
	uint64_t lost;		  /* number of lost samples */
	struct graph_text *graph; /* NULL: no trees */
	const char *losses;	  /* one line about all losses; NULL: none */
	bool colour;		  /* of shares */
	size_t width;		  /* of lines, in columns of a terminal; 0: not limited */
	/* Widths of the first columns. A width of 0 means that of the texts. */
	size_t column_widths[LAYOUT_COLUMNS];
	double percent_limit; /* hides lines below this share */
	/* In comparisons: the names of the inputs, and those of the bases. */
	char *const *files;
	int files_count;
	const char *const *bases;
};

/* A table in the layout of perf report --stdio. */
PK_MUST_CHECK enum pk_status pk_report_print_text(const struct results *results,
						  const struct text_options *options);
/* Sets *out to the text of a column of a line, as in the table. */
PK_MUST_CHECK enum pk_status pk_text_table_cell(const struct results *results,
						const struct sheet *sheet,
						const struct text_options *options,
						const struct column *column, uint32_t line,
						struct buffer *out);
/* The title of a column in the table. */
const char *pk_text_table_title(const struct results *results, const struct column *column);
/* A line with the names of the columns, then one for each row. The first column is the event. */
PK_MUST_CHECK enum pk_status pk_report_print_csv(const struct results *results, FILE *out);
/* An object on a line for each row. */
PK_MUST_CHECK enum pk_status pk_report_print_json(const struct results *results, FILE *out);

#endif
