/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spans that have started and not ended yet, by their keys. A key is bytes; each span has bytes
 * of the caller. Several sets of spans share a pool: the number of open spans of all sets and their
 * memory are limited, the oldest one is dropped for a new one. All operations take constant time.
 *
 *     pk_open_spans_start(&spans, key, key_size, task, size, &span)
 *     ...                                  fills size bytes at pk_open_span_data(span)
 *     span = pk_open_spans_end(&spans, key, key_size);
 *     ...                                  uses them
 *     pk_open_spans_release(&spans, span);
 */
#ifndef PK_OPEN_SPANS_H
#define PK_OPEN_SPANS_H

#include "table.h"

#define PK_ENDED_GRACE UINT64_C(1000000000) /* ns */
#define PK_ENDED_MAX   65536u		    /* the oldest ones are given up earlier */

struct pk_ended_tasks {
	struct pk_ended_task {
		uint32_t tid;
		uint64_t time;
		uint64_t number;
	} * items;
	size_t first, count, capacity;
	uint64_t last;	      /* number of the last record */
	struct pk_table tids; /* tid -> the number of its last EXIT record */
};

void pk_ended_tasks_clear(struct pk_ended_tasks *tasks);
void pk_ended_tasks_free(struct pk_ended_tasks *tasks);
/* An EXIT record. */
PK_MUST_CHECK enum pk_status pk_ended_tasks_add(struct pk_ended_tasks *tasks, uint32_t tid,
						uint64_t time);
/* Forgets the task: its tid is used again. */
void pk_ended_tasks_remove(struct pk_ended_tasks *tasks, uint32_t tid);
/* Removes the oldest task whose grace is over at this time. Returns false if there is none. */
bool pk_ended_tasks_next(struct pk_ended_tasks *tasks, uint64_t now, struct pk_ended_task *task);

struct pk_open_spans;

struct pk_open_span {
	struct pk_open_span *older, *newer; /* among all, in the order of their starts */
	/* Nested spans: those of the same key that are open around it and in it. */
	struct pk_open_span *outer, *inner;
	struct pk_open_span *task_next, *task_before; /* spans of the same task */
	struct pk_open_spans *set;
	uint64_t hash;	   /* of the key */
	uint32_t key_size; /* bytes; the key is padded to a multiple of 8 */
	uint32_t size;	   /* bytes of the caller */
	uint32_t blocks;   /* memory */
	uint32_t task;	   /* 0: none */
	uint64_t amount;   /* pk_open_spans_weigh() */
	_Alignas(8) uint8_t bytes[];
};

#define PK_OPEN_SPAN_BLOCK   32u /* the unit of memory, bytes */
#define PK_OPEN_SPAN_CLASSES 64u /* spans of up to this many blocks are kept for reuse */

struct pk_open_pool {
	/* Set by the caller. */
	size_t count_max;
	size_t memory_max; /* bytes, with the slots of the tables */
	void (*closed)(void *arg, const struct pk_open_span *span); /* called before a span that was
								     * open is freed; may be NULL */
	void *closed_arg;

	/* For reading: */
	size_t count;  /* of open spans */
	size_t memory; /* of open spans, bytes */
	struct pk_open_span *oldest, *newest;

	/* Private. */
	struct pk_table tasks; /* task -> the first of its spans */
	struct pk_open_span *unused[PK_OPEN_SPAN_CLASSES + 1];
	size_t unused_memory;
};

struct pk_open_spans {
	/* Set by the caller. */
	struct pk_open_pool *pool;
	/* A start whose key has an open span. */
	enum pk_again {
		PK_AGAIN_REPLACE, /* replaces it */
		PK_AGAIN_KEEP,	  /* is not used */
		PK_AGAIN_NEST,	  /* opens another one; an end is for the youngest of its key */
	} again;

	/* For reading: numbers of spans in this session. starts = ended + replaced + unused +
	 * cancelled + task_ended + dropped + count. */
	uint64_t starts, ended, dropped;
	uint64_t replaced;
	uint64_t unused;     /* PK_AGAIN_KEEP */
	uint64_t cancelled;  /* pk_open_spans_cancel() */
	uint64_t task_ended; /* pk_open_spans_end_task() */
	uint64_t unmatched;  /* ends without an open span */
	size_t count;	     /* of open spans */
	uint64_t amount;     /* the sum of the amounts of open spans */

	/* Private. */
	struct pk_table table; /* hash of the key -> the innermost open span */
};

/* Frees the memory of a pool whose sets are freed. */
void pk_open_pool_free(struct pk_open_pool *pool);
/* The members of the caller must be set. All others are zero. */
void pk_open_spans_free(struct pk_open_spans *spans);
/* Forgets all open spans of the set and sets the numbers to 0, for a new session. */
void pk_open_spans_clear(struct pk_open_spans *spans);

/* Opens a span with `size` bytes for the caller. pk_open_spans_end_task() finds it by task, unless
 * that is 0. *span is NULL if the start is not used (PK_AGAIN_KEEP). Returns PK_NOMEM if memory is
 * exhausted. The start is not counted then. */
PK_MUST_CHECK enum pk_status pk_open_spans_start(struct pk_open_spans *spans, const void *key,
						 uint32_t key_size, uint32_t task, uint32_t size,
						 struct pk_open_span **span);
/* These remove an open span, count it, and return it. It is valid until it is released. They return
 * NULL if there is none. */
struct pk_open_span *pk_open_spans_end(struct pk_open_spans *spans, const void *key,
				       uint32_t key_size);
struct pk_open_span *pk_open_spans_cancel(struct pk_open_spans *spans, const void *key,
					  uint32_t key_size);
/* One of the spans of the task. A set whose key is the task alone finds it by its key. */
struct pk_open_span *pk_open_spans_end_task(struct pk_open_spans *spans, uint32_t task);
struct pk_open_span *pk_open_spans_end_task_key(struct pk_open_spans *spans, const void *key,
						uint32_t key_size);
/* The span that a start with this key would replace. Call it before pk_open_spans_start(), which
 * otherwise releases that span. */
struct pk_open_span *pk_open_spans_replace(struct pk_open_spans *spans, const void *key,
					   uint32_t key_size);
void pk_open_spans_release(struct pk_open_spans *spans, struct pk_open_span *span);
/* Gives an open span, which has none yet, an amount. */
static inline void pk_open_spans_weigh(struct pk_open_spans *spans, struct pk_open_span *span,
				       uint64_t amount)
{
	span->amount = amount;
	spans->amount += amount;
}
/* The bytes of the caller, aligned to 8. */
static inline uint8_t *pk_open_span_data(const struct pk_open_span *span)
{
	return (uint8_t *)span->bytes + ((span->key_size + 7u) & ~7u);
}

#endif
