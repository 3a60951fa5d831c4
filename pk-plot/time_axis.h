/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TIME_AXIS_H
#define PK_TIME_AXIS_H

/* The x axis of pictures over time: lines at round times, with labels. The labels are times since
 * the left end, so that they are short; the script draws them again when it zooms. */

#include "svg.h"

struct time_axis {
	uint64_t from, to; /* ns of the stream's clock; from is the time 0 of the labels */
	double x, width;   /* pixels */
};

/* The x of a time, in pixels; a time outside is at the nearest end. */
double time_axis_x(const struct time_axis *axis, uint64_t time);
/* The number of decimals of positions in pixels, so that they are exact to 10 ns. */
unsigned int time_axis_decimals(const struct time_axis *axis);
/* Draws the lines from top to bottom, and the labels below them. */
void time_axis_draw(struct svg *svg, const struct time_axis *axis, double top, double bottom);

/* The text of a duration in ns with 4 digits: "1.234 ms". */
#define DURATION_TEXT 32
void duration_text(double nanoseconds, char text[DURATION_TEXT]);

#endif
