/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_COUNTED_SAMPLES_H
#define PK_COUNTED_SAMPLES_H

/* What the title of a result says about its samples. */

#include "buffer.h"
#include "field.h"

struct pk_counted_samples {
	uint64_t count;
	uint64_t first, last; /* times in ns; `last` is 0 if the samples have no time */
	struct buffer event;  /* the name of the event of all samples */
	bool several;	      /* true if the samples have several events; `event` is one of them */
	bool callchains;      /* true if one of the events has callchains */

	/* Private: */
	const struct pk_event *noted; /* the event of the last sample of the session, or NULL */
};

/* Counts a sample. If memory is exhausted, sets event.failed. */
void pk_counted_samples_add(struct pk_counted_samples *samples, const struct pk_view *view);
/* Call it when a session ends. */
static inline void pk_counted_samples_end_session(struct pk_counted_samples *samples)
{
	samples->noted = NULL;
}
void pk_counted_samples_free(struct pk_counted_samples *samples);

#endif
