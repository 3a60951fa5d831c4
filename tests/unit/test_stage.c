// SPDX-License-Identifier: BSD-2-Clause
/* Tests the records that a stage adds to a stream, and their positions (SPEC 9.1
 * to 9.3, 9.9, 9.10). */
#include <time.h>

#include "session.h"
#include "stream_builder.h"

static const struct perf_attr attr = {.type = 1, .sample_type = PERF_SAMPLE_IP};
static char *const argv[] = {(char *)"prog", (char *)"-x", (char *)"file"};

static struct built input;
static struct sink sink;

static void put_sample(void)
{
	RECORD(&input, PERF_RECORD_SAMPLE, 2, "8", 0x1000);
}

static void put_stage(uint32_t id, uint32_t parent)
{
	open_definition(&input, PK_STAGE);
	PUT(&input,
	    "44844"
	    "8",
	    id, parent, 5, 0, 0, 0);
	close_record(&input);
}

static void perf_session(void)
{
	put_header(&input);
	put_attr(&input, &attr, 1, 1);
	put_attr(&input, &attr, 2, 1);
	put_name(&input, 1, "name");
	put_sample();
	put_empty(&input, PERF_RECORD_FINISHED_ROUND);
}

static void pk_session(bool end)
{
	put_header(&input);
	put_attr(&input, &attr, 1, 1);
	put_session(&input, 0x100);
	put_stage(1, 0);
	put_stage(2, 1);
	DEFINITION(&input, PK_ORDER, "44", PK_ORDER_TIME, UINT32_MAX);
	put_sample();
	put_sample();
	DEFINITION(&input, PK_LOSS, "4488", 1, PK_LOSS_SAMPLES_LOST, 3, 0);
	if (end)
		DEFINITION(&input, PK_FINISH, "88", 9, 2);
}

/* Reads the input, and passes all records through a stage. */
static void run_stage(struct pk_stage_options options, bool complete, uint64_t losses)
{
	struct source source = source_of(&input);
	struct pk_reader *reader = read_source(&source);
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct pk_record record;
	bool swapped = false, running = false;

	built_clear(&sink.built);
	writer = write_sink(&sink);
	options.program = "prog";
	ck_assert_int_eq(pk_stage_new(writer, &options, &stage), PK_OK);
	while (pk_reader_next(reader, &record) == PK_OK) {
		if (record.type == PK_RECORD_BEGIN) {
			if (running)
				pk_stage_end(stage, true);
			running = true;
			swapped = pk_reader_swapped(reader);
		}
		if (!pk_stage_record(stage, &record, swapped))
			ck_assert_int_eq(pk_writer_copy(writer, reader, &record), PK_OK);
	}
	pk_stage_lose(stage, PK_LOSS_RECORDS_BAD, losses, 0);
	pk_stage_lose(stage, PK_LOSS_RECORDS_BAD, losses, 100);
	pk_stage_lose(stage, (enum pk_loss_cause)77, 1, 1);
	pk_stage_end(stage, complete);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	pk_stage_free(stage);
	pk_writer_free(writer);
	pk_reader_free(reader);
}

/* Returns 1000 + kind for a definition of pk, and otherwise the type of the record. */
static unsigned int kind_of(const struct pk_record *record)
{
	unsigned int kind = pk_definition_of(record);

	return kind ? 1000 + kind : record->type;
}

#define DEF(kind) (1000 + (kind))

static struct pk_record outputs[64]; /* records of the last output, which is in `sink` */

static void expect_output(const unsigned int *kinds, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		struct pk_record *record = &outputs[i];

		ck_assert_uint_le(at + 8, sink.built.size);
		sink.built.record = at;
		if (pk_load_u64(sink.built.data + at) == PERF_MAGIC2)
			*record = (struct pk_record){.type = PK_RECORD_BEGIN, .size = 16};
		else
			*record = last_built(&sink.built);
		ck_assert_msg(kind_of(record) == kinds[i], "record %zu: %u, not %u", i,
			      kind_of(record), kinds[i]);
		at += record->size;
	}
	ck_assert_uint_eq(at, sink.built.size);
	built_clear(&input);
}

#define EXPECT(...)                                                                                \
	expect_output((const unsigned int[]){__VA_ARGS__},                                         \
		      sizeof((const unsigned int[]){__VA_ARGS__}) / sizeof(unsigned int))

static uint32_t word(size_t record, size_t at)
{
	return pk_load_u32(outputs[record].data + at);
}

START_TEST(after_perf)
{
	struct pk_session_info info;

	perf_session();
	run_stage((struct pk_stage_options){.order = PK_ORDER_PROCESSING,
					    .trailers = PK_TRAILER_STACK},
		  true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION),
	       DEF(PK_STAGE), DEF(PK_ORDER), PERF_RECORD_EVENT_UPDATE, PERF_RECORD_SAMPLE,
	       PERF_RECORD_FINISHED_ROUND, DEF(PK_FINISH));
	ck_assert_int_eq(pk_session_info_decode(&outputs[3], &info), PK_OK);
	ck_assert_uint_eq(info.version, 1);
	ck_assert_uint_eq(info.byte_order, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 2 : 1);
	ck_assert_uint_eq(info.trailers, PK_TRAILER_STACK);
	ck_assert_uint_eq(outputs[3].size, 40);
	ck_assert_uint_eq(word(5, 24), PK_ORDER_PROCESSING);
	ck_assert_uint_eq(word(5, 28), UINT32_MAX);
	ck_assert_uint_eq(pk_load_u64(outputs[9].data + 24), 8);
	ck_assert_uint_eq(pk_load_u64(outputs[9].data + 32), 1);
}
END_TEST

START_TEST(byte_order)
{
	struct pk_session_info info;

	input.swap = true;
	perf_session();
	run_stage((struct pk_stage_options){.order = PK_ORDER_NONE}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION),
	       DEF(PK_STAGE), PERF_RECORD_EVENT_UPDATE, PERF_RECORD_SAMPLE,
	       PERF_RECORD_FINISHED_ROUND, DEF(PK_FINISH));
	ck_assert_int_eq(pk_session_info_decode(&outputs[3], &info), PK_OK);
	ck_assert_uint_eq(info.byte_order, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 2);
	input.swap = false;
}
END_TEST

START_TEST(after_pk)
{
	struct pk_session_info info;
	struct pk_loss loss;

	pk_session(true);
	run_stage((struct pk_stage_options){.order = PK_ORDER_PROCESSING,
					    .trailers = PK_TRAILER_STACK},
		  true, 7);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_STAGE), DEF(PK_ORDER), PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE,
	       DEF(PK_LOSS), DEF(PK_LOSS), DEF(PK_FINISH));
	ck_assert_int_eq(pk_session_info_decode(&outputs[2], &info), PK_OK);
	ck_assert_uint_eq(info.trailers, 0x100 | PK_TRAILER_STACK);
	ck_assert_uint_eq(info.word_size, 8);
	ck_assert_uint_eq(info.e_machine, 62);
	ck_assert_uint_eq(word(5, 24), 3);
	ck_assert_uint_eq(word(5, 28), 2);
	ck_assert_uint_eq(word(6, 24), PK_ORDER_PROCESSING);
	ck_assert_int_eq(pk_loss_decode(&outputs[9], &loss), PK_OK);
	ck_assert_uint_eq(loss.stage, 1);
	ck_assert_int_eq(pk_loss_decode(&outputs[10], &loss), PK_OK);
	ck_assert_uint_eq(loss.stage, 3);
	ck_assert_uint_eq(loss.cause, PK_LOSS_RECORDS_BAD);
	ck_assert_uint_eq(loss.count, 14);
	ck_assert_uint_eq(loss.total, 100);
	ck_assert_uint_eq(pk_load_u64(outputs[11].data + 24), 10);
	ck_assert_uint_eq(pk_load_u64(outputs[11].data + 32), 2);
}
END_TEST

/* A stage that does not change the order keeps the ORDER of its input. */
START_TEST(keeps_order)
{
	pk_session(true);
	run_stage((struct pk_stage_options){.order = PK_ORDER_NONE}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_ORDER), DEF(PK_STAGE), PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE,
	       DEF(PK_LOSS), DEF(PK_FINISH));
	ck_assert_uint_eq(word(5, 24), PK_ORDER_TIME);
}
END_TEST

/* No END is written if records are missing in the output or in the input. */
START_TEST(incomplete)
{
	pk_session(true);
	run_stage((struct pk_stage_options){.order = PK_ORDER_NONE}, false, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_ORDER), DEF(PK_STAGE), PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE,
	       DEF(PK_LOSS));
	pk_session(false);
	perf_session();
	run_stage((struct pk_stage_options){.order = PK_ORDER_NONE}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_ORDER), DEF(PK_STAGE), PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE,
	       DEF(PK_LOSS), PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, PERF_RECORD_HEADER_ATTR,
	       DEF(PK_SESSION), DEF(PK_STAGE), PERF_RECORD_EVENT_UPDATE, PERF_RECORD_SAMPLE,
	       PERF_RECORD_FINISHED_ROUND, DEF(PK_FINISH));
}
END_TEST

/* A new session does not use the state of the previous session. */
START_TEST(sessions)
{
	pk_session(true);
	perf_session();
	run_stage((struct pk_stage_options){.trailers = PK_TRAILER_STACK}, true, 1);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_ORDER), DEF(PK_STAGE), PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE,
	       DEF(PK_LOSS), DEF(PK_FINISH), PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR,
	       PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE), PERF_RECORD_EVENT_UPDATE,
	       PERF_RECORD_SAMPLE, PERF_RECORD_FINISHED_ROUND, DEF(PK_LOSS), DEF(PK_FINISH));
	ck_assert_uint_eq(word(14, 28), PK_TRAILER_STACK);
	ck_assert_uint_eq(word(14, 32), 0);
	ck_assert_uint_eq(word(15, 24), 1);
	ck_assert_uint_eq(word(15, 28), 0);
	ck_assert_uint_eq(word(19, 24), 1);
	ck_assert_uint_eq(pk_load_u64(outputs[20].data + 24), 8);
}
END_TEST

/* SPEC 9.1: the definitions of a session with a newer version are not copied. */
START_TEST(newer)
{
	struct pk_session_info info;

	put_header(&input);
	put_attr(&input, &attr, 1, 1);
	DEFINITION(&input, PK_SESSION, "211444", PK_FORMAT_VERSION + 1, 1, 8, PK_TRAILER_STACK, 62,
		   0);
	put_stage(1, 0);
	DEFINITION(&input, PK_ORDER, "44", PK_ORDER_TIME, UINT32_MAX);
	DEFINITION(&input, PK_STACK, "4444", 1, 0, 0, 0);
	put_sample();
	DEFINITION(&input, PK_LOSS, "4488", 1, PK_LOSS_SAMPLES_LOST, 3, 0);
	DEFINITION(&input, PK_FINISH, "88", 7, 1);
	run_stage((struct pk_stage_options){0}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       PERF_RECORD_SAMPLE, DEF(PK_FINISH));
	ck_assert_int_eq(pk_session_info_decode(&outputs[2], &info), PK_OK);
	ck_assert_uint_eq(info.version, PK_FORMAT_VERSION);
	ck_assert_uint_eq(info.trailers, 0);
	ck_assert_uint_eq(word(3, 24), 1);
	ck_assert_uint_eq(word(3, 28), 0);
}
END_TEST

/* Nothing is added to a session without an event, because perf would reject the definitions of pk.
 */
START_TEST(no_event)
{
	put_header(&input);
	put_empty(&input, PERF_RECORD_FINISHED_INIT);
	put_empty(&input, PERF_RECORD_FINISHED_ROUND);
	run_stage((struct pk_stage_options){.order = PK_ORDER_TIME}, true, 1);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_FINISHED_INIT, PERF_RECORD_FINISHED_ROUND);
}
END_TEST

START_TEST(nothing_but_events)
{
	put_header(&input);
	put_attr(&input, &attr, 1, 1);
	put_session(&input, 0);
	put_stage(1, 0);
	DEFINITION(&input, PK_FINISH, "88", 3, 0);
	run_stage((struct pk_stage_options){.order = PK_ORDER_TIME}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       DEF(PK_STAGE), DEF(PK_ORDER), DEF(PK_FINISH));
}
END_TEST

/* Each stage reads the output of the previous stage. */
START_TEST(chain)
{
	perf_session();
	for (uint32_t n = 1; n <= 5; n++) {
		unsigned int kinds[64] = {PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR,
					  PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION)};
		size_t count = 4;

		for (uint32_t i = 0; i < n; i++)
			kinds[count++] = DEF(PK_STAGE);
		kinds[count++] = DEF(PK_ORDER);
		kinds[count++] = PERF_RECORD_EVENT_UPDATE;
		kinds[count++] = PERF_RECORD_SAMPLE;
		kinds[count++] = PERF_RECORD_FINISHED_ROUND;
		for (uint32_t i = 0; i < n; i++)
			kinds[count++] = DEF(PK_LOSS);
		kinds[count++] = DEF(PK_FINISH);
		run_stage((struct pk_stage_options){.order = PK_ORDER_TIME}, true, n);
		expect_output(kinds, count);
		for (uint32_t i = 0; i < n; i++) {
			ck_assert_uint_eq(word(4 + i, 24), i + 1);
			ck_assert_uint_eq(word(4 + i, 28), i);
			ck_assert_uint_eq(word(8 + n + i, 24), i + 1);
			ck_assert_uint_eq(pk_load_u64(outputs[8 + n + i].data + 32), 2 * (i + 1));
		}
		ck_assert_uint_eq(pk_load_u64(outputs[count - 1].data + 24), count - 2);
		put_bytes(&input, sink.built.data, sink.built.size);
	}
	built_clear(&input);
}
END_TEST

/* Returns string n of a STAGE (SPEC 9.2): 0 program, 1 version, 2 host, then the arguments. If
 * there is no room for all arguments, the last arguments are missing. */
static const char *stage_string(const struct pk_record *stage, unsigned int n)
{
	const char *at = (const char *)stage->data + 48,
		   *end = (const char *)stage->data + stage->size;

	while (n--) {
		at += strlen(at) + 1;
		ck_assert(at < end);
	}
	return at;
}

START_TEST(provenance)
{
	static char long_argument[3000];
	char *long_argv[] = {(char *)"prog", (char *)"", long_argument, long_argument, (char *)"z"};
	struct timespec now;
	uint64_t time;

	perf_session();
	run_stage((struct pk_stage_options){.argc = 3, .argv = argv}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION),
	       DEF(PK_STAGE), PERF_RECORD_EVENT_UPDATE, PERF_RECORD_SAMPLE,
	       PERF_RECORD_FINISHED_ROUND, DEF(PK_FINISH));
	clock_gettime(CLOCK_REALTIME, &now);
	time = pk_load_u64(outputs[4].data + 32);
	ck_assert_uint_le(time / 1000000000, (uint64_t)now.tv_sec);
	ck_assert_uint_ge(time / 1000000000 + 60, (uint64_t)now.tv_sec);
	ck_assert_uint_eq(word(4, 40), 3);
	ck_assert_str_eq(stage_string(&outputs[4], 0), "prog");
	ck_assert_str_eq(stage_string(&outputs[4], 1), pk_version());
	ck_assert_str_eq(stage_string(&outputs[4], 3), "prog");
	ck_assert_str_eq(stage_string(&outputs[4], 4), "-x");
	ck_assert_str_eq(stage_string(&outputs[4], 5), "file");
	memset(long_argument, 'x', sizeof(long_argument) - 1);
	perf_session();
	run_stage((struct pk_stage_options){.argc = 5, .argv = long_argv}, true, 0);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION),
	       DEF(PK_STAGE), PERF_RECORD_EVENT_UPDATE, PERF_RECORD_SAMPLE,
	       PERF_RECORD_FINISHED_ROUND, DEF(PK_FINISH));
	ck_assert_uint_eq(word(4, 40), 3);
	ck_assert_str_eq(stage_string(&outputs[4], 4), "");
	ck_assert_str_eq(stage_string(&outputs[4], 5), long_argument);
}
END_TEST

/* The first program of a pipeline, which has no input. */
START_TEST(head)
{
	struct pk_stage_options options = {
		.program = "prog",
		.order = PK_ORDER_NONE,
		.session = {.byte_order = 2, .word_size = 4, .e_machine = 40},
	};
	struct pk_writer *writer;
	struct pk_stage *stage;
	uint8_t *sample;

	put_attr(&input, &attr, 1, 1);
	built_clear(&sink.built);
	writer = write_sink(&sink);
	ck_assert_int_eq(pk_stage_new(writer, &options, &stage), PK_OK);
	ck_assert_uint_eq(pk_stage_input(stage)->version, 0);
	pk_writer_header(writer);
	pk_writer_record(writer, input.data, input.size);
	pk_stage_start(stage);
	sample = pk_writer_append(writer, PERF_RECORD_SAMPLE, 2, 16);
	pk_store_u64(sample + 8, 1);
	pk_stage_end(stage, true);
	pk_writer_flush(writer);
	pk_stage_free(stage);
	pk_stage_free(NULL);
	pk_writer_free(writer);
	EXPECT(PK_RECORD_BEGIN, PERF_RECORD_HEADER_ATTR, DEF(PK_SESSION), DEF(PK_STAGE),
	       PERF_RECORD_SAMPLE, DEF(PK_FINISH));
	ck_assert_uint_eq(outputs[2].data[26], 2);
	ck_assert_uint_eq(outputs[2].data[27], 4);
	ck_assert_uint_eq(word(2, 32), 40);
}
END_TEST

START_TEST(decoding)
{
	struct pk_session_info info = {.trailers = 99};
	struct pk_record record;
	struct pk_loss loss;

	DEFINITION(&input, PK_SESSION, "211444", 2, 1, 8, 1, 0, 0);
	record = last_built(&input);
	ck_assert_int_eq(pk_session_info_decode(&record, &info), PK_UNSUPPORTED);
	ck_assert_uint_eq(info.trailers, 99);
	DEFINITION(&input, PK_SESSION, "21144", 1, 1, 8, 1, 0);
	record = last_built(&input);
	ck_assert_int_eq(pk_session_info_decode(&record, &info), PK_CORRUPT);
	DEFINITION(&input, PK_LOSS, "448", 1, 1, 1);
	record = last_built(&input);
	ck_assert_int_eq(pk_loss_decode(&record, &loss), PK_CORRUPT);
	DEFINITION(&input, PK_LOSS, "44888", 1, 2, 3, 4, 5);
	record = last_built(&input);
	ck_assert_int_eq(pk_loss_decode(&record, &loss), PK_OK);
	ck_assert_uint_eq(loss.total, 4);
	ck_assert_uint_eq(pk_definition_of(&record), PK_LOSS);
	put_name(&input, 1, "x");
	record = last_built(&input);
	ck_assert_uint_eq(pk_definition_of(&record), PK_DEFINITION_NONE);
	DEFINITION(&input, 0xffff, "8", 1);
	record = last_built(&input);
	ck_assert_uint_eq(pk_definition_of(&record), 0xffff);
	built_clear(&input);
}
END_TEST

RUN_TESTS("stage", after_perf, byte_order, after_pk, keeps_order, incomplete, sessions, newer,
	  no_event, nothing_but_events, chain, provenance, head, decoding)
