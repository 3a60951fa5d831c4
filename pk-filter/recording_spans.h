/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_RECORDING_SPANS_H
#define PK_FILTER_RECORDING_SPANS_H

/* The time span of recordings, from the first sample to the last; found by an additional first
 * pass. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recording_spans {
	struct recording_span {
		uint64_t first, last; /* last 0: no sample has a time */
	} * items;		      /* of each session, in order */
	size_t count, capacity;
	size_t *starts; /* the first item of each operand, and at [operands] the end */
	int operands;
};

/* The spans of all operands, except those that cannot be read twice. False: out of memory. */
bool recording_spans_find(struct recording_spans *spans, char *const *files, int count);
/* The span of a session of an operand, both counted from 0. NULL: unknown. */
const struct recording_span *recording_spans_of(const struct recording_spans *spans, int operand,
						size_t session);
void recording_spans_free(struct recording_spans *spans);

#endif
