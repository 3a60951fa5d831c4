/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_VECTOR_H
#define PK_VECTOR_H

/*
 * The growing array: a pointer to items, how many there are, and how many there is room for. All
 * zero is an empty one, and its memory goes with free(items).
 *
 *     if (!pk_reserve(&list->ranges, &list->capacity, list->count, 1, sizeof(*list->ranges)))
 *             return PK_NOMEM;
 *     list->ranges[list->count++] = range;
 *
 * pk_vector_reserve() does the same for a struct whose members are `items`, `count` and `capacity`.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes room for `more` items of `size` bytes after the first `count`. `items` is the address of
 * the pointer to them; it and *capacity change when the array grows, to at least twice its
 * capacity. False: out of memory, or the size overflows; nothing changed.
 */
bool pk_reserve(void *items, size_t *capacity, size_t count, size_t more, size_t size);

/*
 * Makes item `index` exist in an array whose *capacity items are all in use; new ones are zero
 * bytes. False: out of memory, nothing changed.
 */
bool pk_extend_array(void *items, size_t *capacity, size_t index, size_t size);

#define pk_extend(items, capacity, index)                                                          \
	((index) < *(capacity) || pk_extend_array((items), (capacity), (index), sizeof(**(items))))

#define pk_vector_reserve(vector, more)                                                            \
	((vector)->capacity - (vector)->count >= (more) ||                                         \
	 pk_reserve(&(vector)->items, &(vector)->capacity, (vector)->count, (more),                \
		    sizeof(*(vector)->items)))

/* Frees the room behind the first `count` items (one at least stays); nothing changes where there
 * is no memory for a smaller block. */
void pk_shrink(void *items, size_t *capacity, size_t count, size_t size);

#endif
