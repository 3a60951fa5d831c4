/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PLOT_ORIGIN_H
#define PK_PLOT_ORIGIN_H

#include "buffer.h"
#include "counted_samples.h"
#include "pkprivate.h"

/* Where a recording was made, and by which command. */
struct plot_origin {
	struct buffer command, host, system; /* texts of the first recording that has them */
};

/* Reads the origin of the recording from a record, if the record contains it. */
PK_MUST_CHECK enum pk_status plot_origin_record(struct plot_origin *origin,
						const struct pk_reader *reader,
						const struct pk_record *record);
/* Writes the title of a recording, with a NUL byte at its end: the text before it, then for example
 * "./app: cpu-clock, 1,234 samples, 5.678 s". Leaves the title empty if there are no samples, or if
 * the input is folded text. If memory is exhausted, sets title->failed. */
void plot_origin_title(const struct plot_origin *origin, const struct pk_counted_samples *samples,
		       const char *before, struct buffer *title);
void plot_origin_free(struct plot_origin *origin);

#endif
