/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROWS_TABLES_H
#define EXPORT_ROWS_TABLES_H

/* Samples as four tables: samples, stacks, frames and objects. The tables refer to each other by
 * content keys (SPEC, appendix C). Each table is a file in a folder. */

#include "content_keys.h"
#include "export_output.h"
#include "row_writer.h"
#include "samples.h"

/* The indexes of the tables. The tables of the content have the numbers of enum content_table. The
 * table of samples comes after them. */
enum { TABLE_SAMPLES = CONTENT_TABLES, TABLES };

/* The four tables while they are written. */
struct rows_tables {
	const struct export_samples *samples;
	/* If true, there are no missing values. Each stack of a sample has one row, with the list
	 * of its frames. If false, each stack and each of its callers has a row. */
	bool flat;
	bool hours; /* stacks and frames have a row for each hour in which they are used, with the
		     * start of this hour; used only if `flat` is true */
	/* The frames of the current stack; used only if `flat` is true. */
	struct stack_frames frames;
	/* The hour of the last row of each stack and of each frame: hours since 1970 plus 1, or 0
	 * if the stack or frame has no row yet. The index is the number of the stack or frame. Used
	 * only if `flat` is true. */
	uint32_t *listed, *listed_frames;
	size_t listed_count, listed_frames_count;
	uint64_t list_rows, list_items,
		omitted; /* If `flat` is true: number of rows with lists, number of frames in the
			  * lists, and number of samples whose stack has no list. */
	struct content_keys keys;
	struct row_writer writers[TABLES];
	struct export_output outputs[TABLES];
	unsigned int opened; /* number of outputs that were opened */
	char *paths[TABLES];
};

/* Creates the files, and writes the headings of all tables except the samples. The caller has set
 * `flat` and `hours`. Returns the exit status. */
int rows_tables_open(struct rows_tables *tables, const char *folder, enum row_format format,
		     const struct export_samples *samples);
/* Adds a line for each table except the samples. The line has the name and the columns of the
 * table, as in CREATE TABLE of ClickHouse. The caller has set `flat` and `hours`. */
void rows_tables_schema(struct rows_tables *tables, struct buffer *out);
/* Adds the column "stack" to a row of samples. Writes new items to their tables. `samples` is the
 * number of samples in the row. `time` is the start of their interval in seconds since 1970; it is
 * used only if `hours` is true. */
PK_MUST_CHECK enum pk_status rows_tables_stack(struct rows_tables *tables, uint32_t stack,
					       uint64_t samples, uint64_t time);
/* Closes the files. Returns the exit status. */
int rows_tables_close(struct rows_tables *tables, int result);

#endif
