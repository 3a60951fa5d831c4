/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_ROW_OPTIONS_H
#define EXPORT_ROW_OPTIONS_H

/* The options of formats that write rows: --every, which adds up the samples of an interval, and
 * --column, which adds columns with the same text in each row. */

#include "options.h"
#include "samples.h"

#define ROW_CONSTANTS_MAX 8

struct row_options {
	uint64_t every; /* seconds of which samples are added up; 0: the option was not given */
	struct row_constant {
		const char *name, *value;
	} constants[ROW_CONSTANTS_MAX];
	unsigned int constants_count;
};

/* For struct row_options. */
extern const struct pk_option row_options_rows[];

/* The start of the interval of a sample, in seconds since 1970, or of the recording's clock if the
 * time of day is unknown. */
uint64_t row_interval(const struct row_options *options, const struct export_samples *samples,
		      uint64_t time);
/* Checks that no field of --by has the name of a column of --column, or one of the `columns` that
 * rows have anyway. The last one is NULL. Returns PK_CONTINUE, or an exit status after a message.
 */
int row_options_check(const struct row_options *options, const struct pk_tail_options *tail,
		      const char *const *columns);

#endif
