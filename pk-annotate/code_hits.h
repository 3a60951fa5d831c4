/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_HITS_H
#define PK_CODE_HITS_H

/* How often each instruction was sampled: samples and weights by event, function and address, over
 * all sessions. Add samples with code_hits_add(), then call code_hits_sort(). Memory is
 * proportional to the number of distinct pairs of event and place. */

#include "place.h"

struct code_hits;

struct hit_count {
	uint64_t samples, weight;
};

struct hit_cell {
	uint32_t event, function;
	uint64_t address; /* the kind of address of struct pk_frame */
	struct hit_count count;
};

/* places stays the caller's. NULL: out of memory. */
struct code_hits *code_hits_new(const struct pk_places *places);
void code_hits_free(struct code_hits *hits);

/* The number of the event of that name, from 1 on, or 0 if memory is exhausted. */
uint32_t code_hits_event(struct code_hits *hits, const char *name);
/* Counts a sample at a place of `places`, or with 0 at an unknown place. */
PK_MUST_CHECK enum pk_status code_hits_add(struct code_hits *hits, uint32_t event, uint32_t place,
					   uint64_t weight);

/* The leader of an event: the first event of the group that it was recorded in. Without a call of
 * set, it is the event itself. */
void code_hits_set_leader(struct code_hits *hits, uint32_t event, uint32_t leader);
uint32_t code_hits_leader(const struct code_hits *hits, uint32_t event);

/* Call it once, after all samples. */
PK_MUST_CHECK enum pk_status code_hits_sort(struct code_hits *hits);

uint32_t code_hits_events(const struct code_hits *hits);
const char *code_hits_event_name(const struct code_hits *hits, uint32_t event);
/* The sums of all samples of an event, and of those whose place is unknown. */
struct hit_count code_hits_total(const struct code_hits *hits, uint32_t event);
struct hit_count code_hits_unplaced(const struct code_hits *hits, uint32_t event);
struct pk_code_file code_hits_object(const struct code_hits *hits, uint32_t object);

/* After code_hits_sort(): functions sorted by object and address, numbered from 0 on. */
struct pk_place_function code_hits_function(const struct code_hits *hits, uint32_t function);
/* The cells of an event, sorted by function, then by address. */
const struct hit_cell *code_hits_cells(const struct code_hits *hits, uint32_t event, size_t *count);
/* The cells of a function. */
const struct hit_cell *code_hits_cells_of(const struct code_hits *hits, uint32_t event,
					  uint32_t function, size_t *count);

#endif
