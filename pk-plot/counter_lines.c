// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "counter_lines.h"
#include "vector.h"

/* The line of an event: events of the same name share one. NULL: none is left, or *failed. */
static struct counter_line *find_line(struct counter_lines *lines, const struct pk_event *event,
				      bool *failed)
{
	uint64_t number = pk_table_get_u64(&lines->of_event, (uintptr_t)event);
	const size_t size = strlen(event->name);

	for (size_t i = 0; !number && i < lines->count; i++)
		if (lines->items[i].name.size == size &&
		    !memcmp(lines->items[i].name.data, event->name, size))
			number = i + 1;
	if (!number && lines->count == COUNTERS_MAX) {
		lines->dropped++;
		return NULL;
	}
	if (!number) {
		*failed = !pk_vector_reserve(lines, 1);
		if (*failed)
			return NULL;
		lines->items[lines->count] = (struct counter_line){.join = 1};
		buffer_add(&lines->items[lines->count].name, event->name, size);
		number = ++lines->count;
	}
	*failed = lines->items[number - 1].name.failed ||
		  !pk_table_set_u64(&lines->of_event, (uintptr_t)event, number);
	return *failed ? NULL : &lines->items[number - 1];
}

static bool add_count(struct counter_lines *lines, const struct pk_events *events,
		      const struct perf_record_stat *stat)
{
	const struct pk_event *event = pk_events_by_id(events, stat->id);
	bool failed = false;
	struct counter_line *line = event ? find_line(lines, event, &failed) : NULL;
	double value = (double)stat->value;

	if (!line)
		return !failed;
	if (stat->running && stat->running < stat->enabled)
		value *= (double)stat->enabled / (double)stat->running;
	line->now += value;
	return true;
}

/* Joins pairs of points. */
static void halve(struct counter_line *line)
{
	size_t count = 0;

	for (size_t i = 0; i + 1 < line->count; i += 2) {
		struct counter_point point = line->points[i];

		point.end = line->points[i + 1].end;
		point.count += line->points[i + 1].count;
		line->points[count++] = point;
	}
	if (line->count % 2)
		line->points[count++] = line->points[line->count - 1];
	else
		line->open = 0;
	line->count = count;
	line->join *= 2;
}

static bool end_round(struct counter_line *line, uint64_t from, uint64_t time)
{
	/* A round without this event has no STAT. */
	const double count = line->now > line->before ? line->now - line->before : 0;
	struct counter_point *last;

	line->before = line->now > 0 ? line->now : line->before;
	line->now = 0;
	if (line->open && line->open < line->join) {
		last = &line->points[line->count - 1];
		last->count += count;
		last->end = time;
		line->open++;
		return true;
	}
	if (line->count == COUNTER_POINTS_MAX)
		halve(line);
	if (!pk_reserve(&line->points, &line->capacity, line->count, 1, sizeof(*line->points)))
		return false;
	line->points[line->count++] = (struct counter_point){from, time, count};
	line->open = 1;
	return true;
}

bool counter_lines_record(struct counter_lines *lines, const struct pk_events *events,
			  const struct pk_record *record)
{
	const struct perf_record_stat_round *round = (const void *)record->data;
	uint64_t time;

	if (record->type == PERF_RECORD_STAT && record->size >= sizeof(struct perf_record_stat))
		return add_count(lines, events, (const void *)record->data);
	if (record->type != PERF_RECORD_STAT_ROUND || record->size < sizeof(*round) ||
	    round->type != 0 || __builtin_add_overflow(round->time, lines->base, &time) ||
	    time <= lines->last)
		return true;
	for (size_t i = 0; i < lines->count; i++)
		if (!end_round(&lines->items[i], lines->last, time))
			return false;
	lines->last = time;
	return true;
}

void counter_lines_end_session(struct counter_lines *lines)
{
	pk_table_clear(&lines->of_event);
	lines->base = lines->last;
	for (size_t i = 0; i < lines->count; i++)
		lines->items[i].now = lines->items[i].before = 0;
}

void counter_lines_free(struct counter_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		free(lines->items[i].name.data);
		free(lines->items[i].points);
	}
	free(lines->items);
	pk_table_free(&lines->of_event);
}
