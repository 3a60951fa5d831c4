/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_FORMATS_H
#define PK_REPORT_FORMATS_H

/* Prints reports as a table, as CSV and as JSON. */

#include <stdio.h>

#include "amount_text.h"
#include "graph_text.h"
#include "results.h"

/* How a table is printed. */
struct text_options {
	FILE *out;
	/* Text between columns, or NULL if columns are aligned with blanks. */
	const char *separator;
	struct units units;	  /* units that the user has chosen with --unit */
	bool full_paths;	  /* print whole paths of objects, not only the last component */
	bool comments;		  /* print the lines that start with "#" */
	uint64_t lost;		  /* number of lost samples, which is printed above the table */
	struct graph_text *graph; /* NULL if no trees are printed */
	const char *losses;	  /* one line about all losses, or NULL if nothing was lost */
	bool colour;		  /* print shares in colour */
	size_t width;		  /* width of lines in columns of the terminal; 0 means no limit */
	/* The widths of the first columns. If a width is 0, the longest text of the column sets its
	 * width. */
	size_t column_widths[LAYOUT_COLUMNS];
	double percent_limit; /* lines with a smaller share are hidden */
	/* For comparisons, the names of the inputs and the names of the bases. */
	char *const *files;
	int files_count;
	const char *const *bases;
};

/* Prints a table in the layout of perf report --stdio. */
PK_MUST_CHECK enum pk_status pk_report_print_text(const struct results *results,
						  const struct text_options *options);
/* Sets *out to the text that a line has in a column of the table. */
PK_MUST_CHECK enum pk_status pk_text_table_cell(const struct results *results,
						const struct sheet *sheet,
						const struct text_options *options,
						const struct column *column, uint32_t line,
						struct buffer *out);
/* Returns the title of a column in the table. */
const char *pk_text_table_title(const struct results *results, const struct column *column);
/* Prints a line with the names of the columns, then one line for each row. The first column is the
 * event. */
PK_MUST_CHECK enum pk_status pk_report_print_csv(const struct results *results, FILE *out);
/* Prints a table of GitHub-flavoured Markdown for each event. */
PK_MUST_CHECK enum pk_status pk_report_print_markdown(const struct results *results,
						      const struct text_options *options);
/* Prints one JSON object for each row. Each object is on a separate line. */
PK_MUST_CHECK enum pk_status pk_report_print_json(const struct results *results, FILE *out);

#endif
