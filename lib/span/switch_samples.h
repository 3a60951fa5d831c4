/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SWITCH_SAMPLES_H
#define PK_SWITCH_SAMPLES_H

/*
 * Switches to tasks whose sched:sched_switch was not recorded. The kernel takes this sample in the
 * context of the task that stops running, so a recording of some tasks has the switches from them
 * only. If it also has SWITCH records, these tell when a task runs again: such a record becomes a
 * sample of sched_switch from the idle task to this one, unless there was one.
 */

#include "context.h"
#include "table.h"

/* Zeroed, there are none. */
struct pk_switch_samples {
	bool used; /* the session has sched_switch and SWITCH records */
	/* Private: */
	uint64_t epoch; /* of what follows */
	const struct pk_event *event;
	struct switch_field {
		uint32_t offset, size; /* in the raw bytes; size 0: none */
	} prev_pid, next_pid, next_comm;
	bool swapped;		 /* the raw bytes have the other byte order */
	uint32_t raw_at;	 /* in the record */
	struct buffer bytes;	 /* of the record */
	struct pk_table running; /* tid -> 1, of tasks that run */
};

void pk_switch_samples_start_session(struct pk_switch_samples *samples);
void pk_switch_samples_free(struct pk_switch_samples *samples);
/* Call when the formats of the session are known: sets `used`. */
PK_MUST_CHECK enum pk_status pk_switch_samples_prepare(struct pk_switch_samples *samples,
						       const struct pk_context *context);
/* Call it for each record, in order, if `used` is set. Sets *made if the record has become the
 * sample *sample, valid until the next call. */
PK_MUST_CHECK enum pk_status pk_switch_samples_record(struct pk_switch_samples *samples,
						      const struct pk_context *context,
						      const struct pk_record *record,
						      struct pk_record *sample, bool *made);

#endif
