/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/reader.c libpkstream/content.c libpkstream/input.c libpkstream/framing.c */
/* seeds: streams */
/* Reads the bytes as a stream. The records must not depend on the sizes of reads. If they are
 * written and read again, they must be the same. */
#define _GNU_SOURCE
#include "pkprivate.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The maximum number of records. It is needed because a few bytes can decompress to very many
 * records. The rest of the input is ignored. */
#define RECORDS_MAX 20000

/* The result of reading. It has a hash of every record. If a record has a payload, the hash of the
 * payload follows. */
struct reading {
	uint64_t *hashes;
	size_t count, capacity;
	enum pk_status status;
	bool cut; /* the last hash is the hash of an incomplete payload */
};

static void note(struct reading *reading, uint64_t hash)
{
	if (reading->count == reading->capacity) {
		reading->capacity = 2 * reading->capacity + 64;
		reading->hashes =
			realloc(reading->hashes, reading->capacity * sizeof(*reading->hashes));
		check_that(reading->hashes != NULL);
	}
	reading->hashes[reading->count++] = hash;
}

/* Checks that the values of arguments come from the sample, and have at most their declared size.
 */
static void check_arguments(const struct pk_event *event, const struct pk_record *record)
{
	const struct pk_arguments *arguments = event->arguments;
	struct pk_sample sample;
	uint64_t value;

	if (!arguments || pk_sample_decode(event, record, &sample) != PK_OK)
		return;
	check_that(arguments->count <= PK_ARGUMENTS_MAX);
	for (size_t i = 0; i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];

		check_that(memchr(argument->name, 0, sizeof(argument->name)) != NULL);
		check_that(pk_argument_find(event, argument->name) != NULL);
		if (pk_argument_get(event, argument, &sample, &value) &&
		    !(argument->flags & PK_ARGUMENT_SIGNED))
			check_that(argument->size == 8 || !(value >> (8 * argument->size)));
	}
}

static void check_record(struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_event *event;

	if (record->type == PK_RECORD_BEGIN) {
		check_that(!record->size && !record->payload_size);
		return;
	}
	check_that(record->size >= sizeof(struct perf_header));
	check_that(record->size >= pk_record_size_min(record->type));
	check_that(pk_load_u32(record->data) == record->type);
	check_that(pk_load_u16(record->data + 4) == record->misc);
	check_that(pk_load_u16(record->data + 6) == record->size);
	event = pk_reader_event_of(reader, record);
	check_that(!event || event == pk_events_at(pk_reader_events(reader), event->index));
	if (event && record->type == PERF_RECORD_SAMPLE)
		check_arguments(event, record);
}

static enum pk_status note_payload(struct pk_reader *reader, uint64_t left, struct reading *reading)
{
	enum pk_status status;
	uint64_t hash = 0;
	const uint8_t *bytes;
	size_t size;

	while (!(status = pk_reader_payload(reader, &bytes, &size)) && size) {
		check_that(size <= left);
		left -= size;
		for (size_t i = 0; i < size; i++)
			hash = pk_mix64(hash + bytes[i] + 1, UINT64_C(0xa0761d6478bd642f));
	}
	reading->cut = status != PK_OK;
	check_that(reading->cut || !left);
	note(reading, hash);
	return status;
}

/* Handles a record. Without a writer, reads its payload. With a writer, writes the record with its
 * payload. */
static enum pk_status take(struct pk_reader *reader, const struct pk_record *record,
			   struct reading *reading, struct pk_writer *writer)
{
	check_record(reader, record);
	note(reading, pk_hash(record->data, record->size, record->type));
	if (writer && record->type == PK_RECORD_BEGIN)
		return pk_writer_header(writer);
	if (writer)
		return pk_writer_copy(writer, reader, record);
	return record->payload_size ? note_payload(reader, record->payload_size, reading) : PK_OK;
}

static struct reading read_all(const uint8_t *data, size_t size, size_t piece,
			       struct pk_writer *writer)
{
	struct memory memory = {.data = data, .size = size, .piece = piece, .random = size};
	struct pk_reader *reader = open_memory(&memory);
	struct reading reading = {0};
	struct pk_record record;
	uint64_t offset = 0;

	do {
		reading.status = pk_reader_next(reader, &record);
		if (reading.status)
			break;
		check_that(record.offset >= offset);
		offset = record.offset;
		reading.status = take(reader, &record, &reading, writer);
	} while (!reading.status && reading.count < RECORDS_MAX);
	if (reading.status) {
		check_that(pk_reader_next(reader, &record) == reading.status);
		check_that(reading.status == PK_END || *pk_reader_error(reader));
	}
	check_that(pk_reader_bad_records(reader) <= memory.warnings);
	pk_reader_free(reader);
	return reading;
}

static void check_same(const struct reading *a, const struct reading *b)
{
	check_that(a->count == b->count);
	for (size_t i = 0; i < a->count - a->cut; i++)
		check_that(a->hashes[i] == b->hashes[i]);
}

/* Returns true if a compressed frame is damaged or incomplete. Then the output of a decompressor
 * depends on the sizes of reads. */
static bool is_damaged_zstd(enum pk_status status, const uint8_t *data, size_t size)
{
	return status < 0 &&
	       (memmem(data, size, "\x28\xb5\x2f\xfd", 4) || memmem(data, size, "\x2a\x4d\x18", 3));
}

static void check_round_trip(const uint8_t *data, size_t size, const struct reading *first)
{
	struct output output = {0};
	struct pk_writer *writer = open_output(&output);
	struct reading written = read_all(data, size, SIZE_MAX, writer), expected = *first, again;

	/* Writing fails only if a large payload is incomplete. */
	check_that(pk_writer_flush(writer) == PK_OK || first->cut);
	check_that(pk_writer_size(writer) == output.size);
	pk_writer_free(writer);
	if (written.count && first->count < RECORDS_MAX) {
		again = read_all(output.data, output.size, SIZE_MAX, NULL);
		/* If it is known in advance that the payload of a record is incomplete, the record
		 * is not written. */
		if (first->cut && !again.cut) {
			expected.count -= 2; /* the record, and the start of its payload */
			expected.cut = false;
		}
		check_same(&expected, &again);
		check_that(first->status != PK_END || again.status == PK_END);
		free(again.hashes);
	}
	free(written.hashes);
	free(output.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t piece = size && data[size - 1] & 1;
	struct reading whole = read_all(data, size, SIZE_MAX, NULL);
	struct reading pieces = read_all(data, size, piece, NULL);

	if (!is_damaged_zstd(whole.status, data, size) &&
	    !is_damaged_zstd(pieces.status, data, size)) {
		check_that(whole.status == pieces.status);
		check_same(&whole, &pieces);
	}
	check_that((whole.status < 0) == (pieces.status < 0));
	check_round_trip(data, size, &whole);
	free(pieces.hashes);
	free(whole.hashes);
	return 0;
}
