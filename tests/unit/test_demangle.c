/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

#define ENOUGH UINT64_C(1000000)

static uint64_t work; /* steps that the last call of demangled() needed */

static char *demangled(const char *name)
{
	uint64_t budget = ENOUGH;
	char *text = pk_demangle(name, &budget);

	work = ENOUGH - budget;
	return text;
}

static void expect(const char *name, const char *expected)
{
	char *text = demangled(name);

	ck_assert_msg(text != NULL, "%s is not demangled", name);
	ck_assert_str_eq(text, expected);
	free(text);
}

/* Checks that the name is rejected with few steps. Without limits, these names would need hours,
 * which is longer than a test may run. */
static void expect_none(const char *name)
{
	char *text = demangled(name);

	ck_assert_msg(!text, "%.40s: is %.40s", name, text);
	ck_assert_uint_lt(work, 100000);
}

START_TEST(cpp)
{
	expect("_Z3fooi", "foo(int)");
	expect("_ZN2cv3MatcvT_IN2cv3VecEEEv", "cv::Mat::operator cv::Vec<cv::Vec>()");
	expect("_Z1fIJidEEvDpRKT_", "void f<int, double>(int const&, double const&)");
	expect("_Z1fIJidEEvDpNSt5decayIT_E4typeE",
	       "void f<int, double>(std::decay<int>::type, std::decay<double>::type)");
	expect("_Z1fIJidcEEDTsZT_EDpT_", "decltype (3) f<int, double, char>(int, double, char)");
	expect("_GLOBAL__I__Z3foov", "global constructors keyed to foo()");
	expect_none("printf");
	expect_none("_Z");
}
END_TEST

START_TEST(rust)
{
	expect("_RNvC6_123foo3bar", "123foo::bar");
	expect("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}");
	expect("_RNvMC0INtC8arrayvec8ArrayVechKj7b_E3new", "<arrayvec::ArrayVec<u8, 123>>::new");
	expect("_RINvC1a1bAhj5_E", "a::b::<[u8; 5]>");
	expect("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	expect("_ZN4core3fmt5write17h0123456789abcdefE.llvm.1234567890", "core::fmt::write");
	expect("_ZN4core3fmt5write17h0123456789abcdefE.cold", "core::fmt::write.cold");
	expect("_ZN4core3fmt5write17h0123456789abcdefE.13", "core::fmt::write.13");
	expect("_ZN41_$LT$a..b$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE.llvm.7",
	       "<a::b as core::fmt::Debug>::fmt");
	expect("_RNvC6_123foo3bar.llvm.123", "123foo::bar");
}
END_TEST

START_TEST(ocaml)
{
	expect("camlStdlib__List__map_123", "Stdlib.List.map_123");
	expect("camlStdlib__anon_fn$5bstdlib$2eml$3a334$2c0$2d$2d54$5d_1453",
	       "Stdlib.anon_fn[stdlib.ml:334,0--54]_1453");
	expect("camlStdlib__bytes__$2b$2b_2205", "Stdlib.bytes.++_2205");
	expect_none("caml_alloc");
	expect_none("camlight");
}
END_TEST

/* The types of nested conversion operators are parsed twice on each level. */
START_TEST(conversions)
{
	char name[1024] = "i", before[1024];

	for (int i = 0; i < 60; i++) {
		snprintf(before, sizeof(before), "%s", name);
		snprintf(name, sizeof(name), "cvT_I%.900sE", before);
	}
	snprintf(before, sizeof(before), "_ZN1B%.900sEv", name);
	expect_none(before);
}
END_TEST

/* A type in which each level contains the previous level twice. The search for a pack in this type
 * would need 2^30 steps. */
START_TEST(packs)
{
	char name[1024] = "FiiE", before[1024];

	for (int i = 0; i < 30; i++) {
		snprintf(before, sizeof(before), "%s", name);
		if (!i)
			snprintf(name, sizeof(name), "F%.900sS_E", before);
		else
			snprintf(name, sizeof(name), "F%.900sS%c_E", before,
				 "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i - 1]);
	}
	snprintf(before, sizeof(before), "_Z1fDp%.900s", name);
	expect_none(before);
}
END_TEST

/* Appends a back reference to the position `to` after "_R". The number 0 is written as "_", and 1
 * as "0_". */
static void append_reference(char *name, size_t to)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[8], *p = text + sizeof(text);

	*--p = '\0';
	*--p = '_';
	for (size_t n = to; n; n = (n - 1) / 62)
		*--p = digits[(n - 1) % 62];
	strcat(name, "B");
	strcat(name, p);
}

/* Each tuple has two tuples of the previous level, which would be 2^40 elements. The innermost
 * elements are paths without text. */
START_TEST(references)
{
	char name[1024] = "_RINvC1a1bTNvC00NvC00E";
	size_t last = strlen("INvC1a1b");
	uint64_t budget = 1000;

	free(pk_demangle("_RINvC1a1bTuuEE", &budget));
	ck_assert_uint_gt(budget, 900);
	for (int i = 0; i < 40; i++) {
		const size_t here = strlen(name) - 2;

		strcat(name, "T");
		append_reference(name, last);
		append_reference(name, last);
		strcat(name, "E");
		last = here;
	}
	strcat(name, "E");
	expect_none(name);
	/* The name has a back reference to an element that contains the reference. */
	expect_none("_RINvC1a1bTB7_B7_EE");
}
END_TEST

/* 62^8 lifetimes in an element that is not printed. Therefore the limit of the text does not apply.
 */
START_TEST(lifetimes)
{
	expect_none("_RC1aYFGzzzzzzzz_EvC1a");
	expect_none("_RMFGzzzzzzzz_EvC1ah");
	expect("_RINvC1a1bFG_RL0_hEuE", "a::b::<for<'a> fn(&'a u8)>");
}
END_TEST

/* Each character of Punycode is inserted into the text, which needs quadratic time. */
START_TEST(punycode)
{
	static char name[64 << 10];

	snprintf(name, sizeof(name), "_RC%s", "u30____7hkackfecea1cbdathfdh9hlq6y");
	free(demangled(name));
	ck_assert_uint_lt(work, 1000);
	memset(name, 'a', sizeof(name) - 1);
	memcpy(name, "_RCu65000_", 10);
	expect_none(name);
}
END_TEST

START_TEST(budget)
{
	uint64_t left = 10;
	char *text = pk_demangle("_Z3fooi", &left);

	ck_assert_str_eq(text, "foo(int)");
	free(text);
	ck_assert_uint_eq(left, 0);
	ck_assert_ptr_null(pk_demangle("_Z3fooi", &left));
}
END_TEST

START_TEST(cutting)
{
	static char name[PK_SYMBOL_NAME_MAX + 100];
	struct pk_name_budget names = {0};
	char *text;

	memset(name, 'x', sizeof(name) - 1);
	text = pk_name_cut(&names, name);
	ck_assert_uint_eq(strlen(text), PK_SYMBOL_NAME_MAX + 3);
	ck_assert_str_eq(text + PK_SYMBOL_NAME_MAX, "...");
	free(text);
	ck_assert_ptr_null(pk_name_cut(&names, name + 99));
	ck_assert_uint_eq(names.cut, 1);
	/* After 10,000 long names, names are cut to 64 bytes. */
	for (int i = 0; i < 10000; i++)
		free(pk_name_cut(&names, name + 99));
	text = pk_name_cut(&names, name + 99);
	ck_assert_uint_eq(strlen(text), 64 + 3);
	free(text);
	ck_assert_uint_ge(names.cut, 9000);
	ck_assert_ptr_null(pk_name_demangle(&names, "_Z3fooi"));
}
END_TEST

START_TEST(variants)
{
	ck_assert(pk_cpp_variants("_ZN3FooC1Ev", "_ZN3FooC2Ev"));
	ck_assert(pk_cpp_variants("_ZN3FooD0Ev", "_ZN3FooD2Ev"));
	ck_assert(pk_cpp_variants("_ZN3FooC1ERKS_", "_ZN3FooC1ERKS_"));
	ck_assert(!pk_cpp_variants("_ZN3FooC1Ev", "_ZN3FooD1Ev"));
	ck_assert(!pk_cpp_variants("_ZN3FooC1Ev", "_ZN3BarC2Ev"));
	ck_assert(!pk_cpp_variants("_ZN3FooC1Ev", "_ZN3FooC2Ei"));
	ck_assert(!pk_cpp_variants("_ZN3FooC1Ev", "_ZN3FooC2Evx"));
	ck_assert(!pk_cpp_variants("_ZN2C14sizeEv", "_ZN2C24sizeEv"));
	ck_assert(!pk_cpp_variants("C1", "C2"));
	ck_assert(!pk_cpp_variants("_ZC", "_ZD"));
	ck_assert(!pk_cpp_variants("_ZN3FooC", "_ZN3FooC1"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("demangle");
	TCase *c = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_test(c, cpp);
	tcase_add_test(c, rust);
	tcase_add_test(c, ocaml);
	tcase_add_test(c, conversions);
	tcase_add_test(c, packs);
	tcase_add_test(c, references);
	tcase_add_test(c, lifetimes);
	tcase_add_test(c, punycode);
	tcase_add_test(c, budget);
	tcase_add_test(c, cutting);
	tcase_add_test(c, variants);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
