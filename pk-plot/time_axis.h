/* SPDX-License-Identifier: BSD-2-Clause */
/* The axes of pictures, and the texts of their numbers. In pictures over time, the x axis has lines
 * and labels at round times. The labels are times since the left end, so that they are short. The
 * script of the picture draws them again after a zoom. */
#ifndef PK_TIME_AXIS_H
#define PK_TIME_AXIS_H

#include "density.h"
#include "field.h"
#include "svg.h"

/* A time axis: the times at its ends, and its place in the picture. */
struct time_axis {
	uint64_t from, to; /* ns of the stream's clock; the label of `from` is 0 */
	double x, width;   /* pixels */
};

/* Returns the x of a time, in pixels. For a time outside of the axis, returns the x of the nearest
 * end. */
double time_axis_x(const struct time_axis *axis, uint64_t time);
/* Returns the number of decimals that positions in pixels need to be exact to 10 ns. */
unsigned int time_axis_decimals(const struct time_axis *axis);
/* Draws the lines from top to bottom, and the labels below the lines. */
void time_axis_draw(struct svg *svg, const struct time_axis *axis, double top, double bottom);

/* Formats a duration in ns with 4 digits: "1.234 ms". */
#define DURATION_TEXT 32
void duration_text(double nanoseconds, char text[DURATION_TEXT]);

/* ---- Numbers of a field ---- */

#define QUANTITY_TEXT 96

/* Formats a number as "1.234 ms", "1,234,567" or "0x1000", depending on its kind. */
void quantity_text(enum pk_value_kind kind, struct pk_wide number, char text[QUANTITY_TEXT]);
/* Formats a number for the label of an axis: "10 ms" or "1.5M". The text of a time or of a decimal
 * number has at most 8 characters. */
void quantity_label(enum pk_value_kind kind, double number, char text[QUANTITY_TEXT]);
/* Formats the range of numbers of a bin: "1.2 ms-1.3 ms" or "4-7". */
void quantity_range(enum pk_value_kind kind, const struct pk_bin_axis *axis, uint32_t index,
		    char text[QUANTITY_TEXT]);

/* A round number of an axis. Two of them have at least the distance `spacing`, which is a fraction
 * of the length of the axis. */
struct tick {
	double place; /* fraction of the axis: 0 at its start, 1 at its end */
	char text[QUANTITY_TEXT];
};

#define TICKS_MAX 64
unsigned int ticks_of(enum pk_value_kind kind, const struct pk_bin_axis *axis, double spacing,
		      struct tick ticks[TICKS_MAX]);

#endif
