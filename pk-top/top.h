/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_TOP_H
#define PK_TOP_TOP_H

#include "annotation.h"
#include "report_arguments.h"

/* The options of pk-top. */
struct top_options {
	struct report_arguments *arguments;
	const char *const *symbol_options; /* options that are passed on to pk-annotate */
	int symbol_options_count;
	uint64_t delay; /* time between two refreshes of the table, in ns */
};

/* Reads the inputs of run, and shows the table on the terminal until the user quits. Returns the
 * exit status. */
int top(struct pk_run *run, const struct top_options *options);

#endif
