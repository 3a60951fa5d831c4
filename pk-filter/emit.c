// SPDX-License-Identifier: BSD-2-Clause
#include "emit.h"
#include "pkutil.h"

bool emit_is_plain(const struct emitter *emitter)
{
	return !emitter->slim.drop && !emitter->slim.strip && !emitter->split;
}

static bool is_slim(const struct emitter *emitter)
{
	return emitter->slim.drop || emitter->slim.strip;
}

/* ---- Where to ---- */

static enum pk_status put(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_run *run = emitter->run;

	if (record->payload_size || !emitter->lends || record->data == emitter->buffer)
		return pk_writer_copy(run->writer, run->reader, record);
	return pk_writer_lend(run->writer, record->data, record->size, 1,
			      record->type == PERF_RECORD_SAMPLE);
}

/* value: of the sample as it was, which may have lost the field since. */
static enum pk_status put_sample(struct emitter *emitter, const struct pk_record *record,
				 const struct pk_bytes *value)
{
	if (!emitter->split)
		return put(emitter, record);
	return split_sample(emitter->split, record, emitter->symbolized && !emitter->slim.strip,
			    value);
}

/* ---- How ---- */

enum pk_status emit_sample(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_record sample = *record;
	struct pk_bytes value;
	bool valued = false;

	if (emitter->split)
		valued = sifter_value(emitter->by, record, emitter->symbolized, &value);
	if (is_slim(emitter)) {
		enum pk_status status =
			slim_sample(&emitter->slim, record, emitter->buffer, &sample.size);

		if (status == PK_CORRUPT) {
			pk_run_complain(emitter->run, record,
					"sample with fields of no sound size, dropped");
			pk_run_lose(emitter->run, PK_LOSS_RECORDS_BAD, 1, 0);
			return PK_OK;
		}
		sample.data = emitter->buffer;
	}
	return put_sample(emitter, &sample, valued ? &value : NULL);
}

/* A feature that perf 6.1 does not know goes in parts of ours, and is put together again. */
static enum pk_status strip_definition(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_feature_content feature;
	struct pk_record whole = {.type = PERF_RECORD_HEADER_FEATURE, .data = emitter->buffer};
	size_t size;

	if (!pk_reader_feature(emitter->run->reader, record, &feature) ||
	    feature.size > PERF_RECORD_SIZE_MAX - 16)
		return PK_OK;
	size = 16 + PK_ALIGN8(feature.size);
	memset(emitter->buffer, 0, size);
	pk_store_u32(emitter->buffer, whole.type);
	pk_store_u16(emitter->buffer + 6, (uint16_t)size);
	pk_store_u64(emitter->buffer + 8, feature.id);
	memcpy(emitter->buffer + 16, feature.data, feature.size);
	whole.size = (uint16_t)size;
	return emitter->split ? split_record(emitter->split, &whole, NULL) : put(emitter, &whole);
}

static enum pk_status slim_event(struct emitter *emitter, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(emitter->run->reader);
	const size_t count = pk_events_count(events);
	struct pk_record attr = *record;

	if (count && pk_events_at(events, count - 1)->usable) {
		memcpy(emitter->buffer, record->data, record->size);
		slim_attr(emitter->buffer, record->size, emitter->slim.drop);
		attr.data = emitter->buffer;
	}
	return emitter->split ? split_record(emitter->split, &attr, NULL) : put(emitter, &attr);
}

enum pk_status emit_record(struct emitter *emitter, const struct pk_record *record)
{
	if (emitter->slim.strip && pk_definition_of(record) != PK_DEFINITION_NONE)
		return strip_definition(emitter, record);
	if (emitter->slim.drop && record->type == PERF_RECORD_HEADER_ATTR)
		return slim_event(emitter, record);
	return emitter->split ? split_record(emitter->split, record, NULL) : put(emitter, record);
}

enum pk_status emit_payload(struct emitter *emitter, const struct pk_record *record,
			    const struct pk_bytes *payload)
{
	struct pk_writer *writer = emitter->run->writer;

	if (emitter->split)
		return split_record(emitter->split, record, payload);
	pk_writer_record(writer, record->data, record->size);
	return pk_writer_bytes(writer, payload->data, (size_t)payload->size, 0, 0);
}
