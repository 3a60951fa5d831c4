/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_BLOCKS_H
#define PK_ANNOTATE_BLOCKS_H

/* A block is code that ran without a taken branch. It starts at the target of one entry of a branch
 * stack, and ends at the branch of the next newer entry. The counts of a block are sums over all
 * events and sessions. */

#include "code_hits.h"
#include "place.h"
#include "sample_view.h"
#include "typing.h"

/* ---- Blocks ---- */

struct blocks;

/* The blocks of a function. There is a struct row_blocks for each row. */
struct function_blocks {
	struct row_blocks {
		uint64_t executed; /* number of times that blocks which contain the row have run */
		/* Numbers of times that blocks have run. `entered` counts blocks that start in the
		 * row. `taken` counts blocks that end in the row. */
		uint64_t entered, taken;
		uint64_t predicted;    /* number of the branches in `taken` that the processor has
					* predicted correctly */
		uint64_t end_executed; /* `executed` of the next row in which blocks end; if there
					* is none, `executed` of the last row */
	} * rows;
	uint64_t count;
	uint64_t cycles, instructions; /* sums over the blocks for which the branch stack has the
					* number of cycles */
	uint32_t executed_rows;
};

/* The caller owns places. Returns NULL if memory is exhausted. */
struct blocks *blocks_new(const struct pk_places *places);
void blocks_free(struct blocks *blocks);
/* Adds the blocks in the branch stack of a sample. */
PK_MUST_CHECK enum pk_status blocks_add(struct blocks *blocks, struct pk_view *view);
/* Adds one block. first and last are the numbers of its places, or 0 if a place is unknown. flags
 * are those of the branch that ends the block. */
PK_MUST_CHECK enum pk_status blocks_add_one(struct blocks *blocks, uint32_t first, uint32_t last,
					    uint64_t flags);
/* Call this once, after all samples were added. */
PK_MUST_CHECK enum pk_status blocks_sort(struct blocks *blocks);
/* Sets *of to the blocks of a function. The caller frees of->rows. If the code of the function has
 * no instruction at an end of a block, the block is not used, and blocks_report() reports it. The
 * run time is proportional to the number of rows plus the number of the function's distinct blocks.
 */
PK_MUST_CHECK enum pk_status blocks_of(struct blocks *blocks, const struct pk_place_function *is,
				       const struct pk_function_code *code,
				       struct function_blocks *of);
/* Appends the marks of a row, for example "  # +20.00%  -40.00% (p:90.00%)". The first number is
 * the share of the executions that entered a block at the row. The second is the share of the
 * executions that left a block there. The number after p is the share of these jumps that the
 * processor predicted. */
void blocks_put_marks(const struct function_blocks *of, uint32_t row, struct buffer *out);
/* Reports on stderr which samples and blocks were not used. */
void blocks_report(const struct blocks *blocks);

/* ---- Functions ---- */

/* One function with its instructions. It has the number of samples of each instruction. */

struct function {
	struct pk_place_function is;
	struct pk_code_file object;
	struct pk_function_code code;

	/* The events that are shown side by side: */
	const uint32_t *events;
	unsigned int columns;
	struct hit_count *counts; /* the count of row r and column c is at [r * columns + c] */
	struct hit_count *totals; /* for each column, all samples of the function, including samples
				   * outside of its code */
	uint64_t outside; /* number of samples at addresses outside of the function's code */
	uint64_t within;  /* number of samples that are not at the start of an instruction */
	struct function_blocks blocks; /* rows is NULL if blocks are not counted */
};

/* Loads a function by its number in hits. If the code of the function is not found, f->code.reason
 * tells why, and f has no rows. The caller must call function_release() also after an error. f
 * points to events, which the caller owns. */
PK_MUST_CHECK enum pk_status function_load(struct function *f, struct pk_code_objects *objects,
					   const struct code_hits *hits, uint32_t number,
					   const uint32_t *events, unsigned int columns);
void function_release(struct function *f);

#endif
