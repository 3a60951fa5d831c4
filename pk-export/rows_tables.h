/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROWS_TABLES_H
#define EXPORT_ROWS_TABLES_H

/* Samples as four tables: samples, stacks, frames and objects, which refer to each other by content
 * keys (SPEC, appendix C). Each table is a file of a folder. */

#include "content_keys.h"
#include "export_output.h"
#include "row_writer.h"
#include "samples.h"
#include "stack_frames.h"

enum rows_table { TABLE_SAMPLES, TABLE_STACKS, TABLE_FRAMES, TABLE_OBJECTS, TABLES };

struct rows_tables {
	const struct export_samples *samples;
	/* No missing values. A row for each stack of a sample, with the list of its frames, instead
	 * of one for each stack and its callers. */
	bool flat;
	bool levels; /* flat: stacks have a row for each level of their samples that is higher than
		      * those before */
	struct stack_frames frames; /* flat */
	uint8_t *listed;	    /* flat, by number of the stack: 1 + level; 0: no row */
	size_t listed_count;
	uint64_t list_rows, list_items, omitted; /* flat: numbers of lists and their frames; samples
						  * whose stacks have no row */
	struct content_keys keys;
	struct row_writer writers[TABLES];
	struct export_output outputs[TABLES];
	unsigned int opened; /* number of outputs */
	char *paths[TABLES];
};

/* Creates the files, and writes the headings of all but the samples; `flat` is set. Returns the
 * exit status. */
int rows_tables_open(struct rows_tables *tables, const char *folder, enum row_format format,
		     const struct export_samples *samples);
/* Adds the column "stack" of a number of samples, of a row with this level (row_level.h); new items
 * are written to their tables. False: out of memory. */
bool rows_tables_stack(struct rows_tables *tables, uint32_t stack, uint64_t samples,
		       unsigned int level);
/* Closes the files. Returns the exit status. */
int rows_tables_close(struct rows_tables *tables, int result);

#endif
