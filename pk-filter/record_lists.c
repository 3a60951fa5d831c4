// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "record_lists.h"
#include "vector.h"

#define MEMORY_MAX ((size_t)32 << 20) /* limit for all lists in memory, in bytes */
#define CHUNK_MIN  ((size_t)256)
#define CHUNK_MAX  ((size_t)32 << 10) /* in bytes; only a large entry makes a chunk larger */

/* A chunk of the file starts with a chunk_head and has several entries. Each entry starts with an
 * entry_head. */
struct chunk_head {
	uint64_t next, size;
};

struct entry_head {
	uint64_t number, size;
};

/* All lists, and the temporary file. */
struct record_lists {
	int fd;
	uint64_t end; /* size of the file in bytes */
	size_t memory;
	struct record_list *waiting;
};

struct record_lists *record_lists_new(void)
{
	struct record_lists *lists = calloc(1, sizeof(*lists));

	if (!lists)
		return NULL;
	lists->fd = pk_temporary_open();
	if (lists->fd >= 0)
		return lists;
	free(lists);
	return NULL;
}

static void forget_waiting(struct record_lists *lists)
{
	while (lists->waiting) {
		struct record_list *list = lists->waiting;

		lists->waiting = list->next_waiting;
		free(list->data);
		list->data = NULL;
		list->used = list->capacity = 0;
	}
	lists->memory = 0;
}

void record_lists_free(struct record_lists *lists)
{
	if (!lists)
		return;
	forget_waiting(lists);
	close(lists->fd);
	free(lists);
}

enum pk_status record_lists_reset(struct record_lists *lists)
{
	forget_waiting(lists);
	lists->end = 0;
	return ftruncate(lists->fd, 0) == 0 ? PK_OK : PK_IO;
}

/* ---- Writing ---- */

static bool write_at(struct record_lists *lists, const void *data, size_t size, uint64_t at)
{
	const uint8_t *bytes = data;

	while (size) {
		ssize_t n = pwrite(lists->fd, bytes, size, (off_t)at);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			bytes += n;
			at += (uint64_t)n;
			size -= (size_t)n;
		}
	}
	return true;
}

/* Writes the buffered entries as a chunk. Stores the place of this chunk in the list's previous
 * chunk. */
static enum pk_status write_chunk(struct record_lists *lists, struct record_list *list)
{
	struct chunk_head head = {.size = list->used};
	uint64_t at = lists->end + 1;

	if (!list->used)
		return PK_OK;
	if (!write_at(lists, &head, sizeof(head), lists->end) ||
	    !write_at(lists, list->data, list->used, lists->end + sizeof(head)) ||
	    (list->last && !write_at(lists, &at, sizeof(at), list->last - 1)))
		return PK_FAILED;
	lists->end += sizeof(head) + list->used;
	list->last = at;
	if (!list->first)
		list->first = at;
	list->used = 0;
	return PK_OK;
}

static enum pk_status write_all_waiting(struct record_lists *lists)
{
	for (struct record_list *list = lists->waiting; list; list = list->next_waiting)
		PK_TRY(write_chunk(lists, list));
	forget_waiting(lists);
	return PK_OK;
}

static enum pk_status make_room(struct record_lists *lists, struct record_list *list, size_t size)
{
	size_t capacity = list->capacity ? list->capacity : CHUNK_MIN, old;

	if (list->used && list->used + size > CHUNK_MAX)
		PK_TRY(write_chunk(lists, list));
	while (capacity < list->used + size)
		capacity *= 2;
	if (capacity == list->capacity)
		return PK_OK;
	if (lists->memory + capacity - list->capacity > MEMORY_MAX)
		PK_TRY(write_all_waiting(lists));
	old = list->capacity;
	PK_TRY(pk_reserve(&list->data, &list->capacity, 0, capacity, 1));
	if (!old) {
		list->next_waiting = lists->waiting;
		lists->waiting = list;
	}
	lists->memory += list->capacity - old;
	return PK_OK;
}

enum pk_status record_lists_add(struct record_lists *lists, struct record_list *list,
				uint64_t number, const void *head, size_t head_size,
				const void *tail, size_t tail_size)
{
	struct entry_head entry = {number, head_size + tail_size};

	PK_TRY(make_room(lists, list, sizeof(entry) + head_size + tail_size));
	memcpy(list->data + list->used, &entry, sizeof(entry));
	list->used += sizeof(entry);
	if (head_size)
		memcpy(list->data + list->used, head, head_size);
	list->used += head_size;
	if (tail_size)
		memcpy(list->data + list->used, tail, tail_size);
	list->used += tail_size;
	return PK_OK;
}

/* ---- Reading ---- */

static enum pk_status read_at(struct record_lists *lists, void *data, size_t size, uint64_t at)
{
	uint8_t *bytes = data;

	while (size) {
		ssize_t n = pread(lists->fd, bytes, size, (off_t)at);

		if (n == 0)
			errno = EIO;
		if (n <= 0 && errno != EINTR)
			return PK_IO;
		if (n > 0) {
			bytes += n;
			at += (uint64_t)n;
			size -= (size_t)n;
		}
	}
	return PK_OK;
}

enum pk_status record_cursor_start(struct record_cursor *cursor, struct record_lists *lists,
				   struct record_list *list)
{
	*cursor = (struct record_cursor){.lists = lists};
	PK_TRY(write_chunk(lists, list));
	cursor->next = list->first;
	return PK_OK;
}

static enum pk_status read_chunk(struct record_cursor *cursor)
{
	uint64_t at = cursor->next - 1;
	struct chunk_head head;

	PK_TRY(read_at(cursor->lists, &head, sizeof(head), at));
	PK_TRY(pk_reserve(&cursor->chunk, &cursor->capacity, 0, head.size, 1));
	cursor->at = 0;
	cursor->size = head.size;
	cursor->next = head.next;
	return read_at(cursor->lists, cursor->chunk, head.size, at + sizeof(head));
}

int record_cursor_next(struct record_cursor *cursor)
{
	struct entry_head entry;

	if (cursor->at == cursor->size) {
		if (!cursor->next)
			return 0;
		if (read_chunk(cursor) != PK_OK)
			return -1;
	}
	memcpy(&entry, cursor->chunk + cursor->at, sizeof(entry));
	cursor->at += sizeof(entry);
	cursor->number = entry.number;
	cursor->data = cursor->chunk + cursor->at;
	cursor->data_size = entry.size;
	cursor->at += entry.size;
	return 1;
}

void record_cursor_end(struct record_cursor *cursor)
{
	free(cursor->chunk);
	cursor->chunk = NULL;
}
