/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_HEAT_H
#define PK_ANNOTATE_HEAT_H

/*
 * How often each instruction was sampled: samples and periods by event, function and address, over
 * all sessions. While it is filled, heat_place() makes numbers for addresses and heat_add() counts;
 * heat_settle() then puts all in order. Memory grows with the number of distinct addresses.
 */

#include "symbols.h"
#include "pkstream.h"

struct heat;

struct heat_count {
	uint64_t samples, weight;
};

/* What code came from. */
struct heat_object {
	enum pk_dso_kind kind;
	const char *path;
	struct pk_build_id build_id;
};

/* A symbol of an object, as the stream names it. */
struct heat_function {
	uint32_t number; /* after heat_settle() */
	uint32_t object; /* number */
	bool kernel;
	uint64_t start; /* in terms of struct pk_frame's addresses */
	const char *name;
};

struct heat_cell {
	uint32_t event, function;
	uint64_t address; /* in terms of struct pk_frame's addresses */
	struct heat_count count;
};

/* NULL: out of memory. */
struct heat *heat_new(void);
void heat_free(struct heat *heat);

/* The number of the event of that name, from 1 on, or that of the object. 0: out of memory. */
uint32_t heat_event(struct heat *heat, const char *name);
uint32_t heat_object(struct heat *heat, const struct heat_object *object);
/* A sampled address of a function. Numbers from 1 on; 0: out of memory. */
uint32_t heat_place(struct heat *heat, const struct heat_function *function, uint64_t address);
/* False: out of memory. */
bool heat_add(struct heat *heat, uint32_t event, uint32_t place, uint64_t weight);
/* Of a sample whose code is not known. */
void heat_add_unplaced(struct heat *heat, uint32_t event, uint64_t weight);

/* The first of the group that an event was recorded in; the event itself: none. */
void heat_set_leader(struct heat *heat, uint32_t event, uint32_t leader);
uint32_t heat_leader(const struct heat *heat, uint32_t event);

/* Nothing may be added after it. False: out of memory. */
bool heat_settle(struct heat *heat);

uint32_t heat_events(const struct heat *heat);
const char *heat_event_name(const struct heat *heat, uint32_t event);
/* All samples of the event, those whose code is not known among them. */
struct heat_count heat_event_total(const struct heat *heat, uint32_t event);
struct heat_count heat_event_unplaced(const struct heat *heat, uint32_t event);
struct heat_object heat_object_at(const struct heat *heat, uint32_t object);

/* After heat_settle(): functions by object and address, numbers from 0 on. */
struct heat_function heat_function_at(const struct heat *heat, uint32_t function);
/* The cells of an event, by function, then by address. */
const struct heat_cell *heat_cells(const struct heat *heat, uint32_t event, size_t *count);
/* Those of a function. */
const struct heat_cell *heat_cells_of(const struct heat *heat, uint32_t event, uint32_t function,
				      size_t *count);

#endif
