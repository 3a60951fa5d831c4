// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "status.h"
#include "trace_turns.h"
#include "vector.h"

static bool is_before(const struct trace_turn *a, const struct trace_turn *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void sift_up(struct trace_turn **heap, size_t i)
{
	while (i && is_before(heap[i], heap[(i - 1) / 2])) {
		struct trace_turn *parent = heap[(i - 1) / 2];

		heap[(i - 1) / 2] = heap[i];
		heap[i] = parent;
		i = (i - 1) / 2;
	}
}

static void sift_down(struct trace_turn **heap, size_t count)
{
	size_t i = 0, least;

	for (;;) {
		struct trace_turn *top = heap[i];

		least = 2 * i + 1;
		if (least >= count)
			return;
		if (least + 1 < count && is_before(heap[least + 1], heap[least]))
			least++;
		if (!is_before(heap[least], top))
			return;
		heap[i] = heap[least];
		heap[least] = top;
		i = least;
	}
}

enum pk_status trace_turns_reserve(struct trace_turns *turns, size_t traces)
{
	return pk_reserve(&turns->heap, &turns->capacity, traces, 1, sizeof(struct trace_turn *));
}

void trace_turns_add(struct trace_turns *turns, struct trace_turn *turn)
{
	turns->heap[turns->count] = turn;
	sift_up(turns->heap, turns->count++);
}

void trace_turns_remove_first(struct trace_turns *turns)
{
	turns->heap[0] = turns->heap[--turns->count];
	sift_down(turns->heap, turns->count);
}

void trace_turns_move_first(struct trace_turns *turns)
{
	sift_down(turns->heap, turns->count);
}

void trace_turns_free(struct trace_turns *turns)
{
	free(turns->heap);
	*turns = (struct trace_turns){0};
}
