// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "running.h"

struct runner {
	uint32_t pid;
	bool runs;
};

static bool set(struct running *running, uint32_t pid, uint32_t tid, bool runs)
{
	struct runner *runner;
	uint32_t *count;

	if (!tid || tid == UINT32_MAX) /* idle, or gone */
		return true;
	runner = pk_table_get_or_add(&running->threads, tid, sizeof(*runner));
	if (!runner)
		return false;
	if (runner->runs && (!runs || runner->pid != pid)) {
		count = pk_table_get(&running->counts, runner->pid);
		*count -= 1;
		running->all--;
		runner->runs = false;
	}
	if (!runs || runner->runs)
		return true;
	count = pk_table_get_or_add(&running->counts, pid, sizeof(*count));
	if (!count)
		return false;
	*count += 1;
	running->all++;
	*runner = (struct runner){pid, true};
	return true;
}

static bool forget_thread(struct running *running, uint32_t tid)
{
	struct runner *runner = pk_table_get(&running->threads, tid);

	if (!runner)
		return true;
	set(running, runner->pid, tid, false);
	pk_table_remove(&running->threads, tid);
	free(runner);
	return true;
}

bool running_record(struct running *running, const struct pk_record *record)
{
	const struct pk_event *event = record->event;
	const struct perf_task *task;
	struct pk_sample_id id;

	switch (record->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!event || !event->layout.trailer.tid)
			return true;
		pk_sample_id_decode(event, record, &id);
		running->told = true;
		running->tasks |= record->type == PERF_RECORD_SWITCH;
		return set(running, id.pid, id.tid, !(record->misc & PERF_RECORD_MISC_SWITCH_OUT));
	case PERF_RECORD_EXIT:
		return forget_thread(running, ((const struct perf_record_task *)record->data)->tid);
	case PERF_RECORD_SAMPLE:
		if (!event || !event->layout.tid ||
		    event->layout.tid + sizeof(*task) > record->size)
			return true;
		task = pk_record_task(record, event->layout.tid);
		return set(running, task->pid, task->tid, true);
	default: return true;
	}
}

uint32_t running_threads(const struct running *running, uint32_t pid)
{
	const uint32_t *count =
		running->tasks ? &running->all : pk_table_get(&running->counts, pid);

	return count && *count ? *count : 1;
}

void running_forget(struct running *running)
{
	pk_table_free_all(&running->threads);
	pk_table_free_all(&running->counts);
	*running = (struct running){0};
}
