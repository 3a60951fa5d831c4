/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CRITICAL_FILTER_H
#define CRITICAL_FILTER_H

#include <stdbool.h>

#include "run.h"

/* The options of --critical. */
struct critical_options {
	bool wanted;
	uint32_t tid; /* the thread whose path is found; 0 for the command of the recording */
	/* The name of an event whose samples are spans. The path of each span is found, instead of
	 * the path of a thread. NULL if it is not given. */
	const char *of;
	const char *id; /* a field of these spans that identifies them, or NULL */
};

/* Replaces the samples of the inputs by those of pk:critical, the critical path of a thread. Writes
 * to the file `output`, or to stdout if `output` is NULL. Returns the exit status. */
int critical_filter(struct pk_run *run, const struct critical_options *options,
		    const struct pk_stage_options *stage, const char *output);

#endif
