/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_CLOCK_H
#define PK_TRACE_CLOCK_H

/* The times of hardware traces: values of a counter of the processor. */

#include "pkstream.h"

/* Converts values of the processor's counter to ns (SPEC 3.6). */
struct trace_clock {
	uint64_t shift, mult, zero;
	uint64_t cycles, mask; /* used if `wraps` is set */
	bool wraps;	       /* the counter has fewer than 64 bits */
	bool known;
};

void trace_clock_set(struct trace_clock *clock, const struct pk_record *time_conv);
uint64_t trace_clock_time(const struct trace_clock *clock, uint64_t counter);

#endif
