// SPDX-License-Identifier: BSD-2-Clause
/* tofile <IN >OUT: writes a recording in the format in which perf writes it to a file. OUT must be
 * a file. The table of the header has the events. All other records of the stream follow, except
 * features. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pkstream.h"

#define HEADER_SIZE 104

static void put(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		err(EXIT_FAILURE, "stdout");
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

/* Writes the table, which has one entry for each event. Each entry has room for the longest attr.
 * The ids follow the table. */
static uint64_t put_events(const struct pk_events *events)
{
	size_t count = pk_events_count(events), stride = PERF_ATTR_SIZE_VER9 + 16;
	uint64_t ids = HEADER_SIZE + count * stride;

	for (size_t i = 0; i < count; i++) {
		const struct pk_event *event = pk_events_at(events, i);

		put(&event->attr, PERF_ATTR_SIZE_VER9);
		put_u64(ids);
		put_u64(8 * event->ids_count);
		ids += 8 * event->ids_count;
	}
	for (size_t i = 0; i < count; i++) {
		const struct pk_event *event = pk_events_at(events, i);

		put(event->ids, 8 * event->ids_count);
	}
	return ids;
}

static void put_header(size_t events, uint64_t data, uint64_t size)
{
	const uint64_t stride = PERF_ATTR_SIZE_VER9 + 16;
	const uint64_t header[HEADER_SIZE / 8] = {PERF_MAGIC2,	   HEADER_SIZE, stride, HEADER_SIZE,
						  events * stride, data,	size};

	put(header, sizeof(header));
}

int main(void)
{
	struct pk_reader_options options = {.fd = STDIN_FILENO};
	struct pk_reader *reader;
	struct pk_record record;
	enum pk_status status;
	uint64_t data = 0, size = 0;
	size_t events = 0;

	if (pk_reader_new(&options, &reader) != PK_OK)
		errx(EXIT_FAILURE, "out of memory");
	while (!(status = pk_reader_next(reader, &record))) {
		if (record.type == PK_RECORD_BEGIN || record.type == PERF_RECORD_HEADER_ATTR ||
		    record.type == PERF_RECORD_HEADER_FEATURE)
			continue;
		if (record.payload_size)
			errx(EXIT_FAILURE, "a recording with tracepoints");
		if (!data) {
			events = pk_events_count(pk_reader_events(reader));
			put_header(events, 0, 0);
			data = put_events(pk_reader_events(reader));
		}
		put(record.data, record.size);
		size += record.size;
	}
	if (status != PK_END)
		errx(EXIT_FAILURE, "stdin: %s", pk_reader_error(reader));
	pk_reader_free(reader);
	if (fseek(stdout, 0, SEEK_SET))
		err(EXIT_FAILURE, "stdout");
	put_header(events, data, size);
	if (fclose(stdout))
		err(EXIT_FAILURE, "stdout");
	return 0;
}
