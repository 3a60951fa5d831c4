/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HISTOGRAM_H
#define PK_HISTOGRAM_H

/* How often each instruction was sampled: samples and weights by event, function and address, over
 * all sessions. Add samples with pk_histogram_add(), then call pk_histogram_sort(). Memory is
 * proportional to the number of distinct pairs of event and place. */

#include "place.h"

struct pk_histogram;

struct pk_count {
	uint64_t samples, weight;
};

struct pk_histogram_cell {
	uint32_t event, function;
	uint64_t address; /* the kind of address of struct pk_frame */
	struct pk_count count;
};

/* places stays the caller's. NULL: out of memory. */
struct pk_histogram *pk_histogram_new(const struct pk_places *places);
void pk_histogram_free(struct pk_histogram *histogram);

/* The number of the event of that name, from 1 on. 0: out of memory. */
uint32_t pk_histogram_event(struct pk_histogram *histogram, const char *name);
/* Counts a sample at a place of `places`; 0: unknown place. False: out of memory. */
bool pk_histogram_add(struct pk_histogram *histogram, uint32_t event, uint32_t place,
		      uint64_t weight);

/* The leader of an event: the first event of the group that it was recorded in. Without a call of
 * set, it is the event itself. */
void pk_histogram_set_leader(struct pk_histogram *histogram, uint32_t event, uint32_t leader);
uint32_t pk_histogram_leader(const struct pk_histogram *histogram, uint32_t event);

/* Call it once, after all samples. False: out of memory. */
bool pk_histogram_sort(struct pk_histogram *histogram);

uint32_t pk_histogram_events(const struct pk_histogram *histogram);
const char *pk_histogram_event_name(const struct pk_histogram *histogram, uint32_t event);
/* The sums of all samples of an event, and of those whose place is unknown. */
struct pk_count pk_histogram_total(const struct pk_histogram *histogram, uint32_t event);
struct pk_count pk_histogram_unplaced(const struct pk_histogram *histogram, uint32_t event);
struct pk_code_file pk_histogram_object(const struct pk_histogram *histogram, uint32_t object);

/* After pk_histogram_sort(): functions sorted by object and address, numbered from 0 on. */
struct pk_place_function pk_histogram_function(const struct pk_histogram *histogram,
					       uint32_t function);
/* The cells of an event, sorted by function, then by address. */
const struct pk_histogram_cell *pk_histogram_cells(const struct pk_histogram *histogram,
						   uint32_t event, size_t *count);
/* The cells of a function. */
const struct pk_histogram_cell *pk_histogram_cells_of(const struct pk_histogram *histogram,
						      uint32_t event, uint32_t function,
						      size_t *count);

#endif
