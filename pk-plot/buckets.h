/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUCKETS_H
#define PK_BUCKETS_H

/* Histograms: how many samples have a number in each bucket. */

#include "distribution.h"
#include "plot_options.h"

enum buckets_form { BUCKETS_PICTURE, BUCKETS_TEXT, BUCKETS_CSV };

struct buckets_options {
	struct plot_options plot;
	struct distribution distribution;
	enum buckets_form form;
	unsigned int height; /* of the bars, in pixels; 0: by the number of groups */
};

/* Prints a histogram of the inputs of run on stdout. Returns the exit status. */
int buckets(struct pk_run *run, struct buckets_options *options);

/* The sum of a bucket of a group, by its index in distribution.layers. */
static inline uint64_t buckets_sum(const struct distribution *distribution, unsigned int group,
				   uint32_t bucket)
{
	return pk_density_cell(&distribution->density, distribution->layers[group].layer, 0,
			       bucket);
}

#endif
