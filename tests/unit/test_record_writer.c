// SPDX-License-Identifier: BSD-2-Clause
/* Tests records that several programs write. */
#include "pkprivate.h"
#include "stream_builder.h"

static struct sink sink;
static struct pk_writer *writer;

/* Returns the only record that was written since the last call. */
static struct pk_record written(void)
{
	struct pk_record record;

	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	record = pk_record_at(sink.built.data);
	ck_assert_uint_eq(record.size, sink.built.size);
	ck_assert_uint_eq(record.size % 8, 0);
	return record;
}

static void begin(void)
{
	built_clear(&sink.built);
	writer = write_sink(&sink);
}

static void end(void)
{
	pk_writer_free(writer);
	built_clear(&sink.built);
}

static void check_zeros(const struct pk_record *record, size_t at)
{
	for (; at < record->size; at++)
		ck_assert_uint_eq(record->data[at], 0);
}

START_TEST(zeros)
{
	struct pk_record record;

	begin();
	ck_assert_ptr_nonnull(pk_writer_zeroed(writer, PERF_RECORD_FORK, 5, 40));
	record = written();
	ck_assert_uint_eq(record.type, PERF_RECORD_FORK);
	ck_assert_uint_eq(record.misc, 5);
	ck_assert_uint_eq(record.size, 40);
	check_zeros(&record, sizeof(struct perf_header));
	end();
}
END_TEST

/* A text has its NUL and padding. The trailer follows the padding. */
START_TEST(texts)
{
	static const struct {
		const char *text;
		size_t padded;
	} cases[] = {{"", 8}, {"1234567", 8}, {"12345678", 16}};
	struct perf_record_mmap2 *map;
	struct pk_record record;

	for (size_t i = 0; i < COUNT(cases); i++) {
		begin();
		map = pk_writer_with_text(writer, PERF_RECORD_MMAP2, 2, sizeof(*map), cases[i].text,
					  16);
		ck_assert_ptr_nonnull(map);
		map->flags = 7;
		record = written();
		ck_assert_uint_eq(record.size, sizeof(*map) + cases[i].padded + 16);
		ck_assert_str_eq(pk_record_text(&record, pk_mmap_name_at(&record)), cases[i].text);
		check_zeros(&record, sizeof(*map) + strlen(cases[i].text));
		end();
	}
}
END_TEST

START_TEST(long_texts)
{
	static char text[PERF_RECORD_SIZE_MAX];

	begin();
	memset(text, 'x', sizeof(text) - 1);
	ck_assert_ptr_null(pk_writer_with_text(writer, PERF_RECORD_COMM, 0, 16, text, 0));
	text[PERF_RECORD_SIZE_MAX - 16 - 1] = '\0';
	ck_assert_ptr_null(pk_writer_with_text(writer, PERF_RECORD_COMM, 0, 16, text, 8));
	ck_assert_ptr_nonnull(pk_writer_with_text(writer, PERF_RECORD_COMM, 0, 16, text, 0));
	ck_assert_uint_eq(written().size, PERF_RECORD_SIZE_MAX);
	end();
}
END_TEST

START_TEST(copies)
{
	const uint64_t body[] = {1, 2};
	struct built built = {0};
	struct pk_record record;
	uint8_t *copy;

	begin();
	RECORD(&built, PERF_RECORD_SAMPLE, 3, "88", body[0], body[1]);
	record = last_built(&built);
	copy = pk_writer_extend(writer, &record, sizeof(struct pk_trailer));
	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_eq(pk_trailer_put(copy + record.size, PK_STACK_TRAILER_TAG, 9),
			 copy + record.size + PK_STACK_TRAILER_SIZE);
	record = written();
	ck_assert_uint_eq(record.misc, 3);
	ck_assert_uint_eq(record.size, 32);
	ck_assert_mem_eq(record.data + sizeof(struct perf_header), body, sizeof(body));
	ck_assert_uint_eq(pk_stack_trailer(record.data, record.size), 9);
	built_clear(&built);
	end();
}
END_TEST

/* A reader of the stream gets the event unchanged. */
START_TEST(events)
{
	const uint64_t ids[] = {7, 8, 9};
	const double scale = 0.5;
	const struct perf_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.config = 3,
		.flags = PERF_ATTR_SAMPLE_ID_ALL | UINT64_C(2) << PERF_ATTR_PRECISE_IP_SHIFT,
	};
	const struct perf_record_event_update *update;
	const struct pk_event *event;
	struct pk_record record;
	struct pk_reader *reader;
	struct source source;

	begin();
	pk_writer_header(writer);
	ck_assert_int_eq(pk_writer_attr(writer, &attr, ids, COUNT(ids)), PK_OK);
	ck_assert_int_eq(pk_writer_update(writer, PERF_EVENT_UPDATE_NAME, 8, "a name", 7), PK_OK);
	ck_assert_int_eq(
		pk_writer_update(writer, PERF_EVENT_UPDATE_SCALE, 8, &scale, sizeof(scale)), PK_OK);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	source = source_of(&sink.built);
	reader = read_source(&source);
	expect_record(reader, PK_RECORD_BEGIN);
	record = expect_record(reader, PERF_RECORD_HEADER_ATTR);
	ck_assert_uint_eq(record.size, sizeof(struct perf_header) + attr.size + sizeof(ids));
	expect_record(reader, PERF_RECORD_EVENT_UPDATE);
	record = expect_record(reader, PERF_RECORD_EVENT_UPDATE);
	update = (const void *)record.data;
	ck_assert_uint_eq(update->type, PERF_EVENT_UPDATE_SCALE);
	ck_assert_uint_eq(update->id, 8);
	ck_assert_mem_eq(update->data, &scale, sizeof(scale));
	event = pk_events_at(pk_reader_events(reader), 0);
	ck_assert_mem_eq(&event->attr, &attr, attr.size);
	ck_assert_uint_eq(event->ids_count, COUNT(ids));
	ck_assert_mem_eq(event->ids, ids, sizeof(ids));
	ck_assert_str_eq(event->name, "a name");
	expect_end(reader, PK_END);
	pk_reader_free(reader);
	end();
}
END_TEST

START_TEST(maps)
{
	struct perf_thread_map_entry *threads;
	struct perf_cpus_list *cpus;
	struct pk_record record;

	begin();
	threads = pk_writer_thread_map(writer, 2);
	ck_assert_ptr_nonnull(threads);
	threads[1].pid = 5;
	record = written();
	ck_assert_uint_eq(record.type, PERF_RECORD_THREAD_MAP);
	ck_assert_uint_eq(record.size, 16 + 2 * 24);
	ck_assert_uint_eq(((const struct perf_record_thread_map *)record.data)->nr, 2);
	end();
	begin();
	cpus = pk_writer_cpu_map(writer, 3);
	ck_assert_ptr_nonnull(cpus);
	ck_assert_uint_eq(cpus->type, PERF_CPUS_LIST);
	ck_assert_uint_eq(cpus->nr, 3);
	cpus->cpu[2] = 4;
	record = written();
	ck_assert_uint_eq(record.type, PERF_RECORD_CPU_MAP);
	ck_assert_uint_eq(record.size, 24); /* 8 + 4 + 3 * 2, padded */
	end();
}
END_TEST

RUN_TESTS("record_writer", zeros, texts, long_texts, copies, events, maps)
