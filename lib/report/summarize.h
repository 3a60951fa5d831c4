/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SUMMARIZE_H
#define PK_SUMMARIZE_H

#include "reporter.h"

/* Reads the inputs of `run` and prints the report. A live report is printed repeatedly, other
 * reports at the end. Returns the exit status. */
int pk_summarize(struct pk_run *run, struct report_options *options);

#endif
