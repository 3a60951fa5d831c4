// SPDX-License-Identifier: BSD-2-Clause
/* Tests names of addresses in the stream itself (SPEC 9.11, 9.12). */
#include "stream_symbols.h"
#include "task_builder.h"

static void image(uint32_t id, uint32_t kind, uint32_t pid, unsigned int build_id, const char *path,
		  enum pk_status expected)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_EVENT_UPDATE, 0);
	PUT(&b, "88", PK_SUBTYPE_BASE | PK_IMAGE, 0);
	PUT(&b, "4444", id, kind, pid, build_id ? 20 : 0);
	for (int i = 0; i < 20; i++)
		put(&b, 1, build_id);
	put(&b, 4, 0);
	put_string(&b, path);
	close_record(&b);
	ck_assert_int_eq(give(&b), expected);
}

static void symbol(uint32_t id, uint64_t start, uint64_t size, const char *name,
		   enum pk_status expected)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_EVENT_UPDATE, 0);
	PUT(&b, "88", PK_SUBTYPE_BASE | PK_SYMBOLS, 0);
	PUT(&b, "44", id, 1);
	PUT(&b, "8844", start, size, 0, strlen(name));
	put_bytes(&b, name, strlen(name));
	put_zeros(&b, -strlen(name) % 8);
	close_record(&b);
	ck_assert_int_eq(give(&b), expected);
}

static void forget(void)
{
	struct built b = {0};

	RECORD(&b, PERF_RECORD_EVENT_UPDATE, 0, "888", PK_SUBTYPE_BASE | PK_FORGET, 0, 0);
	ck_assert_int_eq(give(&b), PK_OK);
}

static struct pk_stream_place at(uint32_t pid, uint64_t ip, uint16_t mode)
{
	struct pk_thread *thread = pk_session_thread(session, pid, pid);
	struct pk_location location = pk_session_locate(session, thread, ip, mode);
	struct pk_stream_place place;

	if (!pk_session_stream_symbol(session, &location, &place))
		ck_assert_ptr_null(place.function);
	return place;
}

static void expect(uint32_t pid, uint64_t ip, const char *function, uint64_t start)
{
	struct pk_stream_place place = at(pid, ip, PERF_RECORD_MISC_USER);

	ck_assert_str_eq(place.function ? place.function : "", function);
	ck_assert_uint_eq(place.symbol_start, start);
}

static void begin(void)
{
	session = pk_session_new();
	ck_assert_ptr_nonnull(session);
}

static void finish(void)
{
	pk_session_free(session);
}

/* A later symbol overrides a part of an earlier symbol. The start of the earlier symbol is still
 * the start of its other addresses. */
START_TEST(symbols)
{
	maps((struct mapped){.pid = 1, .start = 0x400000, .size = 0x2000, .name = "/a"});
	expect(1, 0x400010, "", 0);
	image(1, PK_DSO_FILE, 0, 0, "/a", PK_OK);
	symbol(1, 0x0, 0x100, "whole", PK_OK);
	symbol(1, 0x40, 0x10, "inner", PK_OK);
	expect(1, 0x400010, "whole", 0);
	expect(1, 0x400045, "inner", 0x40);
	expect(1, 0x400050, "whole", 0);
	expect(1, 0x400100, "", 0);
	symbol(1, 0x40, 0x10, "renamed", PK_OK);
	expect(1, 0x400045, "renamed", 0x40);
	symbol(2, 0, 1, "of nothing", PK_CORRUPT);
	symbol(1, 0, 0, "empty", PK_CORRUPT);
	symbol(1, UINT64_MAX, 2, "end of the world", PK_CORRUPT);
	image(1, PK_DSO_FILE, 0, 0, "/a", PK_CORRUPT);
	image(3, PK_DSO_FILE, 0, 0, "/a", PK_CORRUPT);
	forget();
	expect(1, 0x400010, "", 0);
	image(1, PK_DSO_FILE, 0, 0, "/a", PK_CORRUPT); /* ids continue after FORGET */
	image(2, PK_DSO_FILE, 0, 0, "/a", PK_OK);
	symbol(2, 0, 0x100, "again", PK_OK);
	expect(1, 0x400010, "again", 0);
}
END_TEST

/* An image stands for maps with the same path and kind. If both have a build-id, it must also be
 * equal. For JIT code, the process must be the same. */
START_TEST(images)
{
	maps((struct mapped){.pid = 1,
			     .start = 0x400000,
			     .size = 0x1000,
			     .name = "/a",
			     .build_id = "11111111111111111111"});
	maps((struct mapped){.pid = 2, .start = 0x400000, .size = 0x1000, .name = "/a"});
	maps((struct mapped){.pid = 1, .start = 0x700000, .size = 0x1000, .name = "//anon"});
	maps((struct mapped){.pid = 2, .start = 0x700000, .size = 0x1000, .name = "//anon"});
	image(1, PK_DSO_FILE, 0, '2', "/a", PK_OK);
	symbol(1, 0, 0x100, "of 2", PK_OK);
	expect(1, 0x400000, "", 0);
	expect(2, 0x400000, "of 2", 0);
	image(2, PK_DSO_FILE, 0, '1', "/a", PK_OK);
	symbol(2, 0, 0x100, "of 1", PK_OK);
	expect(1, 0x400000, "of 1", 0);
	image(3, PK_DSO_JIT, 2, 0, "/tmp/perf-2.map", PK_OK);
	symbol(3, 0x700000, 0x10, "jitted", PK_OK);
	expect(1, 0x700000, "", 0);
	expect(2, 0x700005, "jitted", 0x700000);
}
END_TEST

/* A second equal image adds symbols to the first image. */
START_TEST(same_image)
{
	maps((struct mapped){.pid = 1, .start = 0x400000, .size = 0x1000, .name = "/a"});
	image(1, PK_DSO_FILE, 0, 0, "/a", PK_OK);
	symbol(1, 0, 0x10, "one", PK_OK);
	image(2, PK_DSO_FILE, 0, 0, "/a", PK_OK);
	symbol(2, 0x10, 0x10, "two", PK_OK);
	expect(1, 0x400000, "one", 0);
	expect(1, 0x400010, "two", 0x10);
}
END_TEST

START_TEST(kernel)
{
	struct pk_stream_place place;

	maps((struct mapped){.pid = UINT32_MAX,
			     .start = 0xffff0000,
			     .size = 0x10000,
			     .name = "[kernel.kallsyms]_text",
			     .mode = PERF_RECORD_MISC_KERNEL});
	image(1, PK_DSO_KERNEL, 0, 0, "[kernel.kallsyms]", PK_OK);
	image(2, PK_DSO_MODULE, 0, 0, "[ext4]", PK_OK);
	symbol(1, 0xffff0000, 0x10, "schedule", PK_OK);
	symbol(2, 0x12340000, 0x10, "ext4_read", PK_OK);
	place = at(1, 0xffff0001, PERF_RECORD_MISC_KERNEL);
	ck_assert_str_eq(place.function, "schedule");
	ck_assert_ptr_null(place.module);
	place = at(1, 0x12340001, PERF_RECORD_MISC_KERNEL);
	ck_assert_str_eq(place.function, "ext4_read");
	ck_assert_str_eq(place.module, "ext4");
}
END_TEST

/* A later anonymous map does not replace the code of a jitdump. A map of a file replaces it, and an
 * exec removes it. */
START_TEST(code_maps)
{
	struct pk_code_map moved = {.pid = 1,
				    .path = "/tmp/jit-7.dump",
				    .start = 0x700800,
				    .size = 0x100,
				    .offset = 0x40};
	struct built b = {0};

	maps((struct mapped){.pid = 1, .start = 0x700000, .size = 0x1000, .name = "//anon"});
	maps((struct mapped){.pid = 1,
			     .start = 0x700000,
			     .size = 0x100,
			     .pgoff = 0x40,
			     .name = "/tmp/jit-7.dump"});
	image(1, PK_DSO_JIT, 1, 0, "/tmp/jit-7.dump", PK_OK);
	symbol(1, 0x40, 0x100, "compiled", PK_OK);
	expect(1, 0x700010, "compiled", 0x40);
	maps((struct mapped){.pid = 1, .start = 0x700000, .size = 0x1000, .name = "//anon"});
	expect(1, 0x700010, "compiled", 0x40);
	expect(1, 0x700810, "", 0);
	ck_assert_int_eq(pk_session_map_code(session, &moved), PK_OK);
	expect(1, 0x700810, "compiled", 0x40);
	forks(1, 1, 2, 2, 0);
	expect(2, 0x700810, "compiled", 0x40);
	maps((struct mapped){.pid = 1, .start = 0x700000, .size = 0x800, .name = "/lib/x.so"});
	expect(1, 0x700010, "", 0);
	expect(1, 0x700810, "compiled", 0x40);
	open_record(&b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	PUT(&b, "44", 1, 1);
	put_string(&b, "other");
	close_record(&b);
	ck_assert_int_eq(give(&b), PK_OK);
	expect(1, 0x700810, "", 0);
	expect(2, 0x700810, "compiled", 0x40);
}
END_TEST

START_TEST(jitdump_names)
{
	ck_assert(pk_is_jitdump("/tmp/jit-1.dump"));
	ck_assert(pk_is_jitdump("/jit-0123456789.dump"));
	ck_assert(!pk_is_jitdump("jit-1.dump"));
	ck_assert(!pk_is_jitdump("/tmp/jit-.dump"));
	ck_assert(!pk_is_jitdump("/tmp/jit-1.dump (deleted)"));
	ck_assert(!pk_is_jitdump("/tmp/jit-1x.dump"));
	ck_assert(!pk_is_jitdump("/tmp/ajit-1.dump"));
}
END_TEST

/* 20,000 symbols, each inside of the previous symbol. Each is looked up at once. */
START_TEST(many)
{
	enum { NUMBER = 20000 };

	maps((struct mapped){.pid = 1, .start = 0x400000, .size = 0x1000000, .name = "/a"});
	image(1, PK_DSO_FILE, 0, 0, "/a", PK_OK);
	for (uint64_t i = 0; i < NUMBER; i++) {
		symbol(1, i, 2 * NUMBER - 2 * i, "nested", PK_OK);
		expect(1, 0x400000 + i, "nested", i);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stream_symbols");
	TCase *all = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(all, begin, finish);
	tcase_add_test(all, symbols);
	tcase_add_test(all, images);
	tcase_add_test(all, same_image);
	tcase_add_test(all, kernel);
	tcase_add_test(all, code_maps);
	tcase_add_test(all, jitdump_names);
	tcase_add_test(all, many);
	suite_add_tcase(s, all);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
