/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ALLOWANCE_H
#define PK_ALLOWANCE_H

/*
 * Limits the cost of the stacks of all samples, in bytes of memory or of output. A stream defines a
 * deep stack only once, but many samples, or groups of samples, can refer to it. Without a limit, a
 * few bytes of input could cause the work and the output for thousands of frames.
 *
 * All stacks together may cost PK_ALLOWANCE_MIN, plus PK_ALLOWANCE_PER_BYTE for each byte of the
 * input. When this allowance is spent, stacks are shortened to PK_STACK_SHORT frames, and the
 * shortened stacks are counted. A frame of a callchain has 8 bytes in the input, so real recordings
 * cost much less than the limit.
 */

#include "pkstream.h"
#include "pkutil.h"

#define PK_ALLOWANCE_MIN      (UINT64_C(4) << 20)
#define PK_ALLOWANCE_PER_BYTE 128
#define PK_STACK_SHORT	      32 /* the length of a shortened stack, in frames */
/* The cost of a frame, in bytes: */
#define PK_COST_TEXT 64	 /* a frame that is written as text, without its name */
#define PK_COST_STEP 128 /* a frame that is read and written as a number */
#define PK_COST_NODE 256 /* a frame that is a node of a tree in memory */

/* All members must be zero at first. */
struct pk_allowance {
	uint64_t paid; /* the size of the input for which the allowance was increased, in bytes */
	uint64_t left;
	bool exceeded; /* the cost of a stack was greater than what was left of the allowance */
};

/* Increases the allowance. bytes is the size of the input that was read so far. */
static inline void pk_allowance_pay(struct pk_allowance *allowance, uint64_t bytes)
{
	if (!allowance->paid)
		allowance->left = PK_ALLOWANCE_MIN;
	if (bytes > allowance->paid)
		allowance->left += (bytes - allowance->paid) * PK_ALLOWANCE_PER_BYTE;
	allowance->paid = bytes;
}

/* Subtracts the cost from the allowance. Returns false if the cost is greater than the allowance.
 */
static inline bool pk_allowance_spend(struct pk_allowance *allowance, uint64_t cost)
{
	if (pk_unlikely(cost > allowance->left)) {
		allowance->exceeded = true;
		return false;
	}
	allowance->left -= cost;
	return true;
}

/* Returns an array with an item for each stack of the dictionary. The item is the index of the
 * stack to use in place of this stack when the allowance is spent. It consists of the
 * PK_STACK_SHORT outermost frames of this stack. If this stack has no more frames than that, it is
 * the stack itself. The caller frees the array. Returns NULL if memory is exhausted. */
uint32_t *pk_stack_shorts(const struct pk_dictionary *dictionary);

#endif
