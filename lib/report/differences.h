/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DIFFERENCES_H
#define PK_DIFFERENCES_H

/* Which lines of a comparison have changed, and by how much. docs/compare.md explains the method.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

struct results;
struct row_event;
struct sheet;

/* How a comparison decides. */
struct difference_options {
	double tolerance; /* A line whose change is within +-tolerance is unchanged, in percent. */
	double discoveries; /* The greatest false discovery rate of the changed lines, in percent.
			     */
};

#define DIFFERENCE_OPTIONS                                                                         \
	{                                                                                          \
		.tolerance = 5, .discoveries = 1                                                   \
	}

/* What the comparison of a line with a base says. The order is the order of the table. */
enum difference_mark {
	DIFFERENCE_UNCHANGED, /* the interval is within the tolerance */
	DIFFERENCE_UNKNOWN,   /* there are too few samples to decide */
	DIFFERENCE_CHANGED,
};

/* The comparison of a line with a base. A number that is unknown is NAN. */
struct difference {
	double base, current;	  /* weight per unit on both sides; shares are in percent */
	double change, low, high; /* the change in percent of the base, and its interval */
	double discovery;	  /* the smallest false discovery rate at which this is a finding */
	double detectable; /* the smallest change in percent that is found with 95 % probability */
	double needs;	   /* for unknown lines, the number of samples of each side that suffice */
	enum difference_mark mark;
};

/* The confidence of the intervals. */
#define DIFFERENCE_OUTSIDE 0.05

/* Calculates the differences of all lines, before lines are hidden. */
PK_MUST_CHECK enum pk_status pk_differences_make(struct results *results);
/* Returns the comparison of a line with a base. The first base is 1. */
const struct difference *pk_difference_of(const struct results *results, uint32_t line,
					  unsigned int base);
/* Returns why the lines of an event are not compared, or NULL. All lines are then unknown. */
const char *pk_differences_refused(const struct results *results, const struct row_event *event);
/* Returns "changed", "unchanged" or "unknown". */
const char *pk_difference_word(enum difference_mark mark);

#endif
