// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "periods.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "table.h"

/* The last value of one counter. If the event is inherited, each thread has its own counter, and
 * value is unused. */
struct counter {
	uint64_t value;
	struct pk_table threads; /* tid -> pointer to uint64_t, the last value */
};

struct pk_periods {
	struct pk_table counters; /* PERF_FORMAT_ID -> struct counter */
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

static enum pk_status count_one(struct pk_periods *periods, const struct pk_event *event,
				uint64_t id, uint64_t value, uint32_t tid, pk_period_fn each,
				void *arg)
{
	uint64_t *last = last_value(periods, event, id, tid), period;

	if (!last)
		return PK_NOMEM;
	period = value - *last;
	*last = value;
	return period ? each(arg, event, period) : PK_OK;
}

static enum pk_status count_group(struct pk_periods *periods, const struct pk_events *events,
				  const struct pk_sample *sample, pk_period_fn each, void *arg)
{
	const struct pk_read_values *read = &sample->read;

	for (uint64_t i = 0; i < read->count; i++) {
		uint64_t id = pk_u64s_at(&read->group, i * read->stride + 1);
		const struct pk_event *event = pk_events_by_id(events, id);
		enum pk_status status;

		if (!event)
			continue;
		status = count_one(periods, event, id, pk_u64s_at(&read->group, i * read->stride),
				   sample->tid, each, arg);
		if (status)
			return status;
	}
	return PK_OK;
}

static uint64_t own_period(const struct pk_event *event, const struct pk_record *record)
{
	if (pk_likely(event->layout.period))
		return pk_load_u64(record->data + event->layout.period);
	return event->attr.flags & PERF_ATTR_FREQ ? 1 : event->attr.sample_period;
}

enum pk_status pk_periods_of(struct pk_periods *periods, const struct pk_events *events,
			     const struct pk_event *event, const struct pk_record *record,
			     pk_period_fn each, void *arg)
{
	struct pk_sample sample;
	enum pk_status status;
	uint64_t format = event->attr.read_format;

	if (pk_likely(!(event->attr.sample_type & PERF_SAMPLE_READ) ||
		      !(format & PERF_FORMAT_ID))) {
		if (record->size < event->layout.fixed_size)
			return PK_CORRUPT;
		return each(arg, event, own_period(event, record));
	}
	status = pk_sample_decode(event, record, &sample);
	if (status)
		return status;
	if (format & PERF_FORMAT_GROUP)
		return count_group(periods, events, &sample, each, arg);
	return count_one(periods, event, sample.read.id, sample.read.value, sample.tid, each, arg);
}
