/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_FUNCTION_H
#define PK_ANNOTATE_FUNCTION_H

/* One function: its instructions, and how often each was sampled. */

#include "blocks.h"
#include "histogram.h"

struct function {
	struct pk_place_function is;
	struct pk_code_file object;
	struct pk_function_code code;

	/* The events side by side: */
	const uint32_t *events;
	unsigned int columns;
	struct pk_count *counts; /* of row r and column c at [r * columns + c] */
	struct pk_count *totals; /* for each column: all samples of the function, also those outside
				  * of its code */
	uint64_t outside;	 /* samples at addresses outside of its code */
	uint64_t within;	 /* samples that are not at the start of an instruction */
	struct function_blocks blocks; /* rows NULL: not counted */
};

/* Loads a function of the histogram, by number. If its code is not found, f->code.reason tells why,
 * and there are no rows. Call function_release() in any case. f refers to events, which the caller
 * owns. False: out of memory. */
bool function_load(struct function *f, struct pk_code_objects *objects,
		   const struct pk_histogram *histogram, uint32_t number, const uint32_t *events,
		   unsigned int columns);
void function_release(struct function *f);

#endif
