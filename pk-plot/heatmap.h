/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HEATMAP_H
#define PK_HEATMAP_H

#include "distribution.h"
#include "plot_options.h"

#define QUANTILES_MAX 8

struct heatmap_options {
	struct plot_options plot;
	struct distribution distribution;
	unsigned int height;		 /* of a panel, in pixels; 0: by the number of panels */
	double quantiles[QUANTILES_MAX]; /* 0 to 1 */
	unsigned int quantiles_count;
};

/* Draws a heat map of the inputs of run on stdout. Returns the exit status. */
int heatmap(struct pk_run *run, struct heatmap_options *options);

#endif
