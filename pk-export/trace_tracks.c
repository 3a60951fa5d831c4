// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "trace_tracks.h"
#include "vector.h"

/* ---- Lanes ---- */

/* Joins the two oldest spans of a lane into one span, so that there is room for another span. */
static void join_oldest(struct trace_lane *lane)
{
	lane->spans[0].end = lane->spans[1].end;
	lane->count--;
	memmove(&lane->spans[1], &lane->spans[2], (lane->count - 1) * sizeof(*lane->spans));
}

/* Adds a span to a lane if it does not conflict with the spans of the lane. Two spans with the same
 * start conflict, because a reader of the trace could nest them in the wrong order. */
static bool place(struct trace_lane *lane, uint64_t start, uint64_t end)
{
	size_t count = lane->count;

	if (count && end < lane->spans[count - 1].end)
		return false;
	while (count && lane->spans[count - 1].start > start)
		count--;
	if (count && (lane->spans[count - 1].end > start || lane->spans[count - 1].start == start))
		return false;
	lane->count = count;
	if (lane->count == LANE_SPANS_MAX)
		join_oldest(lane);
	lane->spans[lane->count++] = (struct lane_span){start, end};
	return true;
}

enum pk_status trace_lanes_place(struct trace_lanes *lanes, uint64_t start, uint64_t end,
				 size_t *index, bool *new)
{
	*new = false;
	for (*index = 0; *index < lanes->count; ++*index)
		if (place(&lanes->items[*index], start, end))
			return PK_OK;
	if (*index == LANES_MAX)
		return PK_OK;
	PK_TRY(pk_vector_reserve(lanes, 1));
	lanes->items[lanes->count] = (struct trace_lane){.count = 0};
	*new = true;
	return place(&lanes->items[lanes->count++], start, end) ? PK_OK : PK_NOMEM;
}

/* ---- Tracks ---- */

/* The largest tid of Linux. */
#define TID_MAX 4194304

struct span_tracks {
	struct trace_lanes lanes;
	struct trace_track tracks[LANES_MAX];
};

uint32_t trace_name(struct trace_tracks *tracks, const char *name, size_t size)
{
	return pk_texts_add(&tracks->names, name, size);
}

uint64_t trace_new_id(struct trace_tracks *tracks)
{
	return ++tracks->last_id;
}

static int64_t new_tid(struct trace_tracks *tracks)
{
	tracks->last_tid = tracks->last_tid ? tracks->last_tid + 1 : TID_MAX + 1;
	return tracks->last_tid;
}

struct trace_track trace_new_group(struct trace_tracks *tracks, const char *name)
{
	const int64_t tid = new_tid(tracks);
	const struct trace_track track = {trace_new_id(tracks), tid, tid};

	tracks->format->group(tracks->writer, &track, name);
	return track;
}

/* ---- Tasks ---- */

/* Gives a name to the task's process. It is the name of the process's main thread. Until this is
 * known, it is the name of the first thread that was seen. */
static bool name_process(struct trace_tracks *tracks, const struct trace_task *task)
{
	const int64_t pid = task->track.pid;
	struct trace_task *process =
		pk_table_get_or_add(&tracks->processes, (uint64_t)pid, sizeof(*process));

	if (!process)
		return false;
	if (process->name == task->name || (process->name && pid != task->track.tid))
		return true;
	if (!process->track.id)
		process->track = (struct trace_track){trace_new_id(tracks), pid, pid};
	process->name = task->name;
	tracks->format->process(tracks->writer, &process->track,
				trace_name_text(tracks, process->name));
	return true;
}

static bool name_task(struct trace_tracks *tracks, struct trace_task *task, const char *comm)
{
	const uint32_t name = trace_name(tracks, comm, strlen(comm));

	if (!name)
		return false;
	if (name == task->name)
		return true;
	task->name = name;
	if (!name_process(tracks, task))
		return false;
	tracks->format->thread(tracks->writer, &task->track, trace_name_text(tracks, name));
	return true;
}

struct trace_task *trace_task_of(struct trace_tracks *tracks, struct pk_view *view)
{
	const struct pk_thread *thread = pk_view_thread(view);
	struct trace_task *task;
	uint64_t key;

	if (!thread)
		return NULL;
	key = (uint64_t)thread->process->pid << 32 | thread->tid;
	task = pk_table_get_or_add(&tracks->tasks, key, sizeof(*task));
	if (!task)
		return NULL;
	if (!task->number) {
		task->number = (uint32_t)tracks->tasks.count;
		task->track = (struct trace_track){
			trace_new_id(tracks), (int32_t)thread->process->pid, (int32_t)thread->tid};
	}
	return name_task(tracks, task,
			 pk_session_comm(pk_context_session(view->context), thread->comm))
		       ? task
		       : NULL;
}

/* ---- Spans ---- */

/* Sets the track for a new lane of spans. The first kind of spans of a task is on the track of the
 * task itself. */
static void add_track(struct trace_tracks *tracks, struct trace_task *task, uint32_t series,
		      const char *name, struct trace_track *track)
{
	if (!task->own_spans) {
		task->own_spans = series + 1;
		*track = task->track;
		return;
	}
	*track = (struct trace_track){trace_new_id(tracks), task->track.pid, new_tid(tracks)};
	tracks->text.size = 0;
	buffer_text(&tracks->text, trace_name_text(tracks, task->name));
	buffer_char(&tracks->text, ' ');
	buffer_add(&tracks->text, name, strlen(name) + 1);
	tracks->writer->failed |= tracks->text.failed;
	if (!tracks->text.failed)
		tracks->format->child(tracks->writer, track, &task->track, tracks->text.data);
}

enum pk_status trace_span_track(struct trace_tracks *tracks, struct trace_task *task,
				uint32_t series, const char *name, const struct trace_event *event,
				const struct trace_track **track)
{
	const uint64_t key = (uint64_t)task->number << 32 | series;
	struct span_tracks *spans = pk_table_get_or_add(&tracks->spans, key, sizeof(*spans));
	size_t index;
	bool new;

	*track = NULL;
	if (!spans)
		return PK_NOMEM;
	PK_TRY(trace_lanes_place(&spans->lanes, event->time, event->time + event->duration, &index,
				 &new));
	if (index == LANES_MAX)
		return PK_OK;
	if (new)
		add_track(tracks, task, series, name, &spans->tracks[index]);
	*track = &spans->tracks[index];
	return PK_OK;
}

/* ---- Processors ---- */

struct trace_cpu *trace_cpu_of(struct trace_tracks *tracks, uint32_t number)
{
	struct trace_cpu *cpu =
		pk_table_get_or_add(&tracks->cpus, (uint64_t)number + 1, sizeof(*cpu));
	char name[32] = "CPU ";

	if (!cpu || cpu->track.id)
		return cpu;
	if (tracks->last_cpu)
		tracks->last_cpu->next = cpu;
	else
		tracks->first_cpu = cpu;
	tracks->last_cpu = cpu;
	if (!tracks->cpus_group.id)
		tracks->cpus_group = trace_new_group(tracks, "CPUs");
	cpu->track =
		(struct trace_track){trace_new_id(tracks), tracks->cpus_group.pid, new_tid(tracks)};
	*digits_decimal(name + strlen(name), number, 0) = '\0';
	tracks->format->child(tracks->writer, &cpu->track, &tracks->cpus_group, name);
	return cpu;
}

void trace_tracks_free(struct trace_tracks *tracks)
{
	struct span_tracks *spans;
	size_t cursor = 0;

	while ((spans = pk_table_next_value(&tracks->spans, &cursor)))
		free(spans->lanes.items);
	pk_table_free_all(&tracks->spans);
	pk_table_free_all(&tracks->tasks);
	pk_table_free_all(&tracks->processes);
	pk_table_free_all(&tracks->cpus);
	pk_texts_free(&tracks->names);
	free(tracks->text.data);
}
