// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "reader.h"
#include "records.h"
#include "simpleperf.h"
#include "swap.h"

void pk_reader_warn(struct pk_reader *reader, const struct pk_record *record, const char *text)
{
	const struct pk_reader_options *options = &reader->input.options;
	struct pk_warning warning = {record->offset, record->type, text};

	if (options->warn)
		options->warn(options->arg, &warning);
}

void pk_reader_complain(struct pk_reader *reader, const struct pk_record *record, const char *text)
{
	reader->bad++;
	pk_reader_warn(reader, record, text);
}

/* Reports the record unless its type is TRACING_DATA, HEADER_FEATURE or COMPRESSED, or a type of
 * simpleperf. All other records are padded to a multiple of 8 bytes. */
void pk_reader_note_odd_size(struct pk_reader *reader, const struct pk_record *record)
{
	if (reader->odd_size || record->type == PERF_RECORD_HEADER_TRACING_DATA ||
	    record->type == PERF_RECORD_HEADER_FEATURE || record->type == PERF_RECORD_COMPRESSED ||
	    record->type >= PK_SIMPLEPERF_TYPE_MIN)
		return;
	reader->odd_size = true;
	pk_reader_warn(reader, record, "record size is not a multiple of 8");
}

/* Returns the offset in the input of the next byte. If the input is a perf.data file, converts an
 * offset in the stream that stands for the file to an offset in the input. */
static uint64_t offset_of(const struct pk_reader *reader)
{
	if (pk_likely(!reader->file))
		return reader->input.offset;
	return reader->spooled_at + pk_datafile_offset(reader->file, reader->input.offset);
}

enum pk_status pk_reader_fail(struct pk_reader *reader, enum pk_status status, const char *text)
{
	reader->failed = status;
	reader->failed_at = offset_of(reader);
	snprintf(reader->error, sizeof(reader->error), "%s at offset %llu",
		 text ? text : pk_status_text(status), (unsigned long long)reader->failed_at);
	return status;
}

enum pk_status pk_reader_fail_input(struct pk_reader *reader, enum pk_status status)
{
	char text[128];

	if (status == PK_TRUNCATED)
		return pk_reader_fail(reader, status, "the input ends in the middle of a record");
	if (status == PK_CORRUPT)
		return pk_reader_fail(reader, status, "the compressed input is damaged");
	if (status != PK_IO)
		return pk_reader_fail(reader, status, NULL);
	snprintf(text, sizeof(text), "cannot read: %s", strerror(reader->input.error));
	return pk_reader_fail(reader, status, text);
}

/* ---- Start and end of sessions ---- */

#define FILE_HEADER_SIZE_OLD 72 /* size of a header without the feature bitmap */
#define DIRECTORY_VERSION    1

static enum pk_status refuse_start(struct pk_reader *reader, const uint8_t *start, size_t size)
{
	if (size < 8 || !pk_is_magic(start))
		return pk_reader_fail(reader, PK_CORRUPT,
				      "neither a perf nor a pk recording begins");
	if (size < PERF_PIPE_HEADER_SIZE)
		return pk_reader_fail(reader, PK_TRUNCATED,
				      "the input ends within the header of a stream");
	return pk_reader_fail(reader, PK_CORRUPT, "the header of a stream has an impossible size");
}

static void file_warned(void *arg, uint64_t offset, uint32_t type, const char *text)
{
	struct pk_reader *reader = arg;
	const struct pk_record record = {.offset = reader->spooled_at + offset, .type = type};

	pk_reader_complain(reader, &record, text);
}

/* Opens the perf.data file at the current offset. From then on, reads the stream that stands for
 * the file. */
static enum pk_status open_file(struct pk_reader *reader)
{
	struct pk_datafile *file = NULL, *last = reader->file;
	uint64_t base = 0, start = offset_of(reader);
	bool spool = false;
	enum pk_status status = PK_OK;
	int fd = reader->input.options.fd;

	if (last && !reader->input.raw) {
		base = start - reader->spooled_at;
		spool = pk_datafile_release_fd(last, &fd);
	} else if (!pk_input_can_seek(&reader->input, &base)) {
		status = pk_input_spool(&reader->input, &fd);
		spool = true;
		reader->spooled_at = start;
	}
	if (status)
		return pk_reader_fail_input(reader, status);
	status = pk_datafile_open(fd, spool, base, file_warned, reader, &file);
	reader->input.error = errno; /* used if status is PK_IO */
	if (!file && spool)
		close(fd);
	pk_datafile_close(last);
	reader->file = NULL;
	reader->input.offset = start; /* an error is reported with this offset */
	if (status)
		pk_datafile_close(file);
	else
		reader->file = file;
	if (status == PK_TRUNCATED)
		return pk_reader_fail(reader, status, "the input ends within the header of a file");
	if (status == PK_CORRUPT)
		return pk_reader_fail(reader, status, "the header of a perf.data file is damaged");
	if (status)
		return pk_reader_fail_input(reader, status);
	if (pk_datafile_directory(file) > DIRECTORY_VERSION)
		return pk_reader_fail(reader, PK_UNSUPPORTED,
				      "a directory of a later version than 1");
	if (pk_datafile_directory(file) && !reader->dir)
		file_warned(reader, base, PERF_RECORD_HEADER_FEATURE,
			    "this file is part of a directory that contains the samples: use the "
			    "directory");
	reader->file_missing = pk_datafile_missing(file);
	pk_input_switch(&reader->input, pk_datafile_read, file);
	return PK_OK;
}

/* Reads the header at the current offset. Returns PK_OK if a stream or a perf.data file starts
 * there. *is_file is set if it is a perf.data file. */
static enum pk_status look_at_start(struct pk_reader *reader, bool *is_file)
{
	const uint8_t *start;
	bool entered, swapped;
	enum pk_status status;
	uint64_t size;

	*is_file = false;
	if (reader->file && pk_datafile_is_data(reader->file, reader->input.offset))
		return pk_reader_fail(reader, PK_CORRUPT,
				      "another recording begins inside the data of a file");
	status = pk_input_want(&reader->input, 4);
	if (!status)
		status = pk_input_detect_zstd(&reader->input, &entered);
	if (!status)
		status = pk_input_want(&reader->input, PERF_PIPE_HEADER_SIZE);
	start = pk_input_at(&reader->input);
	if (status == PK_END && !reader->began)
		return pk_reader_fail(reader, PK_TRUNCATED, "the input is empty");
	if (status == PK_TRUNCATED)
		return refuse_start(reader, start, reader->input.end - reader->input.begin);
	if (status)
		return pk_reader_fail_input(reader, status);
	if (!pk_is_magic(start))
		return refuse_start(reader, start, PERF_PIPE_HEADER_SIZE);
	swapped = pk_start_is_swapped(start);
	size = pk_load_u64(start + 8);
	if (swapped)
		size = __builtin_bswap64(size);
	*is_file = size == PERF_FILE_HEADER_SIZE || size == FILE_HEADER_SIZE_OLD;
	if (!*is_file && size != PERF_PIPE_HEADER_SIZE)
		return refuse_start(reader, start, PERF_PIPE_HEADER_SIZE);
	reader->swapped = swapped;
	/* The header of a record is swapped in place before the whole record is in memory. A new
	 * mapping of the file would contain the unswapped header again, so no file is mapped. */
	reader->input.maps &= !swapped;
	return PK_OK;
}

enum pk_status pk_reader_start_session(struct pk_reader *reader, struct pk_record *record)
{
	enum pk_status status;
	bool is_file;

	reader->file_missing = NULL;
	status = look_at_start(reader, &is_file);
	if (!status && is_file) {
		status = open_file(reader);
		if (!status)
			status = look_at_start(reader, &is_file);
	}
	if (status)
		return status;
	*record = (struct pk_record){
		.data = pk_input_at(&reader->input),
		.type = PK_RECORD_BEGIN,
		.offset = offset_of(reader),
		.time = PK_NO_TIME,
	};
	reader->began = reader->clear = true;
	reader->join.size = reader->join.have = 0;
	pk_input_consume(&reader->input, PERF_PIPE_HEADER_SIZE);
	return PK_OK;
}

/* A stream of pk is incomplete without its END record (SPEC 2.3). A session is also incomplete if
 * its last COMPRESSED record ends in the middle of a record. */
const char *pk_reader_missing(const struct pk_reader *reader)
{
	if (reader->inner.begin < reader->inner.end)
		return "its compressed records end in the middle of a record";
	if (reader->file_missing)
		return reader->file_missing;
	return reader->ours && !reader->finished ? "it has no END record" : NULL;
}

void pk_reader_leave(struct pk_reader *reader)
{
	pk_events_clear(reader->events);
	reader->clear = reader->ours = reader->newer = reader->finished = false;
	reader->samples = 0;
	reader->unswapped_types = 0;
	reader->odd_size = false;
	pk_zstd_free(reader->zstd);
	reader->zstd = NULL;
	reader->inner.begin = reader->inner.end = 0;
}

static enum pk_status at_end(struct pk_reader *reader)
{
	const char *missing = pk_reader_missing(reader);
	char text[96];

	if (missing) {
		snprintf(text, sizeof(text), "the stream is cut, %s,", missing);
		return pk_reader_fail(reader, PK_TRUNCATED, text);
	}
	reader->failed = PK_END;
	return PK_END;
}

/* ---- Records ---- */

/* Sets *start to true if another stream, perhaps a compressed one, starts at the current offset. */
static enum pk_status is_stream_start(struct pk_reader *reader, bool *start)
{
	bool zstd;
	enum pk_status status;

	*start = pk_is_magic(pk_input_at(&reader->input));
	if (*start)
		return PK_OK;
	status = pk_input_detect_zstd(&reader->input, &zstd);
	*start = zstd;
	return status;
}

/* The first four bytes of a stream, or of a zstd frame, can be read as a record type. The result is
 * at least this number. All real types are smaller. */
#define TYPE_MAYBE_MAGIC 0x10000000u

/* Loads the record header at the current offset, and converts it to host byte order. */
static void load_header(const struct pk_reader *reader, struct pk_input *input,
			struct pk_record *record)
{
	struct perf_header *header = (void *)(input->block->data + input->begin);

	if (pk_unlikely(reader->swapped)) {
		header->type = __builtin_bswap32(header->type);
		header->misc = __builtin_bswap16(header->misc);
		header->size = __builtin_bswap16(header->size);
	}
	record->type = header->type;
	record->misc = header->misc;
	record->size = header->size;
}

/* Makes the next record contiguous in memory. Returns PK_END and sets *start if another session
 * starts here. */
static enum pk_status frame(struct pk_reader *reader, struct pk_record *record, bool *start)
{
	struct pk_input *input = &reader->input;
	enum pk_status status = pk_input_want(input, sizeof(struct perf_header));

	*start = false;
	if (pk_unlikely(status))
		return status == PK_END ? at_end(reader) : pk_reader_fail_input(reader, status);
	if (pk_unlikely(pk_load_u32(pk_input_at(input)) >= TYPE_MAYBE_MAGIC)) {
		status = is_stream_start(reader, start);
		if (status)
			return pk_reader_fail_input(reader, status);
		if (*start)
			return PK_END;
	}
	load_header(reader, input, record);
	if (pk_unlikely(record->size < sizeof(struct perf_header)))
		return pk_reader_fail(reader, PK_CORRUPT, "a record without a size");
	status = pk_input_want(input, record->size);
	if (pk_unlikely(status))
		return pk_reader_fail_input(reader, status == PK_END ? PK_TRUNCATED : status);
	record->data = pk_input_at(input);
	record->offset = offset_of(reader);
	/* Prefetches the record after the next one. Its address is right if the next record has the
	 * same size as this one. */
	__builtin_prefetch(record->data + 2 * (size_t)record->size);
	pk_input_consume(input, record->size);
	return PK_OK;
}

/* ---- COMPRESSED records: their content continues the stream; a record can start in one of them
 * and end in the next (SPEC 3.6.1) ---- */

/* The read function of the inner input. It returns decompressed bytes of the current COMPRESSED
 * record, and 0 at the end of the record. */
static ssize_t decompress(void *arg, void *buf, size_t size)
{
	struct pk_reader *reader = arg;
	bool frame_end;
	size_t out = 0;

	do {
		size_t used = 0;

		if (pk_zstd_step(reader->zstd, reader->squeezed, reader->squeezed_size, &used, buf,
				 size, &out, &frame_end) != PK_OK) {
			errno = EBADMSG;
			return -1;
		}
		reader->squeezed += used;
		reader->squeezed_size -= used;
	} while (!out && reader->squeezed_size);
	return (ssize_t)out;
}

static enum pk_status start_inner(struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_reader_options options = {.read = decompress, .arg = reader};
	const struct perf_record_compressed2 *compressed = (const void *)record->data;
	const bool sized = record->type == PERF_RECORD_COMPRESSED2;
	const size_t head = sized ? sizeof(*compressed) : sizeof(compressed->header);
	uint64_t size = record->size - head;

	if (sized && size > compressed->data_size)
		size = compressed->data_size;
	else if (sized && size < compressed->data_size)
		return pk_reader_fail(reader, PK_CORRUPT,
				      "a COMPRESSED2 record is shorter than its data_size");
	if (!reader->zstd)
		reader->zstd = pk_zstd_new();
	if (!reader->zstd || (!reader->inner.block &&
			      pk_input_init(&reader->inner, &options, reader->pool) != PK_OK))
		return pk_reader_fail(reader, PK_NOMEM, NULL);
	reader->inner.expire = reader->input.expire;
	reader->inner.expire_arg = reader->input.expire_arg;
	reader->at = record->offset;
	reader->squeezed = record->data + head;
	reader->squeezed_size = (size_t)size;
	reader->inner_used = true;
	return PK_OK;
}

/* Returns the next record from inside a COMPRESSED record. Returns PK_END if the COMPRESSED record
 * contains no more complete record. */
static enum pk_status inner_frame(struct pk_reader *reader, struct pk_record *record)
{
	struct pk_input *inner = &reader->inner;
	enum pk_status status = pk_input_want(inner, sizeof(struct perf_header));

	if (!status) {
		struct perf_header header;

		memcpy(&header, pk_input_at(inner), sizeof(header));
		if (pk_is_magic(pk_input_at(inner)))
			return pk_reader_fail(reader, PK_CORRUPT,
					      "a stream begins inside a COMPRESSED record");
		if (reader->swapped)
			header.size = __builtin_bswap16(header.size);
		if (header.size < sizeof(header))
			return pk_reader_fail(reader, PK_CORRUPT,
					      "a record without a size, in a COMPRESSED record");
		status = pk_input_want(inner, header.size);
	}
	if (status == PK_END || status == PK_TRUNCATED) {
		reader->inner_used = false;
		return PK_END;
	}
	if (status)
		return pk_reader_fail(reader, PK_CORRUPT, "a COMPRESSED record is damaged");
	load_header(reader, inner, record);
	record->data = pk_input_at(inner);
	record->offset = reader->at;
	pk_input_consume(inner, record->size);
	switch (record->type) {
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_AUXTRACE:
		return pk_reader_fail(
			reader, PK_CORRUPT,
			"a record that must not be compressed, in a COMPRESSED record");
	default: return PK_OK;
	}
}

/* Like frame(), but instead of a COMPRESSED record, it returns the records inside. */
enum pk_status pk_reader_frame(struct pk_reader *reader, struct pk_record *record, bool *start)
{
	enum pk_status status;

	for (;;) {
		if (pk_unlikely(reader->inner_used)) {
			*start = false;
			status = inner_frame(reader, record);
			if (status != PK_END || reader->inner_used)
				return status;
		}
		status = frame(reader, record, start);
		if (pk_likely(status || (record->type != PERF_RECORD_COMPRESSED &&
					 record->type != PERF_RECORD_COMPRESSED2)))
			return status;
		if (record->size % 8)
			pk_reader_note_odd_size(reader, record);
		if (record->size < pk_record_size_min(record->type)) {
			pk_reader_complain(reader, record,
					   "record too short for its type, skipped");
			continue;
		}
		if (reader->swapped && record->type == PERF_RECORD_COMPRESSED2)
			pk_swap_u64((uint8_t *)record->data +
				    offsetof(struct perf_record_compressed2, data_size));
		PK_TRY(start_inner(reader, record));
	}
}
