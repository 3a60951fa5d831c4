// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "parallelism.h"

struct runner {
	uint32_t pid;
	bool runs;
};

static bool set(struct pk_parallelism *p, uint32_t pid, uint32_t tid, bool runs)
{
	struct runner *runner;
	uint32_t *count;

	if (!tid || tid == UINT32_MAX) /* the idle task, or a thread that has exited */
		return true;
	runner = pk_table_get_or_add(&p->threads, tid, sizeof(*runner));
	if (!runner)
		return false;
	if (runner->runs && (!runs || runner->pid != pid)) {
		count = pk_table_get(&p->counts, runner->pid);
		*count -= 1;
		p->all--;
		runner->runs = false;
	}
	if (!runs || runner->runs)
		return true;
	count = pk_table_get_or_add(&p->counts, pid, sizeof(*count));
	if (!count)
		return false;
	*count += 1;
	p->all++;
	*runner = (struct runner){pid, true};
	return true;
}

static bool forget_thread(struct pk_parallelism *p, uint32_t tid)
{
	struct runner *runner = pk_table_get(&p->threads, tid);

	if (!runner)
		return true;
	set(p, runner->pid, tid, false);
	pk_table_remove(&p->threads, tid);
	free(runner);
	return true;
}

enum pk_status pk_parallelism_record(struct pk_parallelism *p, const struct pk_record *record)
{
	const struct pk_event *event = record->event;
	const struct perf_task *task;
	struct pk_sample_id id;

	switch (record->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!event || !event->layout.trailer.tid)
			return PK_OK;
		pk_sample_id_decode(event, record, &id);
		p->seen = true;
		p->tasks |= record->type == PERF_RECORD_SWITCH;
		return set(p, id.pid, id.tid, !(record->misc & PERF_RECORD_MISC_SWITCH_OUT))
			       ? PK_OK
			       : PK_NOMEM;
	case PERF_RECORD_EXIT:
		return forget_thread(p, ((const struct perf_record_task *)record->data)->tid)
			       ? PK_OK
			       : PK_NOMEM;
	case PERF_RECORD_SAMPLE:
		if (!event || !event->layout.tid ||
		    event->layout.tid + sizeof(*task) > record->size)
			return PK_OK;
		task = pk_record_task(record, event->layout.tid);
		return set(p, task->pid, task->tid, true) ? PK_OK : PK_NOMEM;
	default: return PK_OK;
	}
}

uint32_t pk_parallelism_of(const struct pk_parallelism *p, uint32_t pid)
{
	const uint32_t *count = p->tasks ? &p->all : pk_table_get(&p->counts, pid);

	return p->seen && count && *count ? *count : 1;
}

void pk_parallelism_forget(struct pk_parallelism *p)
{
	pk_table_free_all(&p->threads);
	pk_table_free_all(&p->counts);
	*p = (struct pk_parallelism){.seen = p->seen};
}
