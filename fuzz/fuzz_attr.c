/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/attr.c */
/* seeds: streams */
/* Tests HEADER_ATTR, EVENT_UPDATE and EVENT_DESC records, and the events that result from them. */
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ids(const struct pk_events *events, const struct pk_event *event)
{
	for (size_t i = 0; i < event->ids_count; i++) {
		const struct pk_event *owner = pk_events_by_id(events, event->ids[i]);

		/* If two events have the same id, the first one keeps it. */
		check_that(event->ids[i] ? owner && owner->index <= event->index : !owner);
	}
}

/* Calculates the offset of each field again (SPEC 5.1 and 5.5). */
static void check_layout(const struct pk_event *event)
{
	const uint64_t before_read = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				     PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	const uint64_t trailing = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	const struct pk_layout *layout = &event->layout;
	uint64_t type = pk_event_decoded_type(event);
	bool everywhere = event->attr.flags & PERF_ATTR_SAMPLE_ID_ALL;
	/* SPEC 5.6: RAW starts with its size, the task and the period */
	const size_t in_raw = event->off_cpu ? 4 + 8 + 8 : 0;

	check_that(layout->fixed_size == 8 + 8 * __builtin_popcountll(type & before_read) + in_raw);
	check_that(layout->trailer.size ==
		   (everywhere ? 8 * __builtin_popcountll(type & trailing) : 0));
	check_that(!layout->identifier == !(type & PERF_SAMPLE_IDENTIFIER));
	check_that(!layout->time == !(type & PERF_SAMPLE_TIME));
	check_that(!layout->trailer.time == !(everywhere && type & PERF_SAMPLE_TIME));
	check_that(layout->callchain < layout->fixed_size + 6 * 8);
	check_that(!(type & PERF_SAMPLE_READ && event->attr.read_format & ~PERF_FORMAT_KNOWN));
	check_that(!(type & PERF_SAMPLE_BRANCH_STACK &&
		     event->attr.branch_sample_type & ~PERF_SAMPLE_BRANCH_KNOWN));
}

static void check_events(const struct pk_events *events)
{
	check_that(!pk_events_by_id(events, 0));
	check_that(!pk_events_at(events, pk_events_count(events)));
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		check_that(event->index == i && strlen(event->name) > 0);
		check_ids(events, event);
		check_layout(event);
	}
}

static void take(struct pk_events *events, const struct pk_record *record)
{
	const struct pk_event *event =
		pk_events_of(events, record->data, record->type, record->size, record->misc & 1);
	const struct perf_record_header_feature *feature = (const void *)record->data;
	size_t count = pk_events_count(events);
	const char *problem = NULL;
	enum pk_status status = PK_OK;

	check_that(!event || event == pk_events_at(events, event->index));
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR:
		status = pk_events_add(events, record, &problem);
		check_that(status == PK_OK || (status == PK_CORRUPT && problem));
		check_that(pk_events_count(events) == count + (status == PK_OK));
		break;
	case PERF_RECORD_EVENT_UPDATE: status = pk_events_update(events, record); break;
	case PERF_RECORD_HEADER_FEATURE:
		status = pk_events_describe(events, feature->data, record->size - sizeof(*feature));
		break;
	default: break;
	}
	check_that(status == PK_OK || status == PK_CORRUPT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_events events = {0};
	struct walk_records walk;
	struct pk_record record;

	if (!walk_begin(&walk, data, size, false))
		return 0;
	while (walk_next(&walk, &record))
		take(&events, &record);
	check_events(&events);
	pk_events_clear(&events);
	return 0;
}
