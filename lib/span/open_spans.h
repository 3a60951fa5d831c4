/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spans that have started and not ended yet. They are found by their keys. A key is a sequence
 * of bytes, and each span also stores bytes of the caller. Several sets of spans share a pool. The
 * pool limits the number of open spans of all its sets, and their memory. If a limit is reached,
 * the oldest span is dropped. On average, starting and ending a span takes constant time.
 *
 *     pk_open_spans_start(&spans, key, key_size, task, size, &span)
 *     ...                                  fills size bytes at pk_open_span_data(span)
 *     span = pk_open_spans_end(&spans, key, key_size);
 *     ...                                  uses these bytes
 *     pk_open_spans_release(&spans, span);
 */
#ifndef PK_OPEN_SPANS_H
#define PK_OPEN_SPANS_H

#include "pkutil.h"
#include "table.h"

#define PK_ENDED_GRACE UINT64_C(1000000000) /* how long ended tasks are remembered, in ns */
#define PK_ENDED_MAX   65536u		    /* the most ended tasks that are remembered */

/* Tasks that have ended, in the order of their EXIT records. Samples of a task can come after its
 * EXIT record, so the task is remembered for some time. */
struct pk_ended_tasks {
	struct pk_ended_task {
		uint32_t tid;
		uint64_t time;
		uint64_t number;
	} * items;
	size_t first, count, capacity;
	uint64_t last; /* number of EXIT records so far, which is the number of the last one */
	uint64_t due;  /* time from which on the oldest ended task is due */
	struct pk_table tids; /* for each tid, the number of its last EXIT record */
};

void pk_ended_tasks_clear(struct pk_ended_tasks *tasks);
void pk_ended_tasks_free(struct pk_ended_tasks *tasks);
/* Notes an EXIT record. `time` is in ns. */
PK_MUST_CHECK enum pk_status pk_ended_tasks_add(struct pk_ended_tasks *tasks, uint32_t tid,
						uint64_t time);
/* Forgets an ended task, because a new task uses its tid. */
void pk_ended_tasks_remove(struct pk_ended_tasks *tasks, uint32_t tid);
/* Returns whether the oldest ended task ended at least PK_ENDED_GRACE before `now`, or there are
 * more than PK_ENDED_MAX ended tasks. */
static inline bool pk_ended_tasks_is_due(const struct pk_ended_tasks *tasks, uint64_t now)
{
	return pk_unlikely(now >= tasks->due) && tasks->first < tasks->count;
}
/* Removes the oldest ended task if it is due, and sets *task to this task. Returns false if no task
 * is removed. */
bool pk_ended_tasks_next(struct pk_ended_tasks *tasks, uint64_t now, struct pk_ended_task *task);

struct pk_open_spans;

/* An open span, with its key and the data of the caller in memory after it. */
struct pk_open_span {
	struct pk_open_span *older,
		*newer; /* neighbours in the list of all open spans, in the order of their starts */
	/* Used with nested spans. `outer` is the span of the same key around this span, and `inner`
	 * is the span of the same key within it. */
	struct pk_open_span *outer, *inner;
	struct pk_open_span *task_next,
		*task_before; /* neighbours in the list of open spans of the same task */
	struct pk_open_spans *set;
	uint64_t hash;	   /* hash of the key of the span */
	uint32_t key_size; /* in bytes; padding to a multiple of 8 follows the key */
	uint32_t size;	   /* size in bytes of the data that belongs to the caller */
	uint32_t blocks;   /* size of this span's memory, in units of PK_OPEN_SPAN_BLOCK bytes */
	uint32_t task;	   /* tid of the task, or 0 if there is none */
	uint64_t amount; /* what this span adds to pk_open_spans.amount; pk_open_spans_weigh() sets
			  * it */
	_Alignas(8) uint8_t bytes[];
};

#define PK_OPEN_SPAN_BLOCK   32u /* unit of memory, in bytes */
#define PK_OPEN_SPAN_CLASSES 64u /* the memory of spans with more blocks is not reused */

/* The memory and the limits of the open spans of several sets. */
struct pk_open_pool {
	/* Set by the caller: */
	size_t count_max;
	size_t memory_max; /* in bytes, including the entries of the tables */
	void (*closed)(void *arg,
		       const struct pk_open_span *span); /* Called before the memory of a span that
							  * was open is freed. It may be NULL. */
	void *closed_arg;

	/* For reading: */
	size_t count;  /* number of open spans of all sets of the pool */
	size_t memory; /* size in bytes of the memory of the open spans, with their entries in the
			  tables */
	struct pk_open_span *oldest, *newest;

	/* Private: */
	struct pk_table tasks; /* by tid: the first span in the list of open spans of this task */
	struct pk_open_span *unused[PK_OPEN_SPAN_CLASSES + 1];
	size_t unused_memory;
};

/* A set of open spans. */
struct pk_open_spans {
	/* Set by the caller: */
	struct pk_open_pool *pool;
	/* What happens if a span starts and its key already has an open span. */
	enum pk_again {
		PK_AGAIN_REPLACE, /* the new span replaces the open one */
		PK_AGAIN_KEEP,	  /* the start is ignored */
		PK_AGAIN_NEST,	  /* both spans are open; an end belongs to the youngest span of its
				   * key */
	} again;

	/* For reading, counts of this session. starts = ended + replaced + unused + cancelled +
	 * task_ended + dropped + count. */
	uint64_t starts, ended, dropped;
	uint64_t replaced;
	uint64_t unused;     /* starts that were ignored (PK_AGAIN_KEEP) */
	uint64_t cancelled;  /* spans that pk_open_spans_cancel() has removed */
	uint64_t task_ended; /* spans that pk_open_spans_end_task() or pk_open_spans_end_task_key()
			      * has removed */
	uint64_t unmatched;  /* ends whose key has no open span */
	size_t count;	     /* number of spans of this set that are open now */
	uint64_t amount;     /* sum of the amounts of all open spans */

	/* Private: */
	struct pk_table table; /* by the hash of the key: the innermost open span of this key */
};

/* Frees the memory of a pool. All its sets must be freed before. */
void pk_open_pool_free(struct pk_open_pool *pool);
/* Frees a set of spans. To create a set, set the members "Set by the caller", and set all other
 * members to zero. */
void pk_open_spans_free(struct pk_open_spans *spans);
/* Forgets all open spans of the set and sets the counts to 0. Call it for a new session. */
void pk_open_spans_clear(struct pk_open_spans *spans);

/* Opens a span with `size` bytes for the caller. If `task` is not 0, pk_open_spans_end_task() finds
 * the span by its task. *span is NULL if the start is ignored (PK_AGAIN_KEEP). If memory is
 * exhausted, returns PK_NOMEM, and the start is not counted. */
PK_MUST_CHECK enum pk_status pk_open_spans_start(struct pk_open_spans *spans, const void *key,
						 uint32_t key_size, uint32_t task, uint32_t size,
						 struct pk_open_span **span);
/* The next functions remove an open span, count it, and return it. The span is valid until the
 * caller releases it. They return NULL if there is no such span. */
struct pk_open_span *pk_open_spans_end(struct pk_open_spans *spans, const void *key,
				       uint32_t key_size);
struct pk_open_span *pk_open_spans_cancel(struct pk_open_spans *spans, const void *key,
					  uint32_t key_size);
/* Remove one of the spans of a task. If the key of the set is only the task, use
 * pk_open_spans_end_task_key(), which finds the span by its key. */
struct pk_open_span *pk_open_spans_end_task(struct pk_open_spans *spans, uint32_t task);
struct pk_open_span *pk_open_spans_end_task_key(struct pk_open_spans *spans, const void *key,
						uint32_t key_size);
/* Removes the span that a start with this key would replace. Call it before pk_open_spans_start(),
 * because this function would release the span. */
struct pk_open_span *pk_open_spans_replace(struct pk_open_spans *spans, const void *key,
					   uint32_t key_size);
void pk_open_spans_release(struct pk_open_spans *spans, struct pk_open_span *span);
/* Sets the amount of an open span that has no amount yet. */
static inline void pk_open_spans_weigh(struct pk_open_spans *spans, struct pk_open_span *span,
				       uint64_t amount)
{
	span->amount = amount;
	spans->amount += amount;
}
/* Returns the bytes of the caller, which are aligned to 8 bytes. */
static inline uint8_t *pk_open_span_data(const struct pk_open_span *span)
{
	return (uint8_t *)span->bytes + ((span->key_size + 7u) & ~7u);
}

#endif
