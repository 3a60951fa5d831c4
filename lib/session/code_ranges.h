/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_RANGES_H
#define PK_CODE_RANGES_H

/*
 * A cache from addresses to frames. An entry is a range of addresses that have the same frames,
 * usually a function. Each page of 4 KiB of an image has its own ranges, which are cut at the
 * limits of the page. So the time of a lookup hardly depends on the number of ranges, and memory
 * depends on the sampled code, not on the number of addresses.
 */

#include "locate.h"

struct pk_code_range {
	uint16_t first, last; /* offsets in the page; last is included */
	uint16_t count;	      /* number of frames */
	bool unresolved, interrupts;
	/* With one frame, this is its id. With several, it is the index of the first one in
	 * pk_frames.ids (stacks.c). */
	uint32_t frames;
};

struct pk_code_page;

/* Zeroed, it is empty. */
struct pk_code_ranges {
	struct pk_code_page *pages;
	size_t count, capacity, ranges; /* ranges: number of ranges of all pages */
	struct pk_table numbers;	/* hash of a page's key -> its index in pages + 1 */
};

void pk_code_ranges_free(struct pk_code_ranges *set);
/* The range that contains the location, or NULL if there is none. Valid until the next range is
 * added. */
const struct pk_code_range *pk_code_ranges_find(struct pk_code_ranges *set,
						const struct pk_location *location);
/* Adds a range that contains the location. `same` is the range of addresses that have these frames.
 * It is cut to the location's page, and to the part that no other range covers, unless it is all
 * addresses without an image. first and last of `range` are ignored. */
PK_MUST_CHECK enum pk_status pk_code_ranges_add(struct pk_code_ranges *set,
						const struct pk_location *location,
						const struct pk_range *same,
						struct pk_code_range range);
/* Whether the set has so many ranges that it should be freed. */
bool pk_code_ranges_full(const struct pk_code_ranges *set);

#endif
