/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_DERIVED_H
#define PK_STAT_DERIVED_H

/* Values derived from several counts: rates, shares, instructions per cycle. */

#include "stat.h"

/* A number that is printed next to a count. */
struct derived {
	double value;
	const char *format; /* printf format of the value; NULL: no value */
	char unit[128];
};

/* Calculates the numbers to print next to an event's count in a group. items has room for `most` of
 * them, at least 2. Returns their number. An item without format is printed as empty. */
size_t derive(const struct stat_result *result, size_t event, size_t group, struct derived *items,
	      size_t most);
/* The largest number that derive() can return. */
size_t derived_most(const struct stat_result *result);

#endif
