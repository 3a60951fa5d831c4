/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPANS_H
#define PK_FILTER_SPANS_H

/* The time span of recordings, from the first sample to the last; found by an additional first
 * pass. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spans {
	struct span {
		uint64_t first, last; /* last 0: unknown */
	} * items;		      /* of each session, in order */
	size_t count, capacity;
};

/* The spans of all operands; none if one of them is not a file and cannot be read twice. False: out
 * of memory. */
bool spans_find(struct spans *spans, char *const *files, int count);
void spans_free(struct spans *spans);

#endif
