/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_VECTOR_H
#define PK_VECTOR_H

/*
 * A growing array: a pointer to the items, their count, and the allocated capacity. If all members
 * are zero, the array is empty. The caller frees the array with free(items).
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

/* A list of pointers to texts. The list does not own the texts. */
struct pk_text_list {
	const char **items;
	size_t count, capacity;
};

/* ---- Vectors ---- */

/* The slow path of pk_reserve(), which allocates memory. */
PK_MUST_CHECK enum pk_status pk_grow(void *items, size_t *capacity, size_t count, size_t more,
				     size_t size);

/* Makes room for `more` items of `size` bytes after the first `count` items. `items` is the address
 * of the pointer to the items. If there is not enough room, the array grows to at least twice its
 * capacity, and the pointer and *capacity change. If memory is exhausted or the size overflows,
 * returns PK_NOMEM and changes nothing. */
static inline enum pk_status pk_reserve(void *items, size_t *capacity, size_t count, size_t more,
					size_t size)
{
	return count <= *capacity && *capacity - count >= more
		       ? PK_OK
		       : pk_grow(items, capacity, count, more, size);
}

/* Makes an array grow until it has an item with this index. This function is for an array that has
 * no count, because all *capacity items are valid. Call it only if index is not less than
 * *capacity. All bytes of the new items are zero. If memory is exhausted or the size overflows,
 * returns PK_NOMEM and changes nothing. */
PK_MUST_CHECK enum pk_status pk_extend_array(void *items, size_t *capacity, size_t index,
					     size_t size);

/* Like pk_extend_array(), but the item with this index can exist already. */
#define pk_extend(items, capacity, index)                                                          \
	((index) < *(capacity) ? PK_OK                                                             \
			       : pk_extend_array((items), (capacity), (index), sizeof(**(items))))

#define pk_vector_reserve(vector, more)                                                            \
	pk_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, (more),                 \
		   sizeof(*(vector)->items))

/* Changes the numbers of the items. The numbers are the indices in an array that pk_extend() made,
 * and start with 1. Item i becomes item to[i]. If to[i] is 0, the item is dropped. There are
 * `count` old numbers. The new numbers must be in the same order as the old numbers, and no new
 * number is greater than its old number. Frees the memory that the array does not need any more. */
void pk_renumber(void *items, size_t *capacity, size_t size, const uint32_t *to, uint32_t count);

/* Frees the memory after the first `count` items, and sets *capacity. If `count` is 0, keeps memory
 * for one item. If realloc() fails, nothing changes. */
void pk_shrink(void *items, size_t *capacity, size_t count, size_t size);

/* ---- Large pages ---- */

/* Large arrays with random accesses use large pages (2 MiB). With pages of 4 KiB, nearly every
 * access would need a page table walk. */

/* Advises the kernel to use large pages (MADV_HUGEPAGE) for the allocation. Does nothing if the
 * allocation is smaller than 4 MiB. Ignores errors, and does not change errno. */
void pk_use_large_pages(void *data, size_t size);

#endif
