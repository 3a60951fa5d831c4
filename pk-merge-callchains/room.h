/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROOM_H
#define PK_ROOM_H

/* The waiting room: for each task, its samples that wait for their user half, and the last user
 * half. Both are entries of the line. All items, also the oldest ones, are found without a search.
 */

#include "chunks.h"
#include "half.h"
#include "line.h"
#include "pkutil.h"
#include "queue.h"
#include "session.h"

/* The members before `end` are those that each sample and user half needs: they share a line of the
 * processor's cache. */
struct room_task {
	uint64_t key;
	uint32_t pid;
	bool has_half : 1, half_used : 1, has_ended : 1;
	bool is_listed : 1; /* it is in room.halves, also if its half was removed */
	bool is_thread : 1; /* it is in the list of its process's threads (never the first thread,
			     * whose tid is the pid) */
	struct held_sample *first, *last; /* waiting samples, in order; first NULL: none */
	struct held *half;		  /* the last user half; valid with has_half */
	uint64_t half_at;		  /* held.at of half */
	uint64_t cookie;		  /* of the last half, also if has_half is not set */
	uint64_t end;			  /* time of its EXIT, in ns */
	uint64_t listed_at; /* held.at of the half with which it was added to halves */
	struct queue_place half_place, end_place;
	struct room_task *previous, *next; /* other threads of the process */
};

/* An entry of the line: a sample with half of a callchain. */
struct held_sample {
	struct held held;
	struct half half;
	uint64_t time;
	union {
		struct {			  /* HELD_WAITING */
			struct held_sample *next; /* of the task */
			struct room_task *task;
		};
		const struct held *user; /* HELD_MERGED: its user half */
		uint32_t reason;	 /* HELD_ALONE: enum merger_reason */
	};
};

/* Tasks are found by their tid without a hash: an array of pages, which exist where a tid was used.
 * 2^22 is Linux's limit for tids; other keys are in a table. */
#define ROOM_TIDS (UINT64_C(1) << 22)
#define ROOM_PAGE 512

struct room {
	struct chunks chunks;
	struct pk_table others;
	struct pk_table processes; /* by pid: the first one of its threads in the room */
	struct queue halves, ends;
	uint64_t waiting; /* samples */
	uint64_t strays;  /* tasks whose key is made of a cookie */
	struct room_task **by_tid[ROOM_TIDS / ROOM_PAGE];
};

void room_free(struct room *room);
/* The key of the task of a sample or user half: its tid. Tasks outside of the recorder's pid
 * namespace have tid 0, exited ones 2^32 - 1: for these the key is made of the cookie, as for
 * samples whose chain can be another task's (ROOM_STRAY). */
#define ROOM_STRAY 0
uint64_t room_key(uint32_t tid, uint64_t cookie);
static inline struct room_task *room_find(const struct room *room, uint64_t key)
{
	struct room_task *const *page;

	if (pk_unlikely(key >= ROOM_TIDS))
		return pk_table_get(&room->others, key);
	page = room->by_tid[key / ROOM_PAGE];
	return page ? page[key % ROOM_PAGE] : NULL;
}
/* Prefetches what room_find() reads. */
static inline void room_prefetch(const struct room *room, uint32_t tid)
{
	struct room_task *const *page;

	if (pk_unlikely(tid >= ROOM_TIDS)) {
		pk_table_prefetch(&room->others, tid);
		return;
	}
	page = room->by_tid[tid / ROOM_PAGE];
	if (page)
		__builtin_prefetch(&page[tid % ROOM_PAGE]);
}

/* Adds a task; room_find() must have returned NULL for the key. NULL: out of memory. */
struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid);
/* Removes a task that has neither samples nor a half. */
void room_remove_idle(struct room *room, struct room_task *task);
/* Notes that a task has ended. False: out of memory. */
bool room_end(struct room *room, struct room_task *task, uint64_t time);
/* The task that was listed first when it got a half, and the task that ended first; NULL: none. A
 * task stays at its place in the list when it gets another half: this is rarely the task with the
 * oldest half. */
struct room_task *room_oldest_half(struct room *room);
/* Moves the task to the end of the list. False: out of memory. */
bool room_list_again(struct room *room, struct room_task *task);
void room_unlist(struct room *room, struct room_task *task);
struct room_task *room_oldest_end(struct room *room);

/* Adds a sample to those that wait. */
void room_put_sample(struct room *room, struct room_task *task, struct held_sample *sample);
/* Removes the task's first sample, and returns it. */
struct held_sample *room_remove_sample(struct room *room, struct room_task *task);
/* Sets the half of a task. False: out of memory. */
bool room_put_half(struct room *room, struct room_task *task, struct held *half, bool used);
/* Removes the half, if there is one. */
void room_remove_half(struct room_task *task);
/* Takes one of the process's threads, except its first one, out of the list of threads and returns
 * it; NULL: none. */
struct room_task *room_take_thread(struct room *room, uint32_t pid);

#endif
