// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "periods.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "table.h"

/* The last value of one counter. If new threads inherit the event, each thread has its own counter,
 * and the member `value` is ignored. */
struct counter {
	uint64_t value;
	struct pk_table threads; /* by tid, the last value as uint64_t */
};

/* The last values of all counters. */
struct pk_periods {
	struct pk_table counters; /* by PERF_FORMAT_ID, items of struct counter */
};

struct pk_periods *pk_periods_new(void)
{
	return calloc(1, sizeof(struct pk_periods));
}

static void free_counter(struct counter *counter)
{
	pk_table_free_all(&counter->threads);
	free(counter);
}

void pk_periods_forget(struct pk_periods *periods)
{
	struct counter *counter;
	size_t cursor = 0;

	while ((counter = pk_table_next_value(&periods->counters, &cursor)))
		free_counter(counter);
	pk_table_free(&periods->counters);
}

void pk_periods_free(struct pk_periods *periods)
{
	if (!periods)
		return;
	pk_periods_forget(periods);
	free(periods);
}

static uint64_t *last_value(struct pk_periods *periods, const struct pk_event *event, uint64_t id,
			    uint32_t tid)
{
	struct counter *counter = pk_table_get_or_add(&periods->counters, id, sizeof(*counter));

	if (!counter || !(event->attr.flags & PERF_ATTR_INHERIT))
		return counter ? &counter->value : NULL;
	return pk_table_get_or_add(&counter->threads, tid, sizeof(uint64_t));
}

static uint64_t own_period(const struct pk_event *event, const struct pk_record *record)
{
	if (pk_likely(event->layout.period))
		return pk_load_u64(record->data + event->layout.period);
	return event->attr.flags & PERF_ATTR_FREQ ? 1 : event->attr.sample_period;
}

/* Returns the size in bytes of the counter value of an event without a group, and of the fields
 * that follow it. */
static size_t single_value_size(uint64_t format)
{
	const uint64_t fields =
		format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			  PERF_FORMAT_ID | PERF_FORMAT_LOST);

	return 8 * (1 + (size_t)__builtin_popcountll(fields));
}

enum pk_status pk_periods_start(struct pk_period_walk *walk, struct pk_periods *periods,
				const struct pk_events *events, const struct pk_event *event,
				const struct pk_record *record)
{
	const uint64_t format = event->attr.read_format;
	struct pk_sample sample;

	walk->i = 0;
	walk->count = 1;
	walk->event = event;
	walk->has_values = pk_periods_has_values(event);
	if (pk_likely(!walk->has_values)) {
		if (record->size < event->layout.fixed_size)
			return PK_CORRUPT;
		walk->period = own_period(event, record);
		return PK_OK;
	}
	PK_TRY(pk_sample_decode(event, record, &sample));
	walk->periods = periods;
	walk->events = events;
	walk->read = sample.read;
	walk->tid = sample.tid;
	walk->is_group = format & PERF_FORMAT_GROUP;
	if (walk->is_group)
		walk->count = sample.read.count;
	else
		walk->at = sample.callchain_at - single_value_size(format);
	return PK_OK;
}

/* Sets *id and *value to the next counter of a sample. Returns false if there are no more counters.
 */
static bool next_counter(struct pk_period_walk *walk, uint64_t *id, uint64_t *value)
{
	*id = walk->read.id;
	*value = walk->read.value;
	if (!walk->is_group)
		return !walk->i++;
	while (walk->i < walk->count) {
		const uint64_t at = walk->i++ * walk->read.stride;

		walk->at = walk->read.group.data + 8 * at;
		*value = pk_u64s_at(&walk->read.group, at);
		*id = pk_u64s_at(&walk->read.group, at + 1);
		walk->event = pk_events_by_id(walk->events, *id);
		if (walk->event)
			return true;
	}
	return false;
}

/* Returns the increase of a counter. The samples of different processors can be in another order
 * than their times. So if a value is smaller than the last one, it is the value of an earlier time,
 * and the increase is 0. */
static uint64_t increase(uint64_t *last, uint64_t value)
{
	const uint64_t before = *last;

	if (value <= before)
		return 0;
	*last = value;
	return value - before;
}

enum pk_status pk_periods_next_value(struct pk_period_walk *walk)
{
	uint64_t id, value, *last;

	while (next_counter(walk, &id, &value)) {
		last = last_value(walk->periods, walk->event, id, walk->tid);
		if (!last)
			return PK_NOMEM;
		walk->period = increase(last, value);
		if (walk->period)
			return PK_OK;
	}
	return PK_END;
}

static enum pk_status take_note(struct pk_periods *periods, struct pk_periods *sums,
				const struct pk_events *events, const struct pk_record *record,
				uint8_t *copy)
{
	struct pk_period_walk walk;
	uint64_t id, value, *last, *sum, more;

	if (!pk_periods_has_values(record->event))
		return PK_OK;
	PK_TRY(pk_periods_start(&walk, periods, events, record->event, record));
	while (next_counter(&walk, &id, &value)) {
		last = last_value(periods, walk.event, id, walk.tid);
		sum = sums ? last_value(sums, walk.event, id, walk.tid) : NULL;
		if (!last || (sums && !sum))
			return PK_NOMEM;
		more = increase(last, value);
		if (!sum)
			continue;
		*sum += more;
		pk_store_u64(copy + (walk.at - record->data), *sum);
	}
	return PK_OK;
}

enum pk_status pk_periods_leave_out(struct pk_periods *periods, const struct pk_events *events,
				    const struct pk_record *record)
{
	return take_note(periods, NULL, events, record, NULL);
}

enum pk_status pk_periods_keep(struct pk_periods *periods, struct pk_periods *sums,
			       const struct pk_events *events, const struct pk_record *record,
			       uint8_t *copy)
{
	return take_note(periods, sums, events, record, copy);
}
