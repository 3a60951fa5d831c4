/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_COMPARISON_H
#define PK_REPORT_COMPARISON_H

/* The numbers of --diff, as in perf diff: calculated from the weights of a line on two sides. */

#include "report_layout.h"

struct comparison {
	struct comparison_side {
		bool present;		/* the line has samples on this side */
		uint64_t weight, total; /* of the line, and of the table */
	} current, base;
};

/* The value of a column that compares. NONE: a side that it needs has no samples. */
struct pk_amount pk_comparison_value(const struct comparison *comparison,
				     const struct column *column);
/* The order of two values. Lines without samples on the new side are the smallest, then those
 * whose base is missing, if the value needs both. */
int pk_comparison_compare(const struct comparison *a, const struct comparison *b,
			  const struct column *column);

#endif
