/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_DATA_H
#define PK_PAGE_DATA_H

/* The data of a page (pk-plot page): sums of samples, their stacks, and the origin of the
 * recording. They are collected from all inputs and encoded for the script of the page.
 * docs/page.md describes the encoding. */

#include "page_code.h"
#include "page_marks.h"
#include "page_sums.h"
#include "plot_origin.h"
#include "rows.h"
#include "tail.h"
#include "tree.h"

/* The columns of the groups, in this order. */
enum page_column { PAGE_EVENT, PAGE_PID, PAGE_TID, PAGE_COMM, PAGE_CPU, PAGE_COLUMNS };
#define PAGE_FIELDS "event,pid,tid,comm,cpu"

/* A frame in the tree. The bytes of this struct are the name of a node. A page treats two frames as
 * the same frame if their functions, objects and flags are equal. */
struct page_frame {
	uint32_t function, object; /* numbers of the texts in page_data.strings; 0 if unknown */
	uint32_t flags;		   /* a subset of the flags PK_FRAME_* */
};

/* All data of a page. */
struct page_data {
	/* Set by the caller. */
	struct pk_tail_options *selection;
	const char *base; /* the recording with which the inputs are compared, or NULL */

	/* Set by page_read(). */
	struct pk_tail tail;
	struct plot_origin origin;
	struct page_sums sums;
	struct page_sums
		base_sums;     /* the sums of the base; here, `row` is the number of the event */
	uint8_t *changes;      /* set by page_pack(): page_changes(), or NULL if there is no base */
	struct page_code code; /* the caller sets code.most */
	struct page_marks marks;
	struct pk_rows rows; /* the combinations of event, process, thread, name and CPU; the
			      * columns are those of enum page_column */
	struct pk_tree *tree;
	struct pk_texts strings; /* names of functions and objects */
	struct pk_texts events;	 /* names of events, in the order in which they appear */
	struct pk_texts units;	 /* names of the units of weights */
	uint32_t *unit_of; /* For each event, the number in `units` of the unit of its weights. The
			    * index is the number of the event in `events`. */
	size_t unit_of_count;
	uint64_t first, last; /* first and last time of a sample, in ns; `last` is 0 if no sample
			       * has a time */
	uint64_t samples, without_time, without_stack;

	/* Private. */
	bool in_base;	    /* true while the base is read */
	uint32_t *of_stack; /* For each stack of the dictionary, the number of its node plus 1. 0 if
			     * it is unknown. */
	size_t of_stack_count;
	uint32_t *of_frame; /* For each frame of the dictionary, the number of its name in the tree.
			     * 0 if it is unknown. */
	size_t of_frame_count;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} way; /* the stacks from a leaf to the root whose nodes must still be created, the leaf
		* first */
};

/* Returns the pair of the stack of a sum. If no code is wanted, the stack is a node. */
static inline struct page_stack page_stack_of(const struct page_data *data, uint32_t stack)
{
	return data->code.most ? data->code.stacks.items[stack] : (struct page_stack){stack, 0};
}

/* Returns the number of stacks, which are the numbers that page_sum.stack can be, from 0 on. */
static inline size_t page_stacks(const struct page_data *data)
{
	return data->code.most ? data->code.stacks.count : data->tree->count;
}

/* Returns the number of the event of each row, by number of the row. The caller frees the array.
 * Returns NULL if memory is exhausted. */
uint32_t *page_events(const struct page_data *data);

/* Reads the inputs of run. Returns the exit status. */
int page_read(struct page_data *data, struct pk_run *run);
/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int page_free(struct page_data *data, int status);

/* Appends the columns of numbers of the page's data. Sets *stacks to the number of distinct stacks
 * that the sums have. If memory is exhausted, sets out->failed or returns PK_NOMEM. */
PK_MUST_CHECK enum pk_status page_columns_add(struct buffer *out, const struct page_data *data,
					      size_t *stacks);

/* Returns the encoded and compressed data, which the caller frees, or NULL if memory is exhausted.
 * If there are many samples, it first makes the slots of time in `data` longer, so that the page
 * stays small. */
uint8_t *page_pack(struct page_data *data, const char *title, size_t *size);

#endif
