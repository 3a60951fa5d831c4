/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLACE_H
#define PK_PLACE_H

/* Places: the addresses of instructions, each with its function and its object. Every distinct
 * place has a number, the same in all sessions. The place of a sample is looked up once for each
 * stack, or for each address. */

#include "code_objects.h"
#include "field.h"

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

/* objects stays the caller's, and may be NULL if the caller adds places but has no samples. NULL:
 * out of memory. */
struct pk_places *pk_places_new(struct pk_code_objects *objects);
void pk_places_free(struct pk_places *places);

/* ---- Samples ---- */

void pk_places_start_session(struct pk_places *places);
/* Call when the ids of the dictionary become invalid. */
void pk_places_forget_stacks(struct pk_places *places);
/* The place of a sample. Its function is the innermost one of the stack that is not inlined. If the
 * stack does not start at the sample's address, the address is looked up in the session's maps. 0:
 * unknown function, or out of memory, which sets pk_context.failed. Needs PK_NEED_CODE. */
uint32_t pk_view_place(struct pk_view *view);
/* The place of another address of the sample's process, or of the kernel: of a branch. */
uint32_t pk_view_place_of(struct pk_view *view, uint64_t address);

/* ---- Numbers ---- */

/* The numbers of an object and of a place, from 1 on; equal ones have equal numbers. 0: out of
 * memory. */
uint32_t pk_places_object(struct pk_places *places, const struct pk_code_file *file);
uint32_t pk_places_add(struct pk_places *places, const struct pk_place_function *function,
		       uint64_t address);

uint32_t pk_places_count(const struct pk_places *places);
struct pk_place pk_places_at(const struct pk_places *places, uint32_t place);
struct pk_code_file pk_places_object_at(const struct pk_places *places, uint32_t object);

#endif
