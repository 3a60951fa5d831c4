/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_RANGES_H
#define PK_CODE_RANGES_H

/*
 * A cache from addresses to frames. An entry is a range of addresses that have the same frames,
 * which is usually a function. Each page of 4 KiB of an image has a list of ranges, and ranges are
 * cut at the limits of the page. So the time of a lookup hardly depends on the number of ranges.
 * The memory depends on the size of the sampled code, not on the number of addresses.
 */

#include "locate.h"

/* A range of addresses of a page that have the same frames. */
struct pk_code_range {
	uint16_t first, last; /* offsets in the page; last is included in the range */
	uint16_t count;	      /* number of frames that each address of the range has */
	bool unresolved, interrupts;
	/* If there is one frame, this is its id. If there are several frames, it is the index of
	 * the first frame in pk_frames.ids (frames.h). */
	uint32_t frames;
};

struct pk_code_page;

/* The set is empty if all members are zero. */
struct pk_code_ranges {
	struct pk_code_page *pages;
	size_t count, capacity, ranges; /* ranges is the number of ranges of all pages */
	struct pk_table numbers; /* by hash of the key of a page: the index of the page + 1 */
};

void pk_code_ranges_free(struct pk_code_ranges *set);
/* Returns the range that contains the location, or NULL if there is none. The result is valid until
 * the next range is added. */
const struct pk_code_range *pk_code_ranges_find(struct pk_code_ranges *set,
						const struct pk_location *location);
/* Adds a range that contains the location. `same` is the range of addresses that have these frames.
 * If `same` contains all addresses without an image, the range is stored unchanged. Otherwise the
 * range is cut to the page of the location, and to the addresses that no other range covers. The
 * members first and last of `range` are ignored. */
PK_MUST_CHECK enum pk_status pk_code_ranges_add(struct pk_code_ranges *set,
						const struct pk_location *location,
						const struct pk_range *same,
						struct pk_code_range range);
/* Returns true if the set has so many ranges that it should be freed. */
bool pk_code_ranges_full(const struct pk_code_ranges *set);

#endif
