/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROWS_TABLES_H
#define EXPORT_ROWS_TABLES_H

/* Samples as four tables: samples, stacks, frames and objects, which refer to each other by content
 * keys (SPEC, appendix C). Each table is a file of a folder. */

#include "content_keys.h"
#include "export_output.h"
#include "row_writer.h"
#include "samples.h"

/* The tables of content, and that of the samples. */
enum { TABLE_SAMPLES = CONTENT_TABLES, TABLES };

struct rows_tables {
	const struct export_samples *samples;
	/* No missing values. A row for each stack of a sample, with the list of its frames, instead
	 * of one for each stack and its callers. */
	bool flat;
	bool levels;		    /* flat: stacks and frames have rows for levels and times */
	struct stack_frames frames; /* flat */
	/* Flat, by number: the last row of a stack or frame. */
	struct listing {
		uint32_t hour; /* since 1970 */
		uint8_t level; /* 1 + level; 0: it has no row */
	} * listed, *listed_frames;
	size_t listed_count, listed_frames_count;
	uint64_t list_rows, list_items, omitted; /* flat: numbers of lists and their frames; samples
						  * whose stacks have no row */
	struct content_keys keys;
	struct row_writer writers[TABLES];
	struct export_output outputs[TABLES];
	unsigned int opened; /* number of outputs */
	char *paths[TABLES];
};

/* Creates the files, and writes the headings of all but the samples. `flat` is set. Returns the
 * exit status. */
int rows_tables_open(struct rows_tables *tables, const char *folder, enum row_format format,
		     const struct export_samples *samples);
/* Adds a line for each table but the samples: its name and columns as in CREATE TABLE of
 * ClickHouse. `flat` and `levels` are set. */
void rows_tables_schema(struct rows_tables *tables, struct buffer *out);
/* What a stack is written for. */
struct rows_for {
	uint64_t samples;
	uint64_t time;	    /* start of the interval, seconds since 1970; 0: unknown */
	unsigned int level; /* see row_level() */
};
/* Adds the column "stack" of a row. New items are written to their tables. */
PK_MUST_CHECK enum pk_status rows_tables_stack(struct rows_tables *tables, uint32_t stack,
					       const struct rows_for *row);
/* Closes the files. Returns the exit status. */
int rows_tables_close(struct rows_tables *tables, int result);

#endif
