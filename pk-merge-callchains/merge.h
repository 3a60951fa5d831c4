/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MERGE_H
#define PK_MERGE_H

#include "merger.h"
#include "run.h"

struct merge_options {
	const char *output; /* NULL: stdout */
	struct merger_options wait;
	bool has_time; /* wait.time_max is set; else the default depends on the input */
	int argc;
	char *const *argv;
};

/* Reads the inputs of run (its files and fail_on are set), and writes them with merged callchains.
 * Returns the exit status. */
int merge(struct pk_run *run, const struct merge_options *options);

#endif
