/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CUT_STACKS_H
#define PK_CUT_STACKS_H

/*
 * Finds stacks that end in code without frame pointers. The kernel follows frame pointers to find
 * callers. Some code uses the frame pointer register for other values. There, the callchain ends,
 * or continues with numbers that are not addresses of code.
 *
 * This module examines the stacks of a dictionary, from the root to the innermost frame. If a stack
 * has frames that are not addresses of code, their callee is in code without frame pointers.
 * Otherwise the outermost frame is in such code, unless a program or a thread starts in this stack.
 * The call frame information of the object then confirms that the code does not use frame pointers.
 */

#include "resolve.h"

struct pk_cut_stacks;

/* The caller keeps the dictionary. Returns NULL if memory is exhausted. */
struct pk_cut_stacks *pk_cut_stacks_new(const struct pk_dictionary *dictionary);
void pk_cut_stacks_free(struct pk_cut_stacks *cut); /* may be NULL */
/* Call this function before ids of the dictionary become invalid. It is not necessary after
 * pk_cut_stacks_sums(). */
void pk_cut_stacks_forget(struct pk_cut_stacks *cut, struct resolver *resolver);
/* Counts a sample of the event that has the stack. Call it only for stacks that were not unwound by
 * a program, and that are not known to be truncated. */
PK_MUST_CHECK enum pk_status pk_cut_stacks_count(struct pk_cut_stacks *cut,
						 const struct pk_event *event, uint32_t stack);

/* How many samples have cut stacks. */
struct pk_cut_sums {
	uint64_t samples; /* the number of all samples that were counted */
	uint64_t cut;
	uint64_t frames; /* how many frames of the samples' cut stacks are not addresses of code */
};

/* Returns the sums since the last call. cut and frames are 0 if the share of cut stacks is too
 * small to be important. The first call with cut stacks reports the names of the objects. */
struct pk_cut_sums pk_cut_stacks_sums(struct pk_cut_stacks *cut, struct resolver *resolver,
				      struct pk_messages *messages);

#endif
