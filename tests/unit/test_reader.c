// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <unistd.h>

#include "pkprivate.h"
#include "plain_stream.h"

static void read_one_stream(void)
{
	struct source source;
	struct pk_reader *reader;
	struct pk_record record;

	put_stream(&built, 3);
	source = source_of(&built);
	reader = read_source(&source);
	record = expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_uint_eq(record.offset, 0);
	ck_assert_int_eq(pk_reader_swapped(reader), built.swap);
	record = expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_uint_eq(record.offset, 16);
	ck_assert_uint_eq(record.size, 8 + 128 + 8);
	ck_assert_int_eq(pk_reader_swapped(reader), built.swap);
	for (unsigned int i = 0; i < 3; i++) {
		record = expect_record(reader, PERF_RECORD_SAMPLE);
		ck_assert_uint_eq(record.offset, 160 + 24 * i);
		ck_assert_uint_eq(record.misc, PERF_RECORD_MISC_USER);
		ck_assert_uint_eq(record.size, 24);
		ck_assert_uint_eq(record.payload_size, 0);
		ck_assert_uint_eq(pk_load_u64(record.data + 8), 0x1000 + i);
		ck_assert_uint_eq(pk_load_u32(record.data + 16), 100);
		ck_assert_uint_eq(pk_load_u32(record.data + 20), 101);
	}
	expect_end(reader, PK_END);
	ck_assert_str_eq(pk_reader_error(reader), "");
	ck_assert_uint_eq(source.warnings, 0);
	pk_reader_free(reader);
}

START_TEST(one_stream)
{
	both_orders(read_one_stream);
	pk_reader_free(NULL);
}
END_TEST

/* The byte order, the events, and the report of a missing END apply only to one session. */
START_TEST(sessions)
{
	struct source source;
	struct pk_reader *reader;
	struct pk_record record;

	put_stream(&built, 1);
	built.swap = true;
	put_header(&built);
	put_attr(&built, &plain, 7, 2);
	put_attr(&built, &plain, 9, 1);
	built.swap = false;
	put_header(&built);
	put_header(&built);
	source = source_of(&built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_uint_eq(pk_events_count(pk_reader_events(reader)), 0);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PERF_RECORD_SAMPLE);
	record = expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_uint_eq(record.offset, 160 + 24);
	ck_assert_uint_eq(pk_events_count(pk_reader_events(reader)), 1);
	ck_assert_int_eq(pk_reader_swapped(reader), true);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_int_eq(pk_reader_swapped(reader), true);
	ck_assert_uint_eq(pk_events_count(pk_reader_events(reader)), 1);
	ck_assert_ptr_null(pk_events_by_id(pk_reader_events(reader), 1));
	ck_assert_ptr_nonnull(pk_events_by_id(pk_reader_events(reader), 8));
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_uint_eq(pk_events_count(pk_reader_events(reader)), 2);
	expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_uint_eq(pk_events_count(pk_reader_events(reader)), 0);
	expect_end(reader, PK_END);
	ck_assert_uint_eq(pk_reader_bad_records(reader), 0);
	pk_reader_free(reader);
	built_clear(&built);
}
END_TEST

/* A stream that is cut at any byte is complete only if it is cut between two records. */
static void read_cuts(void)
{
	size_t size;

	put_stream(&built, 2);
	size = built.size;
	for (built.size = 0; built.size < size; built.size++) {
		unsigned int records, whole = built.size >= 16;
		enum pk_status status;
		uint64_t bad;

		whole += built.size >= 160;
		whole += built.size >= 184;
		status = read_to_end(&built, &records, &bad);
		ck_assert_uint_eq(records, whole);
		ck_assert_int_eq(status, built.size == 16 || built.size == 160 || built.size == 184
						 ? PK_END
					 : built.size < 8 && built.size ? PK_CORRUPT
									: PK_TRUNCATED);
	}
}

START_TEST(cuts)
{
	both_orders(read_cuts);
}
END_TEST

/* SPEC 2.3: a stream with SESSION must have END. */
START_TEST(missing_end)
{
	struct source source;
	struct pk_reader *reader;
	unsigned int records;
	uint64_t bad;
	size_t size;

	put_header(&built);
	put_attr(&built, &plain, 1, 1);
	put_session(&built, 0);
	put_sample(&built, 1);
	ck_assert_int_eq(read_to_end(&built, &records, &bad), PK_TRUNCATED);
	ck_assert_uint_eq(records, 4);
	size = built.size;
	DEFINITION(&built, PK_FINISH, "88", 3, 1);
	ck_assert_int_eq(read_to_end(&built, &records, &bad), PK_END);
	built.size = size;
	put_stream(&built, 1);
	ck_assert_int_eq(read_to_end(&built, &records, &bad), PK_END);
	ck_assert_uint_eq(records, 7);
	ck_assert_uint_eq(bad, 1);
	/* If END declares more samples than the session has, this is reported. */
	built.size = size;
	DEFINITION(&built, PK_FINISH, "88", 3, 2);
	source = source_of(&built);
	reader = read_source(&source);
	while (pk_reader_next(reader, &(struct pk_record){0}) == PK_OK)
		;
	ck_assert_uint_eq(source.warnings, 1);
	ck_assert_uint_eq(source.warned_at[0], size);
	pk_reader_free(reader);
	built_clear(&built);
}
END_TEST

static void read_in_pieces(void)
{
	static const size_t pieces[] = {1, 2, 3, 7, 8, 15, 16, 17, 4096};

	put_stream(&built, 50);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		struct source source = source_of(&built);

		source.piece = pieces[i];
		source.interrupts = i % 2;
		expect_samples(&source, 50, PK_END);
	}
}

START_TEST(pieces)
{
	both_orders(read_in_pieces);
}
END_TEST

/* Records before a failure are delivered. The failure has a text. */
START_TEST(failing_reads)
{
	put_stream(&built, 50);
	for (size_t at = 160; at < 160 + 24 * 50; at += 25) {
		struct source source = source_of(&built);
		struct pk_reader *reader;

		source.fail_at = at;
		expect_samples(&source, (unsigned int)((at - 160) / 24), PK_IO);
		source = source_of(&built);
		source.fail_at = 1;
		reader = read_source(&source);
		expect_end(reader, PK_IO);
		ck_assert_ptr_nonnull(strstr(pk_reader_error(reader), strerror(EIO)));
		pk_reader_free(reader);
	}
	built_clear(&built);
}
END_TEST

/* Records are valid until the next call, even if they are at the end of a buffer. */
START_TEST(many)
{
	struct source source;

	put_stream(&built, 200000);
	source = source_of(&built);
	expect_samples(&source, 200000, PK_END);
	built_clear(&built);
}
END_TEST

/* ---- The callback idle() ---- */

struct waiting {
	int pipe[2];
	unsigned int idle;
	unsigned int more; /* number of further calls of idle() that write a sample */
};

static void on_idle(void *arg)
{
	struct waiting *waiting = arg;

	waiting->idle++;
	if (waiting->more) {
		built_clear(&built);
		put_sample(&built, 1);
		ck_assert_int_eq(write(waiting->pipe[1], built.data, built.size), 24);
		waiting->more--;
	} else {
		close(waiting->pipe[1]);
	}
}

/* idle() is called only before a read that would block. */
START_TEST(idle)
{
	struct waiting waiting = {.more = 2};
	struct pk_reader_options options = {.idle = on_idle, .arg = &waiting};
	struct pk_reader *reader;

	ck_assert_int_eq(pipe(waiting.pipe), 0);
	put_stream(&built, 3);
	ck_assert_int_eq(write(waiting.pipe[1], built.data, built.size), (ssize_t)built.size);
	options.fd = waiting.pipe[0];
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	for (int i = 0; i < 3; i++)
		expect_record(reader, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(waiting.idle, 0);
	expect_record(reader, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(waiting.idle, 1);
	expect_record(reader, PERF_RECORD_SAMPLE);
	ck_assert_uint_eq(waiting.idle, 2);
	expect_end(reader, PK_END);
	ck_assert_uint_eq(waiting.idle, 3);
	pk_reader_free(reader);
	close(waiting.pipe[0]);
	built_clear(&built);
}
END_TEST

START_TEST(idle_not_for_files)
{
	FILE *file = tmpfile();
	struct waiting waiting = {0};
	struct pk_reader_options options = {.idle = on_idle, .arg = &waiting, .fd = fileno(file)};
	struct pk_reader *reader;

	put_stream(&built, 0);
	ck_assert_uint_eq(fwrite(built.data, built.size, 1, file), 1);
	rewind(file);
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_end(reader, PK_END);
	ck_assert_uint_eq(waiting.idle, 0);
	pk_reader_free(reader);
	fclose(file);
	built_clear(&built);
}
END_TEST

/* ---- Bad records ---- */

static void read_bad_records(void)
{
	struct source source;
	struct pk_reader *reader;
	size_t bad[5];

	put_stream(&built, 0);
	bad[0] = built.size;
	RECORD(&built, PERF_RECORD_LOST, 0, "8", 1);
	bad[1] = built.size;
	RECORD(&built, 0, 0, "8", 1);
	bad[2] = built.size;
	open_record(&built, PERF_RECORD_COMM, 0);
	PUT(&built, "44", 1, 1);
	put_bytes(&built, "sixteen letters!", 16);
	close_record(&built);
	bad[3] = built.size;
	RECORD(&built, PERF_RECORD_HEADER_ATTR, 0, "44", 0, 0);
	bad[4] = built.size;
	RECORD(&built, PERF_RECORD_COMPRESSED2, 0, "");
	put_sample(&built, 42);
	source = source_of(&built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_uint_eq(pk_load_u64(expect_record(reader, PERF_RECORD_SAMPLE).data + 8), 42);
	expect_end(reader, PK_END);
	ck_assert_uint_eq(source.warnings, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_uint_eq(source.warned_at[i], bad[i]);
	ck_assert_uint_eq(pk_reader_bad_records(reader), 5);
	pk_reader_free(reader);
}

START_TEST(bad_records)
{
	both_orders(read_bad_records);
}
END_TEST

/* Records of unknown types are delivered. If the stream has the other byte order, they are not
 * swapped, and each such type is reported once. */
START_TEST(unknown_types)
{
	for (int swap = 0; swap < 2; swap++) {
		struct source source;
		struct pk_reader *reader;
		struct pk_record record;

		built.swap = swap;
		put_stream(&built, 0);
		for (int i = 0; i < 6; i++) {
			open_record(&built, i % 2 ? 40 : 200, 5);
			put_bytes(&built, "abcdefgh", 8);
			close_record(&built);
		}
		source = source_of(&built);
		reader = read_source(&source);
		expect_record(reader, PK_RECORD_BEGIN);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		for (int i = 0; i < 6; i++) {
			record = expect_record(reader, i % 2 ? 40 : 200);
			ck_assert_uint_eq(record.misc, 5);
			ck_assert_mem_eq(record.data + 8, "abcdefgh", 8);
			ck_assert_uint_eq(pk_load_u32(record.data), i % 2 ? 40 : 200);
			ck_assert_uint_eq(pk_load_u16(record.data + 6), 16);
		}
		expect_end(reader, PK_END);
		ck_assert_uint_eq(source.warnings, swap ? 2 : 0);
		ck_assert_uint_eq(pk_reader_bad_records(reader), 0);
		pk_reader_free(reader);
		built_clear(&built);
	}
}
END_TEST

static void expect_bunch(struct pk_reader *reader, uint64_t records, uint64_t samples)
{
	struct pk_bunch bunch;

	pk_reader_next_bunch(reader, &bunch);
	ck_assert_uint_eq(bunch.records, records);
	ck_assert_uint_eq(bunch.samples, samples);
	ck_assert(!bunch.size == !records);
}

/* The records of a bunch are directly after the current record, are complete, and can be handled
 * without a call for each of them. */
START_TEST(taken_together)
{
	const struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP};
	struct built b = {0};
	struct source source;
	struct pk_reader *reader;
	struct pk_bunch bunch;
	struct pk_record record;

	put_header(&b);
	put_attr(&b, &attr, 1, 1);
	for (uint64_t i = 0; i < 3; i++)
		RECORD(&b, PERF_RECORD_SAMPLE, 0, "8", i);
	DEFINITION(&b, PK_STACK, "44", 0, 0);
	RECORD(&b, PERF_RECORD_LOST, 0, "88", 1, 2);
	RECORD(&b, PERF_RECORD_SAMPLE, 0, "8", 4);
	put_empty(&b, PERF_RECORD_SAMPLE); /* has no room for the field IP */
	DEFINITION(&b, PK_RESET, "44", 0xf0, 0);
	source = source_of(&b);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_bunch(reader, 0, 0);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PERF_RECORD_SAMPLE);
	pk_reader_next_bunch(reader, &bunch);
	ck_assert_uint_eq(bunch.records, 3);
	ck_assert_uint_eq(bunch.samples, 2);
	ck_assert_uint_eq(bunch.size, 32 + 32);
	ck_assert_uint_eq(pk_load_u64(bunch.data + 8), 1);
	ck_assert_uint_eq(pk_load_u64(bunch.data + 24), 2);
	expect_bunch(reader, 0, 0);
	record = expect_record(reader, PERF_RECORD_LOST);
	ck_assert_uint_eq(record.offset, 16 + 8 + 128 + 8 + 3 * 16 + 32);
	expect_bunch(reader, 1, 1);
	expect_record(reader, PERF_RECORD_SAMPLE);
	expect_bunch(reader, 0, 0);
	expect_record(reader, PERF_RECORD_EVENT_UPDATE);
	expect_end(reader, PK_END);
	pk_reader_free(reader);
	built_clear(&b);
}
END_TEST

RUN_TESTS("reader", taken_together, one_stream, sessions, cuts, missing_end, pieces, failing_reads,
	  many, idle, idle_not_for_files, bad_records, unknown_types)
