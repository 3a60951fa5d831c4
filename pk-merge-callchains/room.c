// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>

#include "room.h"

_Static_assert(sizeof(struct room_task) <= CHUNK_SIZE, "struct room_task");
_Static_assert(offsetof(struct room_task, end) <= 64, "struct room_task");

void room_free(struct room *room)
{
	for (size_t i = 0; i < ROOM_TIDS / ROOM_PAGE; i++)
		free(room->by_tid[i]);
	pk_table_free(&room->others);
	pk_table_free(&room->processes);
	queue_free(&room->halves);
	queue_free(&room->ends);
	chunks_free(&room->chunks);
}

uint64_t room_key(uint32_t tid, uint64_t cookie)
{
	return tid && tid != UINT32_MAX ? tid : cookie | UINT64_C(1) << 63;
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
	room->strays += key > UINT32_MAX;
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

void room_unlist(struct room *room, struct room_task *task)
{
	if (task->is_listed)
		queue_remove(&room->halves, &task->half_place);
	task->is_listed = false;
}

void room_remove_idle(struct room *room, struct room_task *task)
{
	if (task->first || task->has_half)
		return;
	room_unlist(room, task);
	if (task->has_ended)
		queue_remove(&room->ends, &task->end_place);
	delist(room, task);
	room->strays -= task->key > UINT32_MAX;
	set_task(room, task->key, NULL);
	chunk_put(&room->chunks, task);
}

struct room_task *room_take_thread(struct room *room, uint32_t pid)
{
	struct room_task *task = pk_table_get(&room->processes, pid);

	if (task)
		delist(room, task);
	return task;
}

/* ---- Samples ---- */

void room_put_sample(struct room *room, struct room_task *task, struct held_sample *sample)
{
	sample->task = task;
	sample->next = NULL;
	if (task->first)
		task->last->next = sample;
	else
		task->first = sample;
	task->last = sample;
	room->waiting++;
}

struct held_sample *room_remove_sample(struct room *room, struct room_task *task)
{
	struct held_sample *sample = task->first;

	task->first = sample->next;
	room->waiting--;
	return sample;
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

static bool list(struct room *room, struct room_task *task)
{
	task->listed_at = task->half_at;
	task->is_listed = queue_add(&room->halves, &task->half_place);
	return task->is_listed;
}

bool room_list_again(struct room *room, struct room_task *task)
{
	queue_remove(&room->halves, &task->half_place);
	return list(room, task);
}

bool room_put_half(struct room *room, struct room_task *task, struct held *half, bool used)
{
	task->half = half;
	task->half_at = half->at;
	task->half_used = used;
	task->has_half = task->is_listed || list(room, task);
	return task->has_half;
}

void room_remove_half(struct room_task *task)
{
	task->has_half = false;
}
