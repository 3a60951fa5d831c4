/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_BY_LINE_H
#define PK_ANNOTATE_BY_LINE_H

/* Source lines of the whole program, the hottest first. */

#include "annotate_report.h"

/* Appends the lines for some events, side by side, to report->out, with the source text if it can
 * be read. False: out of memory. */
bool report_by_line(struct report *report, const uint32_t *events, unsigned int columns);

#endif
