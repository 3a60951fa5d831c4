// SPDX-License-Identifier: BSD-2-Clause
/* Tests numbers and sizes that users write, and numbers that programs print. */
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "stream_builder.h"

struct example {
	const char *text;
	bool good;
	uint64_t value;
};

static void expect(bool (*parse)(const char *text, uint64_t *value), const struct example *examples,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 77;

		ck_assert_msg(parse(examples[i].text, &value) == examples[i].good, "%s",
			      examples[i].text);
		if (examples[i].good)
			ck_assert_msg(value == examples[i].value, "%s: %" PRIu64, examples[i].text,
				      value);
	}
}

START_TEST(whole_numbers)
{
	static const struct example examples[] = {
		{"0", true, 0},
		{"42", true, 42},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"0x1f", true, 31},
		{"0xffffffffffffffff", true, UINT64_MAX},
		{"0x10000000000000000", false, 0},
		{"099", true, 99},
		{"010", true, 10},
		{"", false, 0},
		{"-1", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"1x", false, 0},
		{"0x", false, 0},
		{"x", false, 0},
		{"1.0", false, 0},
	};

	expect(pk_parse_u64, examples, COUNT(examples));
}
END_TEST

START_TEST(sizes)
{
	static const struct example examples[] = {
		{"0", true, 0},
		{"512", true, 512},
		{"512B", true, 512},
		{"1k", true, 1024},
		{"1K", true, 1024},
		{"2kB", true, 2048},
		{"2KiB", true, 2048},
		{"3M", true, 3 << 20},
		{"3MB", true, 3 << 20},
		{"1.5G", true, UINT64_C(3) << 29},
		{"2T", true, UINT64_C(2) << 40},
		{"16777215T", true, UINT64_C(16777215) << 40},
		{"16777216T", false, 0},
		{"18446744073709551615", true, UINT64_MAX},
		{"18014398509481984k", false, 0},
		{"1m", false, 0},
		{"k", false, 0},
		{"1kk", false, 0},
		{"1 k", false, 0},
		{"-1k", false, 0},
		{"", false, 0},
		{"1.", true, 1},
		{".5k", false, 0},
		{"1.5x", false, 0},
		{"1e3", false, 0},
		{"99999999999999999999", false, 0},
	};

	expect(pk_parse_size, examples, COUNT(examples));
}
END_TEST

START_TEST(times)
{
	static const uint64_t second = 1000000000;
	const struct example examples[] = {
		{"30s", true, 30 * second},
		{"30", true, 30 * second},
		{"1.5s", true, 1500000000},
		{"100ms", true, 100000000},
		{"0.5ms", true, 500000},
		{"5us", true, 5000},
		{"10ns", true, 10},
		{"2m", true, 120 * second},
		{"1h", true, 3600 * second},
		{"1d", true, 86400 * second},
		{"0", true, 0},
		{"1M", false, 0},
		{"1w", false, 0},
		{"-1s", false, 0},
		{"s", false, 0},
		{"", false, 0},
		{"213503d", true, UINT64_C(213503) * 86400 * second},
		{"213504d", false, 0},
		{"1s ", false, 0},
		{"1.5.5s", false, 0},
		{"0.002s", true, 2000000},
		{"0.0019999999999999999999s", true, 1999999},
		{"18446744073.709551615s", true, UINT64_MAX},
		{"18446744073.709551616s", false, 0},
		{"1.5e3s", false, 0},
	};

	expect(pk_parse_time, examples, COUNT(examples));
}
END_TEST

START_TEST(grouped_digits)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{0, "0"},
		{999, "999"},
		{1000, "1,000"},
		{12345, "12,345"},
		{123456, "123,456"},
		{1234567, "1,234,567"},
		{UINT64_MAX, "18,446,744,073,709,551,615"},
	};
	char buffer[32];

	for (size_t i = 0; i < COUNT(cases); i++)
		ck_assert_str_eq(pk_number(buffer, cases[i].value), cases[i].text);
}
END_TEST

/* Control characters are replaced. UTF-8 is unchanged. */
START_TEST(harmless)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"plain", "plain"},
		{"\x1b[31mred", "?[31mred"},
		{"a\nb\rc\td", "a?b?c?d"},
		{"\x7f", "?"},
		{"\xc3\xa9", "\xc3\xa9"},
		{"\xc2\x9b", "??"},
		{"\xc2\xa9", "\xc2\xa9"},
		{"\xc2", "\xc2"},
		{"\x9b[m\xe9\xe2\x82", "?[m\xe9\xe2?"},
		{"", ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[32];

		memcpy(text, cases[i].text, strlen(cases[i].text) + 1);
		pk_harmless(text);
		ck_assert_str_eq(text, cases[i].expected);
	}
}
END_TEST

/* Tests the words of lists. A list without commas has one word, which can be empty. */
START_TEST(words)
{
	const char *list = "a,,bc", *word = NULL;
	size_t size;

	ck_assert(pk_next_word(&list, &word, &size) && size == 1 && *word == 'a');
	ck_assert(pk_next_word(&list, &word, &size) && size == 0);
	ck_assert(pk_next_word(&list, &word, &size) && size == 2 && !memcmp(word, "bc", 2));
	ck_assert(!pk_next_word(&list, &word, &size));
	list = "";
	ck_assert(pk_next_word(&list, &word, &size) && size == 0);
	ck_assert(!pk_next_word(&list, &word, &size));
}
END_TEST

static bool add_range(void *arg, uint64_t first, uint64_t last)
{
	char *text = arg;

	snprintf(text + strlen(text), 20, "%d-%d ", (int)first, (int)last);
	return last < 100;
}

START_TEST(ranges)
{
	static const char *const bad[] = {"", ",", "1,", "1--2", "-1", "2-1", "1-11", "x"};
	char text[64] = "";

	ck_assert(pk_parse_ranges("0-3,8,0x9-10", 10, add_range, text));
	ck_assert_str_eq(text, "0-3 8-8 9-10 ");
	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_msg(!pk_parse_ranges(bad[i], 10, add_range, text), "%s", bad[i]);
	*text = '\0';
	ck_assert(!pk_parse_ranges("1,100,2", 1000, add_range, text));
	ck_assert_str_eq(text, "1-1 100-100 ");
}
END_TEST

RUN_TESTS("number", whole_numbers, sizes, times, grouped_digits, harmless, words, ranges)
