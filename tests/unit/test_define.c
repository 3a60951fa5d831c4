// SPDX-License-Identifier: BSD-2-Clause
/* Tests the definitions that pk-inject writes. A session reads them. */
#include "define.h"
#include "pkprivate.h"
#include "stream_symbols.h"
#include "task_builder.h"

static struct sink sink;
static struct pk_writer *writer;
static struct define *define;
static uint64_t records;

static const struct define_image program = {.key = 1, .info = {.kind = PK_DSO_FILE, .path = "/a"}};

static bool symbol(uint64_t start, uint64_t size, const char *name)
{
	const struct pk_symbol_info info = {
		.start = start, .size = size, .name = name, .name_size = strlen(name)};

	return define_symbol(define, &program, &info);
}

/* Passes the definitions that were written since the last call to the session. */
static void hand_over(void)
{
	size_t at = 0;

	define_flush(define);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	while (at < sink.built.size) {
		struct pk_record record = {.data = sink.built.data + at,
					   .type = pk_load_u32(sink.built.data + at),
					   .misc = pk_load_u16(sink.built.data + at + 4),
					   .size = pk_load_u16(sink.built.data + at + 6)};

		ck_assert_int_eq(pk_session_record(session, &record), PK_OK);
		at += record.size;
		records++;
	}
	sink.built.size = 0;
}

static struct pk_stream_place at(uint64_t ip)
{
	struct pk_thread *thread = pk_session_thread(session, 1, 1);
	struct pk_location location = pk_session_locate(session, thread, ip, PERF_RECORD_MISC_USER);
	struct pk_stream_place place;

	pk_session_stream_symbol(session, &location, &place);
	return place;
}

static void begin(void)
{
	session = pk_session_new();
	sink = (struct sink){0};
	writer = write_sink(&sink);
	define = define_new(NULL);
	define_start_session(define, writer);
	records = 0;
	maps((struct mapped){.pid = 1, .start = 0x400000, .size = 0x100000, .name = "/a"});
}

static void finish(void)
{
	define_free(define);
	pk_writer_free(writer);
	free(sink.built.data);
	pk_session_free(session);
}

START_TEST(once)
{
	ck_assert(symbol(0x10, 0x10, "f"));
	ck_assert(!symbol(0x10, 0x10, "f"));
	ck_assert(symbol(0x20, 0x10, "g"));
	hand_over();
	ck_assert_uint_eq(records, 2); /* IMAGE, SYMBOLS */
	ck_assert_str_eq(at(0x400010).function, "f");
	ck_assert_str_eq(at(0x40002f).function, "g");
	ck_assert(symbol(0x10, 0x10, "renamed"));
	ck_assert(symbol(0x20, 0x20, "g")); /* defined again, because the symbol is now larger */
	hand_over();
	ck_assert_uint_eq(records, 3);
	ck_assert_str_eq(at(0x400010).function, "renamed");
	ck_assert_str_eq(at(0x40003f).function, "g");
	ck_assert_uint_eq(at(0x40003f).symbol_start, 0x20);
}
END_TEST

START_TEST(forgotten)
{
	symbol(0x10, 0x10, "f");
	hand_over();
	ck_assert_uint_gt(define_size(define), 0);
	define_forget(define);
	ck_assert_uint_eq(define_size(define), 0);
	hand_over();
	ck_assert_ptr_null(at(0x400010).function);
	ck_assert(symbol(0x10, 0x10, "f"));
	hand_over();
	ck_assert_str_eq(at(0x400010).function, "f");
}
END_TEST

/* Symbols that do not fit into one record, and names that are too long. */
START_TEST(much)
{
	static char name[70000];

	memset(name, 'x', sizeof(name) - 1);
	ck_assert(symbol(0, 1, name));
	ck_assert(symbol(1, 1, name + 30000));
	for (uint64_t i = 2; i < 5000; i++)
		ck_assert(symbol(i, 1, "some name of some length"));
	hand_over();
	ck_assert_uint_eq(strlen(at(0x400000).function), PK_OFFSITE_TEXT_MAX);
	for (uint64_t i = 2; i < 5000; i++)
		ck_assert_str_eq(at(0x400000 + i).function, "some name of some length");
}
END_TEST

START_TEST(sources)
{
	const struct pk_source_info list[] = {
		{.function = "inner", .function_size = 5, .line = 1, .flags = PK_SOURCE_INLINED},
		{.file = "/src/a.c", .file_size = 8, .line = 2, .column = 3},
	};
	const struct pk_stream_source *source;

	define_source(define, &program, 0x15, list, 2);
	define_source(define, &program, 0x15, list, 1); /* has a definition already */
	hand_over();
	source = at(0x400015).source;
	ck_assert_ptr_nonnull(source);
	ck_assert_uint_eq(source->count, 2);
	ck_assert_str_eq(source->frames[0].function, "inner");
	ck_assert_ptr_null(source->frames[0].file);
	ck_assert(source->frames[0].inlined);
	ck_assert_str_eq(source->frames[1].file, "/src/a.c");
	ck_assert_uint_eq(source->frames[1].column, 3);
	ck_assert_ptr_null(at(0x400014).source);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("define");
	TCase *all = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(all, begin, finish);
	tcase_add_test(all, once);
	tcase_add_test(all, forgotten);
	tcase_add_test(all, much);
	tcase_add_test(all, sources);
	suite_add_tcase(s, all);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
