// SPDX-License-Identifier: BSD-2-Clause
/* Checks all pairs of spans: for all spans, the slices of a lane are nested. */
#include <stdlib.h>

#include "stream_builder.h"
#include "trace_tracks.h"

#define SPANS 1000

struct span {
	uint64_t start, end;
	size_t lane;
};

static bool is_nested(const struct span *a, const struct span *b)
{
	if (a->start > b->start)
		return is_nested(b, a);
	return a->end <= b->start || (a->start < b->start && a->end >= b->end);
}

/* Returns a pseudo-random number. Each run has the same numbers, so that a failure can be repeated.
 */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % below;
}

/* Makes spans in the order of their ends. Their lengths are less than `longest`. Returns the number
 * of spans that have no lane. */
static size_t place_all(struct span *spans, uint64_t longest)
{
	struct trace_lanes lanes = {0};
	uint64_t state = longest, end = longest;
	size_t without = 0, added = 0;
	bool new;

	for (size_t i = 0; i < SPANS; i++) {
		end += draw(&state, 3);
		spans[i] = (struct span){.start = end - draw(&state, longest), .end = end};
		ck_assert(trace_lanes_place(&lanes, spans[i].start, end, &spans[i].lane, &new) ==
			  PK_OK);
		ck_assert_uint_le(spans[i].lane, LANES_MAX);
		added += new;
		without += spans[i].lane == LANES_MAX;
	}
	ck_assert_uint_eq(added, lanes.count);
	free(lanes.items);
	return without;
}

START_TEST(spans_of_a_lane_are_nested)
{
	const uint64_t longest[] = {1, 2, 10, 1000, 100000};
	struct span *spans = calloc(SPANS, sizeof(*spans));

	ck_assert_ptr_nonnull(spans);
	for (size_t k = 0; k < sizeof(longest) / sizeof(longest[0]); k++) {
		place_all(spans, longest[k]);
		for (size_t i = 0; i < SPANS; i++)
			for (size_t j = 0; j < i; j++)
				if (spans[i].lane == spans[j].lane && spans[i].lane < LANES_MAX &&
				    spans[i].start < spans[i].end && spans[j].start < spans[j].end)
					ck_assert(is_nested(&spans[i], &spans[j]));
	}
	free(spans);
}
END_TEST

/* Nested calls, and calls one after the other, need only one lane. */
START_TEST(nested_spans_have_one_lane)
{
	struct trace_lanes lanes = {0};
	size_t index;
	bool new;

	for (uint64_t i = 0; i < 1000; i++) {
		for (uint64_t depth = 10; depth > 0; depth--) {
			const uint64_t start = 100 * i + depth, end = 100 * i + 60 - depth;

			ck_assert(trace_lanes_place(&lanes, start, end, &index, &new) == PK_OK);
			ck_assert_uint_eq(index, 0);
		}
	}
	ck_assert_uint_eq(lanes.count, 1);
	free(lanes.items);
}
END_TEST

RUN_TESTS("trace_lanes", spans_of_a_lane_are_nested, nested_spans_have_one_lane)
