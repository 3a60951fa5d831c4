// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkprivate.h"
#include "reader.h"
#include "records.h"
#include "swap.h"

enum pk_status pk_reader_new_one(const struct pk_reader_options *options, struct pk_pool *pool,
				 struct pk_reader **reader)
{
	struct pk_reader *made = calloc(1, sizeof(*made));
	enum pk_status status;

	*reader = made;
	if (!made)
		return PK_NOMEM;
	made->own_pool.block_size = PK_BLOCK_SIZE;
	made->pool = pool ? pool : &made->own_pool;
	made->events = &made->own_events;
	status = pk_input_init(&made->input, options, made->pool);
	if (status) {
		pk_reader_free_one(made);
		*reader = NULL;
	}
	return status;
}

enum pk_status pk_reader_new_part(struct pk_reader *whole, struct pk_pool *pool,
				  const struct pk_reader_options *options, struct pk_reader **part)
{
	PK_TRY(pk_reader_new_one(options, pool, part));
	(*part)->events = whole->events;
	(*part)->swapped = whole->swapped;
	(*part)->began = true;
	(*part)->input.expire = whole->input.expire;
	(*part)->input.expire_arg = whole->input.expire_arg;
	return PK_OK;
}

void pk_reader_free_one(struct pk_reader *reader)
{
	pk_events_clear(&reader->own_events);
	pk_input_close(&reader->input);
	pk_input_close(&reader->inner);
	pk_pool_clear(&reader->own_pool);
	pk_zstd_free(reader->zstd);
	pk_datafile_close(reader->file);
	free(reader->join.data);
	free(reader);
}

enum pk_status pk_reader_payload_one(struct pk_reader *reader, const uint8_t **data, size_t *size)
{
	enum pk_status status;

	*size = 0;
	if (reader->payload_left <= reader->payload_padding)
		return PK_OK;
	status = pk_input_want(&reader->input, 1);
	if (status)
		return pk_reader_fail_input(reader, status == PK_END ? PK_TRUNCATED : status);
	*data = pk_input_at(&reader->input);
	*size = reader->input.end - reader->input.begin;
	if (*size > reader->payload_left - reader->payload_padding)
		*size = (size_t)(reader->payload_left - reader->payload_padding);
	pk_input_consume(&reader->input, *size);
	reader->payload_left -= *size;
	return PK_OK;
}

static enum pk_status skip_payload(struct pk_reader *reader)
{
	const uint8_t *data;
	size_t size;

	reader->payload_padding = 0;
	while (reader->payload_left) {
		enum pk_status status = pk_reader_payload_one(reader, &data, &size);

		if (status)
			return status;
	}
	return PK_OK;
}

/* Swaps a record to host byte order. Returns false if it is malformed and must be skipped. */
static bool swap(struct pk_reader *reader, struct pk_record *record)
{
	uint64_t bit = UINT64_C(1) << (record->type % 64);
	enum pk_status status = pk_swap_record(reader->events, (uint8_t *)record->data,
					       record->type, record->misc, record->size);

	if (status == PK_CORRUPT) {
		pk_reader_complain(reader, record,
				   "malformed record of the other byte order, skipped");
		return false;
	}
	reader->unswapped += status == PK_UNSUPPORTED;
	if (status == PK_UNSUPPORTED && !(reader->unswapped_types & bit)) {
		reader->unswapped_types |= bit;
		pk_reader_warn(reader, record,
			       "unknown record of the other byte order, not changed");
	}
	return true;
}

static enum pk_status note_finish(struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_record_finish *finish = (const void *)record->data;

	if (record->size < sizeof(*finish))
		return PK_CORRUPT;
	reader->finished = true;
	if (reader->samples < finish->samples)
		pk_reader_warn(reader, record, "fewer samples than the END record declares");
	return PK_OK;
}

static enum pk_status note_session(struct pk_reader *reader, const struct pk_record *record,
				   const char **problem)
{
	const struct pk_record_session *session = (const void *)record->data;

	if (record->size < sizeof(*session))
		return PK_CORRUPT;
	if (reader->ours) {
		*problem = "a second SESSION record, skipped";
		return PK_CORRUPT;
	}
	reader->ours = true;
	reader->newer = session->version > PK_FORMAT_VERSION;
	if (reader->newer)
		*problem = "definitions of a newer version of pk, skipped";
	return PK_OK;
}

bool pk_reader_feature(const struct pk_reader *reader, const struct pk_record *record,
		       struct pk_feature_content *feature)
{
	const struct perf_record_header_feature *whole = (const void *)record->data;
	const struct pk_join *join = &reader->join;

	if (record->type == PERF_RECORD_HEADER_FEATURE && record->size > sizeof(*whole))
		*feature = (struct pk_feature_content){pk_feature_id(record), whole->data,
						       record->size - sizeof(*whole)};
	else if (pk_definition_of(record) == PK_FEATURE_PART && join->have == join->size)
		*feature = (struct pk_feature_content){join->id, join->data, join->have};
	else
		return false;
	return feature->id && feature->size;
}

static enum pk_status note_feature(struct pk_reader *reader, const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (!pk_reader_feature(reader, record, &feature))
		return PK_OK;
	switch (feature.id) {
	case PERF_FEATURE_EVENT_DESC:
		return pk_events_describe(reader->events, feature.data, feature.size);
	case PERF_FEATURE_PMU_MAPPINGS:
		return pk_events_pmus(reader->events, feature.data, feature.size);
	case PERF_FEATURE_CPUID:
		pk_events_processor(reader->events, feature.data, feature.size);
		return PK_OK;
	default: return PK_OK;
	}
}

static enum pk_status note_feature_part(struct pk_reader *reader, const struct pk_record *record,
					const char **problem)
{
	struct pk_join *join = &reader->join;
	enum pk_status status = pk_join_add(join, record);

	*problem =
		status == PK_CORRUPT ? "a part of a feature at the wrong position, skipped" : NULL;
	if (status || join->have < join->size)
		return status;
	/* The parts of a feature are not swapped one by one: the layout is only known when the
	 * feature is complete. */
	if (join->have && join->byte_order == (PK_HOST_IS_BIG ? 1 : 2))
		(void)pk_swap_feature(reader->events, join->id, join->data, join->have);
	return note_feature(reader, record);
}

static enum pk_status note_arguments(struct pk_reader *reader, const struct pk_record *record,
				     const char **problem)
{
	enum pk_status status = pk_events_arguments(reader->events, record);

	*problem = status == PK_CORRUPT ? "malformed arguments of an event, skipped" : NULL;
	return status;
}

static enum pk_status note_update(struct pk_reader *reader, const struct pk_record *record,
				  const char **problem)
{
	switch (pk_definition_of(record)) {
	case PK_SESSION: return note_session(reader, record, problem);
	case PK_FINISH: return note_finish(reader, record);
	case PK_FEATURE_PART: return note_feature_part(reader, record, problem);
	case PK_ARGUMENTS: return note_arguments(reader, record, problem);
	case PK_DEFINITION_NONE: return pk_events_update(reader->events, record);
	default: return PK_OK;
	}
}

/* Usually, the payload follows the record, and header.size does not include the payload. In files
 * of old versions of simpleperf, header.size includes the payload and its padding. The record's own
 * size field is the size of the payload without padding. Such a record is changed into a usual one.
 */
static void note_tracing_data(struct pk_reader *reader, struct pk_record *record)
{
	struct perf_record_tracing_data *tracing = (void *)(uintptr_t)record->data;
	const uint64_t size = tracing->size, padded = PK_ALIGN8(size);
	const uint16_t inside = (uint16_t)(record->size - sizeof(*tracing));

	record->payload_size = size;
	reader->payload_left = size;
	reader->payload_padding = 0;
	if (!size || inside < size || inside == PK_ALIGN8(sizeof(*tracing)) - sizeof(*tracing))
		return;
	/* frame() has just consumed the record, so the bytes of the record are still in the input.
	 */
	reader->input.begin -= inside;
	reader->input.offset -= inside;
	record->payload_size = padded < inside ? padded : inside;
	reader->payload_left = inside;
	reader->payload_padding = inside - record->payload_size;
	record->size = tracing->header.size = sizeof(*tracing);
	tracing->size = (uint32_t)record->payload_size;
}

/* Updates the reader's state if the record has an effect on it. */
static enum pk_status note(struct pk_reader *reader, struct pk_record *record, const char **problem)
{
	const void *data = record->data;

	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: return pk_events_add(reader->events, record, problem);
	case PERF_RECORD_EVENT_UPDATE: return note_update(reader, record, problem);
	case PERF_RECORD_HEADER_FEATURE: return note_feature(reader, record);
	case PERF_RECORD_HEADER_TRACING_DATA: note_tracing_data(reader, record); return PK_OK;
	case PERF_RECORD_AUXTRACE:
		record->payload_size = ((const struct perf_record_auxtrace *)data)->size;
		break;
	default: break;
	}
	reader->payload_left = record->payload_size;
	return PK_OK;
}

/* Returns true if a newer version of pk wrote the definition. Such definitions must not be used
 * (SPEC 9.1). */
static bool is_of_newer(const struct pk_reader *reader, const struct pk_record *record)
{
	unsigned int kind = reader->newer ? pk_definition_of(record) : PK_DEFINITION_NONE;

	return kind != PK_DEFINITION_NONE && kind != PK_SESSION && kind != PK_FINISH;
}

/* Returns true if the reader returns the record to its caller, and false if the reader skips the
 * record. */
static bool accept(struct pk_reader *reader, struct pk_record *record, enum pk_status *status)
{
	const char *problem = NULL;

	if (pk_record_type_reserved(record->type)) {
		pk_reader_complain(reader, record, "record of a type that is never used, skipped");
		return false;
	}
	if (record->type == PK_RECORD_BEGIN || record->size < pk_record_size_min(record->type)) {
		pk_reader_complain(reader, record,
				   record->type ? "record too short for its type, skipped"
						: "record of type 0, skipped");
		return false;
	}
	if (reader->swapped && !swap(reader, record))
		return false;
	if (record->type < PERF_RECORD_USER_START) {
		if (!reader->swapped && pk_check_record(reader->events, record->data, record->type,
							record->misc, record->size) != PK_OK) {
			pk_reader_complain(reader, record, "malformed record, skipped");
			return false;
		}
		return true;
	}
	if (is_of_newer(reader, record))
		return false;
	*status = note(reader, record, &problem);
	if (*status == PK_CORRUPT) {
		*status = PK_OK;
		pk_reader_complain(reader, record, problem ? problem : "malformed record, skipped");
		return false;
	}
	if (problem)
		pk_reader_warn(reader, record, problem);
	return true;
}

/* Returns true if pk_reader_next would return the record unchanged, and if the record does not
 * change the reader's state. */
static inline bool is_plain(struct pk_reader *reader, const uint8_t *data, uint16_t size)
{
	const struct pk_record record = {.data = data, .type = pk_load_u32(data), .size = size};
	const struct pk_event *event;
	unsigned int kind;

	if (pk_likely(record.type == PERF_RECORD_SAMPLE)) {
		event = pk_events_of_sample(reader->events, data, size);
		return pk_likely(event != NULL) && pk_sample_is_whole(event, &record);
	}
	kind = pk_definition_of(&record);
	return kind >= PK_STRING && kind <= PK_STACK;
}

void pk_reader_next_bunch(struct pk_reader *reader, struct pk_bunch *bunch)
{
	struct pk_input *input = &reader->input;
	const uint8_t *end = input->block->data + input->end, *at = pk_input_at(input);

	*bunch = (struct pk_bunch){.data = at};
	if (reader->failed || reader->swapped || reader->inner_used || reader->payload_left ||
	    reader->clear || reader->dir || reader->newer)
		return;
	while (end - at >= (ptrdiff_t)sizeof(struct perf_header)) {
		const uint16_t size = pk_load_u16(at + 6);

		if (size < sizeof(struct perf_header) || size % 8 || size > end - at ||
		    !is_plain(reader, at, size))
			break;
		bunch->samples += pk_load_u32(at) == PERF_RECORD_SAMPLE;
		bunch->records++;
		at += size;
	}
	bunch->size = (size_t)(at - bunch->data);
	pk_input_consume(input, bunch->size);
	reader->samples += bunch->samples;
}

enum pk_status pk_reader_next_one(struct pk_reader *reader, struct pk_record *record)
{
	enum pk_status status = reader->failed;
	bool start, accepted;

	if (pk_unlikely(status))
		return status;
	if (pk_unlikely(!reader->began))
		return pk_reader_start_session(reader, record);
	if (pk_unlikely(reader->clear))
		pk_reader_leave(reader);
	if (pk_unlikely(reader->payload_left)) {
		PK_TRY(skip_payload(reader));
	}
	record->payload_size = 0;
	do {
		status = pk_reader_frame(reader, record, &start);
		if (pk_unlikely(status)) {
			if (!start)
				return status;
			if (reader->events != &reader->own_events)
				return pk_reader_fail(
					reader, PK_CORRUPT,
					"a stream begins within the records of a ring");
			record->offset = reader->input.offset;
			if (pk_reader_missing(reader))
				pk_reader_complain(reader, record,
						   "another stream begins, but this one is cut");
			return pk_reader_start_session(reader, record);
		}
		if (pk_unlikely(record->size % 8))
			pk_reader_note_odd_size(reader, record);
		if (pk_likely(record->type == PERF_RECORD_SAMPLE && !reader->swapped)) {
			reader->samples++;
			return PK_OK;
		}
		accepted = accept(reader, record, &status);
		if (status)
			return pk_reader_fail(reader, status, NULL);
	} while (!accepted);
	if (record->type == PERF_RECORD_SAMPLE)
		reader->samples++;
	return PK_OK;
}

const struct pk_event *pk_reader_event_of(struct pk_reader *reader, const struct pk_record *record)
{
	return pk_events_of(reader->events, record->data, record->type, record->size, false);
}

const char *pk_reader_error(const struct pk_reader *reader)
{
	return reader->error;
}
