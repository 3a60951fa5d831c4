/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_SIDES_H
#define PK_REPORT_SIDES_H

/* The two sides of --diff: the inputs, and the bases that they are compared with. */

#include "reporter.h"

/* Reads the bases, before the inputs. Returns the exit status. */
int pk_sides_read_bases(struct reporter *reporter);
/* After pk_reporter_refresh(): removes the tables of events that have no samples on one side.
 * Returns the exit status. */
int pk_sides_drop_unmatched(struct reporter *reporter);

#endif
