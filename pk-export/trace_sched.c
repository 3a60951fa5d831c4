// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "trace_sched.h"

struct wake {
	uint64_t id; /* of the flow */
	uint64_t time;
	const struct trace_track *from; /* the processor that ran the waker; NULL: unknown */
};

/* The processor of the sample. False: unknown. */
static bool cpu_of(const struct trace_event *event, uint32_t *cpu)
{
	const struct pk_sample *sample = pk_view_sample(event->view);

	if (!sample || !(event->view->event->attr.sample_type & PERF_SAMPLE_CPU))
		return false;
	*cpu = sample->cpu;
	return true;
}

/* ---- Wakeups ---- */

static bool note_wakeup(struct trace_sched *sched, struct trace_event *event, uint32_t tid)
{
	struct trace_cpu *cpu;
	struct wake *wake;
	uint32_t number;

	if (!tid)
		return true;
	wake = pk_table_get_or_add(&sched->wakes, tid + UINT64_C(1), sizeof(*wake));
	if (!wake)
		return false;
	if (wake->id) /* sched_waking comes before sched_wakeup */
		return true;
	wake->id = event->flow = ++sched->last_flow;
	wake->time = event->time;
	if (!cpu_of(event, &number))
		return true;
	cpu = trace_cpu_of(sched->tracks, number);
	if (cpu && cpu->known && cpu->tid)
		wake->from = &cpu->track;
	return cpu;
}

bool trace_sched_wakeup(struct trace_sched *sched, struct trace_event *event)
{
	struct pk_sched_event *decoded = &sched->event;

	*decoded = pk_sched_event_read(event->of ? event->of->tracepoint : NULL,
				       pk_view_raw(event->view));
	return decoded->kind == PK_SCHED_OTHER || decoded->kind == PK_SCHED_SWITCH ||
	       decoded->kind == PK_SCHED_MIGRATION ||
	       note_wakeup(sched, event, (uint32_t)decoded->tid);
}

/* Returns the wakeup of a task that starts to run, or ends; all zero: none. */
static struct wake remove_wake(struct trace_sched *sched, uint32_t tid)
{
	const uint64_t key = tid + UINT64_C(1);
	struct wake *found = pk_table_get(&sched->wakes, key), wake = {0};

	if (!found)
		return wake;
	wake = *found;
	free(found);
	pk_table_remove(&sched->wakes, key);
	return wake;
}

/* ---- Processors ---- */

static void write_slice(struct trace_sched *sched, const struct trace_cpu *cpu, uint64_t end)
{
	const struct trace_tracks *tracks = sched->tracks;
	const struct trace_event event = {
		.track = &cpu->track,
		.name = trace_name_text(tracks, cpu->name),
		.category = "sched",
		.time = cpu->start,
		.duration = end > cpu->start ? end - cpu->start : 0,
		.flow = cpu->flow.id,
		.running = cpu->tid,
	};

	tracks->format->slice(tracks->writer, &event);
	if (cpu->flow.from)
		tracks->format->flow(tracks->writer, &cpu->flow);
}

static void end_slice(struct trace_sched *sched, struct trace_cpu *cpu, uint64_t time)
{
	if (cpu->known && cpu->tid)
		write_slice(sched, cpu, time);
	cpu->flow = (struct trace_flow){0};
	cpu->tid = 0;
}

static bool switch_task(struct trace_sched *sched, const struct trace_event *event)
{
	const struct pk_bytes name = pk_sched_event_next_comm(&sched->event);
	struct trace_cpu *cpu;
	struct wake wake;
	uint32_t number;

	if (!cpu_of(event, &number))
		return true;
	cpu = trace_cpu_of(sched->tracks, number);
	if (!cpu)
		return false;
	sched->switches = true;
	end_slice(sched, cpu, event->time);
	remove_wake(sched, (uint32_t)sched->event.tid); /* it was woken while it ran */
	wake = remove_wake(sched, (uint32_t)sched->event.next);
	cpu->known = true;
	cpu->start = event->time;
	cpu->tid = (int32_t)sched->event.next;
	cpu->name = trace_name(sched->tracks, (const char *)name.data, name.size);
	if (wake.id)
		cpu->flow = (struct trace_flow){wake.id, wake.from, &cpu->track, wake.time,
						event->time};
	return cpu->name;
}

static void note_end(struct trace_sched *sched, const struct trace_event *event)
{
	if (event->time + event->duration > sched->last)
		sched->last = event->time + event->duration;
}

bool trace_sched_switch(struct trace_sched *sched, const struct trace_event *event)
{
	note_end(sched, event);
	return sched->event.kind != PK_SCHED_SWITCH || switch_task(sched, event);
}

bool trace_sched_run(struct trace_sched *sched, const struct trace_event *event)
{
	struct trace_event slice = *event;
	struct trace_cpu *cpu;
	struct trace_task *task;
	uint32_t number;

	note_end(sched, event);
	if (sched->switches || strcmp(event->view->event->name, "pk:run") != 0 ||
	    !cpu_of(event, &number))
		return true;
	cpu = trace_cpu_of(sched->tracks, number);
	task = trace_task_of(sched->tracks, event->view);
	if (!cpu || !task)
		return false;
	slice.track = &cpu->track;
	slice.name = trace_name_text(sched->tracks, task->name);
	slice.category = "sched";
	slice.of = NULL;
	slice.running = task->track.tid;
	sched->tracks->format->slice(sched->tracks->writer, &slice);
	return true;
}

void trace_sched_end(struct trace_sched *sched)
{
	for (struct trace_cpu *cpu = sched->tracks->first_cpu; cpu; cpu = cpu->next) {
		end_slice(sched, cpu, sched->last);
		cpu->known = false;
	}
	pk_table_free_all(&sched->wakes);
	sched->wakes = (struct pk_table){0};
	sched->last = 0;
}

void trace_sched_free(struct trace_sched *sched)
{
	pk_table_free_all(&sched->wakes);
}
