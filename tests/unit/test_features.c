// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "stream_builder.h"

static struct pk_feature feature;

static struct pk_record written(void)
{
	static struct sink sink;
	struct pk_writer *writer = write_sink(&sink);

	built_clear(&sink.built);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(pk_writer_records(writer), 1);
	pk_writer_free(writer);
	ck_assert_uint_eq(pk_load_u16(sink.built.data + 6), sink.built.size);
	ck_assert_uint_eq(sink.built.size % 8, 0);
	return last_built(&sink.built);
}

START_TEST(numbers)
{
	static const uint8_t expected[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0};
	struct pk_record record;

	pk_feature_start(&feature, PERF_FEATURE_NRCPUS);
	pk_feature_u32(&feature, 1);
	pk_feature_u64(&feature, 2);
	pk_feature_bytes(&feature, "abc", 3);
	pk_feature_bytes(&feature, NULL, 0);
	record = written();
	ck_assert_uint_eq(record.size, 32);
	ck_assert_uint_eq(record.type, PERF_RECORD_HEADER_FEATURE);
	ck_assert_uint_eq(pk_feature_id(&record), PERF_FEATURE_NRCPUS);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		ck_assert_mem_eq(record.data + 16, expected, 16);
}
END_TEST

START_TEST(strings)
{
	char long_text[1000], text[1000];
	struct pk_record record;

	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	for (size_t length = 0; length < 200; length++) {
		pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
		pk_feature_string(&feature, long_text + sizeof(long_text) - 1 - length);
		record = written();
		ck_assert_uint_eq(pk_load_u32(record.data + 16), (length + 64) / 64 * 64);
		ck_assert(pk_feature_get_string(&record, text, sizeof(text)));
		ck_assert_str_eq(text, long_text + sizeof(long_text) - 1 - length);
		ck_assert(pk_feature_get_string(&record, text, 10));
		ck_assert_uint_eq(strlen(text), length < 9 ? length : 9);
	}
}
END_TEST

/* A feature that does not fit into one record is written as several FEATURE_PART records. */
START_TEST(parts)
{
	struct sink sink = {0};
	struct pk_writer *writer = write_sink(&sink);
	struct pk_feature_content content;
	struct pk_reader *reader;
	static char text[70000];
	struct pk_record record;
	struct source source;
	unsigned int n = 0;

	memset(text, 'x', sizeof(text) - 1);
	ck_assert_int_eq(pk_writer_header(writer), PK_OK);
	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	pk_feature_string(&feature, text);
	ck_assert(!feature.overflow);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	source = source_of(&sink.built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	do {
		record = expect_record(reader, PERF_RECORD_EVENT_UPDATE);
		ck_assert_uint_eq(pk_definition_of(&record), PK_FEATURE_PART);
		n++;
	} while (!pk_reader_feature(reader, &record, &content));
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(content.id, PERF_FEATURE_HOSTNAME);
	ck_assert_uint_eq(pk_load_u32(content.data), (sizeof(text) + 63) / 64 * 64);
	ck_assert_mem_eq(content.data + 4, text, sizeof(text));
	ck_assert_uint_eq(source.warnings, 0);
	pk_reader_free(reader);
	pk_writer_free(writer);
	built_clear(&sink.built);
}
END_TEST

/* A feature that is too large is skipped, and the writer continues. */
START_TEST(overflow)
{
	struct sink sink = {0};
	struct pk_writer *writer = write_sink(&sink);
	static char text[PK_FEATURE_BUILD_MAX + 1];

	memset(text, 'x', sizeof(text) - 1);
	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	pk_feature_string(&feature, text);
	ck_assert(feature.overflow);
	pk_feature_u32(&feature, 1);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_UNSUPPORTED);
	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	pk_feature_bytes(&feature, text, PK_FEATURE_BUILD_MAX - 15);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_UNSUPPORTED);
	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	text[PK_FEATURE_BUILD_MAX - 30] = '\0'; /* fits only without perf's padding */
	pk_feature_string(&feature, text);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_UNSUPPORTED);
	pk_feature_start(&feature, PERF_FEATURE_HOSTNAME);
	ck_assert(!feature.overflow);
	pk_feature_bytes(&feature, text, PERF_RECORD_SIZE_MAX - 16);
	ck_assert_int_eq(pk_feature_write(&feature, writer), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(sink.built.size, PERF_RECORD_SIZE_MAX);
	pk_writer_free(writer);
	built_clear(&sink.built);
}
END_TEST

START_TEST(malformed)
{
	static const struct {
		uint32_t length, size;
		bool good;
	} cases[] = {
		{0, 0, true}, {4, 4, true}, {5, 4, false}, {UINT32_MAX, 4, false}, {3, 8, true}};
	struct built b = {0};
	struct pk_record record;
	char text[16];

	for (size_t i = 0; i < COUNT(cases); i++) {
		open_record(&b, PERF_RECORD_HEADER_FEATURE, 0);
		PUT(&b, "84", PERF_FEATURE_ARCH, cases[i].length);
		put_bytes(&b, "abcdefgh", cases[i].size);
		close_record(&b);
		record = last_built(&b);
		ck_assert_int_eq(pk_feature_get_string(&record, text, sizeof(text)), cases[i].good);
		if (cases[i].good)
			ck_assert_uint_eq(strlen(text), cases[i].length);
	}
	RECORD(&b, PERF_RECORD_HEADER_FEATURE, 0, "8", PERF_FEATURE_ARCH);
	record = last_built(&b);
	ck_assert(!pk_feature_get_string(&record, text, sizeof(text)));
	ck_assert_uint_eq(pk_feature_id(&record), PERF_FEATURE_ARCH);
	RECORD(&b, PERF_RECORD_HEADER_FEATURE, 0, "8", UINT64_C(0x100000006));
	record = last_built(&b);
	ck_assert_uint_eq(pk_feature_id(&record), 0);
	RECORD(&b, PERF_RECORD_ID_INDEX, 0, "8", PERF_FEATURE_ARCH);
	record = last_built(&b);
	ck_assert_uint_eq(pk_feature_id(&record), 0);
	put_empty(&b, PERF_RECORD_HEADER_FEATURE);
	record = last_built(&b);
	ck_assert_uint_eq(pk_feature_id(&record), 0);
	built_clear(&b);
}
END_TEST

RUN_TESTS("features", numbers, strings, parts, overflow, malformed)
