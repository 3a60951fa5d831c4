// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "stream_internal.h"

struct pk_reader {
	struct pk_input input;
	struct pk_events events;
	enum pk_status failed; /* sticks */
	bool swapped;
	bool began;    /* at least one session has */
	bool clear;    /* BEGIN was returned: the next call leaves the old session behind */
	bool ours;     /* a SESSION was seen, so that an END must come */
	bool finished; /* END was seen */
	uint64_t payload_left;
	uint64_t samples; /* of this session */
	uint64_t bad;
	uint64_t at;		  /* offset of the current record */
	uint64_t unswapped_types; /* of unknown records, a bit for type % 64: said once */
	char error[160];
};

enum pk_status pk_reader_new(const struct pk_reader_options *options, struct pk_reader **reader)
{
	enum pk_status status;

	*reader = calloc(1, sizeof(**reader));
	if (!*reader)
		return PK_NOMEM;
	status = pk_input_init(&(*reader)->input, options);
	if (status) {
		pk_reader_free(*reader);
		*reader = NULL;
	}
	return status;
}

void pk_reader_free(struct pk_reader *reader)
{
	if (!reader)
		return;
	pk_events_clear(&reader->events);
	pk_input_close(&reader->input);
	free(reader);
}

const struct pk_events *pk_reader_events(const struct pk_reader *reader)
{
	return &reader->events;
}

const struct pk_event *pk_reader_event_of(struct pk_reader *reader, const struct pk_record *record)
{
	return pk_events_of(&reader->events, record->data, record->type, record->size, false);
}

bool pk_reader_swapped(const struct pk_reader *reader)
{
	return reader->swapped;
}

uint64_t pk_reader_bad_records(const struct pk_reader *reader)
{
	return reader->bad;
}

const char *pk_reader_error(const struct pk_reader *reader)
{
	return reader->error;
}

struct pk_block *pk_reader_hold(struct pk_reader *reader)
{
	reader->input.block->refs++;
	return reader->input.block;
}

void pk_reader_release(struct pk_reader *reader, struct pk_block *block)
{
	pk_block_release(&reader->input, block);
}

static void warn(struct pk_reader *reader, const struct pk_record *record, const char *text)
{
	const struct pk_reader_options *options = &reader->input.options;
	struct pk_warning warning = {record->offset, record->type, text};

	if (options->warn)
		options->warn(options->arg, &warning);
}

void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text)
{
	reader->bad++;
	warn(reader, record, text);
}

static enum pk_status fail(struct pk_reader *reader, enum pk_status status, const char *text)
{
	reader->failed = status;
	snprintf(reader->error, sizeof(reader->error), "%s at offset %llu",
		 text ? text : pk_status_text(status), (unsigned long long)reader->input.offset);
	return status;
}

static enum pk_status fail_input(struct pk_reader *reader, enum pk_status status)
{
	char text[128];

	if (status == PK_TRUNCATED)
		return fail(reader, status, "the input ends in the middle of a record");
	if (status == PK_CORRUPT)
		return fail(reader, status, "the compressed input is damaged");
	if (status != PK_IO)
		return fail(reader, status, NULL);
	snprintf(text, sizeof(text), "cannot read: %s", strerror(reader->input.error));
	return fail(reader, status, text);
}

/* ---- Where sessions begin and end ---- */

static bool is_magic(const uint8_t *p, bool *swapped)
{
	uint64_t magic = pk_load_u64(p);

	*swapped = magic == __builtin_bswap64(PERF_MAGIC2);
	return magic == PERF_MAGIC2 || *swapped;
}

static enum pk_status refuse_start(struct pk_reader *reader, const uint8_t *start, size_t size)
{
	bool swapped;

	if (size >= 8 && pk_load_u64(start) == PERF_MAGIC1)
		return fail(reader, PK_UNSUPPORTED,
			    "a PERFFILE recording of a perf before 3.x, which pk does not read, "
			    "begins");
	if (size >= 8 && is_magic(start, &swapped))
		return fail(reader, PK_UNSUPPORTED,
			    "a perf.data file begins: make a stream of it by perf inject -o - -i "
			    "FILE;");
	return fail(reader, PK_CORRUPT, "this is neither a perf nor a pk recording, bytes");
}

static enum pk_status begin_session(struct pk_reader *reader, struct pk_record *record)
{
	const uint8_t *start;
	bool entered, swapped;
	enum pk_status status;

	status = pk_input_want(&reader->input, 4);
	if (!status)
		status = pk_input_detect_zstd(&reader->input, &entered);
	if (!status)
		status = pk_input_want(&reader->input, PERF_PIPE_HEADER_SIZE);
	start = pk_input_at(&reader->input);
	if (status == PK_END && !reader->began)
		return fail(reader, PK_TRUNCATED, "the input is empty");
	if (status == PK_TRUNCATED)
		return refuse_start(reader, start, reader->input.end - reader->input.begin);
	if (status)
		return fail_input(reader, status);
	if (!is_magic(start, &swapped) ||
	    pk_load_u64(start + 8) !=
		    (swapped ? __builtin_bswap64(PERF_PIPE_HEADER_SIZE) : PERF_PIPE_HEADER_SIZE))
		return refuse_start(reader, start, PERF_PIPE_HEADER_SIZE);
	*record = (struct pk_record){.data = start,
				     .type = PK_RECORD_BEGIN,
				     .offset = reader->input.offset,
				     .time = PK_NO_TIME};
	reader->swapped = swapped;
	reader->began = reader->clear = true;
	pk_input_consume(&reader->input, PERF_PIPE_HEADER_SIZE);
	return PK_OK;
}

/* SPEC 2.3: our own streams say where they end. */
static bool cut_short(const struct pk_reader *reader)
{
	return reader->ours && !reader->finished;
}

static void leave_session(struct pk_reader *reader)
{
	pk_events_clear(&reader->events);
	reader->clear = reader->ours = reader->finished = false;
	reader->samples = 0;
	reader->unswapped_types = 0;
}

static enum pk_status at_end(struct pk_reader *reader)
{
	if (cut_short(reader))
		return fail(reader, PK_TRUNCATED, "the stream is cut: it has no END record");
	reader->failed = PK_END;
	return PK_END;
}

/* ---- One record ---- */

static enum pk_status skip_payload(struct pk_reader *reader)
{
	const uint8_t *data;
	size_t size;

	while (reader->payload_left) {
		enum pk_status status = pk_reader_payload(reader, &data, &size);

		if (status)
			return status;
	}
	return PK_OK;
}

enum pk_status pk_reader_payload(struct pk_reader *reader, const uint8_t **data, size_t *size)
{
	enum pk_status status;

	*size = 0;
	if (!reader->payload_left)
		return PK_OK;
	status = pk_input_want(&reader->input, 1);
	if (status)
		return fail_input(reader, status == PK_END ? PK_TRUNCATED : status);
	*data = pk_input_at(&reader->input);
	*size = reader->input.end - reader->input.begin;
	if (*size > reader->payload_left)
		*size = (size_t)reader->payload_left;
	pk_input_consume(&reader->input, *size);
	reader->payload_left -= *size;
	return PK_OK;
}

/* Whether another stream, perhaps a compressed one, begins where a record could. */
static enum pk_status is_stream_start(struct pk_reader *reader, bool *start)
{
	bool swapped, zstd;
	enum pk_status status;

	*start = is_magic(pk_input_at(&reader->input), &swapped);
	if (*start)
		return PK_OK;
	status = pk_input_detect_zstd(&reader->input, &zstd);
	*start = zstd;
	return status;
}

/* No record type is anywhere near what the magic numbers of streams look like as one. */
#define TYPE_MAYBE_MAGIC 0x10000000u

/* Brings the next record whole into view. PK_END with *start: another session begins there instead.
 */
static enum pk_status frame(struct pk_reader *reader, struct pk_record *record, bool *start)
{
	struct pk_input *input = &reader->input;
	enum pk_status status = pk_input_want(input, sizeof(struct perf_header));
	uint8_t *header;

	*start = false;
	if (pk_unlikely(status))
		return status == PK_END ? at_end(reader) : fail_input(reader, status);
	header = input->block->data + input->begin;
	if (pk_unlikely(pk_load_u32(header) >= TYPE_MAYBE_MAGIC)) {
		status = is_stream_start(reader, start);
		if (status)
			return fail_input(reader, status);
		if (*start)
			return PK_END;
	}
	if (pk_unlikely(reader->swapped)) {
		pk_swap_u32(header);
		pk_swap_u16(header + 4);
		pk_swap_u16(header + 6);
	}
	record->type = pk_load_u32(header);
	record->misc = pk_load_u16(header + 4);
	record->size = pk_load_u16(header + 6);
	if (pk_unlikely(record->size < sizeof(struct perf_header)))
		return fail(reader, PK_CORRUPT, "a record without a size");
	status = pk_input_want(input, record->size);
	if (pk_unlikely(status))
		return fail_input(reader, status == PK_END ? PK_TRUNCATED : status);
	record->data = pk_input_at(input);
	record->offset = input->offset;
	return PK_OK;
}

/* Byte order is settled here, once. False: skip the record. */
static bool swap(struct pk_reader *reader, struct pk_record *record)
{
	uint64_t bit = UINT64_C(1) << (record->type % 64);
	enum pk_status status = pk_swap_record(&reader->events, (uint8_t *)record->data,
					       record->type, record->misc, record->size);

	if (status == PK_CORRUPT) {
		pk_reader_complain(reader, record,
				   "malformed record of the other byte order, skipped");
		return false;
	}
	if (status == PK_UNSUPPORTED && !(reader->unswapped_types & bit)) {
		reader->unswapped_types |= bit;
		warn(reader, record, "unknown record of the other byte order, passed on as it is");
	}
	return true;
}

static enum pk_status note_finish(struct pk_reader *reader, const struct pk_record *record)
{
	if (record->size < 40)
		return PK_CORRUPT;
	reader->finished = true;
	if (reader->samples < pk_load_u64(record->data + 32))
		warn(reader, record, "fewer samples than the END record says");
	return PK_OK;
}

static enum pk_status note_update(struct pk_reader *reader, const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_SESSION:
		if (record->size < 40)
			return PK_CORRUPT;
		reader->ours = true;
		return PK_OK;
	case PK_FINISH: return note_finish(reader, record);
	case PK_DEFINITION_NONE: return pk_events_update(&reader->events, record);
	default: return PK_OK;
	}
}

/* What the reader itself must know of a record. */
static enum pk_status note(struct pk_reader *reader, struct pk_record *record, const char **problem)
{
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: return pk_events_add(&reader->events, record, problem);
	case PERF_RECORD_EVENT_UPDATE: return note_update(reader, record);
	case PERF_RECORD_HEADER_FEATURE:
		if (pk_feature_id(record) == PERF_FEATURE_EVENT_DESC)
			return pk_events_describe(&reader->events, record);
		return PK_OK;
	case PERF_RECORD_HEADER_TRACING_DATA:
		record->payload_size = PK_ALIGN8(pk_load_u32(record->data + 8));
		break;
	case PERF_RECORD_AUXTRACE: record->payload_size = pk_load_u64(record->data + 8); break;
	default: break;
	}
	reader->payload_left = record->payload_size;
	return PK_OK;
}

/* True if the record is to be returned, false if it is to be skipped. */
static bool accept(struct pk_reader *reader, struct pk_record *record, enum pk_status *status)
{
	const char *problem = NULL;

	if (record->type == PK_RECORD_BEGIN || record->size < pk_record_size_min(record->type)) {
		pk_reader_complain(reader, record,
				   record->type ? "record too short for its type, skipped"
						: "record of type 0, skipped");
		return false;
	}
	if (reader->swapped && !swap(reader, record))
		return false;
	if (record->type < PERF_RECORD_USER_START)
		return true;
	*status = note(reader, record, &problem);
	if (*status == PK_CORRUPT) {
		*status = PK_OK;
		pk_reader_complain(reader, record, problem ? problem : "malformed record, skipped");
		return false;
	}
	if (problem)
		warn(reader, record, problem);
	return true;
}

enum pk_status pk_reader_next(struct pk_reader *reader, struct pk_record *record)
{
	enum pk_status status = reader->failed;
	bool start, accepted;

	if (pk_unlikely(status))
		return status;
	if (pk_unlikely(!reader->began))
		return begin_session(reader, record);
	if (pk_unlikely(reader->clear))
		leave_session(reader);
	if (pk_unlikely(reader->payload_left)) {
		status = skip_payload(reader);
		if (status)
			return status;
	}
	record->payload_size = 0;
	do {
		status = frame(reader, record, &start);
		if (pk_unlikely(status)) {
			if (!start)
				return status;
			record->offset = reader->input.offset;
			if (cut_short(reader))
				pk_reader_complain(
					reader, record,
					"another stream begins, but this one had no END");
			return begin_session(reader, record);
		}
		pk_input_consume(&reader->input, record->size);
		if (pk_likely(record->type == PERF_RECORD_SAMPLE && !reader->swapped)) {
			reader->samples++;
			return PK_OK;
		}
		accepted = accept(reader, record, &status);
		if (status)
			return fail(reader, status, NULL);
	} while (!accepted);
	if (record->type == PERF_RECORD_SAMPLE)
		reader->samples++;
	return PK_OK;
}
