/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_DERIVED_H
#define PK_STAT_DERIVED_H

/* What counts mean beside one another: rates, shares, instructions per cycle. */

#include "stat.h"

/* One number to print beside a count. */
struct derived {
	double value;
	const char *format; /* of printf, for the value; NULL: there is nothing */
	char unit[128];
};

/* The numbers to print beside an event, so many; no more than derived_most. */
size_t derive(const struct stat_result *result, size_t event, size_t group, struct derived *items,
	      size_t most);
size_t derived_most(const struct stat_result *result);
/* Does it count time? Such counts are nanoseconds, printed as milliseconds. */
bool event_is_clock(const struct event *event);

#endif
