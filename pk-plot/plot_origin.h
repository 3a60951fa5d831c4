/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_ORIGIN_H
#define PK_PLOT_ORIGIN_H

#include "buffer.h"
#include "pkprivate.h"

/* Where a recording was made, and by which command. */
struct plot_origin {
	struct buffer command, host, system; /* texts of the first recording that has them */
};

/* Reads the origin of the recording from a record, if the record contains it. */
PK_MUST_CHECK enum pk_status plot_origin_record(struct plot_origin *origin,
						const struct pk_reader *reader,
						const struct pk_record *record);
void plot_origin_free(struct plot_origin *origin);

#endif
