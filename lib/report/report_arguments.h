/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_ARGUMENTS_H
#define PK_REPORT_ARGUMENTS_H

/* The options of the programs that show reports: which samples, columns, rows and trees. */

#include "options.h"
#include "reporter.h"
#include "symbol_options.h"

struct report_arguments {
	struct layout_options layout;
	struct report_options report;
};

/* The values before the first option. */
#define REPORT_ARGUMENTS                                                                           \
	{                                                                                          \
		.report.tail.symbols = {.no_lines = true, .tried = pk_report_tried},               \
		.report.tail.weigh = {.kind = PK_WEIGHT_PERIOD, .each_event = true},               \
		.report.graph = {.threshold = 0.5, .depth = GRAPH_DEPTH_DEFAULT},                  \
	}

/* For struct report_arguments, without those of symbols. */
extern const struct pk_option pk_report_rows[];
/* After the last option: makes the layout. Returns PK_CONTINUE, or an exit status. */
int pk_report_arguments_finish(struct report_arguments *arguments);
void pk_report_arguments_free(struct report_arguments *arguments);

#endif
