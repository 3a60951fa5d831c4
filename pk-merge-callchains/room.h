/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROOM_H
#define PK_ROOM_H

/* The waiting room: for each task, the samples that wait for their user half, or the last user
 * half, never both. Everything is stored in chunks, so that adding and removing needs no
 * allocation; all items, also the oldest ones, are found without a search. */

#include "half.h"
#include "pkutil.h"
#include "queue.h"
#include "session.h"

/* The members before `end` are those that each sample and user half needs: they share a line of the
 * processor's cache. */
struct room_task {
	uint64_t key;
	uint32_t pid;
	uint16_t count; /* of the half: the number of addresses */
	bool has_half : 1, half_used : 1, has_ended : 1;
	bool is_thread : 1; /* it is in the list of its process's threads (never the first thread,
			     * whose tid is the pid) */
	bool half_gone : 1; /* the last half was not stored, because later samples wait */
	struct room_sample *first, *last; /* waiting samples, in order; first NULL: none */
	struct chunk *ips;		  /* of the user half: its addresses */
	uint64_t cookie;		  /* of the half */
	struct queue_place half_place;
	uint64_t end; /* time of its EXIT, in ns */
	struct queue_place end_place;
	struct room_task *previous, *next; /* other threads of the process */
};

/* Stored in one chunk with the start of its record. */
struct room_sample {
	struct chunk *more;
	struct room_sample *next; /* of the task */
	struct room_task *task;
	struct queue_place place;
	uint64_t time;
	struct half half;
	uint8_t bytes[];
};

/* Tasks are found by their tid without a hash: an array of pages, which exist where a tid was used.
 * 2^22 is Linux's limit for tids; other keys are in a table. */
#define ROOM_TIDS (UINT64_C(1) << 22)
#define ROOM_PAGE 512

struct room {
	struct chunks chunks;
	struct pk_table others;
	struct pk_table processes; /* by pid: the first one of its threads in the room */
	struct queue samples, halves, ends;
	struct room_task **by_tid[ROOM_TIDS / ROOM_PAGE];
};

void room_free(struct room *room);
/* The key of the task of a sample or user half: its tid. Tasks outside of the recorder's pid
 * namespace have tid 0, exited ones 2^32 - 1: for these the key is made of the cookie. */
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
/* The oldest waiting sample, the task with the oldest user half, and the task that ended first;
 * NULL: none. */
struct room_sample *room_oldest_sample(struct room *room);
struct room_task *room_oldest_half(struct room *room);
struct room_task *room_oldest_end(struct room *room);
/* Starts reading the record of a sample. */
static inline void room_record(const struct room_sample *sample, struct chunk_reader *from)
{
	from->at = sample->bytes;
	from->left = CHUNK_SIZE - offsetof(struct room_sample, bytes);
	from->next = sample->more;
}

/* False: out of memory. */
bool room_put_sample(struct room *room, struct room_task *task, const struct pk_record *record,
		     const struct half *half);
/* Removes the task's first sample. */
void room_remove_sample(struct room *room, struct room_task *task);
/* Sets the half of a task without samples and half. False: out of memory. */
bool room_put_half(struct room *room, struct room_task *task, uint64_t cookie,
		   const struct user_half *user, bool used);
/* Removes the half, if there is one. */
void room_remove_half(struct room *room, struct room_task *task);
/* One of the process's threads in the room, except its first one; NULL: none. */
struct room_task *room_thread_of(const struct room *room, uint32_t pid);
/* Gives the thread the key of its process's first thread, which must not be in the room. False: out
 * of memory. */
bool room_make_first(struct room *room, struct room_task *task);

#endif
