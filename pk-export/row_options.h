/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_OPTIONS_H
#define EXPORT_ROW_OPTIONS_H

/* The options of formats that write rows. --every adds up the samples of an interval. --column adds
 * columns with the same text in each row. */

#include "options.h"
#include "samples.h"

#define ROW_CONSTANTS_MAX 8

/* The options of formats that write rows. */
struct row_options {
	uint64_t every; /* length of the interval in seconds; 0 if --every is not given */
	struct row_constant {
		const char *name, *value;
	} constants[ROW_CONSTANTS_MAX];
	unsigned int constants_count;
};

/* The options, for struct row_options. */
extern const struct pk_option row_options_rows[];

/* Returns the start of the interval that contains a sample's time, in seconds since 1970. If the
 * time of day is unknown, the seconds are those of the recording's clock. */
uint64_t row_interval(const struct row_options *options, const struct export_samples *samples,
		      uint64_t time);
/* Checks that all columns have different names. These are the columns of --column, the fields of
 * --by, and the `columns` that all rows have. A NULL ends the list `columns`. Returns PK_CONTINUE,
 * or an exit status after an error message. */
int row_options_check(const struct row_options *options, const struct pk_tail_options *tail,
		      const char *const *columns);

#endif
