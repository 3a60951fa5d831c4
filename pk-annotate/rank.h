/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_RANK_H
#define PK_ANNOTATE_RANK_H

/* Selects the functions to show, and sorts them: the hottest first, the parts of a function (foo,
 * foo.cold) together. */

#include "annotate.h"
#include "code_hits.h"

struct ranked {
	uint32_t function;
	uint32_t family;	/* 0, 1 ...: equal for the parts of a function, foo and foo.cold */
	struct hit_count count; /* count for the first event */
	double share;		/* the largest share of all samples of an event, 0 to 1 */
};

struct ranking {
	struct ranked *list;
	size_t count;
	/* Functions below --min-percent or beyond --hottest: their number, and their weight for the
	 * first event. */
	size_t left_out;
	uint64_t left_out_weight;
};

/* Ranks the functions that have samples of any of the events. The first event determines the order.
 * The caller frees list. rank_is_named() explains met. */
PK_MUST_CHECK enum pk_status rank_functions(struct ranking *ranking, const struct code_hits *hits,
					    const struct annotate_options *options,
					    const uint32_t *events, unsigned int count, bool *met);

/* Sets *named to whether the options name the function, or name no functions at all. Sets met[i] to
 * true if the i-th name matches the function. */
PK_MUST_CHECK enum pk_status rank_is_named(const struct code_hits *hits,
					   const struct annotate_options *options, uint32_t number,
					   bool *met, bool *named);

/* The weight of a count, by options: samples or periods. */
static inline uint64_t weight_of(const struct annotate_options *options,
				 const struct hit_count *count)
{
	return options->by_samples ? count->samples : count->weight;
}

#endif
