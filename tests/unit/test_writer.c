// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "pkprivate.h"
#include "stream_builder.h"

static struct sink sink;
static struct pk_writer *writer;
static struct built expected; /* the bytes that the sink must contain */

static void begin(void)
{
	writer = write_sink(&sink);
}

static void end(void)
{
	ck_assert_uint_eq(sink.built.size, expected.size);
	ck_assert(!expected.size || !memcmp(sink.built.data, expected.data, expected.size));
	pk_writer_free(writer);
	built_clear(&sink.built);
	built_clear(&expected);
	sink = (struct sink){.piece = 0};
}

static void write_mix(void)
{
	static uint8_t large[300000];
	uint8_t *record;

	for (size_t i = 0; i < sizeof(large); i++)
		large[i] = (uint8_t)(i * 7);
	put_header(&expected);
	ck_assert_int_eq(pk_writer_header(writer), PK_OK);
	for (uint32_t i = 0; i < 2000; i++) {
		RECORD(&expected, PERF_RECORD_LOST, 3, "88", i, i * 2);
		ck_assert_int_eq(pk_writer_record(writer, expected.data + expected.record, 24),
				 PK_OK);
		RECORD(&expected, PERF_RECORD_SAMPLE, 2, "88", i, i * 3);
		record = pk_writer_append(writer, PERF_RECORD_SAMPLE, 2, 24);
		ck_assert_ptr_nonnull(record);
		memcpy(record + 8, expected.data + expected.record + 8, 16);
		if (i % 500 == 0) {
			put_bytes(&expected, large, sizeof(large) - i);
			ck_assert_int_eq(pk_writer_bytes(writer, large, sizeof(large) - i, 0, 0),
					 PK_OK);
			put_bytes(&expected, large, i);
			ck_assert_int_eq(pk_writer_bytes(writer, large, i, 0, 0), PK_OK);
		}
	}
	ck_assert_uint_eq(pk_writer_size(writer), expected.size);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(pk_writer_records(writer), 4000);
	ck_assert_uint_eq(pk_writer_samples(writer), 2000);
	ck_assert_int_eq(pk_writer_status(writer), PK_OK);
	ck_assert_int_eq(pk_writer_errno(writer), 0);
	ck_assert_str_eq(pk_writer_error(writer), "");
}

START_TEST(whole)
{
	begin();
	write_mix();
	ck_assert_uint_lt(sink.calls, 30);
	end();
	pk_writer_free(NULL);
}
END_TEST

START_TEST(short_writes)
{
	static const size_t pieces[] = {1, 7, 4096, 100000};

	for (size_t i = 0; i < COUNT(pieces); i++) {
		sink.piece = pieces[i];
		sink.interrupts = i % 2;
		begin();
		write_mix();
		end();
	}
}
END_TEST

/* Nothing is written twice. After a failure, nothing is written, and all further calls fail. */
static void fill_up(size_t full, size_t piece)
{
	uint8_t large[70000] = {0}, *record;
	unsigned int calls;

	sink.full = full;
	sink.piece = piece;
	begin();
	pk_writer_header(writer);
	for (int i = 0; i < 3; i++) {
		record = pk_writer_append(writer, PERF_RECORD_LOST, 0, 24);
		if (record)
			memset(record + 8, 'x', 16);
		pk_writer_bytes(writer, large, sizeof(large), 0, 0);
	}
	ck_assert_int_eq(pk_writer_flush(writer), PK_IO);
	ck_assert_uint_eq(sink.built.size, full);
	ck_assert_int_eq(pk_writer_errno(writer), ENOSPC);
	ck_assert_ptr_nonnull(strstr(pk_writer_error(writer), strerror(ENOSPC)));
	calls = sink.calls;
	sink.full = 0;
	ck_assert_int_eq(pk_writer_flush(writer), PK_IO);
	ck_assert_int_eq(pk_writer_header(writer), PK_IO);
	ck_assert_int_eq(pk_writer_record(writer, large, 24), PK_IO);
	ck_assert_int_eq(pk_writer_bytes(writer, large, sizeof(large), 0, 0), PK_IO);
	ck_assert_int_eq(pk_writer_bytes(writer, large, 3, 0, 0), PK_IO);
	ck_assert_int_eq(pk_writer_status(writer), PK_IO);
	ck_assert_ptr_null(pk_writer_append(writer, PERF_RECORD_LOST, 0, 24));
	ck_assert_uint_eq(sink.calls, calls);
	pk_writer_free(writer);
	built_clear(&sink.built);
	sink = (struct sink){.piece = 0};
}

START_TEST(full)
{
	fill_up(1, 0);
	fill_up(39, 1);
	fill_up(40, 0);
	fill_up(41, 1000);
	fill_up(200000, 0);
}
END_TEST

/* The numbers of records and samples are those of the session. The size is that of all sessions. */
START_TEST(sessions)
{
	begin();
	for (int i = 0; i < 2; i++) {
		put_header(&expected);
		pk_writer_header(writer);
		ck_assert_uint_eq(pk_writer_records(writer), 0);
		ck_assert_uint_eq(pk_writer_samples(writer), 0);
		RECORD(&expected, PERF_RECORD_SAMPLE, 0, "8", 1);
		RECORD(&expected, PERF_RECORD_LOST, 0, "88", 1, 1);
		ck_assert_int_eq(
			pk_writer_bytes(writer, expected.data + expected.size - 40, 40, 2, 1),
			PK_OK);
		ck_assert_uint_eq(pk_writer_records(writer), 2);
		ck_assert_uint_eq(pk_writer_samples(writer), 1);
	}
	ck_assert_uint_eq(pk_writer_size(writer), 2 * 56);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(sink.calls, 1);
	end();
}
END_TEST

START_TEST(largest)
{
	uint8_t *record;

	begin();
	for (int i = 0; i < 20; i++) {
		open_record(&expected, PERF_RECORD_SAMPLE, 7);
		put_zeros(&expected, PERF_RECORD_SIZE_MAX - 8);
		close_record(&expected);
		record = pk_writer_append(writer, PERF_RECORD_SAMPLE, 7, PERF_RECORD_SIZE_MAX);
		ck_assert_ptr_nonnull(record);
		memset(record + 8, 0, PERF_RECORD_SIZE_MAX - 8);
	}
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	end();
}
END_TEST

/* Copies a record of a reader with its payload. */
START_TEST(copies)
{
	struct built in = {0};
	struct source source;
	struct pk_reader *reader;
	struct pk_record record;

	put_header(&in);
	RECORD(&in, PERF_RECORD_HEADER_TRACING_DATA, 0, "4", 5);
	put_bytes(&in, "abcde", 5);
	RECORD(&in, PERF_RECORD_AUXTRACE, 0, "8884444", 999999, 0, 0, 0, 0, 0, 0);
	put_zeros(&in, 999999);
	RECORD(&in, PERF_RECORD_LOST, 0, "88", 8, 9);
	put_bytes(&expected, in.data, in.size);
	source = source_of(&in);
	reader = read_source(&source);
	begin();
	expect_record(reader, PK_RECORD_BEGIN);
	pk_writer_header(writer);
	while (pk_reader_next(reader, &record) == PK_OK)
		ck_assert_int_eq(pk_writer_copy(writer, reader, &record), PK_OK);
	pk_reader_free(reader);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(pk_writer_records(writer), 3);
	ck_assert_uint_eq(pk_writer_samples(writer), 0);
	end();
	/* If bytes of the payload are missing, the failure is a failure of the reader. */
	in.size = 16 + 12 + 4;
	source = source_of(&in);
	reader = read_source(&source);
	begin();
	expect_record(reader, PK_RECORD_BEGIN);
	record = expect_record(reader, PERF_RECORD_HEADER_TRACING_DATA);
	ck_assert_int_eq(pk_writer_copy(writer, reader, &record), PK_TRUNCATED);
	ck_assert_int_eq(pk_writer_status(writer), PK_OK);
	pk_reader_free(reader);
	pk_writer_free(writer);
	built_clear(&in);
}
END_TEST

/* Bytes of pk_writer_lend() are written once and in order. Until pk_writer_settle(), the writer may
 * read them at their address. */
START_TEST(lent)
{
	static uint8_t bytes[400000];
	size_t at = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 13);
	begin();
	put_header(&expected);
	pk_writer_header(writer);
	for (size_t size = 8; at + size < sizeof(bytes); size += 8) {
		put_bytes(&expected, bytes + at, size);
		ck_assert_int_eq(pk_writer_lend(writer, bytes + at, size, 1, size % 16 == 0),
				 PK_OK);
		at += size;
		if (size % 80 == 0)
			at += 8; /* bytes that are not written */
		if (size % 320 == 0) {
			RECORD(&expected, PERF_RECORD_LOST, 0, "88", 1, 2);
			pk_writer_record(writer, expected.data + expected.record, 24);
		}
		if (size % 800 == 0) {
			ck_assert_int_eq(pk_writer_settle(writer), PK_OK);
			memset(bytes, 0xff, at); /* the bytes may change after pk_writer_settle() */
		}
	}
	ck_assert_uint_eq(pk_writer_size(writer), expected.size);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	end();
}
END_TEST

/* If a payload is cut, the record that declares it is not written. */
START_TEST(cut_payload)
{
	struct built in = {0};
	struct source source;
	struct pk_reader *reader;
	struct pk_record record;

	put_header(&in);
	RECORD(&in, PERF_RECORD_HEADER_TRACING_DATA, 0, "4", 100000);
	put_zeros(&in, 99999);
	source = source_of(&in);
	reader = read_source(&source);
	begin();
	expect_record(reader, PK_RECORD_BEGIN);
	record = expect_record(reader, PERF_RECORD_HEADER_TRACING_DATA);
	ck_assert_int_eq(pk_writer_copy(writer, reader, &record), PK_TRUNCATED);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(pk_writer_records(writer), 0);
	pk_reader_free(reader);
	built_clear(&in);
	end();
}
END_TEST

RUN_TESTS("writer", whole, short_writes, full, sessions, largest, copies, lent, cut_payload)
