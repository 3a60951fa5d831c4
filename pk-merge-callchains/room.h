/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROOM_H
#define PK_ROOM_H

/*
 * The waiting room: by task, the samples whose user half is still to come, or the user half that
 * came last, never both. Everything lies in chunks, so that taking in and letting go cost no
 * allocation, and is found, also the oldest of each, without looking for it.
 */

#include "half.h"
#include "queue.h"
#include "session.h"

struct room_task {
	uint64_t key;
	uint32_t pid;
	bool is_thread; /* not its process's first one, and in its list */
	bool has_half, half_used, has_ended;
	struct room_sample *first,
		*last;		/* that wait, in the order of their coming; first NULL: none */
	struct chunk *ips;	/* of the half */
	uint64_t cookie, count; /* of the half: so many addresses */
	struct queue_place half_place, end_place;
	uint64_t end;			   /* when it ended */
	struct room_task *previous, *next; /* other threads of the process */
};

/* In one chunk with the beginning of its record. */
struct room_sample {
	struct chunk *more;
	struct room_sample *next; /* of the task */
	struct room_task *task;
	struct queue_place place;
	uint64_t time;
	struct half half;
	uint8_t bytes[];
};

struct room {
	struct chunks chunks;
	struct pk_table tasks;
	struct pk_table processes; /* by pid: the first of its threads that are here */
	struct queue samples, halves, ends;
};

void room_free(struct room *room);
/*
 * Who a sample or a user half is of. Tasks outside of the recorder's pid namespace have 0 for a
 * tid, those that are gone 2^32 - 1: there the cookie has to tell them apart.
 */
uint64_t room_key(uint32_t tid, uint64_t cookie);
struct room_task *room_find(const struct room *room, uint64_t key);
/* One that is not there yet; NULL: out of memory. */
struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid);
/* Lets a task go that has neither samples nor a half. */
void room_remove_idle(struct room *room, struct room_task *task);
/* Notes that a task has ended. False: out of memory. */
bool room_end(struct room *room, struct room_task *task, uint64_t time);
/* The oldest of each, or NULL. */
struct room_sample *room_oldest_sample(struct room *room);
struct room_task *room_oldest_half(struct room *room);
struct room_task *room_oldest_end(struct room *room);
/* The record of a sample. */
struct chunk_reader room_record(const struct room_sample *sample);
/* False: out of memory. */
bool room_put_sample(struct room *room, struct room_task *task, const struct pk_record *record,
		     const struct half *half);
/* Lets the task's first sample go. */
void room_remove_sample(struct room *room, struct room_task *task);
/* For a task without samples and half. False: out of memory. */
bool room_put_half(struct room *room, struct room_task *task, uint64_t cookie,
		   const struct user_half *user, bool used);
/* Lets go of the half, if there is one. */
void room_remove_half(struct room *room, struct room_task *task);
/* One of the process's threads that are here, but for its first one; NULL: none. */
struct room_task *room_thread_of(const struct room *room, uint32_t pid);
/* From here on the thread is its process's first one, which is not here. */
void room_make_first(struct room *room, struct room_task *task);

#endif
