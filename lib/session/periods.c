// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "periods.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "table.h"

/* The last value of one counter. If new threads inherit the event, each thread has its own counter,
 * and value is not used. */
struct counter {
	uint64_t value;
	struct pk_table threads; /* by tid, the last value as uint64_t */
};

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

enum pk_status pk_periods_start(struct pk_period_walk *walk, struct pk_periods *periods,
				const struct pk_events *events, const struct pk_event *event,
				const struct pk_record *record)
{
	const uint64_t format = event->attr.read_format;
	struct pk_sample sample;

	walk->i = 0;
	walk->count = 1;
	walk->event = event;
	walk->has_values = event->attr.sample_type & PERF_SAMPLE_READ && format & PERF_FORMAT_ID;
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

		*value = pk_u64s_at(&walk->read.group, at);
		*id = pk_u64s_at(&walk->read.group, at + 1);
		walk->event = pk_events_by_id(walk->events, *id);
		if (walk->event)
			return true;
	}
	return false;
}

enum pk_status pk_periods_next_value(struct pk_period_walk *walk)
{
	uint64_t id, value, *last;

	while (next_counter(walk, &id, &value)) {
		last = last_value(walk->periods, walk->event, id, walk->tid);
		if (!last)
			return PK_NOMEM;
		walk->period = value - *last;
		*last = value;
		if (walk->period)
			return PK_OK;
	}
	return PK_END;
}
