/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LOSS_MARKS_H
#define PK_LOSS_MARKS_H

/* Where records were lost: whether a span can lack records between its start and its end. Losses
 * are numbered in the order of the stream. */

#include "pkstream.h"
#include "table.h"

struct pk_loss_marks {
	uint64_t last;			 /* number of the last loss */
	uint64_t anywhere;		 /* number of the last one without a cpu and task */
	struct pk_table on_cpu, of_task; /* cpu, tid -> number of the last loss there */
};

void pk_loss_marks_clear(struct pk_loss_marks *marks);
/* Notes a loss, at a record with the event's trailer; event NULL: it is unknown. False: out of
 * memory. */
bool pk_loss_marks_add(struct pk_loss_marks *marks, const struct pk_event *event,
		       const struct pk_record *record);
/* True if records were lost on this cpu or of this task after the loss `since`. */
static inline bool pk_loss_marks_after(const struct pk_loss_marks *marks, uint64_t since,
				       uint32_t cpu, uint32_t tid)
{
	return marks->last > since &&
	       (marks->anywhere > since || pk_table_get_u64(&marks->on_cpu, cpu) > since ||
		pk_table_get_u64(&marks->of_task, tid) > since);
}

#endif
