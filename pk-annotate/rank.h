/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_RANK_H
#define PK_ANNOTATE_RANK_H

/* Selects the functions to show, and sorts them by weight, the hottest first. A function and its
 * parts (foo and foo.cold) stay together. */

#include "annotate.h"
#include "code_hits.h"

/* A function in the order in which it is shown. */
struct ranked {
	uint32_t function;
	uint32_t family; /* number of the family, which consists of a function and its parts; the
			  * first family is number 0 */
	struct hit_count count; /* count of the samples of the first event */
	double share; /* the largest of the shares that the function has of the samples of each
		       * event; from 0 to 1 */
};

/* The functions that are shown, in their order. */
struct ranking {
	struct ranked *list;
	size_t count;
	/* The number of functions that --min-percent or --hottest excludes, and their weight for
	 * the first event. */
	size_t left_out;
	uint64_t left_out_weight;
};

/* Ranks the functions that have samples of any of the events. The order depends on the first event
 * only. The caller frees ranking->list. For met, see rank_is_named(). */
PK_MUST_CHECK enum pk_status rank_functions(struct ranking *ranking, const struct code_hits *hits,
					    const struct annotate_options *options,
					    const uint32_t *events, unsigned int count, bool *met);

/* Sets *matches to true if the glob, which is FUNCTION or OBJECT:FUNCTION, matches the function
 * `name` of the object. */
PK_MUST_CHECK enum pk_status rank_matches(const char *glob, const char *object, const char *name,
					  bool *matches);
/* If a glob of the options matches a function that has samples, forgets the inlined functions that
 * it matches. Their numbers in `hits` are the indexes of the globs. */
PK_MUST_CHECK enum pk_status rank_drop_inlined(struct code_hits *hits,
					       const struct annotate_options *options);

/* Sets *named to true if the options name the function, or if they name no functions at all. Sets
 * met[i] to true if options->functions.items[i] matches the function, or a function that is inlined
 * into it. */
PK_MUST_CHECK enum pk_status rank_is_named(const struct code_hits *hits,
					   const struct annotate_options *options, uint32_t number,
					   bool *met, bool *named);

/* Returns the samples or the period of a count. The options select which of these is the weight. */
static inline uint64_t weight_of(const struct annotate_options *options,
				 const struct hit_count *count)
{
	return options->by_samples ? count->samples : count->weight;
}

#endif
