// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "stat_rounds.h"
#include "vector.h"

/* Returns the number of the name of an event, or 0 if memory is exhausted. */
static uint32_t number_of(struct pk_stat_rounds *rounds, const struct pk_event *event)
{
	uint32_t *number;

	if (pk_extend(&rounds->of_events, &rounds->of_events_count, event->index) != PK_OK)
		return 0;
	number = &rounds->of_events[event->index];
	if (!*number)
		*number = pk_texts_add(&rounds->names, event->name, strlen(event->name));
	return *number;
}

/* Returns the count for the whole time. If the event shared its counter with other events, it was
 * counted only for a part of the time. */
static uint64_t scaled(const struct perf_record_stat *stat)
{
	struct pk_wide value, rest;

	if (!stat->running || stat->running >= stat->enabled)
		return stat->value;
	value = pk_wide_product(stat->value, stat->enabled);
	value = pk_wide_add(value, pk_wide_of_u64(stat->running / 2));
	value = pk_wide_divide(value, pk_wide_of_u64(stat->running), &rest);
	return value.high ? UINT64_MAX : value.low;
}

static enum pk_status add_round(struct pk_stat_rounds *rounds, const struct pk_events *events,
				const struct perf_record_stat *stat)
{
	const struct pk_event *event = pk_events_by_id(events, stat->id);
	struct pk_stat_sum *sum;
	uint32_t number;

	if (!event)
		return PK_OK;
	number = number_of(rounds, event);
	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&rounds->sums, &rounds->sums_count, number));
	sum = &rounds->sums[number];
	if (__builtin_add_overflow(sum->now, scaled(stat), &sum->now))
		sum->now = UINT64_MAX;
	sum->counted = true;
	return PK_OK;
}

static enum pk_status end_sum(struct pk_stat_rounds *rounds, uint32_t number, uint64_t time)
{
	struct pk_stat_sum *sum = &rounds->sums[number];
	const struct pk_stat_count count = {
		.event = pk_texts_get(&rounds->names, number, NULL),
		.number = number,
		.start = rounds->last,
		.end = time,
		.count = sum->now > sum->before ? sum->now - sum->before : 0,
	};

	sum->before = sum->now > sum->before ? sum->now : sum->before;
	sum->now = 0;
	sum->counted = false;
	return rounds->count(rounds->arg, &count);
}

static enum pk_status end_round(struct pk_stat_rounds *rounds, uint64_t after)
{
	uint64_t time;

	if (__builtin_add_overflow(after, rounds->base, &time) || time <= rounds->last)
		time = rounds->last;
	for (uint32_t i = 1; i <= rounds->names.count && i < rounds->sums_count; i++)
		if (rounds->sums[i].counted)
			PK_TRY(end_sum(rounds, i, time));
	rounds->last = time;
	return PK_OK;
}

static void begin_session(struct pk_stat_rounds *rounds)
{
	rounds->base = rounds->last;
	free(rounds->of_events);
	rounds->of_events = NULL;
	rounds->of_events_count = 0;
	if (rounds->sums)
		memset(rounds->sums, 0, rounds->sums_count * sizeof(*rounds->sums));
}

enum pk_status pk_stat_rounds_record(struct pk_stat_rounds *rounds, const struct pk_events *events,
				     const struct pk_record *record)
{
	const struct perf_record_stat_round *round = (const void *)record->data;

	if (record->type == PK_RECORD_BEGIN)
		begin_session(rounds);
	else if (record->type == PERF_RECORD_STAT &&
		 record->size >= sizeof(struct perf_record_stat))
		return add_round(rounds, events, (const void *)record->data);
	else if (record->type == PERF_RECORD_STAT_ROUND && record->size >= sizeof(*round))
		return end_round(rounds, round->time);
	return PK_OK;
}

void pk_stat_rounds_free(struct pk_stat_rounds *rounds)
{
	pk_texts_free(&rounds->names);
	free(rounds->sums);
	free(rounds->of_events);
}
