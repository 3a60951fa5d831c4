/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracepoint.h"

static struct pk_tracepoints *all;

static void setup(void)
{
	all = pk_tracepoints_new();
	ck_assert_ptr_nonnull(all);
}

static void teardown(void)
{
	pk_tracepoints_free(all);
}

/* ---- A payload with one format: "test:event" with the number 7 ---- */

static uint8_t payload[1 << 16];
static size_t payload_size;

static void put(const void *data, size_t size)
{
	memcpy(payload + payload_size, data, size);
	payload_size += size;
}

static void put_u32(uint32_t value, bool big_endian)
{
	uint32_t v = big_endian ? htobe32(value) : htole32(value);

	put(&v, sizeof(v));
}

static void put_u64(uint64_t value, bool big_endian)
{
	put_u32((uint32_t)(big_endian ? value >> 32 : value), big_endian);
	put_u32((uint32_t)(big_endian ? value : value >> 32), big_endian);
}

static void build(const char *fields, const char *print, bool big_endian, uint8_t long_size)
{
	static const char printk[] = "0x1000 : \"known text\\n\"\n";
	static char format[1 << 15];
	const uint8_t order = big_endian;

	snprintf(format, sizeof(format),
		 "name: event\nID: 7\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: %s\n",
		 fields, print);
	payload_size = 0;
	put("\x17\x08\x44tracing", 10);
	put("0.6", 4);
	put(&order, 1);
	put(&long_size, 1);
	put_u32(4096, big_endian);
	put("header_page", 12);
	put_u64(0, big_endian);
	put("header_event", 13);
	put_u64(0, big_endian);
	put_u32(0, big_endian);
	put_u32(1, big_endian);
	put("test", 5);
	put_u32(1, big_endian);
	put_u64(strlen(format), big_endian);
	put(format, strlen(format));
	put_u32(0, big_endian);
	put_u32(sizeof(printk) - 1, big_endian);
	put(printk, sizeof(printk) - 1);
	put_u64(0, big_endian);
}

#define FIELDS                                                                                     \
	"\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"                                          \
	"\tfield:u8 bytes[8];\toffset:12;\tsize:8;\tsigned:0;\n"                                   \
	"\tfield:__data_loc char[] s;\toffset:20;\tsize:4;\tsigned:0;\n"                           \
	"\tfield:__rel_loc u16[] r;\toffset:24;\tsize:4;\tsigned:0;\n"                             \
	"\tfield:const char * p;\toffset:28;\tsize:8;\tsigned:0;\n"                                \
	"\tfield:u64 mask;\toffset:36;\tsize:8;\tsigned:0;\n"

static const uint8_t sample[] = {
	7,    0,    0,	  0,	1,    0,    0,	  0,			  /* common fields */
	0xfe, 0xff, 0xff, 0xff,						  /* a = -2 */
	1,    2,    3,	  4,	0xaa, 0xbb, 0xcc, 0xdd,			  /* bytes */
	44,   0,    6,	  0,						  /* s: 6 bytes at 44 */
	24,   0,    4,	  0,						  /* r: 4 bytes at 52 */
	0,    0x10, 0,	  0,	0,    0,    0,	  0,			  /* p = 0x1000 */
	5,    0,    0,	  0,	0,    0,    0,	  0,			  /* mask */
	'h',  'e',  'l',  'l',	'o',  0,    0,	  0,	0x34, 0x12, 1, 0, /* the bytes of s and r */
};

static const struct pk_bytes raw = {sample, sizeof(sample)};

static void expect(const char *print, const char *text)
{
	struct pk_tracepoint *t;
	size_t size;

	build(FIELDS, print, false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	ck_assert_ptr_nonnull(t);
	ck_assert_str_eq(pk_tracepoint_text(t, &raw, &size), text);
	ck_assert_uint_eq(size, strlen(text));
}

START_TEST(numbers)
{
	expect("\"%d %u %x %lx %ld %lld\", REC->a, REC->a, REC->a, REC->a, REC->a, (s64)REC->a",
	       "-2 4294967294 fffffffe fffffffffffffffe -2 -2");
	expect("\"[%5d|%-5d|%05d|%+d|%.3d|%hd|%hhx|%#x|%#o|%X]\", REC->a, REC->a, REC->a, 3, 7, "
	       "REC->a, REC->a, 255, 8, 171",
	       "[   -2|-2   |-0002|+3|007|-2|fe|0xff|010|AB]");
	expect("\"%c%c %% \\\"%d\\\"\\t\", 'x', 65, 1", "xA % \"1\"\t");
}
END_TEST

START_TEST(operators)
{
	expect("\"%d %d %d %d\", 7 - 3 - 2, 2 + 3 * 4, (2 + 3) * 4, 100 / 10 / 5", "2 14 20 2");
	expect("\"%d %d %d\", REC->a < 0 ? 1 : 2, !REC->a, ~REC->a", "1 0 1");
	expect("\"%d %d\", 1 / 0, REC->mask & (1 | 4) | 8", "0 13");
	expect("\"%d %x %d\", REC->bytes[1], ((u16 *)__get_rel_dynamic_array(r))[0], "
	       "REC->bytes[99]",
	       "2 1234 0");
	/* A comparison of an int and a u32 converts the int to u32. A comparison of an int and a
	 * u16 converts the u16 to int. */
	expect("\"%d %d\", ((u32 *)__get_rel_dynamic_array(r))[0] > -1, "
	       "((u16 *)__get_rel_dynamic_array(r))[0] > -1",
	       "0 1");
	expect("\"%u %u\", (u8)REC->a, (unsigned short)REC->a", "254 65534");
	expect("\"%d %d\", sizeof(u64), __get_dynamic_array_len(r) / sizeof(u16)", "8 2");
}
END_TEST

START_TEST(strings)
{
	expect("\"%s|%8s|%-8s|%.2s|%.*s\", __get_str(s), __get_str(s), __get_str(s), "
	       "__get_str(s), 3, __get_str(s)",
	       "hello|   hello|hello   |he|hel");
	expect("\"%s %s\", REC->p, REC->mask ? \"a\" \"b\" : \"c\"", "known text ab");
	expect("\"%s|%s|%s\", __print_flags(REC->mask, \"+\", { 1, \"ONE\" }, { (1UL << 1), "
	       "\"TWO\" }), __print_symbolic(REC->a, { -2, \"ENOENT\" }), __print_symbolic(REC->a, "
	       "{ 0, \"none\" })",
	       "ONE+0x4|ENOENT|0xfffffffe");
	expect("\"%s|%s|%s|%s\", __print_hex(REC->bytes, 3), __print_hex_str(REC->bytes, 99), "
	       "__print_array(__get_rel_dynamic_array(r), 2, 2), __print_dynamic_array(r, 1)",
	       "01 02 03|01020304aabbccdd|{0x1234,0x1}|{0x34,0x12,0x1,0x0}");
}
END_TEST

static const char *symbol(void *arg, uint64_t address, uint64_t *start)
{
	*start = address - 5;
	return arg;
}

START_TEST(pointers)
{
	expect("\"%p %p %pS %ps\", REC->p, 0, REC->p, REC->p", "0x1000 (nil) 0x1000 0x1000");
	pk_tracepoints_resolver(all, symbol, (void *)(uintptr_t) "some_function");
	expect("\"%pS %ps %pf\", REC->p, (void *)REC->p, REC->p",
	       "some_function+0x5 some_function some_function");
	expect("\"%pI4 %pM %*ph %*phN %*pbl\", REC->a, REC->bytes, 2, REC->bytes, 3, REC->bytes, "
	       "8, "
	       "&REC->mask",
	       "254.255.255.255 INVALIDMAC 01 02 010203 0,2");
}
END_TEST

static const char all_fields[] =
	"[FAILED TO PARSE] a=-2 bytes=ARRAY[01, 02, 03, 04, aa, bb, cc, dd] "
	"s=hello r=ARRAY[34, 12, 01, 00] p=0x1000 mask=5";

START_TEST(beyond_us)
{
	static char deep[2000];

	expect("\"%d\", ({ int x = 1; x; })", all_fields);
	expect("\"%d\", REC->nothing", all_fields);
	expect("\"%d %d\", 1", all_fields);
	expect("\"%d\", some_function(REC->a)", all_fields);
	expect("nothing at all", all_fields);
	for (const char *c = "(!"; *c; c++) {
		memset(deep, *c, sizeof(deep) - 1);
		memcpy(deep, "\"%d\", ", 6);
		expect(deep, all_fields);
	}
}
END_TEST

START_TEST(short_samples)
{
	struct pk_tracepoint *t;
	struct pk_bytes cut;
	uint64_t value;

	build(FIELDS, "\"%d %s %s\", REC->a, __get_str(s), __print_hex(REC->bytes, 8)", false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	for (size_t size = 0; size < sizeof(sample); size++) {
		uint8_t *copy = malloc(size + 1); /* exact size, for sanitizers */

		cut = (struct pk_bytes){memcpy(copy + 1, sample, size), size};
		ck_assert_ptr_nonnull(pk_tracepoint_text(t, &cut, NULL));
		ck_assert_int_eq(
			pk_tracepoint_number(t, pk_tracepoint_find_field(t, "a"), &cut, &value),
			size >= 12);
		free(copy);
	}
	cut = (struct pk_bytes){sample, 15};
	ck_assert_str_eq(pk_tracepoint_text(t, &cut, NULL), "-2  01 02 03");
}
END_TEST

START_TEST(fields)
{
	const struct pk_tracepoint_field *field;
	struct pk_tracepoint *t;
	struct pk_bytes bytes;
	uint64_t value;

	build(FIELDS, "\"\"", false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	ck_assert_str_eq(pk_tracepoint_name(t), "test:event");
	ck_assert_ptr_null(pk_tracepoint_find_field(t, "b"));
	field = pk_tracepoint_find_field(t, "a");
	ck_assert(pk_tracepoint_number(t, field, &raw, &value));
	ck_assert_int_eq((int64_t)value, -2);
	field = pk_tracepoint_find_field(t, "common_pid");
	ck_assert(pk_tracepoint_number(t, field, &raw, &value));
	ck_assert_uint_eq(value, 1);
	field = pk_tracepoint_find_field(t, "s");
	ck_assert(field->is_string && field->is_dynamic && !field->is_relative);
	ck_assert(!pk_tracepoint_number(t, field, &raw, &value));
	ck_assert(pk_tracepoint_bytes(t, field, &raw, &bytes));
	ck_assert_mem_eq(bytes.data, "hello", 5);
	ck_assert_uint_eq(bytes.size, 5);
	field = pk_tracepoint_find_field(t, "r");
	ck_assert_uint_eq(field->element_size, 2);
	ck_assert(pk_tracepoint_bytes(t, field, &raw, &bytes));
	ck_assert_uint_eq(bytes.size, 4);
}
END_TEST

static void expect_field(const char *print, const char *name, const char *text)
{
	const struct pk_tracepoint_field *field;
	struct pk_tracepoint *t;
	struct pk_bytes shown;

	build(FIELDS, print, false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	field = pk_tracepoint_find_field(t, name);
	ck_assert_ptr_nonnull(field);
	shown = pk_tracepoint_shown(t, field, pk_tracepoint_shows(t, field), &raw);
	ck_assert_uint_eq(shown.size, strlen(text));
	ck_assert_mem_eq(shown.data, text, shown.size);
}

/* Prints one field as the text of the event prints it. Conditions that use the field, and the text
 * around it, are ignored. */
START_TEST(shown_fields)
{
	static const char print[] =
		"\"mask %lu is %8s of %s, a=%d\", REC->mask * 2,"
		" (REC->a == -2) ? __print_symbolic(REC->mask & 7, { 5, \"FIVE\" }) : \"none\","
		" __get_str(s), -REC->a";

	expect_field(print, "mask", "FIVE");
	expect_field(print, "a", "2");
	expect_field(print, "s", "hello");
	expect_field(print, "bytes", "ARRAY[01, 02, 03, 04, aa, bb, cc, dd]");
	expect_field(print, "common_pid", "1");
	expect_field(
		"\"%8s %s\", REC->a ? __print_symbolic(REC->mask & 7, { 5, \"FIVE\" }) : \"none\","
		" __print_flags(REC->mask, \"|\", { 1, \"A\" }, { 4, \"C\" })",
		"mask", "FIVE");
	expect_field("\"%s\", __print_flags(REC->mask, \"|\", { 1, \"A\" }, { 4, \"C\" })", "mask",
		     "A|C");
	expect_field("\"%d [%s]\", REC->mask, __print_symbolic(REC->mask, { 5, \"FIVE\" })", "mask",
		     "FIVE");
	expect_field("\"%d\", strange(REC->a)", "a", "-2");
}
END_TEST

/* A `long` of a machine with 4-byte longs is sign-extended. */
START_TEST(other_machine)
{
	static const uint8_t big[] = {0, 7, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe};
	const struct pk_bytes bytes = {big, sizeof(big)};
	struct pk_tracepoint *t;

	build("\tfield:long ret;\toffset:8;\tsize:4;\tsigned:1;\n",
	      "\"%ld 0x%lx\", REC->ret, REC->ret", true, 4);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	ck_assert_str_eq(pk_tracepoint_text(t, &bytes, NULL), "-2 0xfffffffe");
}
END_TEST

/* A format is stored once, and is used for many samples. */
START_TEST(long_text)
{
	char print[1024] = "\"";
	const size_t limit = (16 << 10) + 64 * sizeof(sample);
	struct pk_tracepoint *t;
	const char *text;
	size_t size;

	for (int i = 0; i < 40; i++)
		strcat(print, "%1000d");
	strcat(print, "\"");
	for (int i = 0; i < 40; i++)
		strcat(print, ", REC->a");
	build(FIELDS, print, false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	t = pk_tracepoints_find(all, 7);
	text = pk_tracepoint_text(t, &raw, &size);
	ck_assert_uint_eq(size, limit + 5);
	ck_assert_str_eq(text + size - 8, "   [...]");
}
END_TEST

START_TEST(damaged)
{
	build(FIELDS, "\"%d\", REC->a", false, 8);
	for (size_t size = 0; size < payload_size; size++) {
		uint8_t *copy = malloc(size + 1);

		memcpy(copy + 1, payload, size);
		/* The command lines at the end of the payload are not used. */
		ck_assert_int_eq(pk_tracepoints_load(all, copy + 1, size),
				 size < payload_size - 8 ? PK_CORRUPT : PK_OK);
		pk_tracepoints_find(all, 7);
		free(copy);
		if (size == payload_size - 20) /* the payload is cut after the formats */
			ck_assert_ptr_nonnull(pk_tracepoints_find(all, 7));
	}
	ck_assert_int_eq(pk_tracepoints_load(all, NULL, 0), PK_CORRUPT);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	ck_assert_ptr_null(pk_tracepoints_find(all, 8));
	build("\tfield:nonsense;\toffset:x;\n", "\"\"", false, 8);
	ck_assert_int_eq(pk_tracepoints_load(all, payload, payload_size), PK_OK);
	ck_assert_ptr_null(pk_tracepoints_find(all, 7));
}
END_TEST

/* ---- Texts of real kernels, as perf prints them ---- */

static void expect_real(const char *file, uint64_t id, const char *hex, const char *text)
{
	static uint8_t bytes[256], data[16384];
	struct pk_bytes real = {bytes, strlen(hex) / 2};
	struct pk_tracepoint *t;
	FILE *f = fopen(file, "rb");
	unsigned int byte;
	size_t size;

	ck_assert_ptr_nonnull(f);
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	for (size_t i = 0; i < real.size; i++) {
		ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes[i] = (uint8_t)byte;
	}
	ck_assert_int_eq(pk_tracepoints_load(all, data, size), PK_OK);
	t = pk_tracepoints_find(all, id);
	ck_assert_ptr_nonnull(t);
	ck_assert_str_eq(pk_tracepoint_text(t, &real, NULL), text);
}

START_TEST(real)
{
	expect_real(
		"tests/data/tracing.x86_64", 0x136,
		"360101032d030000706572660000000000000000000000002d030000780000000001000000000000"
		"6d6967726174696f6e2f300000000000120000000000000000000000",
		"prev_comm=perf prev_pid=813 prev_prio=120 prev_state=R+ ==> "
		"next_comm=migration/0 next_pid=18 next_prio=0");
	expect_real("tests/data/tracing.x86_64", 0x138,
		    "380125062d0300006d6967726174696f6e2f300000000000120000000000000000000000",
		    "comm=migration/0 pid=18 prio=0 target_cpu=000");
	expect_real(
		"tests/data/tracing.s390x", 0xfc,
		"00fc01000000010b706572660000000000000000000000000000010b000000780000000000000100"
		"6d6967726174696f6e2f3000000000000000000f0000000000000000",
		"prev_comm=perf prev_pid=267 prev_prio=120 prev_state=R+ ==> "
		"next_comm=migration/0 next_pid=15 next_prio=0");
	expect_real(
		"tests/data/tracing.s390x", 0x262,
		"026200000000010b00000004000000000000000000000003000002aa142dfcb00000000000000040"
		"00000000",
		"fd: 0x00000003, buf: 0x2aa142dfcb0, count: 0x00000040");
	expect_real(
		"tests/data/tracing.armhf", 0xdd,
		"dd0001007f010000706572660000000000000000000000007f01000078000000000100006d696772"
		"6174696f6e2f3000000000001200000000000000",
		"prev_comm=perf prev_pid=383 prev_prio=120 prev_state=R+ ==> "
		"next_comm=migration/0 next_pid=18 next_prio=0");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tracepoint");
	TCase *tests = tcase_create("tracepoint");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, operators);
	tcase_add_test(tests, strings);
	tcase_add_test(tests, pointers);
	tcase_add_test(tests, beyond_us);
	tcase_add_test(tests, short_samples);
	tcase_add_test(tests, fields);
	tcase_add_test(tests, shown_fields);
	tcase_add_test(tests, other_machine);
	tcase_add_test(tests, long_text);
	tcase_add_test(tests, damaged);
	tcase_add_test(tests, real);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
