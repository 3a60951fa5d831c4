// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "open_spans.h"
#include "pkstream.h"
#include "pkutil.h"
#include "vector.h"

void pk_ended_tasks_clear(struct pk_ended_tasks *tasks)
{
	tasks->first = tasks->count = 0;
	tasks->due = UINT64_MAX;
	pk_table_clear(&tasks->tids);
}

void pk_ended_tasks_free(struct pk_ended_tasks *tasks)
{
	free(tasks->items);
	pk_table_free(&tasks->tids);
	*tasks = (struct pk_ended_tasks){0};
}

static void set_due(struct pk_ended_tasks *tasks)
{
	const size_t count = tasks->count - tasks->first;
	const uint64_t time = count ? tasks->items[tasks->first].time : UINT64_MAX;

	tasks->due = count > PK_ENDED_MAX		  ? 0
		     : time < UINT64_MAX - PK_ENDED_GRACE ? time + PK_ENDED_GRACE
							  : UINT64_MAX;
}

enum pk_status pk_ended_tasks_add(struct pk_ended_tasks *tasks, uint32_t tid, uint64_t time)
{
	if (tasks->first &&
	    tasks->first * 2 >= tasks->count) { /* At most half of the array is moved, so the
						 * average time of an addition is constant. */
		tasks->count -= tasks->first;
		memmove(tasks->items, tasks->items + tasks->first,
			tasks->count * sizeof(*tasks->items));
		tasks->first = 0;
	}
	PK_TRY(pk_vector_reserve(tasks, 1));
	PK_TRY(pk_table_set_u64(&tasks->tids, tid, tasks->last + 1));
	tasks->items[tasks->count++] = (struct pk_ended_task){tid, time, ++tasks->last};
	set_due(tasks);
	return PK_OK;
}

void pk_ended_tasks_remove(struct pk_ended_tasks *tasks, uint32_t tid)
{
	pk_table_remove(&tasks->tids, tid);
}

bool pk_ended_tasks_next(struct pk_ended_tasks *tasks, uint64_t now, struct pk_ended_task *task)
{
	while (pk_ended_tasks_is_due(tasks, now)) {
		*task = tasks->items[tasks->first++];
		set_due(tasks);
		if (pk_table_get_u64(&tasks->tids, task->tid) != task->number)
			continue;
		pk_table_remove(&tasks->tids, task->tid);
		return true;
	}
	return false;
}

/* The greatest number of bytes of ended spans that are kept. A new span can reuse this memory,
 * because most spans of a stream have the same size. */
#define UNUSED_MAX ((size_t)1 << 20)

/* ---- Memory ---- */

static uint32_t blocks_of(size_t size)
{
	return (uint32_t)((sizeof(struct pk_open_span) + size + PK_OPEN_SPAN_BLOCK - 1) /
			  PK_OPEN_SPAN_BLOCK);
}

static size_t memory_of(uint32_t blocks)
{
	return (size_t)blocks * PK_OPEN_SPAN_BLOCK;
}

static struct pk_open_span *allocate(struct pk_open_pool *pool, uint32_t blocks)
{
	struct pk_open_span *span = blocks <= PK_OPEN_SPAN_CLASSES ? pool->unused[blocks] : NULL;

	if (pk_likely(span)) {
		pool->unused[blocks] = span->newer;
		pool->unused_memory -= memory_of(blocks);
	} else {
		span = malloc(memory_of(blocks));
		if (span)
			span->blocks = blocks;
	}
	return span;
}

static void release(struct pk_open_pool *pool, struct pk_open_span *span)
{
	const size_t memory = memory_of(span->blocks);

	if (span->blocks > PK_OPEN_SPAN_CLASSES || pool->unused_memory + memory > UNUSED_MAX) {
		free(span);
		return;
	}
	span->newer = pool->unused[span->blocks];
	pool->unused[span->blocks] = span;
	pool->unused_memory += memory;
}

static void note_closed(const struct pk_open_pool *pool, const struct pk_open_span *span)
{
	if (pool->closed)
		pool->closed(pool->closed_arg, span);
}

static void close_span(struct pk_open_pool *pool, struct pk_open_span *span)
{
	note_closed(pool, span);
	release(pool, span);
}

void pk_open_spans_release(struct pk_open_spans *spans, struct pk_open_span *span)
{
	close_span(spans->pool, span);
}

void pk_open_pool_free(struct pk_open_pool *pool)
{
	for (uint32_t i = 0; i <= PK_OPEN_SPAN_CLASSES; i++) {
		while (pool->unused[i]) {
			struct pk_open_span *span = pool->unused[i];

			pool->unused[i] = span->newer;
			free(span);
		}
	}
	pool->unused_memory = 0;
	pk_table_free(&pool->tasks);
}

/* ---- Keys ---- */

/* Returns the hash of a key. A key of 8 bytes is a number, and its hash is this number. This is
 * safe, because the table mixes the hash with its secret. */
static uint64_t hash_of(struct pk_open_spans *spans, const void *key, uint32_t size)
{
	return size == sizeof(uint64_t) ? pk_load_u64(key)
					: pk_hash(key, size, pk_table_secret(&spans->table));
}

/* Returns the innermost open span that has this key, or NULL. */
static struct pk_open_span *find_span(struct pk_open_spans *spans, uint64_t hash, const void *key,
				      uint32_t size)
{
	struct pk_probe probe = pk_table_probe(&spans->table, hash);
	uint64_t value;

	while ((value = pk_probe_next(&probe))) {
		struct pk_open_span *span = (void *)(uintptr_t)value;

		if (span->key_size == size && !memcmp(span->bytes, key, size))
			return span;
	}
	return NULL;
}

static void forget_key(struct pk_open_spans *spans, struct pk_open_span *span)
{
	pk_table_remove_entry(&spans->table, span->hash, (uintptr_t)span);
}

/* Makes `span` the innermost span of its key, instead of `old`. This needs no memory, so it cannot
 * fail. */
static void replace_key(struct pk_open_spans *spans, struct pk_open_span *old,
			struct pk_open_span *span)
{
	forget_key(spans, old);
	(void)pk_table_add(&spans->table, span->hash, (uintptr_t)span);
}

/* ---- Tasks ---- */

static enum pk_status link_task(struct pk_open_pool *pool, struct pk_open_span *span, uint32_t task)
{
	struct pk_open_span *first = task ? pk_table_get(&pool->tasks, task) : NULL;

	if (task)
		PK_TRY(pk_table_set(&pool->tasks, task, span));
	span->task = task;
	span->task_before = NULL;
	span->task_next = first;
	if (first)
		first->task_before = span;
	return PK_OK;
}

static void unlink_task(struct pk_open_pool *pool, struct pk_open_span *span)
{
	if (!span->task)
		return;
	if (span->task_next)
		span->task_next->task_before = span->task_before;
	if (span->task_before)
		span->task_before->task_next = span->task_next;
	else if (span->task_next) /* cannot fail, because the task is already in the table */
		(void)pk_table_set(&pool->tasks, span->task, span->task_next);
	else
		pk_table_remove(&pool->tasks, span->task);
}

/* ---- All open spans ---- */

static void link_newest(struct pk_open_spans *spans, struct pk_open_span *span)
{
	struct pk_open_pool *pool = spans->pool;

	span->older = pool->newest;
	span->newer = NULL;
	if (span->older)
		span->older->newer = span;
	else
		pool->oldest = span;
	pool->newest = span;
	pool->memory += memory_of(span->blocks) + sizeof(struct pk_table_slot);
	pool->count++;
	spans->count++;
}

static void unlink_key(struct pk_open_spans *spans, struct pk_open_span *span)
{
	if (span->outer)
		span->outer->inner = span->inner;
	if (span->inner)
		span->inner->outer = span->outer;
	else if (span->outer)
		replace_key(spans, span, span->outer);
	else
		forget_key(spans, span);
}

static void unlink_span(struct pk_open_spans *spans, struct pk_open_span *span)
{
	struct pk_open_pool *pool = spans->pool;

	unlink_key(spans, span);
	unlink_task(pool, span);
	if (span->older)
		span->older->newer = span->newer;
	else
		pool->oldest = span->newer;
	if (span->newer)
		span->newer->older = span->older;
	else
		pool->newest = span->older;
	pool->memory -= memory_of(span->blocks) + sizeof(struct pk_table_slot);
	pool->count--;
	spans->count--;
	spans->amount -= span->amount;
}

static void make_room(struct pk_open_pool *pool, uint32_t blocks)
{
	const size_t memory = memory_of(blocks) + sizeof(struct pk_table_slot);

	while (pool->count &&
	       (pool->count >= pool->count_max || pool->memory + memory > pool->memory_max)) {
		struct pk_open_span *span = pool->oldest;

		span->set->dropped++;
		unlink_span(span->set, span);
		close_span(pool, span);
	}
}

/* Other sets of the pool can still have spans, so only the spans of this set are removed. */
void pk_open_spans_clear(struct pk_open_spans *spans)
{
	for (struct pk_open_span *span = spans->count ? spans->pool->oldest : NULL, *next; span;
	     span = next) {
		next = span->newer;
		if (span->set != spans)
			continue;
		unlink_span(spans, span);
		note_closed(spans->pool, span);
		free(span);
	}
	pk_table_clear(&spans->table);
	spans->starts = spans->ended = spans->replaced = spans->dropped = spans->unmatched = 0;
	spans->cancelled = spans->task_ended = spans->unused = 0;
}

void pk_open_spans_free(struct pk_open_spans *spans)
{
	pk_open_spans_clear(spans);
	pk_table_free(&spans->table);
}

/* ---- Starts and ends ---- */

enum pk_status pk_open_spans_start(struct pk_open_spans *spans, const void *key, uint32_t key_size,
				   uint32_t task, uint32_t size, struct pk_open_span **out)
{
	const uint32_t blocks = blocks_of(PK_ALIGN8(key_size) + size);
	const uint64_t hash = hash_of(spans, key, key_size);
	struct pk_open_span *span, *around = find_span(spans, hash, key, key_size);

	*out = NULL;
	if (pk_unlikely(around && spans->again == PK_AGAIN_KEEP)) {
		spans->starts++;
		spans->unused++;
		return PK_OK;
	}
	PK_TRY(pk_table_reserve_one(&spans->table));
	span = allocate(spans->pool, blocks);
	if (!span)
		return PK_NOMEM;
	if (pk_unlikely(around && spans->again == PK_AGAIN_REPLACE)) {
		unlink_span(spans, around);
		close_span(spans->pool, around);
		spans->replaced++;
	}
	make_room(spans->pool, blocks);
	if (link_task(spans->pool, span, task) != PK_OK) {
		release(spans->pool, span);
		return PK_NOMEM;
	}
	around = spans->again == PK_AGAIN_NEST ? find_span(spans, hash, key, key_size) : NULL;
	span->set = spans;
	span->hash = hash;
	span->key_size = key_size;
	span->size = size;
	span->amount = 0;
	memcpy(span->bytes, key, key_size);
	span->outer = around;
	span->inner = NULL;
	if (around) {
		around->inner = span;
		replace_key(spans, around, span);
	} else {
		(void)pk_table_add(
			&spans->table, hash,
			(uintptr_t)span); /* cannot fail, because an entry was reserved above */
	}
	link_newest(spans, span);
	spans->starts++;
	*out = span;
	return PK_OK;
}

/* Removes the innermost open span that has this key. Returns NULL if there is none. */
static struct pk_open_span *remove_key(struct pk_open_spans *spans, const void *key, uint32_t size)
{
	struct pk_open_span *span = find_span(spans, hash_of(spans, key, size), key, size);

	if (span)
		unlink_span(spans, span);
	return span;
}

struct pk_open_span *pk_open_spans_end(struct pk_open_spans *spans, const void *key,
				       uint32_t key_size)
{
	struct pk_open_span *span = remove_key(spans, key, key_size);

	if (span)
		spans->ended++;
	else
		spans->unmatched++;
	return span;
}

struct pk_open_span *pk_open_spans_cancel(struct pk_open_spans *spans, const void *key,
					  uint32_t key_size)
{
	struct pk_open_span *span = remove_key(spans, key, key_size);

	spans->cancelled += span != NULL;
	return span;
}

struct pk_open_span *pk_open_spans_replace(struct pk_open_spans *spans, const void *key,
					   uint32_t key_size)
{
	struct pk_open_span *span =
		spans->again == PK_AGAIN_REPLACE ? remove_key(spans, key, key_size) : NULL;

	spans->replaced += span != NULL;
	return span;
}

struct pk_open_span *pk_open_spans_end_task(struct pk_open_spans *spans, uint32_t task)
{
	struct pk_open_span *span = pk_table_get(&spans->pool->tasks, task);

	while (span && span->set != spans)
		span = span->task_next;
	if (!span)
		return NULL;
	unlink_span(spans, span);
	spans->task_ended++;
	return span;
}

struct pk_open_span *pk_open_spans_end_task_key(struct pk_open_spans *spans, const void *key,
						uint32_t key_size)
{
	struct pk_open_span *span = remove_key(spans, key, key_size);

	spans->task_ended += span != NULL;
	return span;
}
