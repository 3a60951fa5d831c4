/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/feature_records.c */
/* Tests a feature. One byte selects the feature, and one byte selects the sizes of its parts. The
 * content follows. The content is split into parts, and the parts are joined again. The result must
 * be the same content. It is evaluated in both byte orders. Bytes after its end must not be read.
 */
#include "feature_records.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	struct perf_header header;
	struct perf_attr attr;
	uint64_t id;
} attr = {{PERF_RECORD_HEADER_ATTR, 0, sizeof(attr)}, {.size = sizeof(struct perf_attr)}, 1};

static void swap_alone(uint64_t id, const uint8_t *content, size_t size)
{
	struct pk_events events = {.cpus_available = (uint32_t)size};
	uint8_t *copy = malloc(size + 1);

	check_that(copy != NULL);
	memcpy(copy, content, size);
	(void)pk_swap_feature(&events, id, copy, size);
	pk_events_clear(&events);
	free(copy);
}

static void put_part(struct output *output, uint64_t id, const uint8_t *content, size_t size,
		     size_t offset, size_t now)
{
	const size_t padded = PK_ALIGN8(now);
	const struct pk_record_feature_part part = {
		.head = {{PERF_RECORD_EVENT_UPDATE, 0, (uint16_t)(sizeof(part) + padded)},
			 PK_SUBTYPE_BASE | PK_FEATURE_PART,
			 0},
		.feature = (uint32_t)id,
		.byte_order = PK_HOST_IS_BIG ? 2 : 1,
		.size = size,
		.offset = offset,
	};
	const uint8_t padding[8] = {0};

	write_output(output, &part, sizeof(part));
	write_output(output, content + offset, now);
	write_output(output, padding, padded - now);
}

/* Reads the content from a stream of parts. `piece` is the size of a part, and is a multiple of 8.
 */
static void read_parts(uint64_t id, const uint8_t *content, size_t size, size_t piece)
{
	static const uint64_t header[] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};
	struct pk_feature_content feature;
	struct output output = {0};
	struct memory memory;
	struct pk_reader *reader;
	struct pk_record record;
	bool seen = false;

	write_output(&output, header, sizeof(header));
	write_output(&output, &attr, sizeof(attr));
	for (size_t at = 0, now; at < size; at += now) {
		now = size - at < piece ? size - at : piece;
		put_part(&output, id, content, size, at, now);
	}
	memory = (struct memory){.data = output.data, .size = output.size, .piece = SIZE_MAX};
	reader = open_memory(&memory);
	while (pk_reader_next(reader, &record) == PK_OK) {
		if (!pk_reader_feature(reader, &record, &feature))
			continue;
		check_that(!seen && feature.id == id && feature.size == size);
		check_that(!memcmp(feature.data, content, size));
		seen = true;
	}
	check_that(seen == (size > 0 && id > 0));
	check_that(!pk_reader_bad_records(reader));
	pk_reader_free(reader);
	free(output.data);
}

/* Joins the bytes as if they were parts. */
static void join_any(const uint8_t *data, size_t size)
{
	struct pk_join join = {0};

	while (size >= sizeof(struct pk_record_feature_part)) {
		struct pk_record record = pk_record_at(data);

		record.type = PERF_RECORD_EVENT_UPDATE;
		if (record.size < 8 || record.size > size)
			break;
		check_that(pk_join_add(&join, &record) != PK_NOMEM);
		check_that(join.have <= join.size && join.have <= join.capacity);
		data += record.size;
		size -= record.size;
	}
	free(join.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	swap_alone(data[0], data + 2, size - 2);
	read_parts(data[0], data + 2, size - 2, 8 + 8 * (data[1] & 63u));
	join_any(data, size);
	return 0;
}
