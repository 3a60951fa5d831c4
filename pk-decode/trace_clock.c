// SPDX-License-Identifier: BSD-2-Clause
#include "trace_clock.h"

void trace_clock_set(struct trace_clock *clock, const struct pk_record *time_conv)
{
	const struct perf_record_time_conv *conv = (const void *)time_conv->data;
	const struct perf_record_time_conv_long *more = (const void *)time_conv->data;

	*clock = (struct trace_clock){.shift = conv->time_shift,
				      .mult = conv->time_mult,
				      .zero = conv->time_zero,
				      .known = conv->time_shift < 64};
	if (time_conv->size >= sizeof(*more) && more->cap_user_time_short) {
		clock->wraps = true;
		clock->cycles = more->time_cycles;
		clock->mask = more->time_mask;
	}
}

uint64_t trace_clock_time(const struct trace_clock *clock, uint64_t counter)
{
	uint64_t rest;

	if (clock->wraps)
		counter = clock->cycles + ((counter - clock->cycles) & clock->mask);
	rest = counter & ((UINT64_C(1) << clock->shift) - 1);
	return clock->zero + (counter >> clock->shift) * clock->mult +
	       (rest * clock->mult >> clock->shift);
}
