/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_SUMMARY_H
#define PK_SPAN_SUMMARY_H

#include "run.h"
#include "span_maker.h"

/* Adds the losses of a session's spans to the losses of the run. With -v, also prints the counts of
 * each definition. Call it after pk_span_maker_end(). */
void pk_span_summary(struct pk_run *run, const struct pk_span_maker *maker);

#endif
