/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_QUEUE_H
#define PK_QUEUE_H

/*
 * Things by age, any of which may go at any time. An array with holes: unlike in a list, who comes
 * and goes does not touch its neighbours, which have not been in the cache for long.
 */

#include <stdbool.h>
#include <stddef.h>

/* Part of each thing. */
struct queue_place {
	size_t at;
};

struct queue {
	struct queue_place **entries; /* NULL: it has gone */
	size_t begin, end, capacity, count;
};

void queue_free(struct queue *queue);
/* As the youngest. False: out of memory. */
bool queue_add(struct queue *queue, struct queue_place *place);
void queue_remove(struct queue *queue, const struct queue_place *place);
/* The oldest, or NULL. */
struct queue_place *queue_first(struct queue *queue);

/* The thing that a place, or NULL, is part of. */
#define queue_thing(place, type, member)                                                           \
	((place) ? (type *)(void *)((char *)(place)-offsetof(type, member)) : NULL)

#endif
