/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FLAME_H
#define PK_FLAME_H

#include "fold.h"
#include "name_attributes.h"
#include "palette.h"
#include "palette_map.h"
#include "svg.h"

struct flame_options {
	struct plot_options plot;
	struct pk_fold_options fold;
	struct palette palette;
	struct palette_map map; /* of --cp */
	struct name_attributes attributes;
	bool icicle;	   /* the root above */
	bool objects;	   /* names of frames start with their object: show it in tooltips only */
	bool negate;	   /* differences: decreases are red */
	double min_width;  /* pixels; thinner frames are not drawn */
	bool min_is_share; /* min_width is a percentage of the width of all frames */
	unsigned int frame_height; /* pixels; 0: by the font */
	const char *count_name;	   /* the unit of weights; NULL: that of the input */
	const char *name_type;	   /* precedes names of functions; NULL: nothing */
	double total;		   /* the weight of the whole width; 0: the sum of all stacks */
	double factor;		   /* weights are shown multiplied by it */
};

/* Draws a flame graph of the inputs of run on stdout. Returns the exit status. */
int flame(struct pk_run *run, struct flame_options *options);

#endif
