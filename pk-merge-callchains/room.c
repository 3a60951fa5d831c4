// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "room.h"

_Static_assert(sizeof(struct room_task) <= CHUNK_SIZE, "struct room_task");
_Static_assert(offsetof(struct room_task, end) <= 64, "struct room_task");
_Static_assert(sizeof(struct room_sample) <= CHUNK_SIZE, "struct room_sample");

void room_free(struct room *room)
{
	for (size_t i = 0; i < ROOM_TIDS / ROOM_PAGE; i++)
		free(room->by_tid[i]);
	pk_table_free(&room->others);
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

/* ---- Tasks, and the threads of a process ---- */

/* Sets the task of a key. NULL removes it, which cannot fail. False: out of memory. */
static bool set_task(struct room *room, uint64_t key, struct room_task *task)
{
	struct room_task ***page = &room->by_tid[key % ROOM_TIDS / ROOM_PAGE];

	if (key >= ROOM_TIDS) {
		if (task)
			return pk_table_set(&room->others, key, task);
		pk_table_remove(&room->others, key);
		return true;
	}
	if (!*page && !task)
		return true;
	if (!*page)
		*page = calloc(ROOM_PAGE, sizeof(**page));
	if (!*page)
		return false;
	(*page)[key % ROOM_PAGE] = task;
	return true;
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

/* Allocates no memory: the removed entry leaves room in the table. */
static void replace_head(struct room *room, const struct room_task *task)
{
	pk_table_remove(&room->processes, task->pid);
	if (task->next && !pk_table_set(&room->processes, task->pid, task->next))
		assert(!"no room");
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
		replace_head(room, task);
	task->previous = task->next = NULL;
	task->is_thread = false;
}

struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid)
{
	struct room_task *task = chunk_get(&room->chunks);

	if (!task)
		return NULL;
	*task = (struct room_task){.key = key, .pid = pid};
	if (!set_task(room, key, task))
		goto give;
	if (key <= UINT32_MAX && key != pid && !enlist(room, task))
		goto remove;
	return task;
remove:
	set_task(room, key, NULL);
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
	set_task(room, task->key, NULL);
	chunk_put(&room->chunks, task);
}

struct room_task *room_thread_of(const struct room *room, uint32_t pid)
{
	return pk_table_get(&room->processes, pid);
}

bool room_make_first(struct room *room, struct room_task *task)
{
	if (!set_task(room, task->pid, task))
		return false;
	delist(room, task);
	set_task(room, task->key, NULL);
	task->key = task->pid;
	return true;
}

/* ---- Samples ---- */

#define INLINE_SIZE (CHUNK_SIZE - offsetof(struct room_sample, bytes))

struct room_sample *room_oldest_sample(struct room *room)
{
	return queue_thing(queue_first(&room->samples), struct room_sample, place);
}

bool room_put_sample(struct room *room, struct room_task *task, const struct pk_record *record,
		     const struct half *half)
{
	size_t here = record->size < INLINE_SIZE ? record->size : INLINE_SIZE;
	struct room_sample *sample = chunk_get(&room->chunks);

	if (!sample)
		return false;
	*sample = (struct room_sample){.task = task, .time = record->time, .half = *half};
	chunk_copy(sample->bytes, record->data, here);
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
	task->count = (uint16_t)user->count;
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
