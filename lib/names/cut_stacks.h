/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CUT_STACKS_H
#define PK_CUT_STACKS_H

/*
 * Stacks that end in code without frame pointers. The kernel follows frame pointers: code that uses
 * that register for other values ends the callchain, or leads it to numbers that are no addresses
 * of code. This module looks at the stacks of a dictionary, from the root to the leaf. The frame
 * before such numbers, or else the outermost frame, is in the code in question, unless a program or
 * a thread starts in the stack. The call frame information of its object confirms that.
 */

#include "resolve.h"

struct pk_cut_stacks;

/* The dictionary stays the caller's. NULL: out of memory. */
struct pk_cut_stacks *pk_cut_stacks_new(const struct pk_dictionary *dictionary);
void pk_cut_stacks_free(struct pk_cut_stacks *cut); /* NULL is fine */
/* Call before ids of the dictionary become invalid, except after pk_cut_stacks_sums(). */
void pk_cut_stacks_forget(struct pk_cut_stacks *cut, struct resolver *resolver);
/* Counts a sample of the event with the stack. Call it only for stacks that no program has unwound,
 * and that are not known to be truncated. */
PK_MUST_CHECK enum pk_status pk_cut_stacks_count(struct pk_cut_stacks *cut,
						 const struct pk_event *event, uint32_t stack);

struct pk_cut_sums {
	uint64_t samples; /* of which `cut` end in code without frame pointers */
	uint64_t cut;
	uint64_t frames; /* of the cut stacks: no addresses of code */
};

/* The sums since the last call, all 0 if so few stacks end there that nobody will miss callers.
 * Names the objects in a message, once. */
struct pk_cut_sums pk_cut_stacks_sums(struct pk_cut_stacks *cut, struct resolver *resolver,
				      struct pk_messages *messages);

#endif
