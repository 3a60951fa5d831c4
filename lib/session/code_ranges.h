/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_RANGES_H
#define PK_CODE_RANGES_H

/*
 * The frames of addresses, by ranges of addresses that have the same frames: usually a function.
 * Each page of an object has its own ranges. So the time of a lookup does not depend on the number
 * of ranges, and memory depends on the sampled code, not on the number of addresses.
 */

#include "session.h"

struct pk_code_range {
	uint16_t first, last; /* offsets in the page */
	uint16_t count;	      /* number of frames */
	bool unresolved, interrupts;
	/* A single frame: its id; else the index of the first frame in the owner's list. */
	uint32_t frames;
};

struct pk_code_page;

/* All zero: empty. */
struct pk_code_ranges {
	struct pk_code_page *pages;
	size_t count, capacity, ranges;
	struct pk_table numbers; /* number of the page + 1, by hash */
};

void pk_code_ranges_free(struct pk_code_ranges *set);
/* NULL: no range contains the location. Valid until the next range is added. */
const struct pk_code_range *pk_code_ranges_find(struct pk_code_ranges *set,
						const struct pk_location *location);
/* Adds a range around the location: the part inside a page, or the whole range. Fills in first and
 * last. False: out of memory. */
bool pk_code_ranges_add(struct pk_code_ranges *set, const struct pk_location *location,
			const struct pk_range *same, struct pk_code_range range);
/* Whether the set has so many ranges that it should be freed. */
bool pk_code_ranges_full(const struct pk_code_ranges *set);

#endif
