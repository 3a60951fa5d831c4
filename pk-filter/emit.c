// SPDX-License-Identifier: BSD-2-Clause
#include "emit.h"
#include "pkprivate.h"
#include "pkutil.h"

bool emit_is_plain(const struct emitter *emitter)
{
	return !emitter->slim.drop && !emitter->slim.strip && !emitter->split &&
	       !emitter->anonymizer;
}

enum pk_status emit_set_up(struct emitter *emitter)
{
	emitter->counters = pk_periods_new();
	emitter->sums = pk_periods_new();
	return emitter->counters && emitter->sums ? PK_OK : PK_NOMEM;
}

void emit_free(struct emitter *emitter)
{
	pk_periods_free(emitter->counters);
	pk_periods_free(emitter->sums);
	anonymizer_free(emitter->anonymizer);
}

void emit_start_session(struct emitter *emitter)
{
	emitter->lends = false;
	emitter->slim.trailers = 0;
	pk_periods_forget(emitter->counters);
	pk_periods_forget(emitter->sums);
}

enum pk_status emit_drop(struct emitter *emitter, const struct pk_record *record)
{
	return pk_periods_leave_out(emitter->counters, pk_reader_events(emitter->run->reader),
				    record);
}

static bool is_slim(const struct emitter *emitter)
{
	return emitter->slim.drop || emitter->slim.strip;
}

/* ---- Output ---- */

static enum pk_status put(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_run *run = emitter->run;

	if (record->payload_size || !emitter->lends || emitter->anonymizer ||
	    record->data == emitter->buffer || record->data == emitter->counted)
		return pk_writer_copy(run->writer, run->reader, record);
	return pk_writer_lend(run->writer, record->data, record->size, 1,
			      record->type == PERF_RECORD_SAMPLE);
}

static enum pk_status put_sample(struct emitter *emitter, const struct pk_record *record)
{
	if (!emitter->split)
		return put(emitter, record);
	return split_sample(emitter->split, record,
			    pk_source_symbolized(&emitter->context->stacks) && !emitter->slim.strip,
			    emitter->value);
}

static enum pk_status put_other(struct emitter *emitter, const struct pk_record *record)
{
	return emitter->split ? split_record(emitter->split, record, NULL) : put(emitter, record);
}

enum pk_status emit_anonymous(void *arg, const struct pk_record *record)
{
	struct emitter *emitter = arg;

	return record->type == PERF_RECORD_SAMPLE ? put_sample(emitter, record)
						  : put_other(emitter, record);
}

/* ---- Changes ---- */

static enum pk_status put_slim(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_record sample = *record;

	if (slim_sample(&emitter->slim, record, emitter->buffer, &sample.size) != PK_OK) {
		pk_run_complain(emitter->run, record,
				"sample with a field of an impossible size, dropped");
		pk_run_lose(emitter->run, PK_LOSS_RECORDS_BAD, 1, 0);
		return PK_OK;
	}
	sample.data = emitter->buffer;
	return put_sample(emitter, &sample);
}

/* Replaces a private value by its alias, because the value becomes a part of a file name. */
static void hide_value(const struct emitter *emitter, struct pk_bytes *value,
		       char alias[ALIAS_SIZE])
{
	const struct aliases *aliases = anonymizer_aliases(emitter->anonymizer);
	const struct pk_field *field = emitter->by->reference.field;
	const char *text = (const char *)value->data;

	if (field && !field->is_private)
		return;
	if (field && !strcmp(field->name, "event"))
		text = alias_of_event(aliases, text, alias);
	else
		text = alias_of(aliases, text, (size_t)value->size, alias);
	*value = (struct pk_bytes){(const uint8_t *)text, strlen(text)};
}

/* Finds the value that selects the stream. Returns false if the sample does not have the field. */
static bool find_value(struct emitter *emitter, struct pk_view *view, char number[PK_VALUE_SIZE],
		       struct pk_bytes *value)
{
	const struct pk_binding *binding =
		pk_column_bind(emitter->by, emitter->context, view->event);

	emitter->context->failed |= !binding;
	return binding && pk_view_shown(view, binding, number, value);
}

/* Copies a sample, with the sums of the output as the values of its counters. */
static enum pk_status put_sums(struct emitter *emitter, struct pk_record *record)
{
	struct pk_periods *sums =
		emitter->split ? split_sums(emitter->split, emitter->value) : emitter->sums;

	if (!sums)
		return PK_FAILED;
	memcpy(emitter->counted, record->data, record->size);
	PK_TRY(pk_periods_keep(emitter->counters, sums, pk_reader_events(emitter->run->reader),
			       record, emitter->counted));
	record->data = emitter->counted;
	return PK_OK;
}

enum pk_status emit_sample(struct emitter *emitter, struct pk_view *view)
{
	struct pk_record record = *view->record;
	char alias[ALIAS_SIZE], number[PK_VALUE_SIZE];
	struct pk_bytes value;

	/* The value is read first, because the field can be removed from the sample. */
	emitter->value = NULL;
	if (emitter->split && find_value(emitter, view, number, &value)) {
		if (emitter->anonymizer)
			hide_value(emitter, &value, alias);
		emitter->value = &value;
	}
	if (pk_unlikely(pk_periods_has_values(record.event)))
		PK_TRY(put_sums(emitter, &record));
	if (emitter->anonymizer)
		return anonymizer_sample(emitter->anonymizer, &record, emitter->slim.trailers);
	return is_slim(emitter) ? put_slim(emitter, &record) : put_sample(emitter, &record);
}

/* Removes a definition of pk. If it is the last FEATURE_PART of a feature, writes the whole feature
 * as a HEADER_FEATURE instead, unless perf 6.1 would stop with an error there. */
static enum pk_status strip_definition(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_feature_content feature;
	struct perf_record_header_feature *out = (void *)emitter->buffer;
	struct pk_record whole;
	size_t size;

	if (!pk_reader_feature(emitter->run->reader, record, &feature) ||
	    feature.size > PERF_RECORD_SIZE_MAX - sizeof(*out))
		return PK_OK;
	size = sizeof(*out) + PK_ALIGN8(feature.size);
	memset(out, 0, size);
	out->header.type = PERF_RECORD_HEADER_FEATURE;
	out->header.size = (uint16_t)size;
	out->feat_id = feature.id;
	memcpy(out->data, feature.data, feature.size);
	whole = pk_record_at(emitter->buffer);
	return pk_feature_is_new(&whole) ? PK_OK : put_other(emitter, &whole);
}

static enum pk_status slim_event(struct emitter *emitter, const struct pk_record *record)
{
	struct pk_record attr = *record;

	memcpy(emitter->buffer, record->data, record->size);
	slim_attr(pk_reader_events(emitter->run->reader), emitter->slim.drop, emitter->buffer,
		  record->size);
	attr.data = emitter->buffer;
	return put_other(emitter, &attr);
}

/* Returns true if the record is a FRAME that stands for all addresses of its function. */
static bool is_of_function(const struct pk_record *record)
{
	const struct pk_record_frame *frame = (const void *)record->data;

	return pk_definition_of(record) == PK_FRAME && record->size >= sizeof(*frame) &&
	       frame->flags & PK_FRAME_FUNCTION;
}

enum pk_status emit_record(struct emitter *emitter, const struct pk_record *record)
{
	const bool strips = emitter->slim.strip && pk_definition_of(record) != PK_DEFINITION_NONE;

	if (emitter->slim.strip && pk_feature_is_new(record))
		return PK_OK;
	if (emitter->slim.drop & PERF_SAMPLE_CALLCHAIN)
		emitter->drops_addresses |= is_of_function(record);
	if (emitter->anonymizer && record->payload_size)
		return anonymizer_keeps_payload(emitter->anonymizer, record)
			       ? put_other(emitter, record)
			       : PK_OK;
	if (emitter->anonymizer)
		return strips ? PK_OK : anonymizer_record(emitter->anonymizer, record);
	if (strips)
		return strip_definition(emitter, record);
	if (emitter->slim.drop && record->type == PERF_RECORD_HEADER_ATTR)
		return slim_event(emitter, record);
	return put_other(emitter, record);
}

enum pk_status emit_payload(struct emitter *emitter, const struct pk_record *record,
			    const struct pk_bytes *payload)
{
	struct pk_writer *writer = emitter->run->writer;

	if (emitter->anonymizer && !anonymizer_keeps_payload(emitter->anonymizer, record))
		return PK_OK;
	if (emitter->split)
		return split_record(emitter->split, record, payload);
	pk_writer_record(writer, record->data, record->size);
	return pk_writer_bytes(writer, payload->data, (size_t)payload->size, 0, 0);
}
