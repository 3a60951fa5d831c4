// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "queue.h"
#include "vector.h"

#define CAPACITY_MIN 1024
/* Closing up accesses each item. The array is so much longer than the items need, that this is
 * rare; a large array only twice as long. */
#define CAPACITY_LARGE (1 << 18)
#define SPACE	       8
#define SPACE_OF_LARGE 2

void queue_free(struct queue *queue)
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

/* At least half of the array is free after this, so the amortized cost of adding is constant. */
static bool make_room(struct queue *queue)
{
	const size_t more = queue->capacity ? 1 : CAPACITY_MIN;
	const size_t space = queue->capacity < CAPACITY_LARGE ? SPACE : SPACE_OF_LARGE;

	if (queue->capacity && queue->count <= queue->capacity / space) {
		close_up(queue);
		return true;
	}
	return pk_reserve(&queue->entries, &queue->capacity, queue->capacity, more,
			  sizeof(*queue->entries));
}

bool queue_add(struct queue *queue, struct queue_place *place)
{
	if (queue->end == queue->capacity && !make_room(queue))
		return false;
	place->at = queue->end;
	queue->entries[queue->end++] = place;
	queue->count++;
	return true;
}

void queue_remove(struct queue *queue, const struct queue_place *place)
{
	queue->entries[place->at] = NULL;
	if (!--queue->count)
		queue->begin = queue->end = 0;
}

struct queue_place *queue_first(struct queue *queue)
{
	if (!queue->count)
		return NULL;
	while (!queue->entries[queue->begin])
		queue->begin++;
	return queue->entries[queue->begin];
}
