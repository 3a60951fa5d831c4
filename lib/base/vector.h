/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_VECTOR_H
#define PK_VECTOR_H

/*
 * The growing array: a pointer to items, their count, and the allocated capacity. All zero is an
 * empty array; free(items) frees it.
 *
 *     PK_TRY(pk_reserve(&list->ranges, &list->capacity, list->count, 1, sizeof(*list->ranges)));
 *     list->ranges[list->count++] = range;
 *
 * pk_vector_reserve() does the same for a struct with the members `items`, `count` and `capacity`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* A list of texts, which it does not own. */
struct pk_text_list {
	const char **items;
	size_t count, capacity;
};

/* ---- Vectors ---- */

/* The part of pk_reserve() that allocates. */
PK_MUST_CHECK enum pk_status pk_grow(void *items, size_t *capacity, size_t count, size_t more,
				     size_t size);

/* Makes room for `more` items of `size` bytes after the first `count`. `items` is the address of
 * the pointer to them. The pointer and *capacity change when the array grows, to at least twice its
 * capacity. Returns PK_NOMEM if memory is exhausted or the size overflows. Nothing has changed
 * then. */
static inline enum pk_status pk_reserve(void *items, size_t *capacity, size_t count, size_t more,
					size_t size)
{
	return count <= *capacity && *capacity - count >= more
		       ? PK_OK
		       : pk_grow(items, capacity, count, more, size);
}

/* For an array without a count: all its *capacity items are valid. Call it if index is not less
 * than *capacity. It grows the array, so that item `index` exists. New items are zero bytes.
 * Returns PK_NOMEM if memory is exhausted or the size overflows. Nothing has changed then. */
PK_MUST_CHECK enum pk_status pk_extend_array(void *items, size_t *capacity, size_t index,
					     size_t size);

/* The same for any index; item `index` can exist already. */
#define pk_extend(items, capacity, index)                                                          \
	((index) < *(capacity) ? PK_OK                                                             \
			       : pk_extend_array((items), (capacity), (index), sizeof(**(items))))

#define pk_vector_reserve(vector, more)                                                            \
	pk_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, (more),                 \
		   sizeof(*(vector)->items))

/* Changes the numbers, from 1 on, that are the indices of an array of pk_extend(). Item i becomes
 * item to[i]. An item whose new number is 0 is dropped. The new numbers ascend with the old ones,
 * none is greater, and there are `count` old ones. Frees the memory that is not needed any more. */
void pk_renumber(void *items, size_t *capacity, size_t size, const uint32_t *to, uint32_t count);

/* Frees the memory after the first `count` items, and sets *capacity. If count is 0, memory for one
 * item stays. Nothing changes if realloc() fails. */
void pk_shrink(void *items, size_t *capacity, size_t count, size_t size);

/* ---- Large pages ---- */

/* Large pages (2 MiB) for large arrays with random accesses: with pages of 4 KiB nearly every
 * access would need a page table walk. */

/* Advises the kernel to use large pages (MADV_HUGEPAGE) for an allocation of at least 4 MiB. Errors
 * are ignored, and errno does not change. */
void pk_use_large_pages(void *data, size_t size);

#endif
