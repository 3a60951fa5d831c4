// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dump.h"
#include "json.h"
#include "texts.h"
#include "pkutil.h"
#include "script.h"
#include "vector.h"

/* Statistics about the inputs: the number of records by type, and of samples by event. */

#define TYPES_MAX 128 /* larger types are counted together */

struct event_count {
	char *name;
	uint64_t samples, periods;
};

struct stats {
	uint64_t records[TYPES_MAX + 1], bytes[TYPES_MAX + 1];
	uint64_t total, total_bytes, sessions;
	uint64_t first, last; /* times in ns; `last` is 0 without samples */
	struct pk_periods *periods;
	struct pk_texts names; /* names of events; the id of a name is its index in `events` + 1 */
	struct event_count *events;
	size_t events_count, events_capacity;
	size_t *numbers; /* index in `events` + 1, by index of the event in the session */
	size_t numbers_count;
};

/* Returns the index of the name in `events` + 1, or 0 if memory is exhausted. */
static size_t find_name(struct stats *stats, const char *name)
{
	struct event_count *event;
	uint32_t id;

	id = pk_texts_add(&stats->names, name, strlen(name));
	if (id <= stats->events_count)
		return id;
	if (pk_reserve(&stats->events, &stats->events_capacity, stats->events_count, 1,
		       sizeof(*event)) != PK_OK)
		return 0;
	event = &stats->events[stats->events_count];
	*event = (struct event_count){.name = strdup(name)};
	return event->name ? ++stats->events_count : 0;
}

static struct event_count *find_event(struct stats *stats, const struct pk_event *event)
{
	if (pk_extend(&stats->numbers, &stats->numbers_count, event->index) != PK_OK)
		return NULL;
	if (pk_unlikely(!stats->numbers[event->index]))
		stats->numbers[event->index] = find_name(stats, event->name);
	if (!stats->numbers[event->index])
		return NULL;
	return &stats->events[stats->numbers[event->index] - 1];
}

/* A sample that has the values of a group is counted for each event of the group. */
static enum pk_status count_periods(struct script *script, struct stats *stats,
				    const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);
	struct pk_period_walk walk;
	enum pk_status status =
		pk_periods_start(&walk, stats->periods, events, record->event, record);

	while (!status && !(status = pk_periods_next(&walk))) {
		struct event_count *count = find_event(stats, walk.event);

		if (!count)
			return PK_NOMEM;
		count->samples++;
		count->periods += walk.period;
	}
	return status == PK_END ? PK_OK : status;
}

static enum pk_status count_sample(struct script *script, struct stats *stats,
				   const struct pk_record *record)
{
	enum pk_status status;

	if (!record->event)
		return PK_OK;
	status = count_periods(script, stats, record);
	if (pk_unlikely(status == PK_CORRUPT)) {
		pk_run_complain(script->run, record, "sample shorter than its fields, skipped");
		return PK_OK;
	}
	if (record->time == PK_NO_TIME)
		return status;
	if (!stats->last || record->time < stats->first)
		stats->first = record->time;
	if (record->time > stats->last)
		stats->last = record->time;
	return status;
}

/* Starts a new session. The indexes of events, and the tracepoint formats that name the events, are
 * valid only for one session. */
static enum pk_status start_session(struct script *script, struct stats *stats,
				    const struct pk_record *record)
{
	free(stats->numbers);
	stats->numbers = NULL;
	stats->numbers_count = 0;
	stats->sessions++;
	pk_periods_forget(stats->periods);
	return pk_context_record(script->context, script->run->reader, record);
}

/* Returns NULL if memory is exhausted. */
static struct stats *new_stats(void)
{
	struct stats *stats = calloc(1, sizeof(*stats));

	if (!stats)
		return NULL;
	stats->periods = pk_periods_new();
	if (stats->periods)
		return stats;
	free(stats);
	return NULL;
}

static enum pk_status count(struct script *script, const struct pk_record *record)
{
	uint32_t type = record->type < TYPES_MAX ? record->type : TYPES_MAX;
	struct stats *stats = script->own;

	if (!stats)
		stats = script->own = new_stats();
	if (!stats)
		return PK_NOMEM;
	if (record->type == PK_RECORD_BEGIN)
		return start_session(script, stats, record);
	stats->records[type]++;
	stats->bytes[type] += record->size + record->payload_size;
	stats->total++;
	stats->total_bytes += record->size + record->payload_size;
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return pk_context_record(script->context, script->run->reader, record);
	return record->type == PERF_RECORD_SAMPLE ? count_sample(script, stats, record) : PK_OK;
}

static void free_stats(struct stats *stats)
{
	for (size_t i = 0; i < stats->events_count; i++)
		free(stats->events[i].name);
	free(stats->events);
	pk_texts_free(&stats->names);
	free(stats->numbers);
	pk_periods_free(stats->periods);
	free(stats);
}

/* Returns true if the type has a name. Types without a name are counted together. */
static bool is_known(uint32_t type)
{
	return type < TYPES_MAX && strcmp(dump_type_name(type), "UNKNOWN") != 0;
}

static uint64_t count_unknown(const uint64_t *counts)
{
	uint64_t sum = 0;

	for (uint32_t type = 0; type <= TYPES_MAX; type++)
		if (!is_known(type))
			sum += counts[type];
	return sum;
}

static uint64_t duration(const struct stats *stats)
{
	return stats->last - stats->first;
}

/* ---- Text ---- */

static void add_line(struct buffer *out, const char *name, uint64_t value, uint64_t bytes)
{
	buffer_format(out, "  %-24s %12llu %16llu\n", name, (unsigned long long)value,
		      (unsigned long long)bytes);
}

static void add_seconds(struct buffer *out, uint64_t ns)
{
	buffer_format(out, "%llu.%09llu", (unsigned long long)ns / 1000000000,
		      (unsigned long long)ns % 1000000000);
}

static void text_finish(struct script *script)
{
	const struct pk_losses *losses = &script->run->losses;
	struct stats *stats = script->own;
	struct buffer *out = &script->out;

	if (!stats)
		return;
	buffer_format(out, "  %-24s %12s %16s\n", "", "records", "bytes");
	for (uint32_t type = 1; type < TYPES_MAX; type++)
		if (stats->records[type] && is_known(type))
			add_line(out, dump_type_name(type), stats->records[type],
				 stats->bytes[type]);
	if (count_unknown(stats->records))
		add_line(out, "UNKNOWN", count_unknown(stats->records),
			 count_unknown(stats->bytes));
	add_line(out, "total", stats->total, stats->total_bytes);
	buffer_format(out, "\n  %-24s %12s %16s\n", "event", "samples", "periods");
	for (size_t i = 0; i < stats->events_count; i++) {
		pk_harmless(stats->events[i].name);
		add_line(out, stats->events[i].name, stats->events[i].samples,
			 stats->events[i].periods);
	}
	buffer_format(out, "\n  lost records %llu, lost samples %llu\n",
		      (unsigned long long)losses->lost_records,
		      (unsigned long long)losses->lost_samples);
	if (stats->last) {
		buffer_text(out, "  first sample ");
		add_seconds(out, stats->first);
		buffer_text(out, ", last ");
		add_seconds(out, stats->last);
		buffer_text(out, ", between them ");
		add_seconds(out, duration(stats));
		buffer_text(out, " s\n");
	}
	free_stats(stats);
}

/* ---- JSON ---- */

static void add_counts(struct json *json, const char *name, const uint64_t *counts)
{
	json_open(json, name, '{');
	for (uint32_t type = 1; type < TYPES_MAX; type++)
		if (counts[type] && is_known(type))
			json_number(json, dump_type_name(type), counts[type]);
	if (count_unknown(counts))
		json_number(json, "UNKNOWN", count_unknown(counts));
	json_close(json, '}');
}

static void json_finish(struct script *script)
{
	static const struct stats none;
	const struct pk_losses *losses = &script->run->losses;
	const struct stats *stats = script->own ? script->own : &none;
	struct json json = {.out = &script->out};

	json_open(&json, NULL, '{');
	json_number(&json, "sessions", stats->sessions);
	json_number(&json, "samples", stats->records[PERF_RECORD_SAMPLE]);
	add_counts(&json, "records", stats->records);
	add_counts(&json, "bytes", stats->bytes);
	json_open(&json, "events", '[');
	for (size_t i = 0; i < stats->events_count; i++) {
		json_open(&json, NULL, '{');
		json_text(&json, "name", stats->events[i].name);
		json_number(&json, "samples", stats->events[i].samples);
		json_number(&json, "periods", stats->events[i].periods);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_number(&json, "lost", losses->lost_records);
	json_number(&json, "lost_samples", losses->lost_samples);
	if (stats->last) {
		json_number(&json, "first", stats->first);
		json_number(&json, "last", stats->last);
	}
	json_end(&json);
	if (script->own)
		free_stats(script->own);
}

const struct script_format script_stats = {.count = count, .finish = text_finish};
const struct script_format script_stats_json = {.count = count, .finish = json_finish};
