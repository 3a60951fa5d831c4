// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "pkutil.h"
#include "span_maker.h"
#include "tracing_payload.h"

/* ---- Start and end ---- */

static enum pk_status emit(void *arg, const struct pk_span *span)
{
	struct pk_span_kind *kind = arg;

	return kind->maker->emit(kind->maker->arg, kind, span);
}

enum pk_status pk_span_maker_connect(struct pk_span_maker *maker)
{
	maker->kinds = calloc(maker->count, sizeof(*maker->kinds));
	if (!maker->kinds)
		return PK_NOMEM;
	for (size_t i = 0; i < maker->count; i++) {
		struct pk_pairing *pairing = &maker->definitions[i]->pairing;

		maker->kinds[i] = (struct pk_span_kind){.maker = maker,
							.definition = maker->definitions[i],
							.pairing = pairing,
							.derived = &maker->derived[i]};
		pairing->open.pool = maker->pool;
		pairing->halves = maker->halves;
		pairing->emit = emit;
		pairing->arg = &maker->kinds[i];
		maker->context->needs |= pk_pairing_needs(pairing);
	}
	return PK_OK;
}

enum pk_status pk_span_maker_init(struct pk_span_maker *maker)
{
	for (size_t i = 0; i < maker->count; i++)
		PK_TRY(pk_pairing_init(maker->kinds[i].pairing, maker->context));
	return PK_OK;
}

void pk_span_maker_free(struct pk_span_maker *maker)
{
	free(maker->kinds);
	pk_ended_tasks_free(&maker->ended);
	pk_switch_samples_free(&maker->switches);
}

/* ---- Sessions ---- */

void pk_span_maker_start_session(struct pk_span_maker *maker)
{
	maker->now = 0;
	pk_ended_tasks_clear(&maker->ended);
	pk_switch_samples_start_session(&maker->switches);
	for (size_t i = 0; i < maker->count; i++)
		pk_pairing_start_session(maker->kinds[i].pairing);
	pk_user_halves_clear(maker->halves);
}

void pk_span_maker_choose(struct pk_span_maker *maker, const struct pk_events *events)
{
	pk_derived_events_choose(maker->derived, maker->count, events);
	for (size_t i = 0; i < maker->count; i++)
		if (maker->definitions[i]->address)
			maker->derived[i].attr.sample_type |= PERF_SAMPLE_ADDR;
}

bool pk_span_maker_has_starts(struct pk_span_maker *maker)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(maker->context));

	for (size_t i = 0; i < maker->count; i++) {
		struct pk_span_plans *plans = &maker->kinds[i].pairing->plans;

		for (size_t j = 0; j < pk_events_count(events); j++)
			(void)pk_span_plans_of(plans, pk_events_at(events, j));
		if (pk_span_plans_have(plans, PK_SPAN_STARTS))
			return true;
	}
	return false;
}

static void set_address(struct pk_span_maker *maker, struct pk_span_kind *kind)
{
	const char *name = kind->definition->address;
	char text[128];

	if (!name || pk_span_format_set_address(&kind->format, name) || maker->optional)
		return;
	snprintf(text, sizeof(text), "--addr=%s: spans have no number of this name", name);
	maker->complain(maker->arg, text);
}

/* Prepares the format of a definition, and adds it to the payload. */
static enum pk_status prepare_kind(struct pk_span_maker *maker, struct pk_span_kind *kind,
				   struct buffer *payload, bool big_endian)
{
	const struct pk_bytes before = {(const uint8_t *)payload->data, payload->size};
	struct pk_tracing_format format = {.id = kind->derived->format};
	struct buffer text = {0}, merged = {0};
	enum pk_status status = PK_NOMEM;

	format.system = pk_span_system(kind->pairing);
	pk_span_format_start(&kind->format, kind->definition->name, kind->derived->format,
			     big_endian);
	pk_pairing_prepare(kind->pairing, &kind->format, maker->complain, maker->arg);
	set_address(maker, kind);
	pk_span_format_text(&kind->format, &text);
	format.text = text.data;
	format.size = text.size;
	if (!text.failed && !maker->context->failed)
		status = pk_tracing_data_add(&merged, &before, &format, big_endian);
	free(text.data);
	if (status == PK_NOMEM) {
		free(merged.data);
		return status;
	}
	free(payload->data);
	*payload = merged; /* a damaged payload was already reported when the formats were read */
	return PK_OK;
}

enum pk_status pk_span_maker_prepare(struct pk_span_maker *maker, struct buffer *formats,
				     bool big_endian)
{
	PK_TRY(pk_switch_samples_prepare(&maker->switches, maker->context));
	for (size_t i = 0; i < maker->count; i++)
		PK_TRY(prepare_kind(maker, &maker->kinds[i], formats, big_endian));
	return PK_OK;
}

/* ---- Tasks that end ---- */

static enum pk_status end_task(struct pk_span_maker *maker, uint32_t tid, uint64_t time)
{
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < maker->count && !status; i++)
		status = pk_pairing_end_task(maker->kinds[i].pairing, tid, time);
	return status;
}

/* Ends the spans of tasks that ended some time ago. Their time of grace is over at `now`. */
static enum pk_status end_tasks(struct pk_span_maker *maker, uint64_t now)
{
	enum pk_status status = PK_OK;
	struct pk_ended_task task;

	while (!status && pk_ended_tasks_next(&maker->ended, now, &task))
		status = end_task(maker, task.tid, task.time);
	return status;
}

static enum pk_status note_time(struct pk_span_maker *maker, const struct pk_record *record)
{
	if (pk_likely(record->time == PK_NO_TIME || record->time <= maker->now))
		return PK_OK;
	maker->now = record->time;
	return pk_ended_tasks_is_due(&maker->ended, maker->now) ? end_tasks(maker, maker->now)
								: PK_OK;
}

/* Handles an EXIT record. */
static enum pk_status exit_task(struct pk_span_maker *maker, const struct perf_record_task *task)
{
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < maker->count && !status; i++)
		status = pk_pairing_exit(maker->kinds[i].pairing, task->tid, task->time);
	if (status)
		return status;
	return pk_ended_tasks_add(&maker->ended, task->tid, task->time);
}

static enum pk_status note_task(struct pk_span_maker *maker, const struct pk_record *record)
{
	const struct perf_record_task *fork = (const void *)record->data;
	enum pk_status status;

	if (record->size < sizeof(*fork))
		return PK_OK;
	if (record->type == PERF_RECORD_EXIT)
		return exit_task(maker, fork);
	status = end_task(maker, fork->tid, fork->time);
	pk_ended_tasks_remove(&maker->ended, fork->tid);
	return status;
}

enum pk_status pk_span_maker_end(struct pk_span_maker *maker)
{
	enum pk_status status = end_tasks(maker, UINT64_MAX);

	for (size_t i = 0; i < maker->count; i++) {
		const enum pk_status ended = pk_pairing_end(maker->kinds[i].pairing);

		status = status ?: ended;
	}
	return status;
}

/* ---- Records ---- */

/* Passes a sample to all definitions. Sets *any if one of them used the sample. */
static enum pk_status pair_sample(struct pk_span_maker *maker, const struct pk_record *record,
				  bool *any)
{
	enum pk_status status = PK_OK;
	bool paired;

	for (size_t i = 0; i < maker->count && !status; i++) {
		status = pk_pairing_sample(maker->kinds[i].pairing, record, &paired);
		*any |= paired;
	}
	return status;
}

/* Handles a record of a context switch. If the sample of the switch was not recorded, makes a
 * sample from the record. */
static enum pk_status note_switch(struct pk_span_maker *maker, const struct pk_record *record)
{
	struct pk_record sample;
	bool made, any = false;

	PK_TRY(pk_switch_samples_record(&maker->switches, maker->context, record, &sample, &made));
	return made ? pair_sample(maker, &sample, &any) : PK_OK;
}

static enum pk_status note_record(struct pk_span_maker *maker, const struct pk_record *record)
{
	const enum pk_status status = note_time(maker, record);

	return !status && pk_unlikely(maker->switches.used) ? note_switch(maker, record) : status;
}

enum pk_status pk_span_maker_record(struct pk_span_maker *maker, const struct pk_record *record)
{
	PK_TRY(note_record(maker, record));
	if (record->type == PERF_RECORD_FORK || record->type == PERF_RECORD_EXIT)
		PK_TRY(note_task(maker, record));
	PK_TRY(pk_user_halves_record(maker->halves, record));
	for (size_t i = 0; i < maker->count; i++)
		PK_TRY(pk_pairing_record(maker->kinds[i].pairing, record));
	return PK_OK;
}

enum pk_status pk_span_maker_sample(struct pk_span_maker *maker, const struct pk_record *record,
				    bool *any)
{
	*any = false;
	PK_TRY(note_record(maker, record));
	return pair_sample(maker, record, any);
}

/* ---- Derived events ---- */

void pk_span_name(const char *definition, char name[PK_SPAN_NAME_SIZE])
{
	snprintf(name, PK_SPAN_NAME_SIZE, PK_SPAN_SYSTEM ":%s", definition);
}

const char *pk_span_system(const struct pk_pairing *pairing)
{
	return pairing->every ? PK_OPEN_SYSTEM : PK_SPAN_SYSTEM;
}

struct pk_derived_sample pk_span_kind_sample(const struct pk_span_kind *kind,
					     const struct pk_span *span, uint32_t trailers)
{
	const struct pk_span_place *place = span->place;
	const struct pk_span_format *format = &kind->format;
	struct pk_derived_sample sample = {
		.misc = place->misc,
		.pid = span->pid,
		.tid = span->tid,
		.cpu = place->cpu,
		.ip = place->ip,
		.time = span->end,
		.period = span->period,
		.callchain = place->callchain,
		.raw_size = pk_span_format_size(format, span->values),
		.trailers = trailers,
		.stack = place->stack,
		.chain_flags = place->chain_flags,
	};

	if (format->address != SIZE_MAX)
		sample.addr = span->values[format->address].number;
	return sample;
}
