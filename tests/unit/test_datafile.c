// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <unistd.h>

#include "simpleperf.h"
#include "stream_builder.h"

/* A perf.data file with two events, two samples, and the features HOSTNAME, BUILD_ID and
 * TRACING_DATA. */

enum { HEADER = 104, ATTR = 64, STRIDE = ATTR + 16, EVENTS = 2 };

struct file {
	struct built b;
	size_t data, data_size;	  /* the data section */
	size_t size_at, attrs_at; /* offsets of data.size and attrs.offset */
	size_t features;	  /* offset of the table of features */
};

static void put_event(struct built *b, uint64_t ids_at, uint64_t ids)
{
	PUT(b, "4488888448", PERF_TYPE_SOFTWARE, ATTR, PERF_COUNT_SW_CPU_CLOCK, 1000,
	    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP, 0, flags_of(b, 0), 0, 0, 0);
	PUT(b, "88", ids_at, ids * 8);
}

static void put_features(struct file *file)
{
	struct built *b = &file->b;
	const size_t table = b->size, first = table + 3 * 16;

	file->features = table;
	PUT(b, "88", first, 12);	       /* TRACING_DATA: its size is not a multiple of 8 */
	PUT(b, "88", first + 12, 36 + 12);     /* BUILD_ID */
	PUT(b, "88", first + 12 + 48, 4 + 64); /* HOSTNAME */
	put_bytes(b, "tracing data", 12);
	PUT(b, "4224", 0, PERF_RECORD_MISC_USER, 36 + 12, UINT32_MAX);
	put_bytes(b, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24", 20);
	put_bytes(b, "\24\0\0\0/usr/bin/a\0\0", 16);
	put(b, 4, 64);
	put_bytes(b, "machine", 7);
	put_zeros(b, 64 - 7);
}

static void put_definition(struct built *b, unsigned int kind, uint32_t first, uint32_t second)
{
	RECORD(b, PERF_RECORD_EVENT_UPDATE, 0, "8844", PK_SUBTYPE_BASE | kind, 0, first, second);
}

/* Builds a file. Its data section starts with `definitions` ORDER records, and then has a STRING if
 * `definitions` is not 0. */
static struct file build_with(bool swap, unsigned int definitions)
{
	struct file file = {.b = {.swap = swap}, .attrs_at = 24, .size_at = 48};
	struct built *b = &file.b;
	const size_t ids = HEADER + EVENTS * STRIDE;

	file.data = ids + 3 * 8;
	file.data_size = 2 * 24 + (definitions ? definitions + 1 : 0) * 32;
	PUT(b, "88888888", PERF_MAGIC2, HEADER, STRIDE, HEADER, EVENTS * STRIDE, file.data,
	    file.data_size, 0);
	PUT(b, "88888", 0, 1 << 1 | 1 << 2 | 1 << 3, 0, 0, 0);
	put_event(b, ids, 2);
	put_event(b, ids + 16, 1);
	PUT(b, "888", 11, 12, 21);
	for (unsigned int i = 0; i < definitions; i++)
		put_definition(b, PK_ORDER, PK_ORDER_NONE, UINT32_MAX);
	if (definitions)
		put_definition(b, PK_STRING, 1, 0);
	RECORD(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "88", 12, 0x1000);
	RECORD(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "88", 21, 0x2000);
	put_features(&file);
	return file;
}

static struct file build(bool swap)
{
	return build_with(swap, 0);
}

static void expect_sample(struct pk_reader *reader, const struct file *file, unsigned int index,
			  uint64_t ip)
{
	struct pk_record record = expect_record(reader, PERF_RECORD_SAMPLE);
	const struct pk_event *event = pk_reader_event_of(reader, &record);

	ck_assert_ptr_nonnull(event);
	ck_assert_uint_eq(event->index, index);
	ck_assert_uint_eq(record.offset, file->data + index * 24);
	ck_assert_uint_eq(pk_load_u64(record.data + 16), ip);
}

static void expect_tracing_data(struct pk_reader *reader)
{
	struct pk_record record = expect_record(reader, PERF_RECORD_HEADER_TRACING_DATA);
	uint8_t got[32] = {0};
	const uint8_t *data;
	size_t size, at = 0;

	ck_assert_uint_eq(record.payload_size, 16);
	for (;;) {
		ck_assert_int_eq(pk_reader_payload(reader, &data, &size), PK_OK);
		if (!size)
			break;
		ck_assert_uint_le(at + size, sizeof(got));
		memcpy(got + at, data, size);
		at += size;
	}
	ck_assert_uint_eq(at, 16);
	ck_assert_mem_eq(got, "tracing data\0\0\0\0", 16);
}

/* Reads the whole file, and checks its records. */
static void expect_file(struct pk_reader *reader, const struct file *file)
{
	struct pk_record record;
	char host[64];

	expect_record(reader, PK_RECORD_BEGIN);
	record = expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_uint_eq(record.size, 8 + ATTR + 16);
	record = expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_uint_eq(record.size, 8 + ATTR + 8);
	expect_tracing_data(reader);
	record = expect_record(reader, PERF_RECORD_HEADER_BUILD_ID);
	ck_assert_str_eq((const char *)record.data + 36, "/usr/bin/a");
	ck_assert_uint_eq(record.data[12], 1);
	record = expect_record(reader, PERF_RECORD_HEADER_FEATURE);
	ck_assert_uint_eq(pk_feature_id(&record), PERF_FEATURE_HOSTNAME);
	ck_assert(pk_feature_get_string(&record, host, sizeof(host)));
	ck_assert_str_eq(host, "machine");
	expect_sample(reader, file, 0, 0x1000);
	expect_sample(reader, file, 1, 0x2000);
}

START_TEST(either_order)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file file = build(swap);
		struct source source = source_of(&file.b);
		struct pk_reader *reader = read_source(&source);

		expect_file(reader, &file);
		ck_assert_int_eq(pk_reader_swapped(reader), swap);
		expect_end(reader, PK_END);
		ck_assert_uint_eq(source.warnings, 0);
		pk_reader_free(reader);
		built_clear(&file.b);
	}
}
END_TEST

/* SESSION, STAGE and ORDER at the start of the data section are delivered after the events. Other
 * definitions are delivered at their position in the data section. */
START_TEST(definitions)
{
	for (int swap = 0; swap < 2; swap++) {
		struct file file = build_with(swap, 3);
		struct source source = source_of(&file.b);
		struct pk_reader *reader = read_source(&source);
		struct pk_record record;

		expect_record(reader, PK_RECORD_BEGIN);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		expect_record(reader, PERF_RECORD_HEADER_ATTR);
		for (int i = 0; i < 3; i++) {
			record = expect_record(reader, PERF_RECORD_EVENT_UPDATE);
			ck_assert_uint_eq(pk_definition_of(&record), PK_ORDER);
			ck_assert_uint_eq(record.offset, 0);
		}
		expect_tracing_data(reader);
		expect_record(reader, PERF_RECORD_HEADER_BUILD_ID);
		expect_record(reader, PERF_RECORD_HEADER_FEATURE);
		record = expect_record(reader, PERF_RECORD_EVENT_UPDATE);
		ck_assert_uint_eq(pk_definition_of(&record), PK_STRING);
		file.data += 3 * 32;
		ck_assert_uint_eq(record.offset, file.data);
		file.data += 32;
		expect_sample(reader, &file, 0, 0x1000);
		expect_sample(reader, &file, 1, 0x2000);
		expect_end(reader, PK_END);
		ck_assert_uint_eq(source.warnings, 0);
		pk_reader_free(reader);
		built_clear(&file.b);
	}
}
END_TEST

/* Reads from a seekable descriptor whose position is not 0. Nothing is copied to a temporary file.
 */
START_TEST(seekable)
{
	struct file file = build(false);
	struct pk_reader_options options = {0};
	struct pk_reader *reader;
	FILE *tmp = tmpfile();

	ck_assert_ptr_nonnull(tmp);
	options.fd = fileno(tmp);
	ck_assert_int_eq(write(options.fd, "rubbish", 7), 7);
	ck_assert_int_eq(write(options.fd, file.b.data, file.b.size), (ssize_t)file.b.size);
	ck_assert_int_eq(lseek(options.fd, 7, SEEK_SET), 7);
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	file.data += 7; /* offsets in messages count from the start of the descriptor */
	expect_file(reader, &file);
	expect_end(reader, PK_END);
	pk_reader_free(reader);
	fclose(tmp);
	built_clear(&file.b);
}
END_TEST

/* One input has files and streams, one after the other. */
START_TEST(sessions)
{
	struct file first = build(false), second = build(true);
	struct built all = {0};
	struct source source;
	struct pk_reader *reader;

	put_bytes(&all, first.b.data, first.b.size);
	put_bytes(&all, second.b.data, second.b.size);
	put_header(&all);
	put_empty(&all, PERF_RECORD_FINISHED_INIT);
	put_bytes(&all, first.b.data, first.b.size);
	source = source_of(&all);
	reader = read_source(&source);
	expect_file(reader, &first);
	second.data += first.b.size;
	expect_file(reader, &second);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_FINISHED_INIT);
	first.data += first.b.size + second.b.size + 16 + 8;
	expect_file(reader, &first);
	expect_end(reader, PK_END);
	ck_assert_uint_eq(source.warnings, 0);
	pk_reader_free(reader);
	built_clear(&all);
	built_clear(&first.b);
	built_clear(&second.b);
}
END_TEST

/* If a recording was interrupted, its header has no size of the data, and it has no features. */
START_TEST(interrupted)
{
	struct file file = build(false);
	struct source source;
	struct pk_reader *reader;

	memset(file.b.data + file.size_at, 0, 8);
	file.b.size = file.data + file.data_size;
	source = source_of(&file.b);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_sample(reader, &file, 0, 0x1000);
	expect_sample(reader, &file, 1, 0x2000);
	expect_end(reader, PK_TRUNCATED);
	ck_assert_ptr_nonnull(strstr(pk_reader_error(reader), "interrupted"));
	pk_reader_free(reader);
	built_clear(&file.b);
}
END_TEST

/* A file that is cut at any byte: complete records are delivered, and the last status is never
 * PK_END. */
START_TEST(cut)
{
	struct file file = build(false);
	const size_t whole = file.b.size;

	for (size_t size = 16; size < whole; size++) {
		struct source source;
		struct pk_reader *reader;
		struct pk_record record;
		enum pk_status status;
		unsigned int samples = 0;

		file.b.size = size;
		source = source_of(&file.b);
		reader = read_source(&source);
		while (!(status = pk_reader_next(reader, &record)))
			samples += record.type == PERF_RECORD_SAMPLE;
		if (size >= file.data)
			ck_assert_uint_eq(samples,
					  size >= file.data + 48 ? 2 : size >= file.data + 24);
		ck_assert_msg(status != PK_END || source.warnings, "nothing said of a cut at %zu",
			      size);
		pk_reader_free(reader);
	}
	built_clear(&file.b);
}
END_TEST

/* If another program still writes a file, the file is read up to the size that it had when it was
 * opened. */
START_TEST(growing)
{
	struct file file = build(false);
	struct pk_reader_options options = {0};
	struct pk_reader *reader;
	FILE *tmp = tmpfile();

	ck_assert_ptr_nonnull(tmp);
	options.fd = fileno(tmp);
	memset(file.b.data + file.size_at, 0, 8);
	ck_assert_int_eq(write(options.fd, file.b.data, file.data + 24), (ssize_t)file.data + 24);
	ck_assert_int_eq(lseek(options.fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_int_eq(
		pwrite(options.fd, file.b.data + file.data + 24, 24, (off_t)file.data + 24), 24);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_sample(reader, &file, 0, 0x1000);
	expect_end(reader, PK_TRUNCATED);
	pk_reader_free(reader);
	/* If a file becomes shorter, the input is cut. */
	ck_assert_int_eq(lseek(options.fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	expect_record(reader, PK_RECORD_BEGIN);
	ck_assert_int_eq(ftruncate(options.fd, (off_t)file.data + 12), 0);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	expect_end(reader, PK_TRUNCATED);
	pk_reader_free(reader);
	fclose(tmp);
	built_clear(&file.b);
}
END_TEST

/* Sections outside of the file, or with invalid sizes. */
START_TEST(wrong)
{
	const size_t places[] = {16, 24, 32, 40, 48, 56};

	for (size_t i = 0; i < COUNT(places); i++) {
		struct file file = build(false);
		struct source source = source_of(&file.b);
		struct pk_reader *reader = read_source(&source);
		struct pk_record record;
		enum pk_status status;

		memset(file.b.data + places[i], 0xff, 8);
		do {
			status = pk_reader_next(reader, &record);
		} while (!status);
		/* Offset 56 has the event types, which are not read. */
		ck_assert_int_eq(status == PK_END, places[i] == 56);
		pk_reader_free(reader);
		built_clear(&file.b);
	}
}
END_TEST

/* Only the feature outside of the file is skipped. */
START_TEST(wrong_feature)
{
	struct file file = build(false);
	struct source source = source_of(&file.b);
	struct pk_reader *reader = read_source(&source);
	struct pk_record record;
	unsigned int features = 0, samples = 0;

	memset(file.b.data + file.features + 32, 0xff, 8);
	while (pk_reader_next(reader, &record) == PK_OK) {
		features += record.type == PERF_RECORD_HEADER_FEATURE;
		samples += record.type == PERF_RECORD_SAMPLE;
	}
	ck_assert_uint_eq(features, 0);
	ck_assert_uint_eq(samples, 2);
	ck_assert_uint_eq(source.warnings, 1);
	ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
	expect_end(reader, PK_END);
	pk_reader_free(reader);
	built_clear(&file.b);
}
END_TEST

/* Builds a file of simpleperf. Its data section starts with the formats of tracepoints, as one
 * record or divided among SPLIT records after `split` bytes of this record, if `split` is not 0. */
static struct built build_simpleperf(bool swap, unsigned int split)
{
	struct built b = {.swap = swap}, inner = {.swap = swap};

	PUT(&inner, "4224", PK_SIMPLEPERF_TRACING_DATA, 0, 26, 12);
	put_bytes(&inner, "tracing data", 12);
	put_zeros(&inner, 2);
	PUT(&b, "88888888", PERF_MAGIC2, HEADER, STRIDE, HEADER, 0, HEADER,
	    split ? 3 * 8 + 26 + 8 : 26 + 8, 0);
	put_zeros(&b, HEADER - b.size);
	if (split) {
		PUT(&b, "422", PK_SIMPLEPERF_SPLIT, 0, 8 + split);
		put_bytes(&b, inner.data, split);
		PUT(&b, "422", PK_SIMPLEPERF_SPLIT, 0, 8 + inner.size - split);
		put_bytes(&b, inner.data + split, inner.size - split);
		PUT(&b, "422", PK_SIMPLEPERF_SPLIT_END, 0, 8);
	} else {
		put_bytes(&b, inner.data, inner.size);
	}
	PUT(&b, "422", PERF_RECORD_FINISHED_ROUND, 0, 8);
	built_clear(&inner);
	return b;
}

START_TEST(simpleperf)
{
	static const unsigned int splits[] = {0, 12, 20};

	for (unsigned int i = 0; i < 2 * COUNT(splits); i++) {
		struct built b = build_simpleperf(i % 2, splits[i / 2]);
		struct source source = source_of(&b);
		struct pk_reader *reader = read_source(&source);

		expect_record(reader, PK_RECORD_BEGIN);
		expect_tracing_data(reader);
		expect_record(reader, PERF_RECORD_FINISHED_ROUND);
		expect_end(reader, PK_END);
		ck_assert_uint_eq(source.warnings, 0);
		pk_reader_free(reader);
		built_clear(&b);
	}
}
END_TEST

RUN_TESTS("datafile", simpleperf, either_order, definitions, seekable, sessions, interrupted, cut,
	  growing, wrong, wrong_feature)
