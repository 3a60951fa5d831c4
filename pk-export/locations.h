/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_LOCATIONS_H
#define EXPORT_LOCATIONS_H

/* Stacks as lists of locations: a location is an address, with the functions that are inlined
 * there. Locations have numbers, from 1 on. */

#include "paths.h"
#include "texts.h"

struct locations {
	const struct pk_dictionary *names; /* set by the caller */
	struct pk_allowance *allowance;	   /* the same: what the lists may cost */
	struct pk_texts runs;		   /* the frames of each location */
	/* Private to the locations: */
	uint32_t *of_frames; /* by id of the frame: the location with this frame alone, or 0 */
	size_t of_frames_count;
};

struct location_list {
	uint32_t numbers[PK_PATH_DEPTH_MAX]; /* the leaf first */
	unsigned int count;
	bool cut; /* the stack has more callers */
};

/* Finds the locations of a stack; of an undefined one, or of a frame that is undefined, there are
 * none. False: out of memory. */
bool locations_of(struct locations *locations, uint32_t stack, struct location_list *list);
/* The ids of the frames of a location, innermost first. All but the last are inlined. */
const uint32_t *locations_frames(const struct locations *locations, uint32_t number, size_t *count);
void locations_free(struct locations *locations);

#endif
