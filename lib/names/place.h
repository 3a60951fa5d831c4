/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLACE_H
#define PK_PLACE_H

/* Places: the addresses of instructions, with their functions and objects. Every distinct place has
 * a number, which stays the same in all sessions. A place is looked up once for each stack, or once
 * for each address. */

#include "code_objects.h"

struct pk_places;

/* A function of an object. */
struct pk_place_function {
	uint32_t object; /* the number that pk_places_object() returned for the object */
	bool kernel;
	uint64_t start; /* the start of the function, as the same kind of address as in struct
			 * pk_frame */
	const char *name;
};

/* An address of an instruction, with its function. */
struct pk_place {
	struct pk_place_function function;
	uint32_t name;	  /* the number that identifies the name of the function; equal names have
			   * equal numbers */
	uint64_t address; /* the address of the instruction, as the same kind of address as in
			   * struct pk_frame */
};

/* The caller keeps objects. It may be NULL if places are only added and not looked up. Returns NULL
 * if memory is exhausted. */
struct pk_places *pk_places_new(struct pk_code_objects *objects);
void pk_places_free(struct pk_places *places);

/* ---- Places in a session ---- */

void pk_places_start_session(struct pk_places *places, const struct pk_session *session);
/* Call this function when the ids of the dictionary become invalid. */
void pk_places_forget_stacks(struct pk_places *places);
/* The next two functions set *place to the number that identifies the place, or to 0 if the
 * function is unknown. pid is the process that has executed or accessed the address. */
/* Finds the place at an address in the function of a stack. The function is the innermost frame of
 * the stack that is not inlined. index is the index of the stack in the dictionary. frame is the
 * frame of the function. */
PK_MUST_CHECK enum pk_status pk_places_of_stack(struct pk_places *places,
						const struct pk_dictionary *dictionary,
						uint32_t index, const struct pk_frame *frame,
						uint64_t address, uint32_t pid, uint32_t *place);
/* Finds the place of a location. Without an image, the place is unknown. */
PK_MUST_CHECK enum pk_status pk_places_of_location(struct pk_places *places,
						   const struct pk_location *location, uint32_t pid,
						   uint32_t *place);

/* ---- Numbers ---- */

/* Return the numbers that identify an object and a place. Numbers start with 1, and equal objects
 * or places have equal numbers. Both functions return 0 if memory is exhausted. */
uint32_t pk_places_object(struct pk_places *places, const struct pk_code_file *file);
uint32_t pk_places_add(struct pk_places *places, const struct pk_place_function *function,
		       uint64_t address);

uint32_t pk_places_count(const struct pk_places *places);
struct pk_place pk_places_at(const struct pk_places *places, uint32_t place);
struct pk_code_file pk_places_object_at(const struct pk_places *places, uint32_t object);

#endif
