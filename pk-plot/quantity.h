/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_QUANTITY_H
#define PK_QUANTITY_H

/* Numbers of a field as text, for people: with units of time, or in groups of three digits. */

#include "density.h"
#include "field.h"

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
