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

static enum pk_status add_trace(struct trace_turns *turns,
				const struct perf_record_auxtrace *auxtrace, size_t size,
				struct trace_turn **turn)
{
	PK_TRY(pk_reserve(&turns->all, &turns->all_capacity, turns->all_count, 1,
			  sizeof(struct trace_turn *)));
	PK_TRY(pk_reserve(&turns->heap, &turns->capacity, turns->all_count, 1,
			  sizeof(struct trace_turn *)));
	*turn = calloc(1, size);
	if (!*turn)
		return PK_NOMEM;
	(*turn)->order = (unsigned int)turns->all_count;
	(*turn)->cpu = auxtrace->cpu;
	(*turn)->tid = auxtrace->tid;
	if (pk_table_set(&turns->by_index, auxtrace->idx, *turn) != PK_OK) {
		free(*turn);
		return PK_NOMEM;
	}
	turns->all[turns->all_count++] = *turn;
	return PK_OK;
}

enum pk_status trace_turns_of(struct trace_turns *turns,
			      const struct perf_record_auxtrace *auxtrace, size_t size, size_t most,
			      struct trace_turn **turn)
{
	*turn = pk_table_get(&turns->by_index, auxtrace->idx);
	if (*turn || turns->all_count == most)
		return PK_OK;
	return add_trace(turns, auxtrace, size, turn);
}

void trace_turns_clear(struct trace_turns *turns)
{
	for (size_t i = 0; i < turns->all_count; i++)
		free(turns->all[i]);
	pk_table_clear(&turns->by_index);
	turns->all_count = turns->count = 0;
}

void trace_turns_add(struct trace_turns *turns, struct trace_turn *turn)
{
	turns->heap[turns->count] = turn;
	sift_up(turns->heap, turns->count++);
}

enum pk_status trace_turns_move_first(struct trace_turns *turns, enum pk_status result)
{
	if (result && result != PK_END)
		return result;
	if (result == PK_END)
		turns->heap[0] = turns->heap[--turns->count];
	sift_down(turns->heap, turns->count);
	return PK_OK;
}

void trace_turns_free(struct trace_turns *turns)
{
	trace_turns_clear(turns);
	pk_table_free(&turns->by_index);
	free(turns->all);
	free(turns->heap);
	*turns = (struct trace_turns){0};
}
