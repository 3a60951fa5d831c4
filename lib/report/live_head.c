// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "live_head.h"
#include "perf_abi.h"
#include "pkutil.h"

/* Describes the events that are counted, such as "1000 Hz cycles" or "2 events". */
static void set_events(struct live_head *head, const struct pk_events *events)
{
	const struct pk_event *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		if (event->attr.type == PERF_TYPE_SOFTWARE &&
		    event->attr.config == PERF_COUNT_SW_DUMMY)
			continue;
		first = first ? first : event;
		count++;
	}
	head->events_count = count;
	if (count == 1)
		snprintf(head->events, sizeof(head->events), "  [%" PRIu64 "%s %s]",
			 first->attr.sample_period, first->attr.flags & PERF_ATTR_FREQ ? " Hz" : "",
			 first->name);
	else
		snprintf(head->events, sizeof(head->events), "  [%zu events]", count);
}

static void add_sample(struct live_head *head, const struct pk_reader *reader,
		       const struct pk_record *record)
{
	const uint16_t at = record->event ? record->event->layout.time : 0;

	if (!head->events[0])
		set_events(head, pk_reader_events(reader));
	head->samples++;
	head->kernel += (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	head->exact += (record->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	if (!at || at + 8u > record->size)
		return;
	head->end = pk_load_u64(record->data + at);
	if (!head->start)
		head->start = head->end;
}

/* Returns whether the record can describe events. Between two samples, few records do. */
static bool can_change_events(const struct pk_record *record)
{
	const unsigned int definition = pk_definition_of(record);

	switch (record->type) {
	case PK_RECORD_BEGIN:
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_FEATURE: return true;
	case PERF_RECORD_EVENT_UPDATE:
		return definition == PK_DEFINITION_NONE || definition == PK_FEATURE_PART;
	default: return false;
	}
}

void pk_live_head_record(struct live_head *head, const struct pk_reader *reader,
			 const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (record->type == PERF_RECORD_SAMPLE) {
		add_sample(head, reader, record);
		return;
	}
	if (record->type == PK_RECORD_BEGIN) {
		head->start = 0; /* the new session has another clock */
		head->cpus = 0;
	}
	if (can_change_events(record))
		head->events[0] = '\0';
	if (pk_reader_feature(reader, record, &feature) && feature.id == PERF_FEATURE_NRCPUS &&
	    feature.size >= 8)
		head->cpus = pk_load_u32(
			feature.data +
			4); /* the number of online CPUs follows the number of available CPUs */
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static double samples_per_second(const struct live_head *head, uint64_t span)
{
	if (!span && head->start && head->end > head->start)
		span = head->end - head->start;
	return (double)head->samples / (span ? (double)span / 1e9 : 1);
}

void pk_live_head_text(const struct live_head *head, uint64_t span, uint64_t lost,
		       struct buffer *out)
{
	buffer_format(out, "%.0f samples/s  kernel: %.1f%%  exact: %.1f%%  lost: ",
		      samples_per_second(head, span), percent(head->kernel, head->samples),
		      percent(head->exact, head->samples));
	buffer_format(out, "%" PRIu64 "/%" PRIu64, lost - head->lost, lost);
	buffer_harmless(out, head->events, strlen(head->events));
	if (head->cpus)
		buffer_format(out, "  (%" PRIu32 " CPU%s)", head->cpus, head->cpus == 1 ? "" : "s");
}

void pk_live_head_json(const struct live_head *head, uint64_t span, uint64_t lost,
		       struct json *json)
{
	json_number(json, "samples", head->samples);
	json_real(json, "samples_per_second", samples_per_second(head, span));
	json_real(json, "kernel", percent(head->kernel, head->samples));
	json_real(json, "exact", percent(head->exact, head->samples));
	json_number(json, "lost", lost - head->lost);
	json_number(json, "lost_total", lost);
	json_number(json, "events", head->events_count);
	if (head->cpus)
		json_number(json, "cpus", head->cpus);
}

void pk_live_head_next(struct live_head *head, uint64_t lost)
{
	head->samples = head->kernel = head->exact = 0;
	if (head->start)
		head->start = head->end;
	head->lost = lost;
}
