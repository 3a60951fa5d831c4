/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ALLOWANCE_H
#define PK_ALLOWANCE_H

/*
 * What the stacks of all samples may cost, in bytes of memory or of output. A stream defines a deep
 * stack once, and each sample, or each group of samples, can refer to it: without a limit, a few
 * bytes of input cause the work and the output for thousands of frames. So all stacks together cost
 * at most PK_ALLOWANCE_MIN, and PK_ALLOWANCE_PER_BYTE for each byte of the input. After that, a
 * stack has only PK_STACK_SHORT frames, and is counted. A frame of a callchain has 8 bytes in the
 * input, so real recordings stay far below.
 */

#include "pkstream.h"
#include "pkutil.h"

#define PK_ALLOWANCE_MIN      (UINT64_C(4) << 20)
#define PK_ALLOWANCE_PER_BYTE 128
#define PK_STACK_SHORT	      32 /* frames */
/* Costs of a frame: */
#define PK_COST_TEXT 64	 /* to be written as text, without its name */
#define PK_COST_STEP 128 /* to be read, and written as a number */
#define PK_COST_NODE 256 /* to be a node of a tree in memory */

/* Zeroed, nothing was paid. */
struct pk_allowance {
	uint64_t paid; /* bytes of the input */
	uint64_t left;
	bool exceeded; /* something has cost more than was left */
};

/* Sets the size of the input so far. */
static inline void pk_allowance_pay(struct pk_allowance *allowance, uint64_t bytes)
{
	if (!allowance->paid)
		allowance->left = PK_ALLOWANCE_MIN;
	if (bytes > allowance->paid)
		allowance->left += (bytes - allowance->paid) * PK_ALLOWANCE_PER_BYTE;
	allowance->paid = bytes;
}

/* Returns false if it costs more than is left. */
static inline bool pk_allowance_spend(struct pk_allowance *allowance, uint64_t cost)
{
	if (pk_unlikely(cost > allowance->left)) {
		allowance->exceeded = true;
		return false;
	}
	allowance->left -= cost;
	return true;
}

/* For each stack of the dictionary, by its index, the index of its PK_STACK_SHORT outermost frames.
 * The caller frees the array. NULL: out of memory. */
uint32_t *pk_stack_shorts(const struct pk_dictionary *dictionary);

#endif
