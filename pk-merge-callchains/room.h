/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROOM_H
#define PK_ROOM_H

/* The room stores all tasks that have waiting samples or a user half. For each task, it has the
 * samples that wait for their user half, and the last user half. Samples and user halves are
 * entries of the line (struct line). Each item is found without a search, even the oldest one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

/* ---- Lines ---- */

/*
 * A line is a list of all records from the oldest waiting sample on, in the order of the stream.
 * Each record is copied once, into large blocks of memory. A removed record stays readable for some
 * time, because a sample can refer to a user half that was removed before. It stays readable until
 * LINE_PAST bytes that were added after it have been removed, too. So a user half is not copied for
 * samples that come after it.
 */

#define LINE_PAST ((uint64_t)4 << 20)

/* The state of an entry of the line. */
enum held_state {
	HELD_PLAIN,   /* a record that is written unchanged */
	HELD_DROPPED, /* a user half, which is not written */
	HELD_WAITING, /* a sample whose user half was not read yet */
	HELD_MERGED,  /* a sample with its user half */
	HELD_ALONE,   /* a sample that is written without its user half */
};

/* The start of an entry of the line. Samples that lack their user half have more members
 * (held_sample). */
struct held {
	uint64_t at;	  /* line.added at the time before this entry was added */
	uint32_t size;	  /* size of the record in bytes */
	uint16_t record;  /* offset of the record in this entry, in bytes */
	uint8_t state;	  /* a number of enum held_state */
	bool has_payload; /* the record has a payload, and this is the start of a struct
			   * held_payload */
};

static inline uint8_t *held_record(struct held *held)
{
	return (uint8_t *)held + held->record;
}

struct line {
	struct line_block *oldest, *first, *last, *unused;
	size_t first_at;	 /* offset of the first entry in the block `first`, in bytes */
	uint64_t added, removed; /* total size of the entries that were added and removed so far, in
				  * bytes */
};

void line_free(struct line *line);
/* Returns the number of bytes of all entries that were not removed. */
static inline uint64_t line_bytes(const struct line *line)
{
	return line->added - line->removed;
}
/* Adds an entry to the line. The entry has `front` bytes, which start with a struct held, and a
 * record of `size` bytes. Sets all members of struct held except state. The caller fills the
 * record. Returns NULL if memory is exhausted. */
struct held *line_add(struct line *line, size_t front, size_t size);
/* Returns the first entry that was not removed, or NULL if there is none. */
struct held *line_first(struct line *line);
/* Returns the next entry. `held` must be an entry of the first block that was not removed. Returns
 * NULL if no entry follows in this block. */
const struct held *line_after(const struct line *line, const struct held *held);
void line_remove_first(struct line *line);
/* Returns true if a new entry of the line may refer to an older entry's record. `at` is held.at of
 * the older entry, which may be removed. The record then stays readable until the new entry is
 * removed. */
static inline bool line_reaches(const struct line *line, uint64_t at)
{
	return line->added - at <= LINE_PAST;
}

/* ---- Halves ---- */

/* A sample can lack the user half of its callchain. The kernel writes this half later (SPEC 5.3).
 */

/* The places of the marker and the cookie in a SAMPLE that lacks its user half. The callchain of
 * such a SAMPLE ends with the marker PERF_CONTEXT_USER_DEFERRED and a cookie. Sizes and offsets are
 * in bytes. */
struct half {
	uint64_t cookie;
	uint16_t size;	      /* size of the record */
	uint16_t count_at;    /* offset of the number of entries of the callchain */
	uint16_t marker_at;   /* offset of the marker; the bytes from there on are removed */
	uint16_t marker_size; /* size of the marker and of the cookie, if there is a cookie */
	uint16_t trailer_at;  /* offset of the chain trailer, or 0 if there is none */
};

/* Whether the callchain of a sample lacks its user half. */
enum half_kind {
	HALF_NONE,	  /* the callchain is complete, or the sample has no callchain */
	HALF_WITH_COOKIE, /* the callchain ends with a marker and a cookie */
	HALF_BAD,	  /* the record is shorter than its fields */
	HALF_WITHOUT, /* The callchain ends with a marker without a cookie. Without the cookie, the
		       * user half cannot be found. */
};

/* Returns the kind of the callchain of a sample. Sets *half if the result is HALF_WITH_COOKIE or
 * HALF_WITHOUT. If trailers is true, the session's samples can have a chain trailer. */
enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half);

/* Writes the sample with the user half in place of the marker and the cookie. If the record is too
 * large, the outermost addresses are cut, and *shortened is set. */
enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 const uint8_t *record, const struct pk_u64s *user,
				 bool *shortened);
/* Writes the sample without the marker and the cookie. If flag is true, sets PK_CHAIN_USER_MISSING
 * in the sample's chain trailer. If the sample has no chain trailer, adds one. */
enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				const uint8_t *record, bool flag);

/* ---- Queue ---- */

/* A queue of items in the order in which they were added. Any item can be removed at any time. The
 * queue is an array. A removed item is replaced by NULL. In a linked list, adding or removing an
 * item would access the adjacent items, which are often not in the processor's cache. */

/* A member of each item that is in a queue. */
struct queue_place {
	size_t at;
};

struct queue {
	struct queue_place **entries; /* an entry is NULL if its item was removed */
	size_t begin, end, capacity, count;
};

/* The item that contains the struct queue_place. The result is NULL if place is NULL. */
#define queue_thing(place, type, member)                                                           \
	((place) ? (type *)(void *)((char *)(place)-offsetof(type, member)) : NULL)

/* ---- Chunks ---- */

/* Memory for structs of at most CHUNK_SIZE bytes. A chunk that is given back is used again. Only
 * chunks_free() gives memory back to the system. */

#define CHUNK_SIZE 128

struct chunks {
	struct chunk_slab *slabs;
	struct chunk *free;
};

/* ---- The room ---- */

/* A task that has waiting samples or a user half. The members before `end` are needed for every
 * sample and user half, so they are in the same line of the processor's cache. */
struct room_task {
	uint64_t key;
	uint32_t pid;
	bool has_half : 1, half_used : 1, has_ended : 1;
	bool is_listed : 1; /* the task is in room.halves, where it stays even if its user half is
			     * removed */
	/* The task is in the list of the other threads of its process. The first thread of the
	 * process (its tid is the pid) is never in this list. */
	bool is_thread : 1;
	struct held_sample *first, *last; /* the first and the last sample that wait for their user
					   * half; `first` is NULL if no sample waits */
	struct held *half;		  /* the last user half; valid only if has_half is set */
	uint64_t half_at;		  /* held.at of `half` */
	uint64_t cookie;    /* cookie of the last user half; it stays valid when the user half is
			     * removed */
	uint64_t end;	    /* time of the EXIT record of the task, in ns */
	uint64_t listed_at; /* the value of half_at when the task was last added to room.halves */
	struct queue_place half_place, end_place;
	struct room_task *previous,
		*next; /* the adjacent threads in the list of the process's threads */
};

/* An entry of the line: a sample that lacks its user half. */
struct held_sample {
	struct held held;
	struct half half;
	uint64_t time;
	union {
		struct {			  /* valid if held.state is HELD_WAITING */
			struct held_sample *next; /* the next waiting sample of the same task */
			struct room_task *task;
		};
		/* The user half of the sample; valid if held.state is HELD_MERGED. */
		const struct held *user;
		uint32_t reason; /* a value of enum merger_reason; valid if held.state is HELD_ALONE
				  */
	};
};

/* Tasks are found by their tid in an array, without a hash. The array is split into pages. A page
 * is allocated when one of its tids is first used. ROOM_TIDS is Linux's limit for tids. Tasks with
 * other keys are in a hash table. */
#define ROOM_TIDS (UINT64_C(1) << 22)
#define ROOM_PAGE 512

/* The tasks with waiting samples or a user half. */
struct room {
	struct chunks chunks;
	struct pk_table others;
	struct pk_table processes; /* the key is a pid, and the value is the first item of the list
				    * of the process's threads */
	struct queue halves, ends;
	uint64_t waiting; /* number of samples that wait for their user half */
	uint64_t strays;  /* number of tasks whose key is made of a cookie, see room_key() */
	struct room_task **by_tid[ROOM_TIDS / ROOM_PAGE];
};

void room_free(struct room *room);
/* Returns the key of the task of a sample or user half. Usually it is the tid. A task outside of
 * the recorder's pid namespace has the tid 0, and an exited task has the tid 2^32 - 1. For these
 * tids, the key is made of the cookie. The caller passes ROOM_STRAY as the tid if the sample can
 * have the callchain of another task. The key is then also made of the cookie. */
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
/* Prefetches the memory that room_find() reads. */
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

/* Adds a task. room_find() must have returned NULL for the key. Returns NULL if memory is
 * exhausted. */
struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid);
/* Removes the task if it has neither waiting samples nor a user half. */
void room_remove_idle(struct room *room, struct room_task *task);
/* Marks that the task has ended. time is the time of its EXIT in ns. */
PK_MUST_CHECK enum pk_status room_end(struct room *room, struct room_task *task, uint64_t time);
/* room_oldest_half() returns the task that is first in the list of tasks with a user half. A task
 * stays at its place in this list when it gets another user half. So the first task is rarely the
 * task with the oldest user half. room_oldest_end() returns the task that ended first. Both
 * functions return NULL if there is no such task. */
struct room_task *room_oldest_half(struct room *room);
/* Moves the task to the end of the list of tasks with a user half. */
PK_MUST_CHECK enum pk_status room_list_again(struct room *room, struct room_task *task);
void room_unlist(struct room *room, struct room_task *task);
struct room_task *room_oldest_end(struct room *room);

/* Adds a sample to the waiting samples of the task. */
void room_put_sample(struct room *room, struct room_task *task, struct held_sample *sample);
/* Removes the task's first waiting sample, and returns it. */
struct held_sample *room_remove_sample(struct room *room, struct room_task *task);
/* Sets the user half of a task. */
PK_MUST_CHECK enum pk_status room_put_half(struct room *room, struct room_task *task,
					   struct held *half, bool used);
/* Removes the user half of the task if it has one. */
void room_remove_half(struct room_task *task);
/* Takes a thread out of the list of the process's threads and returns it. The first thread of a
 * process is never in this list. Returns NULL if the list is empty. */
struct room_task *room_take_thread(struct room *room, uint32_t pid);

#endif
