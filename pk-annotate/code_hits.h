/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_HITS_H
#define PK_CODE_HITS_H

/* Counts how often each instruction was sampled. The counts are samples and weights by event,
 * function and address. They are sums over all sessions. Add samples with code_hits_add(), and then
 * call code_hits_sort(). The memory is proportional to the number of distinct pairs of event and
 * place. */

#include "place.h"

struct code_hits;

/* The number of samples, and the sum of their weights. */
struct hit_count {
	uint64_t samples, weight;
};

/* The source line of a place, according to the stream. */
struct hit_source {
	uint32_t file; /* the number of the file's name; 0 if the line is unknown */
	uint32_t line;
	uint32_t first; /* the first line of the function; 0 if it is unknown */
};

/* The samples of one event at one address. */
struct hit_cell {
	uint32_t event, function;
	uint64_t address; /* the address as struct pk_frame has it */
	struct hit_source source;
	struct hit_count count;
};

/* The caller owns places. Returns NULL if memory is exhausted. */
struct code_hits *code_hits_new(const struct pk_places *places);
void code_hits_free(struct code_hits *hits);

/* Returns the number of the event with that name. The numbers start at 1. Returns 0 if memory is
 * exhausted. */
uint32_t code_hits_event(struct code_hits *hits, const char *name);
/* Counts a sample. place is the number of its place in `places`, or 0 if the place is unknown. */
PK_MUST_CHECK enum pk_status code_hits_add(struct code_hits *hits, uint32_t event, uint32_t place,
					   uint64_t weight);

/* Sets the source line of a place. `name` is the name of the file, and `first` is the first line of
 * the function, or 0 if it is unknown. */
PK_MUST_CHECK enum pk_status code_hits_set_source(struct code_hits *hits, uint32_t place,
						  const char *name, uint32_t line, uint32_t first);
/* Returns true if no earlier call had this place. */
bool code_hits_is_new(struct code_hits *hits, uint32_t place);

/* Notes that the code at the place is inlined, and that its function has the number `name`. The
 * caller numbers the names of inlined functions. */
PK_MUST_CHECK enum pk_status code_hits_add_inlined(struct code_hits *hits, uint32_t place,
						   uint32_t name);

/* The leader of an event is the first event of the group in which the event was recorded. An event
 * without a call of code_hits_set_leader() is its own leader. */
void code_hits_set_leader(struct code_hits *hits, uint32_t event, uint32_t leader);
uint32_t code_hits_leader(const struct code_hits *hits, uint32_t event);
/* Returns a number by which the events of a group have the order of the calls of
 * code_hits_set_leader(). The leader has the number 0. */
uint32_t code_hits_position(const struct code_hits *hits, uint32_t event);

/* Call this once, after all samples were added. */
PK_MUST_CHECK enum pk_status code_hits_sort(struct code_hits *hits);

uint32_t code_hits_events(const struct code_hits *hits);
const char *code_hits_event_name(const struct code_hits *hits, uint32_t event);
/* code_hits_total() returns the sum of all samples of an event. code_hits_unplaced() returns the
 * sum of the event's samples whose place is unknown. */
struct hit_count code_hits_total(const struct code_hits *hits, uint32_t event);
struct hit_count code_hits_unplaced(const struct code_hits *hits, uint32_t event);
/* Returns the name of a file. The number must not be 0. */
const char *code_hits_file(const struct code_hits *hits, uint32_t file);
struct pk_code_file code_hits_object(const struct code_hits *hits, uint32_t object);

/* The calls below are valid only after code_hits_sort(). The functions of the recorded programs are
 * numbered from 0, in the order of object and address. */
struct pk_place_function code_hits_function(const struct code_hits *hits, uint32_t function);
uint32_t code_hits_functions(const struct code_hits *hits);
/* Returns true if an inlined function was added that has the number `name` and a place in this
 * function. */
bool code_hits_has_inlined(const struct code_hits *hits, uint32_t function, uint32_t name);
/* Removes the inlined functions that have the number `name`. */
void code_hits_forget_inlined(struct code_hits *hits, uint32_t name);
/* Returns the cells of an event. They are sorted by function, and then by address. */
const struct hit_cell *code_hits_cells(const struct code_hits *hits, uint32_t event, size_t *count);
/* Returns the cells of an event that are in one function. */
const struct hit_cell *code_hits_cells_of(const struct code_hits *hits, uint32_t event,
					  uint32_t function, size_t *count);

#endif
