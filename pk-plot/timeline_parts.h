/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIMELINE_PARTS_H
#define PK_TIMELINE_PARTS_H

/* The parts of a timeline that is being drawn. */

#include "palette.h"
#include "svg.h"
#include "time_axis.h"
#include "timeline.h"

#define TIMELINE_MARGIN		10  /* pixels, right, and left of labels */
#define TIMELINE_NAME_MOST	200 /* characters in a tooltip */
#define TIMELINE_COUNTER_HEIGHT 40  /* pixels of a line of counts */
#define TIMELINE_ARROWS_MOST	300 /* more are hidden until the reader zooms */

struct timeline_drawing {
	struct timeline *timeline;
	struct svg svg;
	struct time_axis axis;
	struct palette palette;
	unsigned int decimals;
	double line; /* height of a line of text */
	uint32_t *lanes;
	size_t lanes_count;
	double *lane_y;			     /* by number of the lane; 0: it is not drawn */
	double (*row_y)[TIMELINE_KINDS + 1]; /* the same, of its rows, from lane_y on */
	size_t arrows;
	/* The cells of merged pieces: from a multiple of the step on. */
	uint64_t first_cell;
};

/* Definitions of patterns and of the head of an arrow. */
extern const char *const timeline_patterns;
/* The fill of pieces of a kind with this name; colour is memory for it. */
const char *timeline_fill(struct timeline_drawing *d, unsigned int kind, const char *name,
			  size_t size, char colour[PALETTE_COLOUR]);
/* The pieces of all lanes. */
void timeline_rows(struct timeline_drawing *d);

#endif
