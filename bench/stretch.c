// SPDX-License-Identifier: BSD-2-Clause
/* stretch N <IN >OUT: makes a recording N times as long, in the same session. All records from the
 * first record with a time on are repeated with later times. These are samples and rounds, and also
 * the starts, maps and ends of processes. The time of a record must be only in its sample fields.
 * So IN must be from perf record or pk-record, in the order of the rings. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pkstream.h"

struct span {
	uint64_t first_time, last_time;
	uint8_t *data; /* bytes of the records */
	size_t size, capacity;
	uint32_t *time_at; /* for each record, the offset of its time, or 0 */
	size_t count, times_capacity;
};

static void *grow(void *data, size_t *capacity, size_t wanted, size_t unit)
{
	size_t bigger = *capacity ? *capacity : 4096;

	while (bigger < wanted)
		bigger *= 2;
	if (bigger == *capacity)
		return data;
	*capacity = bigger;
	data = realloc(data, bigger * unit);
	if (!data)
		err(EXIT_FAILURE, "stretch");
	return data;
}

static uint32_t find_time(struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_event *event;

	if (record->type >= PERF_RECORD_USER_START || record->type == PK_RECORD_BEGIN)
		return 0;
	event = pk_reader_event_of(reader, record);
	if (!event)
		return 0;
	if (record->type == PERF_RECORD_SAMPLE)
		return event->layout.time;
	return event->layout.trailer.time ? (uint32_t)record->size - event->layout.trailer.time : 0;
}

static void put(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		err(EXIT_FAILURE, "stdout");
}

/* Copies a record. Returns the address of the copy. */
static uint8_t *keep(struct span *span, const struct pk_record *record, uint32_t time_at)
{
	uint64_t time = time_at ? pk_load_u64(record->data + time_at) : 0;

	if (time && (!span->first_time || time < span->first_time))
		span->first_time = time;
	if (time > span->last_time)
		span->last_time = time;
	span->data = grow(span->data, &span->capacity, span->size + record->size, 1);
	memcpy(span->data + span->size, record->data, record->size);
	span->time_at =
		grow(span->time_at, &span->times_capacity, span->count + 1, sizeof(*span->time_at));
	span->time_at[span->count++] = time ? time_at : 0;
	span->size += record->size;
	return span->data + span->size - record->size;
}

/* Clears a wrong mark of an MMAP2 record. The mark says that the record has a build-id. Linux sets
 * it by mistake if it has just written the record for an event of another program that requested
 * build-ids. perf 6.1 crashes on the invalid build-id. */
static void clear_false_mark(struct pk_reader *reader, uint8_t *data,
			     const struct pk_record *record)
{
	const struct pk_event *event = pk_reader_event_of(reader, record);

	if (record->type == PERF_RECORD_MMAP2 && event && !(event->attr.flags & PERF_ATTR_BUILD_ID))
		pk_store_u16(data + 4, record->misc & ~PERF_RECORD_MISC_MMAP_BUILD_ID);
}

/* Writes the records. Then adds the length of the span to their times. */
static void repeat(struct span *span)
{
	uint64_t shift = span->last_time - span->first_time + 1000;
	uint8_t *at = span->data;

	put(span->data, span->size);
	for (size_t i = 0; i < span->count; i++) {
		uint8_t *time = at + span->time_at[i];

		if (span->time_at[i])
			pk_store_u64(time, pk_load_u64(time) + shift);
		at += pk_load_u16(at + 6);
	}
}

static void put_with_payload(struct pk_reader *reader, const struct pk_record *record)
{
	const uint8_t *data;
	size_t size;

	put(record->data, record->size);
	if (!record->payload_size)
		return;
	do {
		if (pk_reader_payload(reader, &data, &size) != PK_OK)
			errx(EXIT_FAILURE, "stdin: %s", pk_reader_error(reader));
		put(data, size);
	} while (size);
}

int main(int argc, char **argv)
{
	const uint64_t header[2] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};
	struct span span = {0};
	struct pk_reader *reader;
	struct pk_record record;
	enum pk_status status;
	uint64_t samples = UINT64_MAX;
	uint32_t time_at;

	if (argc != 2 && argc != 3)
		errx(2, "usage: stretch N [SAMPLES] <IN >OUT");
	if (argc == 3)
		samples = strtoull(argv[2], NULL, 10);
	if (pk_reader_new(&(struct pk_reader_options){.fd = STDIN_FILENO}, &reader) != PK_OK)
		errx(EXIT_FAILURE, "out of memory");
	while (!(status = pk_reader_next(reader, &record))) {
		if (record.payload_size && span.count)
			errx(EXIT_FAILURE, "records with a payload cannot be repeated");
		time_at = find_time(reader, &record);
		if (record.type == PK_RECORD_BEGIN)
			put(header, sizeof(header));
		else if (span.count || (time_at && pk_load_u64(record.data + time_at)))
			clear_false_mark(reader, keep(&span, &record, time_at), &record);
		else
			put_with_payload(reader, &record);
		if (record.type == PERF_RECORD_SAMPLE && !--samples)
			break;
	}
	if (status && status != PK_END)
		errx(EXIT_FAILURE, "stdin: %s", pk_reader_error(reader));
	for (long n = strtol(argv[1], NULL, 10); n > 0; n--)
		repeat(&span);
	free(span.data);
	free(span.time_at);
	pk_reader_free(reader);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
