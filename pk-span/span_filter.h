/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SPAN_FILTER_H
#define SPAN_FILTER_H

#include "run.h"
#include "span_options.h"

/* Writes the inputs of run together with their spans, to the file `output`, or to stdout if
 * `output` is NULL. The caller must have set run->files and run->fail_on. Returns the exit status.
 */
int span_filter(struct pk_run *run, struct pk_span_options *options,
		const struct pk_stage_options *stage, const char *output);

#endif
