/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jitdump.h"
#include "object_debug.h"
#include "stream_builder.h"

static struct built dump; /* the bytes of the jitdump */
static struct pk_jitdump jit;
static int fd;

static void begin(bool swap, uint64_t flags)
{
	built_clear(&dump);
	dump.swap = swap;
	PUT(&dump, "44444488", 0x4a695444, 1, 40, 62, 0, 123, 1000, flags);
	fd = memfd_create("jitdump", MFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	jit = (struct pk_jitdump){0};
}

static bool read_dump(void)
{
	ck_assert_int_eq(pwrite(fd, dump.data, dump.size, 0), (ssize_t)dump.size);
	return pk_jitdump_read(&jit, fd) == PK_OK;
}

static void finish(void)
{
	pk_jitdump_clear(&jit);
	close(fd);
	built_clear(&dump);
}

/* Writes a function, and returns the offset of its code in the file. */
static uint64_t put_load(uint64_t time, uint64_t address, uint64_t index, const char *name,
			 uint64_t size)
{
	const size_t length = strlen(name) + 1;
	uint64_t offset;

	PUT(&dump, "448", 0, 56 + length + size, time);
	PUT(&dump, "448888", 123, 124, address, address, size, index);
	put_bytes(&dump, name, length);
	offset = dump.size;
	put_zeros(&dump, size);
	return offset;
}

static void put_move(uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
	PUT(&dump, "448", 1, 64, time);
	PUT(&dump, "4488888", 123, 124, to, from, to, size, index);
}

struct line {
	uint64_t address, line;
	const char *file;
};

static void put_lines(uint64_t address, const struct line *lines, size_t count)
{
	size_t size = 32;

	for (size_t i = 0; i < count; i++)
		size += 16 + strlen(lines[i].file) + 1;
	PUT(&dump, "44888", 2, size, 1900, address, count);
	for (size_t i = 0; i < count; i++) {
		PUT(&dump, "844", lines[i].address, lines[i].line, 0);
		put_bytes(&dump, lines[i].file, strlen(lines[i].file) + 1);
	}
}

static void expect(uint64_t offset, const char *name)
{
	struct pk_symtable_entry *e = pk_symtable_find(&jit.symbols, offset);

	ck_assert_str_eq(e ? pk_symtable_name(&jit.symbols, e) : "", name);
}

static void expect_line(uint64_t offset, const char *file, uint32_t line)
{
	struct pk_source source = {0};

	ck_assert_int_eq(pk_jitdump_line(&jit, offset, &source), *file != 0);
	ck_assert_str_eq(source.file ? source.file : "", file);
	ck_assert_uint_eq(source.line, line);
}

START_TEST(codes)
{
	uint64_t first, second;

	begin(_i, 0);
	first = put_load(2000, 0x1000, 1, "first", 32);
	PUT(&dump, "4488", 4, 24, 2100, 0); /* unwinding record, too short */
	PUT(&dump, "4488", 99, 24, 2100, 0);
	second = put_load(2500, 0x2000, 2, "second one", 16);
	put_move(3000, 0x2000, 0x5000, 16, 2);
	put_move(3000, 0x2000, 0x6000, 16, 77); /* there is no function with the index 77 */
	PUT(&dump, "448", 3, 16, 4000);
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.code_count, 3);
	ck_assert_uint_eq(jit.codes[0].time, 2000);
	ck_assert_uint_eq(jit.codes[0].start, 0x1000);
	ck_assert_uint_eq(jit.codes[0].size, 32);
	ck_assert_uint_eq(jit.codes[0].offset, first);
	ck_assert(!jit.codes[1].moved);
	ck_assert(jit.codes[2].moved);
	ck_assert_uint_eq(jit.codes[2].time, 3000);
	ck_assert_uint_eq(jit.codes[2].start, 0x5000);
	ck_assert_uint_eq(jit.codes[2].offset, second);
	expect(first, "first");
	expect(first + 31, "first");
	expect(first + 32, "");
	expect(second + 1, "second one");
	finish();
}
END_TEST

START_TEST(lines)
{
	const struct line first[] = {
		{0x1008, 12, "\xff"}, {0x1000, 10, "/src/a.c"}, {0x1010, 7, "/src/b.c"}};
	const struct line v8[] = {{0x2040, 20, "/src/c.js"}, {0x2048, 21, "\xff"}};
	uint64_t a, b, c;

	begin(_i, 0);
	put_lines(0x1000, first, 3);
	a = put_load(2000, 0x1000, 1, "first", 32);
	put_lines(0x2000, v8, 2);
	b = put_load(2000, 0x2000, 2, "JS:*f c.js:20", 16);
	put_lines(0x9000, v8, 2); /* there is no function at this address */
	c = put_load(2000, 0x3000, 3, "third", 16);
	ck_assert(read_dump());
	expect_line(a, "/src/a.c", 10);
	expect_line(a + 7, "/src/a.c", 10);
	expect_line(a + 16, "/src/b.c", 7);
	expect_line(a + 31, "/src/b.c", 7);
	/* The addresses in line tables of V8 are too large by 64 bytes. */
	expect_line(b, "/src/c.js", 20);
	expect_line(b + 15, "/src/c.js", 21);
	expect_line(c, "", 0);
	finish();
}
END_TEST

/* Writes a record of unwinding information. Its head has `size` and `header_size`. `present` bytes
 * of zeros follow the head, which can be more or fewer than `size`. Returns the offset of these
 * bytes. */
static uint64_t put_unwinding(uint64_t size, uint64_t header_size, uint64_t present)
{
	PUT(&dump, "448888", 4, 40 + present, 1950, size, header_size, 0x1000);
	put_zeros(&dump, present);
	return dump.size - present;
}

static void expect_unwinding(uint64_t code, uint64_t size, uint64_t at, uint64_t header_size)
{
	const struct pk_jit_unwinding *u = pk_jitdump_unwinding(&jit, code + size - 1);

	ck_assert_ptr_nonnull(u);
	ck_assert_ptr_eq(pk_jitdump_unwinding(&jit, code), u);
	ck_assert_uint_eq(u->code, code);
	ck_assert_uint_eq(u->code_size, size);
	ck_assert_uint_eq(u->at, at);
	ck_assert_uint_eq(u->size, 76);
	ck_assert_uint_eq(u->header_size, header_size);
}

/* Unwinding information belongs only to the next function. It is refused if its sizes are too large
 * for the record. */
START_TEST(unwinding)
{
	const uint64_t sizes[][3] = {{77, 20, 76},  {UINT64_MAX, 20, 76},
				     {76, 77, 76},  {76, UINT64_MAX, 76},
				     {0, 0, 0},	    {PK_JIT_UNWINDING_MAX + 1, 20, 70000},
				     {70000, 20, 0}};
	uint64_t first, second, at, other;

	begin(_i, 0);
	put_unwinding(40, 0, 40);
	at = put_unwinding(76, 20, 80); /* the last one before "first" */
	put_lines(0x1000, &(const struct line){0x1000, 10, "/src/a.c"}, 1);
	first = put_load(2000, 0x1000, 1, "first", 33);
	second = put_load(2000, 0x2000, 2, "second", 16); /* has no unwinding information */
	put_unwinding(76, 20, 76);
	put_load(2000, 0x3000, 3, "empty", 0); /* invalid; uses the unwinding record */
	put_load(2000, 0x3000, 3, "third", 16);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put_unwinding(76, 20, 76);
		put_unwinding(sizes[i][0], sizes[i][1], sizes[i][2]);
		put_load(2000, 0x4000 + 0x100 * i, 10 + i, "refused", 16);
	}
	other = put_unwinding(76, 0, 76);
	put_move(2100, 0x1000, 0x9000, 33, 1);
	put_load(2000, 0x8000, 4, "last", 8);
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.unwinding_count, 2);
	expect_unwinding(first, 33, at, 20);
	expect_unwinding(dump.size - 8, 8, other, 0);
	ck_assert_ptr_null(pk_jitdump_unwinding(&jit, first - 1));
	ck_assert_ptr_null(pk_jitdump_unwinding(&jit, first + 33));
	ck_assert_ptr_null(pk_jitdump_unwinding(&jit, second));
	ck_assert_ptr_null(pk_jitdump_unwinding(&jit, dump.size));
	finish();
}
END_TEST

/* An incomplete record is read again later, when it is complete. */
START_TEST(growing)
{
	uint64_t whole, offset;

	begin(_i, 0);
	put_load(2000, 0x1000, 1, "first", 32);
	whole = dump.size;
	offset = put_load(2500, 0x2000, 2, "second", 32);
	for (size_t cut = 0; cut < dump.size; cut++) {
		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(pwrite(fd, dump.data, cut, 0), (ssize_t)cut);
		ck_assert(pk_jitdump_read(&jit, fd) == PK_OK);
		ck_assert_uint_eq(jit.code_count, cut >= whole);
	}
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.code_count, 2);
	expect(offset, "second");
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.code_count, 2);
	finish();
}
END_TEST

/* Times of the clock of the processor cannot be compared with times of the recording. */
START_TEST(own_times)
{
	begin(false, 1);
	put_load(2000, 0x1000, 1, "first", 32);
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.codes[0].time, 0);
	finish();
}
END_TEST

START_TEST(nonsense)
{
	uint64_t good;

	begin(false, 0);
	PUT(&dump, "448", 0, 24, 2000); /* too short */
	put_zeros(&dump, 8);
	PUT(&dump, "448448888", 0, 56 + 8, 2000, 1, 1, 0x1000, 0x1000, 100, 1); /* code too large */
	put_bytes(&dump, "name", 5);
	put_zeros(&dump, 3);
	PUT(&dump, "448448888", 0, 56 + 8, 2000, 1, 1, 0x1000, 0x1000, 4, 1); /* name without NUL */
	put_bytes(&dump, "eternity", 8);
	put_load(2000, UINT64_MAX - 3, 2, "end of the world", 8);
	put_load(2000, 0x1000, 3, "empty", 0);
	PUT(&dump, "44888", 2, 32, 1900, 0x4000, UINT64_MAX); /* number of lines is too large */
	good = put_load(2000, 0x4000, 4, "good", 8);
	ck_assert(read_dump());
	ck_assert_uint_eq(jit.code_count, 1);
	expect(good, "good");
	PUT(&dump, "448", 0, 15, 2000); /* size is too small to find the next record */
	ck_assert(!read_dump());
	finish();
	begin(false, 0);
	dump.data[0] ^= 1;
	ck_assert(!read_dump());
	finish();
}
END_TEST

static char dir[] = "/tmp/pk-jitdump.XXXXXX";

static void write_file(const char *path)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(dump.data, dump.size, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits until the object has `count` functions. The object checks its file only after some time,
 * which is longer if reading the file took long. */
static void await_codes(struct pk_object *o, size_t count)
{
	const struct pk_code *list;

	for (int i = 0; i < 100 && pk_object_codes(o, &list) != count; i++)
		wait_ms(50);
	ck_assert_uint_eq(pk_object_codes(o, &list), count);
}

/* The jitdump is an object of the store: in symfs, while it grows, and after it was removed. */
START_TEST(object)
{
	struct pk_symbols *s;
	struct pk_object *o;
	const struct pk_code *list;
	const struct pk_source *sources;
	const struct line line = {0x1000, 10, "/src/a.c"};
	struct pk_symbol symbol;
	uint64_t first, second;
	char path[64];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/jit-7.dump", dir);
	s = pk_symbols_new(&(struct pk_symbols_options){.symfs = dir});
	o = pk_symbols_jitdump(s, "/jit-7.dump", 7);
	ck_assert_uint_eq(pk_object_codes(o, &list), 0);
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_NO_FILE);
	begin(false, 0);
	put_lines(0x1000, &line, 1);
	first = put_load(2000, 0x1000, 1, "first", 16);
	write_file(path);
	await_codes(o, 1);
	ck_assert(pk_object_lookup(o, first + 15, &symbol));
	ck_assert_str_eq(symbol.name, "first");
	ck_assert_uint_eq(symbol.start, first);
	ck_assert_uint_eq(symbol.end, first + 16);
	ck_assert_uint_eq(pk_object_sources(o, first, &sources), 1);
	ck_assert_str_eq(sources[0].file, "/src/a.c");
	ck_assert_str_eq(pk_object_source(o), path);
	second = put_load(2000, 0x2000, 2, "second", 16);
	write_file(path);
	await_codes(o, 2);
	ck_assert_int_eq(unlink(path), 0);
	wait_ms(150);
	ck_assert_uint_eq(pk_object_codes(o, &list), 2);
	ck_assert(pk_object_lookup(o, second, &symbol));
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_READY);
	pk_symbols_free(s);
	finish();
	rmdir(dir);
}
END_TEST

/* Files of other users are not read, and their state is freed once. Here the process has ended. */
START_TEST(foreign)
{
	struct pk_symbols_limits limits;
	struct pk_symbols *s;
	struct pk_object *o;
	const struct pk_code *list;
	char path[64], why[160];

	if (getuid())
		return; /* without privileges, the test cannot make files of other users */
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/jit-0.dump", dir);
	begin(false, 0);
	put_load(2000, 0x1000, 1, "first", 16);
	write_file(path);
	ck_assert_int_eq(chown(path, 12345, (gid_t)-1), 0);
	s = pk_symbols_new(&(struct pk_symbols_options){0});
	o = pk_symbols_jitdump(s, path, 0);
	ck_assert_uint_eq(pk_object_codes(o, &list), 0);
	wait_ms(150);
	ck_assert_uint_eq(pk_object_codes(o, &list), 0);
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_NOT_TRUSTED);
	ck_assert_str_eq(pk_object_source(o), "");
	pk_symbols_limits(s, &limits);
	ck_assert_uint_eq(limits.not_trusted, 1);
	snprintf(why, sizeof(why),
		 "%s is not used: it belongs to user 12345, and process 0 has ended", path);
	ck_assert_str_eq(limits.distrust, why);
	pk_symbols_free(s);
	finish();
	unlink(path);
	rmdir(dir);
}
END_TEST

/* 200,000 functions, half of which are moved, need only little time. */
START_TEST(many)
{
	enum { COUNT_MANY = 200000 };
	struct timespec before, after;

	begin(false, 0);
	for (uint64_t i = 0; i < COUNT_MANY; i++)
		put_load(2000 + i, 0x100000 + 64 * i, i << 20, "a function of some name", 64);
	for (uint64_t i = 0; i < COUNT_MANY; i += 2)
		put_move(900000 + i, 0x100000 + 64 * i, 0x80000000 + 64 * i, 64, i << 20);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	ck_assert(read_dump());
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	ck_assert_uint_eq(jit.code_count, COUNT_MANY + COUNT_MANY / 2);
	ck_assert_int_lt(after.tv_sec - before.tv_sec, 5);
	finish();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("jitdump");
	TCase *text = tcase_create("dump"), *files = tcase_create("files");
	SRunner *r;
	int failed;

	tcase_add_loop_test(text, codes, 0, 2);
	tcase_add_loop_test(text, lines, 0, 2);
	tcase_add_loop_test(text, unwinding, 0, 2);
	tcase_add_loop_test(text, growing, 0, 2);
	tcase_add_test(text, own_times);
	tcase_add_test(text, nonsense);
	tcase_add_test(text, many);
	tcase_add_test(files, object);
	tcase_add_test(files, foreign);
	suite_add_tcase(s, text);
	suite_add_tcase(s, files);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
