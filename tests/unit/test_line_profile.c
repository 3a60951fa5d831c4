// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "line_profile.h"
#include "stream_builder.h"

static const struct line_place none;

static uint32_t function(struct line_profile *profile, uint32_t parent, struct line_place place,
			 const char *name, uint64_t total)
{
	const uint32_t number =
		line_profile_function(profile, parent, place, line_profile_name(profile, name));

	ck_assert_uint_ne(number, 0);
	profile->functions.items[number - 1].total += total;
	return number;
}

static uint32_t count(struct line_profile *profile, uint32_t function, uint32_t line,
		      uint32_t discriminator, uint64_t number)
{
	const uint32_t index =
		line_profile_count(profile, function, (struct line_place){line, discriminator});

	ck_assert_uint_ne(index, 0);
	profile->counts.items[index - 1].count += number;
	return index;
}

static void call(struct line_profile *profile, uint32_t from, const char *name, uint64_t number)
{
	const uint32_t index = line_profile_call(profile, from, line_profile_name(profile, name));

	ck_assert_uint_ne(index, 0);
	profile->calls.items[index - 1].count += number;
}

static void expect_text(struct line_profile *profile, const char *expected)
{
	struct export_output output = {0};

	ck_assert_int_eq(line_profile_write(profile, &output), PK_OK);
	buffer_char(&output.text, '\0');
	ck_assert_str_eq(output.text.data, expected);
	free(output.text.data);
	line_profile_free(profile);
}

START_TEST(test_functions_lines_and_calls_are_sorted)
{
	struct line_profile profile = {0};
	const uint32_t small = function(&profile, 0, none, "small", 3);
	const uint32_t large = function(&profile, 0, none, "large", 90);
	const uint32_t inlined =
		function(&profile, large, (struct line_place){4, 2}, "inlined", 30);
	const uint32_t deeper = function(&profile, inlined, (struct line_place){1, 0}, "small", 7);
	const uint32_t calling = count(&profile, large, 9, 0, 5);

	ck_assert_uint_eq(function(&profile, 0, none, "small", 2), small);
	ck_assert_uint_ne(deeper, small);
	count(&profile, small, 2, 0, 1);
	count(&profile, deeper, 65535, 0, 7);
	count(&profile, large, 1, 3, 8);
	count(&profile, large, 1, 0, 4);
	call(&profile, calling, "small", 2);
	call(&profile, calling, "other", 3);
	call(&profile, calling, "small", 4);
	profile.functions.items[small - 1].head = 6;
	expect_text(&profile, "large:90:0\n"
			      " 1: 4\n"
			      " 1.3: 8\n"
			      " 9: 5 small:6 other:3\n"
			      " 4.2: inlined:30\n"
			      "  1: small:7\n"
			      "   65535: 7\n"
			      "small:5:6\n"
			      " 2: 1\n");
}
END_TEST

START_TEST(test_suffixes_of_copies_and_parts_are_removed)
{
	struct line_profile profile = {0};
	const char *name = line_profile_name(&profile, "f");

	ck_assert_ptr_eq(line_profile_name(&profile, "f.llvm.1234"), name);
	ck_assert_ptr_eq(line_profile_name(&profile, "f.part.0"), name);
	ck_assert_ptr_eq(line_profile_name(&profile, "f.part.0.llvm.7"), name);
	ck_assert_str_eq(line_profile_name(&profile, "f.cold"), "f.cold");
	ck_assert_str_eq(line_profile_name(&profile, "f.part.x.y"), "f.part.x.y");
	ck_assert_str_eq(line_profile_name(&profile, ""), "");
	line_profile_free(&profile);
}
END_TEST

START_TEST(test_a_name_is_one_line)
{
	struct line_profile profile = {0};

	function(&profile, 0, none, "f\ng:1:1", 2);
	expect_text(&profile, "f?g:1:1:2:0\n");
}
END_TEST

START_TEST(test_many_functions)
{
	struct line_profile profile = {0};
	char name[16];

	for (unsigned int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "f%u", i % 10000);
		count(&profile, function(&profile, 0, none, name, 1), i % 7, 0, 1);
	}
	ck_assert_uint_eq(profile.functions.count, 10000);
	ck_assert_uint_eq(profile.counts.count, 20000);
	line_profile_free(&profile);
}
END_TEST

RUN_TESTS("line_profile", test_functions_lines_and_calls_are_sorted,
	  test_suffixes_of_copies_and_parts_are_removed, test_a_name_is_one_line,
	  test_many_functions)
