// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "vector.h"

/* ---- Large pages ---- */

#define LARGE_PAGE ((uintptr_t)2 << 20)

void pk_use_large_pages(void *data, size_t size)
{
	const int kept = errno;
	const uintptr_t begin = ((uintptr_t)data + LARGE_PAGE - 1) & -LARGE_PAGE,
			end = ((uintptr_t)data + size) & -LARGE_PAGE;

	if (size < 2 * LARGE_PAGE)
		return;
	madvise((char *)data + (begin - (uintptr_t)data), end - begin, MADV_HUGEPAGE);
	errno = kept;
}

/* ---- Vectors ---- */

#define BYTES_MIN 64 /* the size of the first allocation in bytes */

/* Returns the number of items to allocate, or 0 if the items would need too many bytes. */
static size_t next_capacity(size_t capacity, size_t wanted, size_t size)
{
	const size_t most = PTRDIFF_MAX / size, first = BYTES_MIN / size;
	size_t next = capacity > most / 2 ? most : 2 * capacity;

	if (wanted > most)
		return 0;
	if (next < first)
		next = first;
	return next < wanted ? wanted : next;
}

void pk_shrink(void *items, size_t *capacity, size_t count, size_t size)
{
	const size_t kept = count ? count : 1;
	void *old, *shorter;

	if (kept >= *capacity)
		return;
	memcpy(&old, items, sizeof(old));
	shorter = realloc(old, kept * size);
	if (!shorter)
		return;
	memcpy(items, &shorter, sizeof(shorter));
	*capacity = kept;
}

void pk_renumber(void *items, size_t *capacity, size_t size, const uint32_t *to, uint32_t count)
{
	size_t kept = 1;
	char *array;

	if (!*capacity)
		return;
	memcpy(&array, items, sizeof(array));
	for (size_t i = 1; i <= count && i < *capacity; i++) {
		if (!to[i])
			continue;
		kept = to[i] + (size_t)1;
		memmove(array + to[i] * size, array + i * size, size);
	}
	memset(array + kept * size, 0, (*capacity - kept) * size);
	pk_shrink(items, capacity, kept, size);
}

enum pk_status pk_grow(void *items, size_t *capacity, size_t count, size_t more, size_t size)
{
	size_t next;
	void *old, *grown;

	next = more > SIZE_MAX - count ? 0 : next_capacity(*capacity, count + more, size);
	if (!next)
		return PK_NOMEM;
	memcpy(&old, items, sizeof(old));
	grown = realloc(old, next * size);
	if (!grown)
		return PK_NOMEM;
	pk_use_large_pages(grown, next * size);
	memcpy(items, &grown, sizeof(grown));
	*capacity = next;
	return PK_OK;
}

enum pk_status pk_extend_array(void *items, size_t *capacity, size_t index, size_t size)
{
	const size_t old = *capacity;
	char *data;

	if (index == SIZE_MAX)
		return PK_NOMEM;
	PK_TRY(pk_reserve(items, capacity, old, index - old + 1, size));
	memcpy(&data, items, sizeof(data));
	memset(data + old * size, 0, (*capacity - old) * size);
	return PK_OK;
}
