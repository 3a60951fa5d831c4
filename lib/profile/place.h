/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLACE_H
#define PK_PLACE_H

/*
 * Places: the addresses of instructions, each with its function and its object. Every distinct
 * place has a number that stays the same over all sessions. The place of a sample is worked out
 * once for each stack, or for each address.
 */

#include "code_objects.h"
#include "field.h"

struct pk_places;

/* A symbol of an object, as the stream names it. */
struct pk_place_function {
	uint32_t object; /* number */
	bool kernel;
	uint64_t start; /* in terms of struct pk_frame's addresses */
	const char *name;
};

struct pk_place {
	struct pk_place_function function;
	uint32_t name;	  /* number of the function's name */
	uint64_t address; /* in terms of struct pk_frame's addresses */
};

/* objects stays the caller's, and may be NULL for a user that adds places but has no samples. NULL:
 * out of memory. */
struct pk_places *pk_places_new(struct pk_code_objects *objects);
void pk_places_free(struct pk_places *places);

/* ---- Samples ---- */

void pk_places_start_session(struct pk_places *places);
/* Ids of the dictionary become void. */
void pk_places_forget_stacks(struct pk_places *places);
/*
 * Where the sample was taken: the innermost function of its stack that is not inlined; or its own
 * address and the session's maps, if the stack does not begin there. 0: no function is known there.
 * pk_context.failed: out of memory. Needs PK_NEED_CODE.
 */
uint32_t pk_view_place(struct pk_view *view);

/* ---- Numbers ---- */

/* Numbers from 1 on; 0: out of memory. */
uint32_t pk_places_object(struct pk_places *places, const struct pk_code_file *file);
uint32_t pk_places_add(struct pk_places *places, const struct pk_place_function *function,
		       uint64_t address);

uint32_t pk_places_count(const struct pk_places *places);
struct pk_place pk_places_at(const struct pk_places *places, uint32_t place);
struct pk_code_file pk_places_object_at(const struct pk_places *places, uint32_t object);

#endif
