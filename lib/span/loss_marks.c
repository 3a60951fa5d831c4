// SPDX-License-Identifier: BSD-2-Clause
#include "loss_marks.h"

void pk_loss_marks_clear(struct pk_loss_marks *marks)
{
	pk_table_free(&marks->on_cpu);
	pk_table_free(&marks->of_task);
	marks->last = marks->anywhere = 0;
}

/* The kernel has one buffer for each cpu, or one for each task: the trailer has the cpu or the task
 * of the buffer, but it can also have the task that ran when a buffer of a cpu was full. */
bool pk_loss_marks_add(struct pk_loss_marks *marks, const struct pk_event *event,
		       const struct pk_record *record)
{
	struct pk_sample_id id = {0};
	bool has_cpu, has_task;

	if (event)
		pk_sample_id_decode(event, record, &id);
	has_cpu = event && event->layout.trailer.cpu;
	has_task = event && event->layout.trailer.tid;
	marks->last++;
	if (!has_cpu && !has_task)
		marks->anywhere = marks->last;
	return (!has_cpu || pk_table_set_u64(&marks->on_cpu, id.cpu, marks->last)) &&
	       (!has_task || pk_table_set_u64(&marks->of_task, id.tid, marks->last));
}
