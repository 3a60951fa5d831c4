/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_TASKS_H
#define PK_TRACE_TASKS_H

/* The threads of a session, and the thread that runs on each CPU. Traces are recorded for each CPU,
 * and often do not contain the thread. */

#include "pkstream.h"
#include "table.h"

/* All bytes 0 knows no threads. */
struct trace_tasks {
	struct pk_table pids;	 /* pid plus 1, by tid plus 1 */
	struct pk_table running; /* tid plus 1, by number of the CPU plus 1 */
};

/* Where and when a record that is not a sample was written. */
struct trace_trailer {
	uint64_t time;	   /* 0 if it is unknown */
	uint32_t cpu, tid; /* UINT32_MAX if they are unknown */
};

/* `event` is the event of the record, or NULL. */
struct trace_trailer trace_trailer_of(const struct pk_record *record, const struct pk_event *event);
void trace_tasks_clear(struct trace_tasks *tasks);
/* Evaluates a record. `event` is its event, or NULL. Call it in the order of time. */
PK_MUST_CHECK enum pk_status trace_tasks_record(struct trace_tasks *tasks,
						const struct pk_record *record,
						const struct pk_event *event);
/* Sets the thread that runs on a CPU. A cpu of UINT32_MAX has no effect. */
PK_MUST_CHECK enum pk_status trace_tasks_run(struct trace_tasks *tasks, uint32_t cpu, uint32_t tid);
/* Returns the thread that runs on a CPU, or UINT32_MAX. */
uint32_t trace_tasks_running(const struct trace_tasks *tasks, uint32_t cpu);
/* Returns the process of a thread, or UINT32_MAX. */
uint32_t trace_tasks_pid(const struct trace_tasks *tasks, uint32_t tid);

#endif
