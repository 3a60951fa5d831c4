/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROOM_H
#define PK_ROOM_H

/* The waiting room: for each task, its samples that wait for their user half, and the last user
 * half. Both are entries of the line. All items, also the oldest ones, are found without a search.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pkstream.h"
#include "pkutil.h"
#include "table.h"

/* ---- Lines ---- */

/*
 * The records from the oldest waiting sample, in their order, in memory that is used from one end
 * to the other. Each record is copied once. Records that were removed stay readable until LINE_PAST
 * more bytes were added, and all that was added before those were removed: a user half is not
 * copied for samples that come after it.
 */

#define LINE_PAST ((uint64_t)4 << 20)

enum held_state {
	HELD_PLAIN,   /* written as it is */
	HELD_DROPPED, /* not written: a user half */
	HELD_WAITING, /* a sample whose user half has not been read */
	HELD_MERGED,  /* a sample with its user half */
	HELD_ALONE,   /* a sample that is written without its user half */
};

/* Starts an entry of the line. A sample with half of a callchain has more members (held_sample). */
struct held {
	uint64_t at;	  /* bytes that were added before it */
	uint32_t size;	  /* of its record */
	uint16_t record;  /* offset of its record in the entry */
	uint8_t state;	  /* enum held_state */
	bool has_payload; /* the entry is a held_payload */
};

static inline uint8_t *held_record(struct held *held)
{
	return (uint8_t *)held + held->record;
}

struct line {
	struct line_block *oldest, *first, *last, *unused;
	size_t first_at;	 /* offset of the first entry in its block */
	uint64_t added, removed; /* bytes */
};

void line_free(struct line *line);
/* Bytes of the entries. */
static inline uint64_t line_bytes(const struct line *line)
{
	return line->added - line->removed;
}
/* Adds an entry with `front` bytes, which start with a struct held, and a record of `size` bytes,
 * which the caller fills. Sets the members of struct held but state. NULL: out of memory. */
struct held *line_add(struct line *line, size_t front, size_t size);
/* The first entry, or NULL if there is none. */
struct held *line_first(struct line *line);
/* The entry after one of the same block that has not been removed, or NULL if none is known. */
const struct held *line_after(const struct line *line, const struct held *held);
void line_remove_first(struct line *line);
/* Whether the record of an entry, which may have been removed, stays readable until an entry that
 * is added now is removed. */
static inline bool line_reaches(const struct line *line, uint64_t at)
{
	return line->added - at <= LINE_PAST;
}

/* ---- Halves ---- */

/* A sample whose callchain lacks its user half, which the kernel writes later (SPEC 5.3). */

/* Offsets in bytes in a SAMPLE whose callchain ends with the marker PERF_CONTEXT_USER_DEFERRED and
 * a cookie. */
struct half {
	uint64_t cookie;
	uint16_t size;	      /* of the record */
	uint16_t count_at;    /* offset of the callchain's number of entries */
	uint16_t marker_at;   /* offset of the marker: the start of the part to remove */
	uint16_t marker_size; /* bytes of the marker and, if present, the cookie */
	uint16_t trailer_at;  /* offset of an existing chain trailer; 0: none */
};

enum half_kind {
	HALF_NONE,	  /* the callchain is complete, or there is none */
	HALF_WITH_COOKIE, /* the callchain ends with marker and cookie */
	HALF_BAD,	  /* the record is shorter than its fields */
	HALF_WITHOUT,	  /* a marker without a cookie: its user half can never be found */
};

/* Sets *half unless the result is HALF_NONE or HALF_BAD. trailers means that samples of the session
 * can have a chain trailer. */
enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half);

/* Writes the sample with the user half in place of marker and cookie. If the record is too large,
 * addresses at the root's end are cut, and *shortened is set. */
enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 const uint8_t *record, const struct pk_u64s *user,
				 bool *shortened);
/* Writes the sample without marker and cookie. With flag, sets PK_CHAIN_USER_MISSING in its chain
 * trailer, which is added if needed. */
enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				const uint8_t *record, bool flag);

/* ---- Queue ---- */

/* A queue of items in the order of adding; any item can be removed at any time. It is an array in
 * which removed items leave NULL: unlike with a linked list, adding and removing does not access
 * the adjacent items, which are often not in the cache. */

/* Embedded in each item. */
struct queue_place {
	size_t at;
};

struct queue {
	struct queue_place **entries; /* NULL: removed */
	size_t begin, end, capacity, count;
};

/* The item that contains a place, or NULL for NULL. */
#define queue_thing(place, type, member)                                                           \
	((place) ? (type *)(void *)((char *)(place)-offsetof(type, member)) : NULL)

/* ---- Chunks ---- */

/* Memory for structs of at most CHUNK_SIZE bytes. Returned chunks are reused; chunks_free() returns
 * the memory to the system. */

#define CHUNK_SIZE 128

struct chunks {
	struct chunk_slab *slabs;
	struct chunk *free;
};

/* ---- The room ---- */

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

/* Tasks are found by their tid without a hash, in an array of pages, which exist where a tid was
 * used. 2^22 is Linux's limit for tids. Other keys are in a table. */
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

/* Adds a task. room_find() must have returned NULL for the key. NULL: out of memory. */
struct room_task *room_add(struct room *room, uint64_t key, uint32_t pid);
/* Removes a task that has neither samples nor a half. */
void room_remove_idle(struct room *room, struct room_task *task);
/* Notes that a task has ended. */
PK_MUST_CHECK enum pk_status room_end(struct room *room, struct room_task *task, uint64_t time);
/* The task that was listed first when it got a half, and the task that ended first, or NULL if
 * there is none. A task stays at its place in the list when it gets another half: this is rarely
 * the task with the oldest half. */
struct room_task *room_oldest_half(struct room *room);
/* Moves the task to the end of the list. */
PK_MUST_CHECK enum pk_status room_list_again(struct room *room, struct room_task *task);
void room_unlist(struct room *room, struct room_task *task);
struct room_task *room_oldest_end(struct room *room);

/* Adds a sample to those that wait. */
void room_put_sample(struct room *room, struct room_task *task, struct held_sample *sample);
/* Removes the task's first sample, and returns it. */
struct held_sample *room_remove_sample(struct room *room, struct room_task *task);
/* Sets the half of a task. */
PK_MUST_CHECK enum pk_status room_put_half(struct room *room, struct room_task *task,
					   struct held *half, bool used);
/* Removes the half, if there is one. */
void room_remove_half(struct room_task *task);
/* Takes one of the process's threads, except its first one, out of the list of threads and returns
 * it, or NULL if there is none. */
struct room_task *room_take_thread(struct room *room, uint32_t pid);

#endif
