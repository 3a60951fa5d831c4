// SPDX-License-Identifier: BSD-2-Clause
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "large_pages.h"
#include "vector.h"

#define BYTES_MIN 64 /* of a first allocation */

/* How many items to allocate; 0: that many bytes cannot be. */
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

bool pk_reserve(void *items, size_t *capacity, size_t count, size_t more, size_t size)
{
	size_t next;
	void *old, *grown;

	if (count <= *capacity && *capacity - count >= more)
		return true;
	next = more > SIZE_MAX - count ? 0 : next_capacity(*capacity, count + more, size);
	if (!next)
		return false;
	memcpy(&old, items, sizeof(old));
	grown = realloc(old, next * size);
	if (!grown)
		return false;
	pk_use_large_pages(grown, next * size);
	memcpy(items, &grown, sizeof(grown));
	*capacity = next;
	return true;
}

bool pk_extend_array(void *items, size_t *capacity, size_t index, size_t size)
{
	const size_t old = *capacity;
	char *data;

	if (index == SIZE_MAX || !pk_reserve(items, capacity, old, index - old + 1, size))
		return false;
	memcpy(&data, items, sizeof(data));
	memset(data + old * size, 0, (*capacity - old) * size);
	return true;
}
