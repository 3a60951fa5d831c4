// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>

#include "room.h"

_Static_assert(sizeof(struct room_task) <= CHUNK_SIZE, "struct room_task");
_Static_assert(sizeof(struct room_sample) <= CHUNK_SIZE, "struct room_sample");

void room_free(struct room *room)
{
	pk_table_free(&room->tasks);
	pk_table_free(&room->processes);
	queue_free(&room->samples);
	queue_free(&room->halves);
	queue_free(&room->ends);
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

/* Changes an entry's key. Allocates no memory: the removed entry leaves room in the table. */
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
	struct room_task *task = chunk_get(&room->chunks);

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

bool room_end(struct room *room, struct room_task *task, uint64_t time)
{
	if (task->has_ended)
		return true;
	task->end = time;
	task->has_ended = queue_add(&room->ends, &task->end_place);
	return task->has_ended;
}

void room_remove_idle(struct room *room, struct room_task *task)
{
	if (task->first || task->has_half)
		return;
	if (task->has_ended)
		queue_remove(&room->ends, &task->end_place);
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

#define INLINE_SIZE (CHUNK_SIZE - offsetof(struct room_sample, bytes))

struct room_sample *room_oldest_sample(struct room *room)
{
	return queue_thing(queue_first(&room->samples), struct room_sample, place);
}

struct chunk_reader room_record(const struct room_sample *sample)
{
	return (struct chunk_reader){sample->bytes, INLINE_SIZE, sample->more};
}

bool room_put_sample(struct room *room, struct room_task *task, const struct pk_record *record,
		     const struct half *half)
{
	size_t here = record->size < INLINE_SIZE ? record->size : INLINE_SIZE;
	struct room_sample *sample = chunk_get(&room->chunks);

	if (!sample)
		return false;
	*sample = (struct room_sample){.task = task, .time = record->time, .half = *half};
	memcpy(sample->bytes, record->data, here);
	if (!chunk_store(&room->chunks, record->data + here, record->size - here, &sample->more))
		goto put;
	if (!queue_add(&room->samples, &sample->place))
		goto give;
	if (task->first)
		task->last->next = sample;
	else
		task->first = sample;
	task->last = sample;
	return true;
give:
	chunk_give(&room->chunks, sample->more);
put:
	chunk_put(&room->chunks, sample);
	return false;
}

void room_remove_sample(struct room *room, struct room_task *task)
{
	struct room_sample *sample = task->first;

	task->first = sample->next;
	queue_remove(&room->samples, &sample->place);
	chunk_give(&room->chunks, sample->more);
	chunk_put(&room->chunks, sample);
}

/* ---- User halves ---- */

struct room_task *room_oldest_half(struct room *room)
{
	return queue_thing(queue_first(&room->halves), struct room_task, half_place);
}

struct room_task *room_oldest_end(struct room *room)
{
	return queue_thing(queue_first(&room->ends), struct room_task, end_place);
}

bool room_put_half(struct room *room, struct room_task *task, uint64_t cookie,
		   const struct user_half *user, bool used)
{
	if (!chunk_store(&room->chunks, user->ips.at, 8 * (size_t)user->count, &task->ips))
		return false;
	if (!queue_add(&room->halves, &task->half_place)) {
		chunk_give(&room->chunks, task->ips);
		return false;
	}
	task->has_half = true;
	task->half_used = used;
	task->cookie = cookie;
	task->count = user->count;
	return true;
}

void room_remove_half(struct room *room, struct room_task *task)
{
	if (!task->has_half)
		return;
	task->has_half = false;
	queue_remove(&room->halves, &task->half_place);
	chunk_give(&room->chunks, task->ips);
}
