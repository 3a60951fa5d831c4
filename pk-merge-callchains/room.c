// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>

#include "room.h"

_Static_assert(sizeof(struct room_task) <= CHUNK_SIZE, "struct room_task");
_Static_assert(sizeof(struct room_sample) <= CHUNK_SIZE, "struct room_sample");

void room_free(struct room *room)
{
	pk_table_free(&room->tasks);
	pk_table_free(&room->processes);
	chunks_free(&room->chunks);
}

uint64_t room_key(uint32_t tid, uint64_t cookie)
{
	return tid && tid != UINT32_MAX ? tid : ~cookie;
}

struct room_task *room_find(const struct room *room, uint64_t key)
{
	return pk_table_get(&room->tasks, key);
}

/* ---- Tasks, and the threads of a process ---- */

/* Needs no memory: where one was taken out there is room. */
static void replace(struct pk_table *table, uint64_t old_key, uint64_t key, void *value)
{
	pk_table_remove(table, old_key);
	if (value && !pk_table_set(table, key, value))
		assert(!"no room");
}

static bool enlist(struct room *room, struct room_task *task)
{
	struct room_task *head = pk_table_get(&room->processes, task->pid);

	if (!pk_table_set(&room->processes, task->pid, task))
		return false;
	task->next = head;
	if (head)
		head->previous = task;
	task->is_thread = true;
	return true;
}

static void delist(struct room *room, struct room_task *task)
{
	if (!task->is_thread)
		return;
	if (task->next)
		task->next->previous = task->previous;
	if (task->previous)
		task->previous->next = task->next;
	else
		replace(&room->processes, task->pid, task->pid, task->next);
	task->previous = task->next = NULL;
	task->is_thread = false;
}

struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid)
{
	struct room_task *task = chunk_take(&room->chunks);

	if (!task)
		return NULL;
	*task = (struct room_task){.key = key, .pid = pid};
	if (!pk_table_set(&room->tasks, key, task))
		goto give;
	if (key <= UINT32_MAX && key != pid && !enlist(room, task))
		goto remove;
	return task;
remove:
	pk_table_remove(&room->tasks, key);
give:
	chunk_put(&room->chunks, task);
	return NULL;
}

void room_end(struct room *room, struct room_task *task, uint64_t time)
{
	if (task->has_ended)
		return;
	task->has_ended = true;
	task->end = time;
	task->ended_before = room->newest_end;
	if (room->newest_end)
		room->newest_end->ended_after = task;
	else
		room->oldest_end = task;
	room->newest_end = task;
}

static void forget_end(struct room *room, struct room_task *task)
{
	if (!task->has_ended)
		return;
	if (task->ended_before)
		task->ended_before->ended_after = task->ended_after;
	else
		room->oldest_end = task->ended_after;
	if (task->ended_after)
		task->ended_after->ended_before = task->ended_before;
	else
		room->newest_end = task->ended_before;
}

void room_tidy(struct room *room, struct room_task *task)
{
	if (task->first || task->has_half)
		return;
	forget_end(room, task);
	delist(room, task);
	pk_table_remove(&room->tasks, task->key);
	chunk_put(&room->chunks, task);
}

struct room_task *room_thread_of(const struct room *room, uint32_t pid)
{
	return pk_table_get(&room->processes, pid);
}

void room_make_first(struct room *room, struct room_task *task)
{
	delist(room, task);
	replace(&room->tasks, task->key, task->pid, task);
	task->key = task->pid;
}

/* ---- Samples ---- */

bool room_put_sample(struct room *room, struct room_task *task, const struct pk_record *record,
		     const struct half *half)
{
	struct chunk *bytes = chunk_store(&room->chunks, record->data, record->size);
	struct room_sample *sample = bytes ? chunk_take(&room->chunks) : NULL;

	if (!sample) {
		chunk_give(&room->chunks, bytes);
		return false;
	}
	*sample = (struct room_sample){
		.older = room->newest,
		.task = task,
		.bytes = bytes,
		.time = record->time,
		.half = *half,
	};
	if (room->newest)
		room->newest->newer = sample;
	else
		room->oldest = sample;
	room->newest = sample;
	if (task->last)
		task->last->next = sample;
	else
		task->first = sample;
	task->last = sample;
	room->samples++;
	return true;
}

void room_remove_sample(struct room *room, struct room_task *task)
{
	struct room_sample *sample = task->first;

	task->first = sample->next;
	if (!task->first)
		task->last = NULL;
	if (sample->older)
		sample->older->newer = sample->newer;
	else
		room->oldest = sample->newer;
	if (sample->newer)
		sample->newer->older = sample->older;
	else
		room->newest = sample->older;
	room->samples--;
	chunk_give(&room->chunks, sample->bytes);
	chunk_put(&room->chunks, sample);
}

/* ---- User halves ---- */

bool room_put_half(struct room *room, struct room_task *task, uint64_t cookie,
		   const struct user_half *user, bool used)
{
	if (user->count) {
		task->ips = chunk_store(&room->chunks, user->ips.at, 8 * (size_t)user->count);
		if (!task->ips)
			return false;
	}
	task->has_half = true;
	task->half_used = used;
	task->cookie = cookie;
	task->count = user->count;
	task->older = room->newest_half;
	task->newer = NULL;
	if (room->newest_half)
		room->newest_half->newer = task;
	else
		room->oldest_half = task;
	room->newest_half = task;
	return true;
}

void room_remove_half(struct room *room, struct room_task *task)
{
	if (!task->has_half)
		return;
	task->has_half = false;
	if (task->older)
		task->older->newer = task->newer;
	else
		room->oldest_half = task->newer;
	if (task->newer)
		task->newer->older = task->older;
	else
		room->newest_half = task->older;
	chunk_give(&room->chunks, task->ips);
	task->ips = NULL;
}
