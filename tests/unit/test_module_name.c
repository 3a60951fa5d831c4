// SPDX-License-Identifier: BSD-2-Clause
#include "module_name.h"
#include "stream_builder.h"

static const char *suffix_of(const char *path)
{
	const char *suffix = pk_module_suffix(path);

	return suffix ? suffix : "none";
}

START_TEST(suffixes)
{
	ck_assert_str_eq(suffix_of("/lib/modules/6.1/kernel/fs/xfs.ko"), ".ko");
	ck_assert_str_eq(suffix_of("xfs.ko.gz"), ".ko.gz");
	ck_assert_str_eq(suffix_of("xfs.ko.xz"), ".ko.xz");
	ck_assert_str_eq(suffix_of("a.ko.b.ko.zst"), ".ko.zst");
	ck_assert_str_eq(suffix_of("xfs.ko.bz2"), "none");
	ck_assert_str_eq(suffix_of("a.kobold"), "none");
	ck_assert_str_eq(suffix_of("xfs.ko/file"), "none");
	ck_assert_str_eq(suffix_of("/lib/.ko"), "none");
	ck_assert_str_eq(suffix_of(".ko"), "none");
	ck_assert_str_eq(suffix_of(""), "none");
}
END_TEST

START_TEST(names)
{
	char name[8];

	ck_assert(pk_module_name("/lib-a/nf-nat.ko.xz", name, sizeof(name)));
	ck_assert_str_eq(name, "nf_nat");
	ck_assert(pk_module_name("a-b-c-d.ko", name, sizeof(name)));
	ck_assert_str_eq(name, "a_b_c_d");
	ck_assert(!pk_module_name("a-b-c-de.ko", name, sizeof(name)));
	ck_assert(!pk_module_name("/lib/libc.so.6", name, sizeof(name)));
}
END_TEST

RUN_TESTS("module_name", suffixes, names)
