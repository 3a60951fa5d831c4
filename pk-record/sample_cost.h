/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SAMPLE_COST_H
#define PK_RECORD_SAMPLE_COST_H

#include "pkstream.h"

/* Measures the time in seconds for which a sample of such an event interrupts a program: records
 * samples of this thread for some milliseconds. BPF programs of the event do not run. Returns 0
 * with errno if that fails. */
double sample_cost(const struct perf_attr *attr);

#endif
