// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "trace_lanes.h"
#include "vector.h"

/* Makes room for a span: the two oldest ones become one. */
static void join_oldest(struct trace_lane *lane)
{
	lane->spans[0].end = lane->spans[1].end;
	lane->count--;
	memmove(&lane->spans[1], &lane->spans[2], (lane->count - 1) * sizeof(*lane->spans));
}

/* Two spans with the same start conflict: a reader of the trace could nest them the other way
 * round. */
static bool place(struct trace_lane *lane, uint64_t start, uint64_t end)
{
	size_t count = lane->count;

	if (count && end < lane->spans[count - 1].end)
		return false;
	while (count && lane->spans[count - 1].start > start)
		count--;
	if (count && (lane->spans[count - 1].end > start || lane->spans[count - 1].start == start))
		return false;
	lane->count = count;
	if (lane->count == LANE_SPANS_MAX)
		join_oldest(lane);
	lane->spans[lane->count++] = (struct lane_span){start, end};
	return true;
}

bool trace_lanes_place(struct trace_lanes *lanes, uint64_t start, uint64_t end, size_t *index,
		       bool *new)
{
	*new = false;
	for (*index = 0; *index < lanes->count; ++*index)
		if (place(&lanes->items[*index], start, end))
			return true;
	if (*index == LANES_MAX)
		return true;
	if (!pk_vector_reserve(lanes, 1))
		return false;
	lanes->items[lanes->count] = (struct trace_lane){.count = 0};
	*new = true;
	return place(&lanes->items[lanes->count++], start, end);
}
