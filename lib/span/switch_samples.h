/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SWITCH_SAMPLES_H
#define PK_SWITCH_SAMPLES_H

/*
 * Adds switches to tasks if their sched:sched_switch samples are missing. The kernel takes a
 * sched_switch sample in the context of the task that stops running. So if only some tasks are
 * recorded, the recording contains the switches away from these tasks, but not all switches to
 * these tasks. If SWITCH records are recorded, they show when a task runs again. Such a record
 * becomes a sample of sched_switch from the idle task to the task, unless the recording contains
 * this sample.
 */

#include "context.h"
#include "table.h"

/* State of the made samples. If all bytes are zero, no samples are made. */
struct pk_switch_samples {
	bool used; /* the session has both sched_switch and SWITCH records */
	/* Private: */
	uint64_t epoch; /* epoch of the context in which the next members were set */
	const struct pk_event *event;
	struct switch_field {
		uint32_t offset, size; /* place of the field in the raw bytes; a size of 0 means
					* that the event lacks the field */
	} prev_pid, next_pid, next_comm;
	bool swapped;	 /* the byte order of the raw bytes is not the byte order of this machine */
	uint32_t raw_at; /* offset of the raw bytes in the record */
	struct buffer bytes;	 /* the bytes of the made record */
	struct pk_table running; /* contains the tid of each task that runs */
};

void pk_switch_samples_start_session(struct pk_switch_samples *samples);
void pk_switch_samples_free(struct pk_switch_samples *samples);
/* Sets `used`. Call it when the formats of the session are known. */
PK_MUST_CHECK enum pk_status pk_switch_samples_prepare(struct pk_switch_samples *samples,
						       const struct pk_context *context);
/* Call it for each record, in order, if `used` is set. If the record becomes a sample, sets *made
 * and *sample. The sample is valid until the next call. */
PK_MUST_CHECK enum pk_status pk_switch_samples_record(struct pk_switch_samples *samples,
						      const struct pk_context *context,
						      const struct pk_record *record,
						      struct pk_record *sample, bool *made);

#endif
