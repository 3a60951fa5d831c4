/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_CODE_H
#define PK_PAGE_CODE_H

/* The source lines and instructions of a page: those of the hottest functions. A page shows the
 * samples of a selection at their instructions. So a sum of samples has not only a stack but also
 * the place of the sampled instruction. */

#include "buffer.h"
#include "page_sums.h"
#include "place.h"
#include "tail.h"
#include "texts.h"

/* A pair of stack and place. page_sum.stack is the index of a pair. */
struct page_stack {
	uint32_t node;	/* node of the tree */
	uint32_t place; /* Number of the place. After page_code_finish(), it is the number of the
			 * row of code. It is 0 if there is none. */
};

/* The source line of a place, if the stream has it: of a function of an interpreter. */
struct page_line {
	uint32_t file;	      /* the number of the name in page_code.files; 0 if it is unknown */
	uint32_t line, first; /* first: the first line of the function */
};

struct page_code {
	/* Set by the caller. */
	uint32_t most; /* the number of functions whose code is wanted */

	struct {
		struct page_stack *items;
		size_t count, capacity;
	} stacks;
	struct pk_table numbers; /* The key is node << 32 | place. The value is the index of the
				  * pair plus 1. */
	struct buffer text;	 /* the functions as JSON objects with commas; docs/page.md
				  * describes them */
	struct page_line *lines; /* the index is the number of the place */
	size_t lines_count;
	struct pk_texts files;
	uint32_t rows; /* the number of rows of code in `text` */
};

/* Sets *stack to the index of the pair of a node and the place of the sample. */
PK_MUST_CHECK enum pk_status page_code_sample(struct page_code *code, struct pk_view *view,
					      uint32_t node, uint32_t place, uint32_t *stack);
/* Reads the code of the hottest functions of the sums, and replaces the places of both sums by
 * rows. The hottest functions are those with the largest share of an event. event_of has the number
 * of the event of each row of sums. */
PK_MUST_CHECK enum pk_status page_code_finish(struct page_code *code, struct pk_tail *tail,
					      struct page_sums *sums, struct page_sums *base_sums,
					      const uint32_t *event_of);
void page_code_free(struct page_code *code);

#endif
