/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_RANK_H
#define PK_ANNOTATE_RANK_H

/* Which functions are shown, and in which order: the hottest first, the parts of one together. */

#include "annotate.h"
#include "histogram.h"

struct ranked {
	uint32_t function;
	uint32_t family; /* 0, 1 ...: the parts of a function, foo and foo.cold, have one number */
	struct pk_count count; /* of the first event */
	double share;	       /* of all samples of the event that it has most of, 0 to 1 */
};

struct ranking {
	struct ranked *list;
	size_t count;
	/* Named by nobody and not hot enough: */
	size_t left_out;
	uint64_t left_out_weight;
};

/* By the first of the events, among the functions that any of them was sampled in. False: out of
 * memory. list is to be freed. met: as for rank_is_named(). */
bool rank_functions(struct ranking *ranking, const struct pk_histogram *histogram,
		    const struct annotate_options *options, const uint32_t *events,
		    unsigned int count, bool *met);

/* *named: the function is one of those that the options name. All are if they name none. met[i]
 * becomes true if the i-th of the names is one of it. False: out of memory. */
bool rank_is_named(const struct pk_histogram *histogram, const struct annotate_options *options,
		   uint32_t number, bool *met, bool *named);

/* What counts, by options: samples or periods. */
static inline uint64_t weight_of(const struct annotate_options *options,
				 const struct pk_count *count)
{
	return options->by_samples ? count->samples : count->weight;
}

#endif
