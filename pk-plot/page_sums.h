/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_SUMS_H
#define PK_PAGE_SUMS_H

/* The sums of the samples of a page. */

#include <stddef.h>
#include <stdint.h>

#include "pkutil.h"

#define PAGE_NO_TIME UINT64_MAX

/* The sum of samples that have the same row, the same stack and the same slot. A row is a
 * combination of event, process, thread, name and CPU. A slot is a short range of time. */
struct page_sum {
	uint64_t slot; /* the start of a range of times: a time in ns >> page_sums.shift, or
			* PAGE_NO_TIME */
	uint64_t weight;
	uint32_t row;	/* number of the row in page_data.rows */
	uint32_t stack; /* node of page_data.tree; 0 if the samples have no stack */
	uint64_t samples;
};

/* The sums of the samples of a page. */
struct page_sums {
	struct page_sum *items;
	size_t count, capacity;
	unsigned int shift; /* a slot is a range of 2^shift ns */
	uint64_t first;	    /* set by page_sums_finish(): the first slot; 0 if no sum has a time */
	size_t limit; /* If there are more items, slots become longer, so that items are merged. 0
		       * selects PAGE_SUMS_MOST. */
};

/* The number of sums that are kept in memory. When there are more, slots become longer until at
 * most half of the sums are left, or until all samples are in one slot. */
#define PAGE_SUMS_MOST ((size_t)2 << 20)

PK_MUST_CHECK enum pk_status page_sums_add(struct page_sums *sums, uint64_t time, uint32_t row,
					   uint32_t stack, uint64_t weight);
/* Sorts the sums by row, slot and stack. Makes slots longer until there are at most `most` slots
 * from the first to the last. */
PK_MUST_CHECK enum pk_status page_sums_finish(struct page_sums *sums, uint64_t most);
/* Removes the times of all sums, and adds up those that are then equal. */
PK_MUST_CHECK enum pk_status page_sums_drop_times(struct page_sums *sums);

#endif
