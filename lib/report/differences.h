/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DIFFERENCES_H
#define PK_DIFFERENCES_H

/* Which lines of a report with --diff have changed. */

#include <stdint.h>

#include "difference.h"

struct results;
struct row_event;
struct sheet;

/* Calculates the differences of all lines, before lines are hidden. */
PK_MUST_CHECK enum pk_status pk_differences_make(struct results *results);
/* Returns the comparison of a line with a base. The first base is 1. */
const struct difference *pk_difference_of(const struct results *results, uint32_t line,
					  unsigned int base);
/* Returns why the lines of an event are not compared, or NULL. All lines are then unknown. */
const char *pk_differences_refused(const struct results *results, const struct row_event *event);

#endif
