/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_DERIVED_H
#define PK_STAT_DERIVED_H

/* Values that are calculated from several counts, such as rates, shares, and instructions per
 * cycle. */

#include "stat.h"

/* A number that is printed next to a count. */
struct derived {
	double value;
	const char *format; /* printf format of the value, or NULL if there is no value */
	char unit[128];
};

/* Calculates the numbers to print next to the count of an event in a group. `items` has room for
 * `most` numbers, and `most` is at least 2. Returns the number of items. If an item has no format,
 * an empty text is printed for it. */
size_t derive(const struct stat_result *result, size_t event, size_t group, struct derived *items,
	      size_t most);
/* Returns the largest number of items that derive() can return. */
size_t derived_most(const struct stat_result *result);

#endif
