/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DIFFERENCE_H
#define PK_DIFFERENCE_H

/* Which rows of a comparison have changed, and by how much. docs/compare.md explains the method.
 */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rate_change.h"
#include "status.h"

/* How a comparison decides. */
struct difference_options {
	double tolerance;   /* A row whose change is within +-tolerance is unchanged, in percent. */
	double discoveries; /* The greatest false discovery rate of the changed rows, in percent. */
};

#define DIFFERENCE_OPTIONS                                                                         \
	{                                                                                          \
		.tolerance = 5, .discoveries = 1                                                   \
	}

/* What the comparison of a row with a base says. The order is the order of the table. */
enum difference_mark {
	DIFFERENCE_UNCHANGED, /* the interval is within the tolerance */
	DIFFERENCE_UNKNOWN,   /* there are too few samples to decide */
	DIFFERENCE_CHANGED,
};

/* The comparison of a row with a base. A number that is unknown is NAN. */
struct difference {
	double base, current;	  /* weight per unit on both sides; shares are in percent */
	double change, low, high; /* the change in percent of the base, and its interval */
	double discovery;	  /* the smallest false discovery rate at which this is a finding */
	double detectable; /* the smallest change in percent that is found with 95 % probability */
	double needs;	   /* for unknown rows, the number of samples of each side that suffice */
	enum difference_mark mark;
};

#define DIFFERENCE_UNTESTED                                                                        \
	((struct difference){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, DIFFERENCE_UNKNOWN})

/* The confidence of the intervals. */
#define DIFFERENCE_OUTSIDE 0.05

/* A row of a comparison. */
struct difference_row {
	struct pk_rate_change change; /* from pk_rate_change_measure(), and changed by the
				       * comparison */
	uint64_t samples;	      /* of both sides together */
};

/* All rows of a comparison. */
struct difference_table {
	struct difference_row *rows;
	size_t count;
	bool is_share;	/* rates are parts of the whole, and are returned in percent */
	double samples; /* number of samples of all rows of the side that has more */
};

/* Compares all rows. Writes one result for each row. */
PK_MUST_CHECK enum pk_status pk_differences_decide(const struct difference_table *table,
						   const struct difference_options *options,
						   struct difference *results);
/* Returns "changed", "unchanged" or "unknown". */
const char *pk_difference_word(enum difference_mark mark);

#endif
