// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "room.h"
#include "vector.h"

/* ---- Queue ---- */

#define CAPACITY_MIN 1024
/* close_up() accesses all items of the queue. To call it rarely, the array is SPACE times as long
 * as the number of items. An array of at least CAPACITY_LARGE entries is only SPACE_OF_LARGE times
 * as long, to save memory. */
#define CAPACITY_LARGE (1 << 18)
#define SPACE	       8
#define SPACE_OF_LARGE 2
#define FETCHED	       4 /* queue_first() prefetches the item that is this many entries later */

static void queue_free(struct queue *queue)
{
	free(queue->entries);
	*queue = (struct queue){0};
}

static void close_up(struct queue *queue)
{
	size_t end = 0;

	for (size_t i = queue->begin; i < queue->end; i++) {
		if (!queue->entries[i])
			continue;
		queue->entries[end] = queue->entries[i];
		queue->entries[end]->at = end;
		end++;
	}
	queue->begin = 0;
	queue->end = end;
}

/* Makes room at the end of the array. At least half of the array is free after this. So, on
 * average, the time to add an item is constant. */
static enum pk_status make_room(struct queue *queue)
{
	const size_t more = queue->capacity ? 1 : CAPACITY_MIN;
	const size_t space = queue->capacity < CAPACITY_LARGE ? SPACE : SPACE_OF_LARGE;

	if (queue->capacity && queue->count <= queue->capacity / space) {
		close_up(queue);
		return PK_OK;
	}
	return pk_reserve(&queue->entries, &queue->capacity, queue->capacity, more,
			  sizeof(*queue->entries));
}

/* Adds an item at the end of the queue. */
static enum pk_status queue_add(struct queue *queue, struct queue_place *place)
{
	if (queue->end == queue->capacity)
		PK_TRY(make_room(queue));
	place->at = queue->end;
	queue->entries[queue->end++] = place;
	queue->count++;
	return PK_OK;
}

static void queue_remove(struct queue *queue, const struct queue_place *place)
{
	queue->entries[place->at] = NULL;
	if (!--queue->count)
		queue->begin = queue->end = 0;
}

/* Returns the oldest item, or NULL if the queue is empty. */
static struct queue_place *queue_first(struct queue *queue)
{
	if (!queue->count)
		return NULL;
	while (!queue->entries[queue->begin])
		queue->begin++;
	if (queue->end - queue->begin > FETCHED)
		__builtin_prefetch(queue->entries[queue->begin + FETCHED]);
	return queue->entries[queue->begin];
}

/* ---- Chunks ---- */

#define SLAB_CHUNKS 1024

struct chunk {
	struct chunk *next;
	uint8_t bytes[CHUNK_SIZE - sizeof(struct chunk *)];
};

struct chunk_slab {
	struct chunk_slab *next;
	_Alignas(CHUNK_SIZE) struct chunk chunks[SLAB_CHUNKS];
};

_Static_assert(sizeof(struct chunk) == CHUNK_SIZE, "struct chunk");

static bool add_slab(struct chunks *chunks)
{
	struct chunk_slab *slab = aligned_alloc(CHUNK_SIZE, sizeof(*slab));

	if (!slab)
		return false;
	slab->next = chunks->slabs;
	chunks->slabs = slab;
	for (size_t i = SLAB_CHUNKS; i > 0; i--) {
		slab->chunks[i - 1].next = chunks->free;
		chunks->free = &slab->chunks[i - 1];
	}
	return true;
}

/* Returns NULL if memory is exhausted. */
static void *chunk_get(struct chunks *chunks)
{
	struct chunk *chunk;

	if (!chunks->free && !add_slab(chunks))
		return NULL;
	chunk = chunks->free;
	chunks->free = chunk->next;
	return chunk;
}

static void chunk_put(struct chunks *chunks, void *one)
{
	struct chunk *chunk = one;

	chunk->next = chunks->free;
	chunks->free = chunk;
}

/* Frees all chunks, including the chunks that are in use. */
static void chunks_free(struct chunks *chunks)
{
	while (chunks->slabs) {
		struct chunk_slab *next = chunks->slabs->next;

		free(chunks->slabs);
		chunks->slabs = next;
	}
	*chunks = (struct chunks){0};
}

/* ---- The room ---- */

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

/* Sets the task of a key. If task is NULL, removes the task of the key. Removing cannot fail. */
static enum pk_status set_task(struct room *room, uint64_t key, struct room_task *task)
{
	struct room_task ***page = &room->by_tid[key % ROOM_TIDS / ROOM_PAGE];

	if (key >= ROOM_TIDS) {
		if (task)
			return pk_table_set(&room->others, key, task);
		pk_table_remove(&room->others, key);
		return PK_OK;
	}
	if (!*page && !task)
		return PK_OK;
	if (!*page)
		*page = calloc(ROOM_PAGE, sizeof(**page));
	if (!*page)
		return PK_NOMEM;
	(*page)[key % ROOM_PAGE] = task;
	return PK_OK;
}

static enum pk_status enlist(struct room *room, struct room_task *task)
{
	struct room_task *head = pk_table_get(&room->processes, task->pid);

	PK_TRY(pk_table_set(&room->processes, task->pid, task));
	task->next = head;
	if (head)
		head->previous = task;
	task->is_thread = true;
	return PK_OK;
}

/* Replaces the first thread of the process's list by the next one. This needs no new memory,
 * because an entry of the table is removed first. */
static void replace_head(struct room *room, const struct room_task *task)
{
	pk_table_remove(&room->processes, task->pid);
	if (task->next && pk_table_set(&room->processes, task->pid, task->next) != PK_OK)
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
	if (set_task(room, key, task) != PK_OK)
		goto give;
	if (key <= UINT32_MAX && key != pid && enlist(room, task) != PK_OK)
		goto remove;
	room->strays += key > UINT32_MAX;
	return task;
remove:
	set_task(room, key, NULL);
give:
	chunk_put(&room->chunks, task);
	return NULL;
}

enum pk_status room_end(struct room *room, struct room_task *task, uint64_t time)
{
	if (task->has_ended)
		return PK_OK;
	task->end = time;
	task->has_ended = queue_add(&room->ends, &task->end_place) == PK_OK;
	return task->has_ended ? PK_OK : PK_NOMEM;
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

static enum pk_status list(struct room *room, struct room_task *task)
{
	task->listed_at = task->half_at;
	task->is_listed = queue_add(&room->halves, &task->half_place) == PK_OK;
	return task->is_listed ? PK_OK : PK_NOMEM;
}

enum pk_status room_list_again(struct room *room, struct room_task *task)
{
	queue_remove(&room->halves, &task->half_place);
	return list(room, task);
}

enum pk_status room_put_half(struct room *room, struct room_task *task, struct held *half,
			     bool used)
{
	task->half = half;
	task->half_at = half->at;
	task->half_used = used;
	task->has_half = task->is_listed || list(room, task) == PK_OK;
	return task->has_half ? PK_OK : PK_NOMEM;
}

void room_remove_half(struct room_task *task)
{
	task->has_half = false;
}

/* ---- Halves ---- */

/* Returns the offset of the chain trailer, or 0 if the record has none. */
static uint16_t find_trailer(const struct pk_record *record)
{
	struct pk_sample sample;

	if (pk_sample_decode(record->event, record, &sample) != PK_OK ||
	    record->size < sample.size + PK_CHAIN_TRAILER_SIZE ||
	    pk_trailer_at(record->data + sample.size)->tag != PK_CHAIN_TRAILER_TAG)
		return 0;
	return sample.size;
}

enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half)
{
	struct pk_u64s chain;
	enum pk_status status = pk_sample_callchain(record->event, record, &chain);
	uint64_t entries = 0;

	if (pk_unlikely(status))
		return status == PK_CORRUPT ? HALF_BAD : HALF_NONE;
	/* The callchain of an off-CPU sample is in RAW. A BPF program wrote it. Only the kernel
	 * itself defers callchains, so this callchain is complete. */
	if (pk_unlikely(record->event->off_cpu))
		return HALF_NONE;
	if (chain.count >= 2 && pk_u64s_at(&chain, chain.count - 2) == PERF_CONTEXT_USER_DEFERRED)
		entries = 2;
	else if (chain.count && pk_u64s_at(&chain, chain.count - 1) == PERF_CONTEXT_USER_DEFERRED)
		entries = 1;
	else
		return HALF_NONE;
	*half = (struct half){
		.size = record->size,
		.count_at = (uint16_t)(chain.data - 8 - record->data),
		.marker_size = (uint16_t)(8 * entries),
		.trailer_at = trailers ? find_trailer(record) : 0,
	};
	half->marker_at = (uint16_t)(half->count_at + 8 + 8 * (chain.count - entries));
	if (entries == 1)
		return HALF_WITHOUT;
	half->cookie = pk_u64s_at(&chain, chain.count - 1);
	return HALF_WITH_COOKIE;
}

/* Copies up to some hundred bytes. For such sizes, it is faster than memcpy() and the processor's
 * string instructions, which need time to start. */
static inline void copy(uint8_t *out, const uint8_t *from, size_t size)
{
	for (; size >= 32; size -= 32, out += 32, from += 32)
		memcpy(out, from, 32);
	for (; size >= 8; size -= 8, out += 8, from += 8)
		memcpy(out, from, 8);
	while (size--)
		*out++ = *from++;
}

/* Writes a copy of the record with other bytes in place of the marker and the cookie. The new
 * record has four parts: the bytes before the marker, `room` bytes, the bytes after the cookie, and
 * `extra` bytes. Returns the start of the `room` bytes, which the caller fills. Returns NULL if the
 * writer has failed. */
static uint8_t *write_around(struct pk_writer *writer, const struct half *half,
			     const uint8_t *record, size_t room, size_t extra)
{
	const size_t after = half->marker_at + (size_t)half->marker_size;
	const size_t tail = half->size - after, size = half->marker_at + room + tail + extra;
	uint8_t *out = pk_writer_append(writer, PERF_RECORD_SAMPLE, 0, size), *at;

	if (pk_unlikely(!out))
		return NULL;
	at = out + half->marker_at;
	copy(out, record, half->marker_at);
	copy(at + room, record + after, tail);
	((struct perf_header *)out)->size = (uint16_t)size;
	pk_store_u64(out + half->count_at, (at + room - out - half->count_at - 8u) / 8);
	return at;
}

enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 const uint8_t *record, const struct pk_u64s *user, bool *shortened)
{
	size_t alone = half->size - half->marker_size + sizeof(uint64_t); /* with the marker USER */
	size_t most = alone < PERF_RECORD_SIZE_MAX ? (PERF_RECORD_SIZE_MAX - alone) / 8 : 0;
	size_t count = user->count < most ? (size_t)user->count : most;
	uint8_t *at;

	*shortened = count < user->count;
	at = write_around(writer, half, record, 8 * (count + 1), 0);
	if (pk_unlikely(!at))
		return pk_writer_status(writer);
	pk_store_u64(at, PERF_CONTEXT_USER);
	copy(at + 8, user->data, 8 * count);
	return PK_OK;
}

enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				const uint8_t *record, bool flag)
{
	size_t extra = flag && !half->trailer_at ? PK_CHAIN_TRAILER_SIZE : 0;
	uint8_t *at = write_around(writer, half, record, 0, extra);
	struct pk_trailer *trailer;

	if (pk_unlikely(!at))
		return pk_writer_status(writer);
	if (!flag)
		return PK_OK;
	trailer = (void *)(at - half->marker_at +
			   (half->trailer_at ? half->trailer_at : half->size) - half->marker_size);
	if (extra)
		*trailer = (struct pk_trailer){PK_CHAIN_TRAILER_TAG, 0};
	trailer->value |= PK_CHAIN_USER_MISSING;
	return PK_OK;
}

/* ---- Lines ---- */

#define BLOCK_SIZE ((size_t)1 << 20)

struct line_block {
	struct line_block *next;
	uint64_t end; /* value of line.added after the last entry of the block */
	size_t used;
	_Alignas(8) uint8_t bytes[];
};

static void free_blocks(struct line_block *block)
{
	while (block) {
		struct line_block *next = block->next;

		free(block);
		block = next;
	}
}

void line_free(struct line *line)
{
	free_blocks(line->oldest);
	free_blocks(line->unused);
	*line = (struct line){0};
}

/* Makes blocks reusable. All entries of such a block were removed, and no later entry can refer to
 * them. */
static void forget_past(struct line *line)
{
	while (line->oldest != line->first && line->oldest->end + LINE_PAST < line->removed) {
		struct line_block *block = line->oldest;

		line->oldest = block->next;
		block->next = line->unused;
		line->unused = block;
	}
}

static enum pk_status add_block(struct line *line)
{
	struct line_block *block = line->unused;

	if (block)
		line->unused = block->next;
	else
		block = malloc(sizeof(*block) + BLOCK_SIZE);
	if (!block)
		return PK_NOMEM;
	block->next = NULL;
	block->used = 0;
	block->end = line->added;
	if (line->last)
		line->last->next = block;
	else
		line->oldest = line->first = block;
	line->last = block;
	return PK_OK;
}

struct held *line_add(struct line *line, size_t front, size_t size)
{
	const size_t all = PK_ALIGN8(front + size);
	struct line_block *block = line->last;
	struct held *held;

	if (pk_unlikely(!block || all > BLOCK_SIZE - block->used)) {
		if (add_block(line) != PK_OK)
			return NULL;
		block = line->last;
	}
	held = (struct held *)(void *)(block->bytes + block->used);
	*held = (struct held){.at = line->added, .size = (uint32_t)size, .record = (uint16_t)front};
	block->used += all;
	line->added += all;
	block->end = line->added;
	return held;
}

struct held *line_first(struct line *line)
{
	if (line->added == line->removed)
		return NULL;
	while (line->first_at == line->first->used) {
		line->first = line->first->next;
		line->first_at = 0;
	}
	return (struct held *)(void *)(line->first->bytes + line->first_at);
}

static size_t size_of(const struct held *held)
{
	return PK_ALIGN8((size_t)held->record + held->size);
}

const struct held *line_after(const struct line *line, const struct held *held)
{
	const uint8_t *next = (const uint8_t *)held + size_of(held);

	return next < line->first->bytes + line->first->used ? (const void *)next : NULL;
}

void line_remove_first(struct line *line)
{
	const size_t all = size_of(line_first(line));

	line->first_at += all;
	line->removed += all;
	if (pk_unlikely(line->first_at == line->first->used))
		forget_past(line);
}
