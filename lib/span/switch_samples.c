// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "switch_samples.h"

#define RAW_MAX 4096u /* in bytes; needed because the format is from the input */

/* The fields of a sample after its raw bytes. If such a field is empty, it has 8 bytes. */
#define AFTER_RAW                                                                                  \
	(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |               \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |                     \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |                      \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_WEIGHT_STRUCT)

/* The fields that the made samples can have. If samples of an event have other fields, no samples
 * are made for this event. */
#define KNOWN                                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | AFTER_RAW)

void pk_switch_samples_start_session(struct pk_switch_samples *samples)
{
	pk_table_clear(&samples->running);
	samples->used = false;
	samples->event = NULL;
}

void pk_switch_samples_free(struct pk_switch_samples *samples)
{
	pk_table_free(&samples->running);
	free(samples->bytes.data);
}

/* ---- The record ---- */

static const struct pk_tracepoint_field *field_of(const struct pk_tracepoint *tracepoint,
						  const char *name, struct switch_field *place)
{
	const struct pk_tracepoint_field *field = pk_tracepoint_find_field(tracepoint, name);

	*place = (struct switch_field){0};
	if (field && !field->is_dynamic && field->size <= RAW_MAX &&
	    field->offset <= RAW_MAX - field->size)
		*place = (struct switch_field){field->offset, field->size};
	return field;
}

/* Returns the size of the raw bytes. The size plus 4 (the u32 before the raw bytes) is a multiple
 * of 8. Returns 0 if the format is too large. */
static size_t raw_size(const struct pk_tracepoint *tracepoint)
{
	const struct pk_tracepoint_field *field;
	size_t size = 0;

	for (size_t i = 0; (field = pk_tracepoint_field_at(tracepoint, i)); i++) {
		if (field->size > RAW_MAX || field->offset > RAW_MAX - field->size)
			return 0;
		if (field->offset + field->size > size)
			size = field->offset + field->size;
	}
	return PK_ALIGN8(size + sizeof(uint32_t)) - sizeof(uint32_t);
}

/* Makes the bytes of a sample whose values are all 0. make_sample() sets the values. */
static enum pk_status make_bytes(struct pk_switch_samples *samples, size_t raw)
{
	const struct pk_event *event = samples->event;
	const uint64_t type = event->attr.sample_type;
	const size_t before = event->layout.fixed_size + (type & PERF_SAMPLE_CALLCHAIN ? 8 : 0);
	const size_t size = before + sizeof(uint32_t) + raw +
			    8 * (size_t)__builtin_popcountll(type & AFTER_RAW);
	struct perf_header *header;

	samples->bytes.size = 0;
	if (!buffer_room(&samples->bytes, size))
		return PK_NOMEM;
	memset(samples->bytes.data, 0, size);
	samples->bytes.size = size;
	header = (void *)samples->bytes.data;
	*header = (struct perf_header){.type = PERF_RECORD_SAMPLE,
				       .misc = PERF_RECORD_MISC_KERNEL,
				       .size = (uint16_t)size};
	pk_store_u32((uint8_t *)samples->bytes.data + before, (uint32_t)raw);
	samples->raw_at = (uint32_t)(before + sizeof(uint32_t));
	return PK_OK;
}

/* ---- Sessions ---- */

static const struct pk_event *find_event(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		if (!strcmp(event->name, "sched:sched_switch") && event->layout.time &&
		    event->attr.sample_type & PERF_SAMPLE_RAW &&
		    !(event->attr.sample_type & ~(uint64_t)KNOWN))
			return event;
	}
	return NULL;
}

static bool has_switches(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++)
		if (pk_events_at(events, i)->attr.flags & PERF_ATTR_CONTEXT_SWITCH)
			return true;
	return false;
}

enum pk_status pk_switch_samples_prepare(struct pk_switch_samples *samples,
					 const struct pk_context *context)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(context));
	const struct pk_tracepoint_field *next;
	struct pk_tracepoint *tracepoint;
	size_t raw;

	samples->used = false;
	samples->epoch = context->epoch;
	samples->event = has_switches(events) ? find_event(events) : NULL;
	tracepoint = samples->event ? pk_tracepoints_find(pk_context_tracepoints(context),
							  samples->event->attr.config)
				    : NULL;
	if (!tracepoint)
		return !samples->event || !pk_tracepoints_failed(pk_context_tracepoints(context))
			       ? PK_OK
			       : PK_NOMEM;
	field_of(tracepoint, "prev_pid", &samples->prev_pid);
	field_of(tracepoint, "next_comm", &samples->next_comm);
	next = field_of(tracepoint, "next_pid", &samples->next_pid);
	raw = raw_size(tracepoint);
	if (!raw || samples->prev_pid.size != sizeof(uint32_t) ||
	    samples->next_pid.size != sizeof(uint32_t))
		return PK_OK;
	samples->swapped = !pk_tracepoint_place(tracepoint, next).size;
	samples->used = make_bytes(samples, raw) == PK_OK;
	return samples->used ? PK_OK : PK_NOMEM;
}

/* ---- Records ---- */

static uint32_t in_order(const struct pk_switch_samples *samples, uint32_t number)
{
	return samples->swapped ? __builtin_bswap32(number) : number;
}

static uint32_t load(const struct pk_switch_samples *samples, const struct pk_bytes *raw,
		     const struct switch_field *field)
{
	if (field->offset + field->size > raw->size)
		return 0;
	return in_order(samples, pk_load_u32(raw->data + field->offset));
}

/* Notes whether a task runs. Tasks without a valid tid, such as tasks that have ended, are ignored.
 */
static enum pk_status note(struct pk_switch_samples *samples, uint32_t tid, bool runs)
{
	if (!tid || tid == UINT32_MAX)
		return PK_OK;
	if (runs)
		return pk_table_set_u64(&samples->running, tid, 1);
	pk_table_remove(&samples->running, tid);
	return PK_OK;
}

/* Notes the two tasks of a sched_switch sample. */
static enum pk_status note_sample(struct pk_switch_samples *samples, const struct pk_record *record)
{
	struct pk_sample sample;

	if (pk_sample_decode(record->event, record, &sample) != PK_OK)
		return PK_OK;
	PK_TRY(note(samples, load(samples, &sample.raw, &samples->prev_pid), false));
	return note(samples, load(samples, &sample.raw, &samples->next_pid), true);
}

static void put_number(struct pk_switch_samples *samples, uint16_t at, uint64_t number)
{
	if (at)
		pk_store_u64((uint8_t *)samples->bytes.data + at, number);
}

static void put_comm(struct pk_switch_samples *samples, const struct pk_context *context,
		     uint32_t tid)
{
	const struct switch_field *field = &samples->next_comm;
	const struct pk_thread *thread =
		pk_context_session(context)
			? pk_session_known_thread(pk_context_session(context), tid)
			: NULL;
	uint8_t *at = (uint8_t *)samples->bytes.data + samples->raw_at + field->offset;
	const char *comm = thread ? pk_session_comm(pk_context_session(context), thread->comm) : "";
	const size_t size = strlen(comm);

	if (!field->size)
		return;
	memset(at, 0, field->size);
	memcpy(at, comm, size < field->size ? size : field->size - 1);
}

/* Makes a sample of a switch to the task in `id`. */
static void make_sample(struct pk_switch_samples *samples, const struct pk_context *context,
			const struct pk_sample_id *id, struct pk_record *sample)
{
	const struct pk_event *event = samples->event;
	const struct pk_layout *layout = &event->layout;
	uint8_t *raw = (uint8_t *)samples->bytes.data + samples->raw_at;

	put_number(samples, layout->identifier, event->ids_count ? event->ids[0] : 0);
	put_number(samples, layout->id, event->ids_count ? event->ids[0] : 0);
	put_number(samples, layout->time, id->time);
	put_number(samples, layout->period, 1);
	if (layout->cpu)
		pk_store_u32((uint8_t *)samples->bytes.data + layout->cpu, id->cpu);
	pk_store_u32(raw + samples->next_pid.offset, in_order(samples, id->tid));
	put_comm(samples, context, id->tid);
	*sample = (struct pk_record){
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_KERNEL,
		.size = (uint16_t)samples->bytes.size,
		.data = (const uint8_t *)samples->bytes.data,
		.time = id->time,
		.event = event,
	};
}

static enum pk_status note_switch(struct pk_switch_samples *samples,
				  const struct pk_context *context, const struct pk_record *record,
				  struct pk_record *sample, bool *made)
{
	struct pk_sample_id id;

	if (!record->event || !record->event->layout.trailer.tid ||
	    !record->event->layout.trailer.time)
		return PK_OK;
	pk_sample_id_decode(record->event, record, &id);
	if (record->misc & PERF_RECORD_MISC_SWITCH_OUT)
		return note(samples, id.tid, false);
	if (!id.tid || id.tid == UINT32_MAX || pk_table_get_u64(&samples->running, id.tid))
		return PK_OK;
	make_sample(samples, context, &id, sample);
	*made = true;
	return note(samples, id.tid, true);
}

enum pk_status pk_switch_samples_record(struct pk_switch_samples *samples,
					const struct pk_context *context,
					const struct pk_record *record, struct pk_record *sample,
					bool *made)
{
	*made = false;
	if (pk_unlikely(samples->epoch != context->epoch))
		PK_TRY(pk_switch_samples_prepare(samples, context));
	if (!samples->used)
		return PK_OK;
	if (record->type == PERF_RECORD_SWITCH || record->type == PERF_RECORD_SWITCH_CPU_WIDE)
		return note_switch(samples, context, record, sample, made);
	return record->type != PERF_RECORD_SAMPLE || record->event != samples->event
		       ? PK_OK
		       : note_sample(samples, record);
}
