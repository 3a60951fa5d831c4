// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "pkprivate.h"
#include "stream_builder.h"

static struct sink sink;
static struct pk_writer *writer;
static struct pk_dictionary *dictionary;

static void begin(void)
{
	writer = write_sink(&sink);
	dictionary = pk_dictionary_new(writer);
	ck_assert_ptr_nonnull(dictionary);
}

static void end(void)
{
	pk_dictionary_free(dictionary);
	pk_writer_free(writer);
	built_clear(&sink.built);
}

static uint32_t string(const char *text)
{
	return pk_dictionary_string(dictionary, text, strlen(text));
}

static void expect_string(const struct pk_dictionary *d, uint32_t id, const char *text)
{
	size_t size = 99;
	const char *found = pk_dictionary_get_string(d, id, &size);

	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found, text);
	ck_assert_uint_eq(size, strlen(text));
}

START_TEST(interning)
{
	struct pk_dso dso = {.kind = PK_DSO_FILE, .build_id_size = 3, .build_id = {1, 2, 3}};
	struct pk_frame frame = {.dso = 1, .function = 1, .line = 5, .address = 0x1234};

	begin();
	ck_assert_uint_eq(string("a"), 1);
	ck_assert_uint_eq(string("b"), 2);
	ck_assert_uint_eq(string(""), 3);
	ck_assert_uint_eq(string("a"), 1);
	ck_assert_uint_eq(pk_dictionary_string(dictionary, "ab", 1), 1);
	ck_assert_uint_eq(string(""), 3);
	dso.path = 1;
	ck_assert_uint_eq(pk_dictionary_dso(dictionary, &dso), 1);
	dso.build_id[2] = 4;
	ck_assert_uint_eq(pk_dictionary_dso(dictionary, &dso), 2);
	dso.build_id[2] = 3;
	ck_assert_uint_eq(pk_dictionary_dso(dictionary, &dso), 1);
	ck_assert_uint_eq(pk_dictionary_frame(dictionary, &frame), 1);
	frame.flags = PK_FRAME_USER;
	ck_assert_uint_eq(pk_dictionary_frame(dictionary, &frame), 2);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 0, 1), 1);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 1, 1), 2);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 1, 2), 3);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 0, 1), 1);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 1, 2), 3);
	expect_string(dictionary, 2, "b");
	ck_assert_uint_eq(pk_dictionary_get_dso(dictionary, 2)->build_id[2], 4);
	ck_assert_uint_eq(pk_dictionary_get_frame(dictionary, 2)->flags, PK_FRAME_USER);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 3)->parent, 1);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 3)->frame, 2);
	ck_assert_ptr_null(pk_dictionary_get_string(dictionary, 0, NULL));
	ck_assert_ptr_null(pk_dictionary_get_string(dictionary, 4, NULL));
	ck_assert_ptr_null(pk_dictionary_get_dso(dictionary, UINT32_MAX));
	ck_assert_uint_eq(pk_dictionary_stacks(dictionary).count, 3);
	ck_assert_uint_eq(pk_dictionary_frames(dictionary).count, 2);
	ck_assert_uint_eq(pk_writer_records(writer), 3 + 2 + 2 + 3);
	end();
	pk_dictionary_free(NULL);
}
END_TEST

/* Compares the definitions byte by byte with SPEC 9.4 to 9.7. */
START_TEST(written)
{
	struct pk_dso dso = {.path = 1, .kind = PK_DSO_KERNEL, .build_id_size = 20};
	struct pk_frame frame = {1, 1, 1, 0x102, 0x304, 5, 0x1020304050607, 0x8090a0b};
	struct built b = {0};

	memcpy(dso.build_id, "twenty bytes of an i", 20);
	begin();
	string("seven b");
	pk_dictionary_dso(dictionary, &dso);
	pk_dictionary_frame(dictionary, &frame);
	pk_dictionary_stack(dictionary, 0, 1);
	string("eight by");
	pk_dictionary_reset(dictionary);
	pk_writer_flush(writer);
	open_definition(&b, PK_STRING);
	PUT(&b, "44", 1, 7);
	put_bytes(&b, "seven b", 8);
	close_record(&b);
	open_definition(&b, PK_DSO);
	PUT(&b, "4444", 1, PK_DSO_KERNEL, 1, 20);
	put_bytes(&b, "twenty bytes of an i", 20);
	put(&b, 4, 0);
	close_record(&b);
	DEFINITION(&b, PK_FRAME, "4444444488", 1, 1, 1, 1, 0x102, 0x304, 5, 0, 0x1020304050607,
		   0x8090a0b);
	DEFINITION(&b, PK_STACK, "4444", 1, 0, 1, 0);
	open_definition(&b, PK_STRING);
	PUT(&b, "44", 2, 8);
	put_bytes(&b, "eight by\0\0\0\0\0\0\0", 16);
	close_record(&b);
	DEFINITION(&b, PK_RESET, "44", 0xf0, 0);
	ck_assert_uint_eq(sink.built.size, b.size);
	ck_assert_mem_eq(sink.built.data, b.data, b.size);
	built_clear(&b);
	end();
}
END_TEST

/* Reads all written definitions. The status of each must be `expected`. */
static void read_back(struct pk_dictionary *d, struct built *b, enum pk_status expected)
{
	struct pk_record record = {0};

	for (b->record = 0; b->record < b->size; b->record += record.size) {
		record = last_built(b);
		ck_assert_int_eq(pk_dictionary_read(d, &record), expected);
	}
}

/* A second dictionary reads the output of the first dictionary, also after a RESET. */
START_TEST(reading)
{
	struct pk_dictionary *other = pk_dictionary_new(NULL);
	char text[32];

	begin();
	for (int turn = 0; turn < 3; turn++) {
		for (uint32_t i = 0; i < 3000; i++) {
			struct pk_dso dso = {.path = 3000 * (uint32_t)turn + i + 1, .kind = i % 8};
			struct pk_frame frame = {.function = dso.path, .dso = dso.path, .line = i};

			snprintf(text, sizeof(text), "turn %d, string %u", turn, i);
			ck_assert_uint_eq(string(text), dso.path);
			ck_assert_uint_eq(pk_dictionary_dso(dictionary, &dso), dso.path);
			ck_assert_uint_eq(pk_dictionary_frame(dictionary, &frame), dso.path);
			ck_assert_uint_eq(
				pk_dictionary_stack(dictionary, i ? dso.path - 1 : 0, dso.path),
				dso.path);
		}
		pk_writer_flush(writer);
		read_back(other, &sink.built, PK_OK);
		built_clear(&sink.built);
		for (uint32_t id = 3000 * (uint32_t)turn + 1; id <= 3000 * ((uint32_t)turn + 1);
		     id++) {
			expect_string(other, id, pk_dictionary_get_string(dictionary, id, NULL));
			ck_assert_mem_eq(pk_dictionary_get_dso(other, id),
					 pk_dictionary_get_dso(dictionary, id),
					 sizeof(struct pk_dso));
			ck_assert_mem_eq(pk_dictionary_get_frame(other, id),
					 pk_dictionary_get_frame(dictionary, id),
					 sizeof(struct pk_frame));
			ck_assert_mem_eq(pk_dictionary_get_stack(other, id),
					 pk_dictionary_get_stack(dictionary, id),
					 sizeof(struct pk_stack));
		}
		ck_assert_ptr_null(pk_dictionary_get_string(other, 3000 * (uint32_t)turn, NULL));
		ck_assert_uint_eq(pk_dictionary_stacks(other).base, 3000 * (uint32_t)turn);
		ck_assert_uint_eq(pk_dictionary_stacks(other).count, 3000);
		ck_assert_int_eq(pk_dictionary_reset(dictionary), PK_OK);
	}
	pk_dictionary_free(other);
	end();
}
END_TEST

/* Ids continue after a RESET. They start again after the dictionary was cleared. */
START_TEST(resetting)
{
	begin();
	ck_assert_uint_eq(string("a"), 1);
	ck_assert_uint_eq(string("b"), 2);
	ck_assert_int_eq(pk_dictionary_reset(dictionary), PK_OK);
	ck_assert_ptr_null(pk_dictionary_get_string(dictionary, 1, NULL));
	ck_assert_ptr_null(pk_dictionary_get_string(dictionary, 2, NULL));
	ck_assert_uint_eq(string("b"), 3);
	ck_assert_uint_eq(string("a"), 4);
	expect_string(dictionary, 3, "b");
	ck_assert_uint_eq(pk_writer_records(writer), 5);
	pk_dictionary_clear(dictionary);
	ck_assert_uint_eq(pk_writer_records(writer), 5);
	ck_assert_uint_eq(string("a"), 1);
	end();
	dictionary = pk_dictionary_new(NULL);
	ck_assert_uint_eq(string("x"), 1);
	ck_assert_int_eq(pk_dictionary_reset(dictionary), PK_OK);
	ck_assert_uint_eq(string("x"), 2);
	pk_dictionary_free(dictionary);
}
END_TEST

static void read_one(struct built *b, enum pk_status expected)
{
	struct pk_record record = last_built(b);
	uint8_t *copy = malloc(record.size); /* copied for sanitizers */

	memcpy(copy, record.data, record.size);
	record.data = copy;
	ck_assert_int_eq(pk_dictionary_read(dictionary, &record), expected);
	free(copy);
	built_clear(b);
}

static void define_string(uint32_t id, uint32_t length, const char *text)
{
	struct built b = {0};

	open_definition(&b, PK_STRING);
	PUT(&b, "44", id, length);
	put_string(&b, text);
	close_record(&b);
	read_one(&b, PK_OK);
}

#define DEFINE(status, kind, widths, ...)                                                          \
	do {                                                                                       \
		struct built b = {0};                                                              \
                                                                                                   \
		DEFINITION(&b, kind, widths, __VA_ARGS__);                                         \
		read_one(&b, status);                                                              \
	} while (0)

/* SPEC 12: a definition with an unexpected id is dropped. If a definition has the expected id and
 * an undefined reference, it uses the id. */
START_TEST(malformed)
{
	begin();
	DEFINE(PK_CORRUPT, PK_STRING, "448", 0, 0, 0);
	DEFINE(PK_CORRUPT, PK_STRING, "448", 2, 0, 0);
	define_string(1, 3, "abc");
	DEFINE(PK_CORRUPT, PK_STRING, "448", 1, 0, 0);
	DEFINE(PK_CORRUPT, PK_STRING, "448", UINT32_MAX, 0, 0);
	DEFINE(PK_CORRUPT, PK_STRING, "4", 2, 0);
	DEFINE(PK_CORRUPT, PK_STRING, "448", 2, 8, 0); /* no room for a NUL */
	define_string(3, 7, "seven!!");
	expect_string(dictionary, 1, "abc");
	expect_string(dictionary, 2, "");
	expect_string(dictionary, 3, "seven!!");
	DEFINE(PK_CORRUPT, PK_STRING, "448", 4, UINT32_MAX, 0);
	DEFINE(PK_CORRUPT, PK_DSO,
	       "4444"
	       "8884",
	       1, 0, 9, 0, 0, 0, 0, 0); /* the path refers to an undefined string */
	DEFINE(PK_CORRUPT, PK_DSO,
	       "4444"
	       "888",
	       2, 0, 1, 21, 0, 0, 0); /* the size of the build-id is 21 */
	DEFINE(PK_CORRUPT, PK_DSO,
	       "4444"
	       "88",
	       3, 0, 1, 0, 0, 0); /* the record is too short */
	DEFINE(PK_OK, PK_DSO,
	       "4444"
	       "888",
	       3, 0, 1, 20, 0, 0, 0);
	ck_assert_uint_eq(pk_dictionary_get_dso(dictionary, 2)->build_id_size, 0);
	DEFINE(PK_CORRUPT, PK_FRAME, "4444444488", 1, 4, 0, 0, 0, 0, 0, 0, 0, 0);
	DEFINE(PK_CORRUPT, PK_FRAME, "4444444488", 2, 0, 9, 0, 0, 0, 0, 0, 0, 0);
	DEFINE(PK_CORRUPT, PK_FRAME, "4444444488", 3, 0, 0, 9, 0, 0, 0, 0, 0, 0);
	DEFINE(PK_CORRUPT, PK_FRAME, "444444448", 4, 0, 0, 0, 0, 0, 0, 0, 0);
	DEFINE(PK_OK, PK_FRAME, "4444444488", 4, 3, 1, 1, 1, 2, 3, 0, 5, 6);
	ck_assert_uint_eq(pk_dictionary_get_frame(dictionary, 1)->flags, PK_FRAME_UNRESOLVED);
	ck_assert_uint_eq(pk_dictionary_get_frame(dictionary, 4)->symbol_start, 6);
	DEFINE(PK_CORRUPT, PK_STACK, "4444", 1, 0, 0, 0);
	DEFINE(PK_CORRUPT, PK_STACK, "4444", 2, 0, 5, 0);
	DEFINE(PK_CORRUPT, PK_STACK, "4444", 3, 3, 4, 0);
	DEFINE(PK_CORRUPT, PK_STACK, "444", 4, 0, 4, 0);
	DEFINE(PK_OK, PK_STACK, "4444", 4, 3, 4, 0);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 3)->frame, 0);
	DEFINE(PK_CORRUPT, PK_STACK, "44444", 5, 4, 4, 3, 4); /* nr is 3, but 1 frame */
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 5)->parent, 4);
	DEFINE(PK_CORRUPT, PK_STACK, "4444444", 6, 5, 4, 3, 4, 9, 4);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 7)->parent, 6);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 8)->frame, 0);
	ck_assert_uint_eq(pk_dictionary_get_stack(dictionary, 9)->parent, 8);
	ck_assert_uint_eq(pk_dictionary_stacks(dictionary).count, 9);
	DEFINE(PK_CORRUPT, PK_RESET, "", 0);
	DEFINE(PK_OK, PK_RESET, "44", 0, 0);
	ck_assert_ptr_null(pk_dictionary_get_stack(dictionary, 4));
	DEFINE(PK_CORRUPT, PK_STACK, "4444", 10, 9, 0, 0);
	DEFINE(PK_CORRUPT, PK_STRING, "448", 1, 0, 0);
	define_string(5, 0, "");
	end();
}
END_TEST

static void add_frames(uint32_t count)
{
	for (uint64_t address = 1; address <= count; address++)
		pk_dictionary_frame(dictionary, &(struct pk_frame){.address = address});
}

/* One STACK defines all stacks of a path that are new. */
START_TEST(path)
{
	uint32_t first[] = {3, 2, 1}, same[] = {3, 2, 1}, other[] = {1, 1, 2};
	struct built b = {0};

	begin();
	add_frames(3);
	pk_writer_flush(writer);
	built_clear(&sink.built);
	ck_assert(pk_dictionary_path(dictionary, 0, first, 3) == PK_OK);
	ck_assert(pk_dictionary_path(dictionary, 0, same, 3) == PK_OK);
	ck_assert_mem_eq(first, same, sizeof(first));
	ck_assert_uint_eq(first[0], 3);
	ck_assert_uint_eq(first[2], 1);
	ck_assert_uint_eq(pk_dictionary_stack(dictionary, 1, 3), 4);
	ck_assert(pk_dictionary_path(dictionary, 1, other, 3) == PK_OK);
	ck_assert_uint_eq(other[0], 6);
	ck_assert_uint_eq(other[1], 5);
	ck_assert_uint_eq(other[2], 2);
	ck_assert(pk_dictionary_path(dictionary, 6, other, 0) == PK_OK);
	pk_writer_flush(writer);
	DEFINITION(&b, PK_STACK, "444444", 1, 0, 1, 2, 2, 3);
	DEFINITION(&b, PK_STACK, "4444", 4, 1, 3, 0);
	DEFINITION(&b, PK_STACK, "444444", 5, 2, 1, 1, 1, 0);
	ck_assert_uint_eq(sink.built.size, b.size);
	ck_assert_mem_eq(sink.built.data, b.data, b.size);
	built_clear(&b);
	end();
}
END_TEST

/* The path is too long for one record. */
START_TEST(long_path)
{
	enum { COUNT = 40000 };
	struct pk_dictionary *other = pk_dictionary_new(NULL);
	uint32_t *frames = calloc(COUNT, sizeof(*frames));

	begin();
	add_frames(2);
	for (size_t i = 0; i < COUNT; i++)
		frames[i] = 1 + (i & 1);
	ck_assert(pk_dictionary_path(dictionary, 0, frames, COUNT) == PK_OK);
	ck_assert_uint_eq(frames[0], COUNT);
	pk_writer_flush(writer);
	read_back(other, &sink.built, PK_OK);
	ck_assert_uint_eq(pk_dictionary_stacks(other).count, COUNT);
	for (uint32_t id = 1; id <= COUNT; id++)
		ck_assert_mem_eq(pk_dictionary_get_stack(other, id),
				 pk_dictionary_get_stack(dictionary, id), sizeof(struct pk_stack));
	free(frames);
	pk_dictionary_free(other);
	end();
}
END_TEST

/* Definitions of other kinds are ignored, and definitions that are longer than expected are
 * accepted. */
START_TEST(unknown)
{
	begin();
	DEFINE(PK_OK, PK_LOSS, "4488", 1, 1, 1, 1);
	DEFINE(PK_OK, 99, "8", 1);
	DEFINE(PK_OK, PK_STRING,
	       "44"
	       "88"
	       "8",
	       1, 1, htole64('a'), 77, 78);
	expect_string(dictionary, 1, "a");
	end();
}
END_TEST

/* A string that does not fit into a record is cut. UTF-8 text is cut between two characters
 * (SPEC 9.4). */
START_TEST(long_strings)
{
	enum { MAX = 65495 };
	static char text[70000];
	static const struct {
		const char *tail; /* end of the string; its first byte is at MAX - 2 */
		size_t size;
	} cases[] = {
		{"abc", MAX},
		{"a\xc3\xa4", MAX - 1},
		{"\xc3\xa4z", MAX},
		{"\xe2\x82\xac", MAX - 2},
		{"\xf0\x9f\x98\x80", MAX - 2},
		{"\x80\x80\x80\x80", MAX}, /* this is not UTF-8, and is cut at MAX */
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t size;
		uint32_t id;

		begin();
		memset(text, i == 5 ? 0x80 : 'x', sizeof(text));
		memcpy(text + MAX - 2, cases[i].tail, strlen(cases[i].tail));
		id = pk_dictionary_string(dictionary, text, sizeof(text));
		ck_assert_uint_eq(id, 1);
		ck_assert_ptr_nonnull(pk_dictionary_get_string(dictionary, id, &size));
		ck_assert_uint_eq(size, cases[i].size);
		ck_assert_uint_eq(pk_dictionary_string(dictionary, text, sizeof(text)), id);
		ck_assert_uint_eq(pk_dictionary_string(dictionary, text, size), id);
		pk_writer_flush(writer);
		ck_assert_uint_le(sink.built.size, PERF_RECORD_SIZE_MAX);
		pk_dictionary_clear(dictionary);
		read_back(dictionary, &sink.built, PK_OK);
		ck_assert_mem_eq(pk_dictionary_get_string(dictionary, 1, &size), text,
				 cases[i].size);
		end();
	}
}
END_TEST

START_TEST(memory)
{
	size_t before, full;
	char text[100];

	begin();
	before = pk_dictionary_memory(dictionary);
	for (int i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "%099d", i);
		string(text);
	}
	full = pk_dictionary_memory(dictionary);
	ck_assert_uint_gt(full, before + 1000000);
	ck_assert_uint_lt(full, before + 3000000);
	pk_dictionary_reset(dictionary);
	ck_assert_uint_eq(pk_dictionary_memory(dictionary), before);
	end();
}
END_TEST

RUN_TESTS("dictionary", interning, written, reading, resetting, malformed, path, long_path, unknown,
	  long_strings, memory)
