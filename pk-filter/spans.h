/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPANS_H
#define PK_FILTER_SPANS_H

/* How long recordings are, from their first sample to the last, by reading them once before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spans {
	struct span {
		uint64_t first, last; /* last 0: no sample has a time */
	} * items;		      /* of each session, in turn */
	size_t count, capacity;
	size_t *starts; /* the first item of each operand, and at [operands] the end */
	int operands;
};

/* Of all operands of a program, but those that cannot be read twice. False: out of memory. */
bool spans_find(struct spans *spans, char *const *files, int count);
/* NULL: not known. */
const struct span *spans_of(const struct spans *spans, int operand, size_t session);
void spans_free(struct spans *spans);

#endif
