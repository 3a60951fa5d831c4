/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_ARGUMENTS_H
#define PK_REPORT_ARGUMENTS_H

/* The options of the programs that show reports. They select samples, columns, rows and trees. */

#include "options.h"
#include "reporter.h"
#include "symbol_options.h"

/* The options of a report, as they are parsed. */
struct report_arguments {
	struct layout_options layout;
	struct report_options report;
};

/* The initial values, before the options are parsed. */
#define REPORT_ARGUMENTS                                                                           \
	{                                                                                          \
		.report.tail.symbols = {.no_lines = true, .tried = pk_report_tried},               \
		.report.tail.weigh = {.kind = PK_WEIGHT_PERIOD, .each_event = true},               \
		.report.differences = DIFFERENCE_OPTIONS,                                          \
		.report.graph = {.threshold = 0.5, .depth = GRAPH_DEPTH_DEFAULT},                  \
	}

/* The options that set a struct report_arguments, without the options of symbols. */
extern const struct pk_option pk_report_rows[];
/* Makes the layout. Call it after the last option. Returns PK_CONTINUE if the program must
 * continue, otherwise the exit status. */
int pk_report_arguments_finish(struct report_arguments *arguments);
void pk_report_arguments_free(struct report_arguments *arguments);

#endif
