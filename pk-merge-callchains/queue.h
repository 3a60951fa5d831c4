/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_QUEUE_H
#define PK_QUEUE_H

/* A queue of items in the order of adding; any item can be removed at any time. It is an array in
 * which removed items leave NULL: unlike with a linked list, adding and removing does not access
 * the adjacent items, which are often not in the cache. */

#include <stdbool.h>
#include <stddef.h>

/* Embedded in each item. */
struct queue_place {
	size_t at;
};

struct queue {
	struct queue_place **entries; /* NULL: removed */
	size_t begin, end, capacity, count;
};

void queue_free(struct queue *queue);
/* Adds an item as the youngest. False: out of memory. */
bool queue_add(struct queue *queue, struct queue_place *place);
void queue_remove(struct queue *queue, const struct queue_place *place);
/* The oldest, or NULL. */
struct queue_place *queue_first(struct queue *queue);

/* The item that contains a place; NULL for NULL. */
#define queue_thing(place, type, member)                                                           \
	((place) ? (type *)(void *)((char *)(place)-offsetof(type, member)) : NULL)

#endif
