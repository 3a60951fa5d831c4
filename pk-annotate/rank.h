/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_RANK_H
#define PK_ANNOTATE_RANK_H

/* The functions to show, and their order: the hottest first, the parts of one together. */

#include "annotate.h"
#include "histogram.h"

struct ranked {
	uint32_t function;
	uint32_t family;       /* 0, 1 ...: equal for the parts of a function, foo and foo.cold */
	struct pk_count count; /* of the first event */
	double share;	       /* the largest share of all samples of an event, 0 to 1 */
};

struct ranking {
	struct ranked *list;
	size_t count;
	/* Not named, and not hot enough: */
	size_t left_out;
	uint64_t left_out_weight;
};

/* Ranks the functions with samples of any of the events by the first event. False: out of memory.
 * list must be freed. met: as in rank_is_named(). */
bool rank_functions(struct ranking *ranking, const struct pk_histogram *histogram,
		    const struct annotate_options *options, const uint32_t *events,
		    unsigned int count, bool *met);

/* *named: the options name the function, or name none. Sets met[i] if the i-th name matches it.
 * False: out of memory. */
bool rank_is_named(const struct pk_histogram *histogram, const struct annotate_options *options,
		   uint32_t number, bool *met, bool *named);

/* The weight of a count, by options: samples or periods. */
static inline uint64_t weight_of(const struct annotate_options *options,
				 const struct pk_count *count)
{
	return options->by_samples ? count->samples : count->weight;
}

#endif
