// SPDX-License-Identifier: BSD-2-Clause
/* Tests the replacement of names and addresses, and file names that contain values of the input. */
#include <stdlib.h>

#include "aliases.h"
#include "split_name.h"
#include "stream_builder.h"

/* Results of the reference implementation for the texts 0, 1, 2 ... with the key 0, 1 ... 15
 * (bytes). */
START_TEST(siphash)
{
	const struct hash_key key = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
	uint8_t data[64];

	for (unsigned int i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)i;
	ck_assert_uint_eq(keyed_hash(&key, data, 0), UINT64_C(0x726fdb47dd0e0e31));
	ck_assert_uint_eq(keyed_hash(&key, data, 1), UINT64_C(0x74f839c593dc67fd));
	ck_assert_uint_eq(keyed_hash(&key, data, 8), UINT64_C(0x93f5f5799a932462));
	ck_assert_uint_eq(keyed_hash(&key, data, 15), UINT64_C(0xa129ca6149be45e5));
	ck_assert_uint_eq(keyed_hash(&key, data, 63), UINT64_C(0x958a324ceb064572));
}
END_TEST

static struct aliases one, other;

static void make_aliases(void)
{
	aliases_init(&one, "0123456789abcdef", 16);
	aliases_init(&other, "0123456789abcdeg", 16);
}

static const char *name(const struct aliases *aliases, const char *text)
{
	static char alias[4][ALIAS_SIZE];
	static int next;

	next = (next + 1) % 4;
	return alias_of(aliases, text, strlen(text), alias[next]);
}

START_TEST(names)
{
	static const char *const kept[] = {
		"",	   "/",	    "//anon",		"[vdso]", "[kernel.kallsyms]_text",
		"swapper", ":1234", "[stack truncated]"};

	make_aliases();
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		ck_assert_str_eq(name(&one, kept[i]), kept[i]);
	ck_assert_str_eq(name(&one, "nginx"), name(&one, "nginx"));
	ck_assert_str_ne(name(&one, "nginx"), name(&other, "nginx"));
	ck_assert_str_ne(name(&one, "nginx"), name(&one, "nginy"));
	ck_assert_uint_eq(strlen(name(&one, "nginx")), 12);
	ck_assert_int_eq(name(&one, "/usr/sbin/nginx")[0], '/');
	ck_assert_uint_eq(strlen(name(&one, "/usr/sbin/nginx")), 13);
	ck_assert_uint_eq(strspn(name(&one, "nginx"), "abcdefghijklmnopqrstuvwxyz234567"), 12);
	ck_assert_ptr_nonnull(strstr(name(&one, "/bin/x (deleted)"), " (deleted)"));
	ck_assert_int_eq(memcmp(name(&one, "/bin/x (deleted)"), name(&one, "/bin/x"), 13), 0);
	ck_assert_int_eq(memcmp(name(&one, "[anon:secret]"), "[anon:", 6), 0);
	ck_assert_uint_eq(strlen(name(&one, "[anon:secret]")), 6 + 12 + 1);
	ck_assert_uint_eq(strlen(name(&one, "[ext4]")), 14);
	ck_assert_uint_eq(strlen(name(&one, ":12secret")), 12);
}
END_TEST

START_TEST(events)
{
	static const char *const kept[] = {"cycles",
					   "cycles:u",
					   "cpu-clock:ppp",
					   "L1-dcache-load-misses",
					   "sched:sched_switch",
					   "lock:contention_begin",
					   "syscalls:sys_enter_sched_setaffinity",
					   "raw_syscalls:sys_enter"};
	static const char *const hidden[] = {
		"probe_secret:func",  "cycles:secret", "secret",
		"sched:secret place", "cpu/event=1/",  "L1-dcache-secret",
		"sdt_secret:probe",   "sched",	       "my cycles"};
	char alias[ALIAS_SIZE];

	make_aliases();
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		ck_assert_str_eq(alias_of_event(&one, kept[i], alias), kept[i]);
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		ck_assert_msg(strlen(alias_of_event(&one, hidden[i], alias)) == 12, "%s",
			      hidden[i]);
}
END_TEST

START_TEST(addresses)
{
	uint64_t user;
	const uint64_t top = UINT64_C(0xffffffff81000000);
	uint64_t kernel;

	make_aliases();
	user = alias_address(&one, 0x401000) - 0x401000;
	kernel = top - alias_address(&one, top);
	ck_assert_uint_eq(alias_address(&one, 0), 0);
	ck_assert_uint_eq(alias_address(&one, 4095), 4095);
	for (uint64_t marker = (uint64_t)-4095; marker; marker++)
		ck_assert_uint_eq(alias_address(&one, marker), marker);
	ck_assert(user && user % 4096 == 0 && user < UINT64_C(1) << 46);
	ck_assert(kernel >= UINT64_C(1) << 26 && kernel % 4096 == 0 && kernel < UINT64_C(1) << 28);
	ck_assert_uint_eq(alias_address(&one, UINT64_C(0x7fffffffffff)),
			  UINT64_C(0x7fffffffffff) + user);
	ck_assert_uint_eq(alias_address(&one, UINT64_C(0xffff888000000000)),
			  UINT64_C(0xffff888000000000) - kernel);
	ck_assert_uint_eq(alias_offset(&one, "/a", 2) % 4096, 0);
	ck_assert_uint_ne(alias_offset(&one, "/a", 2), alias_offset(&one, "/b", 2));
}
END_TEST

static void called(const char *pattern, const char *value, const char *expected)
{
	char *made = split_name_of(pattern, value, value ? strlen(value) : 0, 7, false);

	ck_assert_str_eq(made, expected);
	free(made);
}

START_TEST(files)
{
	char value[256] = "", *made;

	called("out-%v.pk", "nginx", "out-nginx.pk");
	called("%v", "..", "%2E.");
	called("/tmp/%v", "../../etc/passwd", "/tmp/%2E.%2F..%2Fetc%2Fpasswd");
	called("a%%b/%v%%", "%41\n", "a%b/%2541%0A%");
	called("%v", "", "%empty");
	called("%v", NULL, "%none");
	called("%v", "a b", "a%20b");
	memset(value, 'x', sizeof(value) - 1);
	made = split_name_of("%v", value, strlen(value), 7, true);
	ck_assert_uint_eq(strlen(made), 1 + 160 + 3 + 5);
	ck_assert_str_eq(made + 1 + 160, "%~7.part");
	free(made);
	ck_assert_ptr_null(split_name_check("/tmp/out-%v.pk"));
	ck_assert_ptr_nonnull(split_name_check("out.pk"));
	ck_assert_ptr_nonnull(split_name_check("%v/out.pk"));
	ck_assert_ptr_nonnull(split_name_check("%v%"));
	ck_assert_ptr_nonnull(split_name_check("%%v"));
}
END_TEST

RUN_TESTS("aliases", siphash, names, events, addresses, files)
