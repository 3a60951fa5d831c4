/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_DATA_H
#define PK_PAGE_DATA_H

/* What a page (pk-plot page) is made of: the sums of samples, their stacks, and the origin of the
 * recording, collected from all inputs and encoded for the page's script. docs/page.md describes
 * the encoding. */

#include "rows.h"
#include "tail.h"
#include "tree.h"

/* ---- Sums ---- */

#define PAGE_NO_TIME UINT64_MAX

/* The columns of the groups, in this order. */
enum page_column { PAGE_EVENT, PAGE_PID, PAGE_TID, PAGE_COMM, PAGE_CPU, PAGE_COLUMNS };
#define PAGE_FIELDS "event,pid,tid,comm,cpu"

/* Samples of a row (event, process, thread, name, CPU) with the same stack in a slot of time. */
struct page_sum {
	uint64_t slot; /* time in ns >> shift, or PAGE_NO_TIME */
	uint64_t weight;
	uint32_t row;	/* of pk_rows */
	uint32_t stack; /* a node of the tree; 0: none */
	uint64_t samples;
};

struct page_sums {
	struct page_sum *items;
	size_t count, capacity;
	unsigned int shift; /* a slot has 2^shift ns */
	size_t limit;	    /* at this count, slots become longer; 0: PAGE_SUMS_MOST */
};

/* Sums that are kept at once. With more, slots become longer until half of them are left, or all
 * samples are in one slot. */
#define PAGE_SUMS_MOST ((size_t)4 << 20)

PK_MUST_CHECK enum pk_status page_sums_add(struct page_sums *sums, uint64_t time, uint32_t row,
					   uint32_t stack, uint64_t weight);
/* Sorts the sums by slot, row and stack, and makes slots longer until at most `most` of them lie
 * between the first and the last one. */
void page_sums_finish(struct page_sums *sums, uint64_t most);

/* ---- The recording ---- */

struct page_origin {
	struct buffer command, host, system; /* texts of the first recording that has them */
};

/* Reads what a record tells about the origin. */
PK_MUST_CHECK enum pk_status page_origin_record(struct page_origin *origin,
						const struct pk_reader *reader,
						const struct pk_record *record);
void page_origin_free(struct page_origin *origin);

/* ---- All ---- */

/* A frame is a name of the tree: the bytes of this struct. Two frames are the same for a page if
 * their function, object and kind are. */
struct page_frame {
	uint32_t function, object; /* numbers in page_data.strings; 0: none */
	uint32_t flags;		   /* some PK_FRAME_* */
};

struct page_data {
	/* Set by the caller. */
	struct pk_tail_options *selection;

	/* Set by page_read(). */
	struct pk_tail tail;
	struct page_origin origin;
	struct page_sums sums;
	struct pk_rows rows; /* of PAGE_COLUMNS */
	struct pk_tree *tree;
	struct pk_texts strings; /* functions and objects */
	struct pk_texts events;	 /* names of events, in their order, */
	struct pk_texts units;	 /* the units of their weights, */
	uint32_t *unit_of;	 /* by number of the event: number of the unit */
	size_t unit_of_count;
	uint64_t first, last; /* times of samples, in ns; last 0: none has a time */
	uint64_t samples, without_time, without_stack;

	/* Private. */
	struct pk_column time;
	uint32_t *of_stack; /* node + 1, by index of the stack in the dictionary; 0: unknown */
	size_t of_stack_count;
	uint32_t *of_frame; /* name in the tree, by index of the frame; 0: unknown */
	size_t of_frame_count;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} way; /* stacks whose nodes are missing, from the leaf on */
};

/* Reads the inputs of run. Returns the exit status. */
int page_read(struct page_data *data, struct pk_run *run);
/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int page_free(struct page_data *data, int status);

/* Appends the encoded data, uncompressed. If memory is exhausted, sets out->failed. */
void page_pack(struct page_data *data, const char *title, struct buffer *out);

#endif
