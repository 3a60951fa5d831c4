/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_RANGES_H
#define PK_CODE_RANGES_H

/*
 * Which frames stand for which addresses, by ranges of addresses for which they are the same:
 * mostly a function. Ranges are kept for each page of an object, so that finding one costs the same
 * however many there are, and the memory depends on the code that was sampled, not on the
 * addresses.
 */

#include "session.h"

struct pk_code_range {
	uint16_t first, last; /* addresses, in the page */
	uint16_t count;	      /* of frames */
	bool unresolved, interrupts;
	/* The first frame's index in the owner's list; of a single frame its id. */
	uint32_t frames;
};

struct pk_code_page;

/* All zero: empty. */
struct pk_code_ranges {
	struct pk_code_page *pages;
	size_t count, capacity, ranges;
	struct pk_table numbers; /* of the page + 1, by hash */
};

void pk_code_ranges_free(struct pk_code_ranges *set);
/* NULL: none that the location is in. Until the next call that adds one. */
const struct pk_code_range *pk_code_ranges_find(struct pk_code_ranges *set,
						const struct pk_location *location);
/* Adds a range around the location, of which the part that is in a page counts, or all. first and
 * last are filled in. False: out of memory. */
bool pk_code_ranges_add(struct pk_code_ranges *set, const struct pk_location *location,
			const struct pk_range *same, struct pk_code_range range);
/* Have so many ranges been added that the set should be freed? */
bool pk_code_ranges_full(const struct pk_code_ranges *set);

#endif
