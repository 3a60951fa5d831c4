/* SPDX-License-Identifier: BSD-2-Clause */
/* The axes of pictures, and the texts of their numbers. The x axis of pictures over time has lines
 * at round times, with labels. The labels are times since the left end, so that they are short. The
 * script draws them again when it zooms. */
#ifndef PK_TIME_AXIS_H
#define PK_TIME_AXIS_H

#include "density.h"
#include "field.h"
#include "svg.h"

struct time_axis {
	uint64_t from, to; /* ns of the stream's clock; from is the time 0 of the labels */
	double x, width;   /* pixels */
};

/* The x of a time, in pixels. A time outside is at the nearest end. */
double time_axis_x(const struct time_axis *axis, uint64_t time);
/* The number of decimals of positions in pixels, so that they are exact to 10 ns. */
unsigned int time_axis_decimals(const struct time_axis *axis);
/* Draws the lines from top to bottom, and the labels below them. */
void time_axis_draw(struct svg *svg, const struct time_axis *axis, double top, double bottom);

/* The text of a duration in ns with 4 digits: "1.234 ms". */
#define DURATION_TEXT 32
void duration_text(double nanoseconds, char text[DURATION_TEXT]);

/* ---- Numbers of a field ---- */

#define QUANTITY_TEXT 96

/* "1.234 ms", "1,234,567" or "0x1000". */
void quantity_text(enum pk_value_kind kind, struct pk_wide number, char text[QUANTITY_TEXT]);
/* At most 8 characters, for labels of an axis: "10 ms", "1.5M". */
void quantity_label(enum pk_value_kind kind, double number, char text[QUANTITY_TEXT]);
/* The numbers of a bin: "1.2 ms-1.3 ms", "4-7". */
void quantity_range(enum pk_value_kind kind, const struct pk_bin_axis *axis, uint32_t index,
		    char text[QUANTITY_TEXT]);

/* Round numbers of an axis with at least `spacing` between them, as a part of the axis' length. */
struct tick {
	double place; /* 0: start of the axis, 1: its end */
	char text[QUANTITY_TEXT];
};

#define TICKS_MAX 64
unsigned int ticks_of(enum pk_value_kind kind, const struct pk_bin_axis *axis, double spacing,
		      struct tick ticks[TICKS_MAX]);

#endif
