// SPDX-License-Identifier: BSD-2-Clause
/* Tests the start and the end of records: sizes, payloads, and compression of the whole stream. */
#include <stdio.h>
#include <zstd.h>

#include "plain_stream.h"

static void read_impossible_sizes(void)
{
	unsigned int records;
	uint64_t bad;

	for (unsigned int size = 0; size < 8; size++) {
		put_stream(&built, 1);
		PUT(&built, "422", PERF_RECORD_LOST, 0, size);
		put_zeros(&built, 100);
		ck_assert_int_eq(read_to_end(&built, &records, &bad), PK_CORRUPT);
		ck_assert_uint_eq(records, 3);
		built_clear(&built);
	}
}

/* The largest records. The last of them is contiguous only if the reader moves it when it reaches
 * the end of the buffer. */
static void read_large_sizes(void)
{
	unsigned int records;
	uint64_t bad;

	put_stream(&built, 0);
	for (int i = 0; i < 40; i++) {
		open_record(&built, 1000, 0);
		put_zeros(&built, i % 2 ? 65528 - 8 : UINT16_MAX - 8);
		close_record(&built);
	}
	ck_assert_int_eq(read_to_end(&built, &records, &bad), PK_END);
	ck_assert_uint_eq(records, 42);
	ck_assert_uint_eq(bad, 0);
}

START_TEST(sizes)
{
	both_orders(read_impossible_sizes);
	both_orders(read_large_sizes);
}
END_TEST

/* SPEC 3.2: a size that is not a multiple of 8 is reported, and reading continues. Three types can
 * have any size. */
START_TEST(odd_sizes)
{
	static const struct {
		uint32_t type;
		unsigned int size, warnings;
	} cases[] = {
		{PERF_RECORD_HEADER_FEATURE, 21, 0},
		{PERF_RECORD_HEADER_FEATURE, 20, 0},
		{PERF_RECORD_HEADER_TRACING_DATA, 13, 0},
		{PERF_RECORD_LOST, 25, 1},
		{PERF_RECORD_SAMPLE, 25, 1},
		{1000, 9, 1},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct source source;
		struct pk_reader *reader;

		put_stream(&built, 0);
		open_record(&built, cases[i].type, 0);
		put_zeros(&built, cases[i].size - 8);
		close_record(&built);
		put_sample(&built, 77);
		source = source_of(&built);
		reader = read_source(&source);
		expect_record(reader, PK_RECORD_BEGIN);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		ck_assert_uint_eq(expect_record(reader, cases[i].type).size, cases[i].size);
		ck_assert_uint_eq(pk_load_u64(expect_record(reader, PERF_RECORD_SAMPLE).data + 8),
				  77);
		expect_end(reader, PK_END);
		ck_assert_uint_eq(source.warnings, cases[i].warnings);
		pk_reader_free(reader);
		built_clear(&built);
	}
}
END_TEST

static void put_payload(uint64_t size, unsigned int byte)
{
	uint8_t *data = malloc(size + 1);

	memset(data, (int)byte, size);
	put_bytes(&built, data, size);
	free(data);
}

static void expect_payload(struct pk_reader *reader, uint64_t expected, unsigned int byte)
{
	const uint8_t *data;
	uint64_t sum = 0;
	size_t size;

	for (;;) {
		ck_assert_int_eq(pk_reader_payload(reader, &data, &size), PK_OK);
		if (!size)
			break;
		ck_assert_uint_eq(data[0], byte);
		ck_assert(!memcmp(data, data + 1, size - 1));
		sum += size;
	}
	ck_assert_uint_eq(sum, expected);
}

static void read_payloads(void)
{
	struct source source;
	struct pk_reader *reader;
	struct pk_record record;

	put_stream(&built, 0);
	for (int turn = 0; turn < 2; turn++) {
		RECORD(&built, PERF_RECORD_HEADER_TRACING_DATA, 0, "44", 13, 0);
		put_payload(13, 't');
		RECORD(&built, PERF_RECORD_AUXTRACE, 0, "8884444", 2000001, 0, 0, 1, 2, 3, 0);
		put_payload(2000001, 'a');
		RECORD(&built, PERF_RECORD_AUXTRACE, 0, "8884444", 0, 0, 0, 1, 2, 3, 0);
		put_sample(&built, 5);
	}
	source = source_of(&built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	/* In the first turn, the payloads are skipped. In the second turn, they are read. */
	for (int turn = 0; turn < 2; turn++) {
		record = expect_record(reader, PERF_RECORD_HEADER_TRACING_DATA);
		ck_assert_uint_eq(record.payload_size, 13);
		if (turn)
			expect_payload(reader, 13, 't');
		record = expect_record(reader, PERF_RECORD_AUXTRACE);
		ck_assert_uint_eq(record.payload_size, 2000001);
		if (turn)
			expect_payload(reader, 2000001, 'a');
		record = expect_record(reader, PERF_RECORD_AUXTRACE);
		ck_assert_uint_eq(record.payload_size, 0);
		expect_payload(reader, 0, 0);
		record = expect_record(reader, PERF_RECORD_SAMPLE);
		ck_assert_uint_eq(record.payload_size, 0);
		expect_payload(reader, 0, 0);
	}
	expect_end(reader, PK_END);
	pk_reader_free(reader);
}

static void read_cut_payload(void)
{
	struct source source;
	struct pk_reader *reader;
	const uint8_t *data;
	size_t size;

	put_stream(&built, 0);
	RECORD(&built, PERF_RECORD_AUXTRACE, 0, "8884444", UINT64_MAX, 0, 0, 1, 2, 3, 0);
	put_payload(5, 'a');
	for (int take = 0; take < 2; take++) {
		source = source_of(&built);
		reader = read_source(&source);
		expect_record(reader, PK_RECORD_BEGIN);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		ck_assert_uint_eq(expect_record(reader, PERF_RECORD_AUXTRACE).payload_size,
				  UINT64_MAX);
		if (take) {
			ck_assert_int_eq(pk_reader_payload(reader, &data, &size), PK_OK);
			ck_assert_uint_eq(size, 5);
			ck_assert_int_eq(pk_reader_payload(reader, &data, &size), PK_TRUNCATED);
		}
		expect_end(reader, PK_TRUNCATED);
		pk_reader_free(reader);
	}
}

START_TEST(payloads)
{
	both_orders(read_payloads);
	both_orders(read_cut_payload);
}
END_TEST

/* ---- Compression of the whole stream ---- */

static void squeeze(struct built *out, const struct built *in, size_t from, size_t to)
{
	size_t bound = ZSTD_compressBound(to - from);
	uint8_t *data = malloc(bound);
	size_t size = ZSTD_compress(data, bound, in->data + from, to - from, 3);

	ck_assert(!ZSTD_isError(size));
	put_bytes(out, data, size);
	free(data);
}

/* Frames that end inside of records, an empty frame, and a skippable frame. */
static void read_frames(void)
{
	struct built frames = {.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
	struct source source;

	put_stream(&built, 1000);
	squeeze(&frames, &built, 0, 5);
	squeeze(&frames, &built, 5, 5);
	PUT(&frames, "44", 0x184d2a53, 3);
	put_bytes(&frames, "abc", 3);
	squeeze(&frames, &built, 5, 170);
	squeeze(&frames, &built, 170, built.size);
	for (size_t piece = 0; piece < 3; piece++) {
		source = source_of(&frames);
		source.piece = piece;
		expect_samples(&source, 1000, PK_END);
	}
	frames.size -= 3;
	source = source_of(&frames);
	{
		struct pk_reader *reader = read_source(&source);
		struct pk_record record;
		enum pk_status status;

		while (!(status = pk_reader_next(reader, &record)))
			;
		ck_assert_int_eq(status, PK_TRUNCATED);
		pk_reader_free(reader);
	}
	built_clear(&frames);
}

/* Compressed and uncompressed sessions alternate. */
static void read_mixed(void)
{
	struct built mixed = {0};
	struct source source;
	struct pk_reader *reader;

	put_stream(&built, 10);
	for (int i = 0; i < 3; i++) {
		squeeze(&mixed, &built, 0, built.size);
		put_bytes(&mixed, built.data, built.size);
		put_bytes(&mixed, built.data, built.size);
		squeeze(&mixed, &built, 0, built.size);
	}
	for (size_t piece = 0; piece < 3; piece++) {
		source = source_of(&mixed);
		source.piece = piece;
		reader = read_source(&source);
		for (int i = 0; i < 12; i++) {
			struct pk_record record = expect_record(reader, PK_RECORD_BEGIN);

			ck_assert_uint_eq(record.offset, i * built.size);
			expect_record(reader, PERF_RECORD_HEADER_ATTR);
			for (int j = 0; j < 10; j++)
				expect_record(reader, PERF_RECORD_SAMPLE);
		}
		expect_end(reader, PK_END);
		pk_reader_free(reader);
	}
	built_clear(&mixed);
}

START_TEST(zstd)
{
	both_orders(read_frames);
	both_orders(read_mixed);
}
END_TEST

RUN_TESTS("framing", sizes, odd_sizes, payloads, zstd)
