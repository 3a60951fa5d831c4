/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPANS_H
#define PK_FILTER_SPANS_H

/* How long recordings are, from their first sample to the last, by reading them once before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spans {
	struct span {
		uint64_t first, last; /* last 0: not known */
	} * items;		      /* of each session, in turn */
	size_t count, capacity;
};

/* Of all operands of a program; none if one of them is no file and cannot be read twice. False: out
 * of memory. */
bool spans_find(struct spans *spans, char *const *files, int count);
void spans_free(struct spans *spans);

#endif
