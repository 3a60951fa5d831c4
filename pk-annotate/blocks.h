/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_BLOCKS_H
#define PK_ANNOTATE_BLOCKS_H

/* Blocks: code that ran without a taken branch, from the target of one entry of a branch stack to
 * the branch of the next newer one. They are summed up over all events and sessions. */

#include "code_hits.h"
#include "place.h"
#include "sample_view.h"
#include "typing.h"

/* ---- Blocks ---- */

struct blocks;

/* The blocks of a function, by row. */
struct function_blocks {
	struct row_blocks {
		uint64_t executed;	 /* blocks that contain the row */
		uint64_t entered, taken; /* blocks that start there, that end there */
		uint64_t predicted;	 /* of taken: predicted by the processor */
		uint64_t end_executed; /* executed of the next row where blocks end, or the last row
					*/
	} * rows;
	uint64_t count;
	uint64_t cycles, instructions; /* of blocks whose cycles are known */
	uint32_t executed_rows;
};

/* places stays the caller's. NULL: out of memory. */
struct blocks *blocks_new(const struct pk_places *places);
void blocks_free(struct blocks *blocks);
/* Adds the blocks of a sample. */
PK_MUST_CHECK enum pk_status blocks_add(struct blocks *blocks, struct pk_view *view);
/* Adds one block, by the numbers of its places, which are 0 if unknown, and the flags of the branch
 * that ends it. */
PK_MUST_CHECK enum pk_status blocks_add_one(struct blocks *blocks, uint32_t first, uint32_t last,
					    uint64_t flags);
/* Call it once, after all samples. */
PK_MUST_CHECK enum pk_status blocks_sort(struct blocks *blocks);
/* The blocks of a function, for free(of->rows). A block with an end that is not in its code is
 * counted, see blocks_report(). The work is proportional to the rows and the function's distinct
 * blocks. */
PK_MUST_CHECK enum pk_status blocks_of(struct blocks *blocks, const struct pk_place_function *is,
				       const struct pk_function_code *code,
				       struct function_blocks *of);
/* Appends the marks of a row: as " # +20.00% -40.00% (p:90.00%)". */
void blocks_put_marks(const struct function_blocks *of, uint32_t row, struct buffer *out);
/* Reports on stderr what was not used. */
void blocks_report(const struct blocks *blocks);

/* ---- Functions ---- */

/* One function: its instructions, and how often each was sampled. */

struct function {
	struct pk_place_function is;
	struct pk_code_file object;
	struct pk_function_code code;

	/* The events side by side: */
	const uint32_t *events;
	unsigned int columns;
	struct hit_count *counts;      /* of row r and column c at [r * columns + c] */
	struct hit_count *totals;      /* for each column: all samples of the function, also those
					* outside      of its code */
	uint64_t outside;	       /* samples at addresses outside of its code */
	uint64_t within;	       /* samples that are not at the start of an instruction */
	struct function_blocks blocks; /* rows NULL: not counted */
};

/* Loads a function by its number in the hits. If its code is not found, f->code.reason tells why,
 * and there are no rows. Call function_release() in any case. f refers to events, which the caller
 * owns. */
PK_MUST_CHECK enum pk_status function_load(struct function *f, struct pk_code_objects *objects,
					   const struct code_hits *hits, uint32_t number,
					   const uint32_t *events, unsigned int columns);
void function_release(struct function *f);

#endif
