/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLACE_H
#define PK_PLACE_H

/* Places: the addresses of instructions, each with its function and its object. Every distinct
 * place has a number, the same in all sessions. A place is looked up once for each stack, or for
 * each address. */

#include "code_objects.h"

struct pk_places;

/* A function of an object. */
struct pk_place_function {
	uint32_t object; /* number */
	bool kernel;
	uint64_t start; /* the kind of address of struct pk_frame */
	const char *name;
};

struct pk_place {
	struct pk_place_function function;
	uint32_t name;	  /* number of the function's name */
	uint64_t address; /* the kind of address of struct pk_frame */
};

/* objects stays the caller's, and may be NULL if the caller adds places but looks up none. NULL:
 * out of memory. */
struct pk_places *pk_places_new(struct pk_code_objects *objects);
void pk_places_free(struct pk_places *places);

/* ---- Places in a session ---- */

void pk_places_start_session(struct pk_places *places, const struct pk_session *session);
/* Call when the ids of the dictionary become invalid. */
void pk_places_forget_stacks(struct pk_places *places);
/* Both set *place, 0: unknown function. pid: the process that has used the address. */
/* The place at an address in the function of a stack, which is its innermost frame that is not
 * inlined. index is that of the stack in the dictionary. frame is that of the function. */
PK_MUST_CHECK enum pk_status pk_places_of_stack(struct pk_places *places,
						const struct pk_dictionary *dictionary,
						uint32_t index, const struct pk_frame *frame,
						uint64_t address, uint32_t pid, uint32_t *place);
/* The place of a location. It is unknown without an image. */
PK_MUST_CHECK enum pk_status pk_places_of_location(struct pk_places *places,
						   const struct pk_location *location, uint32_t pid,
						   uint32_t *place);

/* ---- Numbers ---- */

/* The numbers of an object and of a place, from 1 on. Equal ones have equal numbers. They are 0 if
 * memory is exhausted. */
uint32_t pk_places_object(struct pk_places *places, const struct pk_code_file *file);
uint32_t pk_places_add(struct pk_places *places, const struct pk_place_function *function,
		       uint64_t address);

uint32_t pk_places_count(const struct pk_places *places);
struct pk_place pk_places_at(const struct pk_places *places, uint32_t place);
struct pk_code_file pk_places_object_at(const struct pk_places *places, uint32_t object);

#endif
