/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TRACE_LANES_H
#define TRACE_LANES_H

/* Slices of a track of a trace must be nested: of two slices, one contains the other one, or they
 * have no common time. Spans need not be, so they are distributed to several tracks: lanes. Spans
 * come in the order of their ends. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES_MAX      16
#define LANE_SPANS_MAX 32

struct trace_lanes {
	struct trace_lane {
		/* Spans that contain all others of the lane, in order, without common time. The
		 * first one can stand for several, and for the time between them. */
		struct lane_span {
			uint64_t start, end;
		} spans[LANE_SPANS_MAX];
		size_t count;
	} * items;
	size_t count, capacity;
};

/* The index of the lane for a span; LANES_MAX: none of them has space for it. *new: the lane was
 * added. False: out of memory. */
bool trace_lanes_place(struct trace_lanes *lanes, uint64_t start, uint64_t end, size_t *index,
		       bool *new);

#endif
