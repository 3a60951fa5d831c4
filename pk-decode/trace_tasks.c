// SPDX-License-Identifier: BSD-2-Clause
#include "pkutil.h"
#include "trace_tasks.h"

static enum pk_status set_pid(struct trace_tasks *tasks, uint32_t tid, uint32_t pid)
{
	return pk_table_set_u64(&tasks->pids, (uint64_t)tid + 1, (uint64_t)pid + 1);
}

enum pk_status trace_tasks_run(struct trace_tasks *tasks, uint32_t cpu, uint32_t tid)
{
	return cpu == UINT32_MAX
		       ? PK_OK
		       : pk_table_set_u64(&tasks->running, (uint64_t)cpu + 1, (uint64_t)tid + 1);
}

struct trace_trailer trace_trailer_of(const struct pk_record *record, const struct pk_event *event)
{
	struct trace_trailer trailer = {0, UINT32_MAX, UINT32_MAX};
	const uint8_t *end = record->data + record->size;

	if (!event)
		return trailer;
	if (event->layout.trailer.time && event->layout.trailer.time <= record->size)
		trailer.time = pk_load_u64(end - event->layout.trailer.time);
	if (event->layout.trailer.cpu && event->layout.trailer.cpu <= record->size)
		trailer.cpu = pk_load_u32(end - event->layout.trailer.cpu);
	if (event->layout.trailer.tid && event->layout.trailer.tid <= record->size)
		trailer.tid = pk_record_task(record, record->size - event->layout.trailer.tid)->tid;
	return trailer;
}

static enum pk_status note_switch(struct trace_tasks *tasks, const struct pk_record *record,
				  const struct pk_event *event)
{
	const struct perf_record_switch_cpu_wide *wide = (const void *)record->data;
	const bool out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;
	const struct trace_trailer at = trace_trailer_of(record, event);
	uint32_t tid = at.tid;

	if (out && record->type == PERF_RECORD_SWITCH)
		return PK_OK;
	if (out)
		tid = wide->next_prev_tid;
	return tid == UINT32_MAX ? PK_OK : trace_tasks_run(tasks, at.cpu, tid);
}

enum pk_status trace_tasks_record(struct trace_tasks *tasks, const struct pk_record *record,
				  const struct pk_event *event)
{
	const struct perf_record_comm *comm = (const void *)record->data;
	const struct perf_record_task *fork = (const void *)record->data;

	switch (record->type) {
	case PERF_RECORD_COMM: return set_pid(tasks, comm->tid, comm->pid);
	case PERF_RECORD_FORK: return set_pid(tasks, fork->tid, fork->pid);
	case PERF_RECORD_ITRACE_START:
		PK_TRY(set_pid(tasks, comm->tid, comm->pid));
		return trace_tasks_run(tasks, trace_trailer_of(record, event).cpu, comm->tid);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return note_switch(tasks, record, event);
	default: return PK_OK;
	}
}

uint32_t trace_tasks_running(const struct trace_tasks *tasks, uint32_t cpu)
{
	const uint64_t found =
		cpu == UINT32_MAX ? 0 : pk_table_get_u64(&tasks->running, (uint64_t)cpu + 1);

	return (uint32_t)(found - 1);
}

uint32_t trace_tasks_pid(const struct trace_tasks *tasks, uint32_t tid)
{
	const uint64_t found = pk_table_get_u64(&tasks->pids, (uint64_t)tid + 1);

	return found ? (uint32_t)(found - 1) : tid ? UINT32_MAX : 0;
}

void trace_tasks_clear(struct trace_tasks *tasks)
{
	pk_table_free(&tasks->pids);
	pk_table_free(&tasks->running);
}
