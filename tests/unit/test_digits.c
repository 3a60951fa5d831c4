// SPDX-License-Identifier: BSD-2-Clause
/* Compares the numbers and strings that pk-script writes with those of printf. */
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "digits.h"
#include "stream_builder.h"

static const uint64_t values[] = {0,
				  1,
				  9,
				  10,
				  15,
				  16,
				  255,
				  99999,
				  100000,
				  999999999,
				  1000000000,
				  UINT32_MAX,
				  UINT64_C(0x7fffffffffffffff),
				  UINT64_C(0x8000000000000000),
				  UINT64_C(0xffffffffb1000000),
				  UINT64_MAX};

static const unsigned int widths[] = {0, 1, 3, 7, 10, 16, 24};

static void same(const char *text, const char *end, const char *expected)
{
	ck_assert_uint_eq((size_t)(end - text), strlen(expected));
	ck_assert_mem_eq(text, expected, strlen(expected));
}

START_TEST(like_printf)
{
	char text[64], expected[64];

	for (size_t i = 0; i < COUNT(values); i++) {
		for (size_t j = 0; j < COUNT(widths); j++) {
			unsigned long long value = values[i];
			int width = (int)widths[j];

			snprintf(expected, sizeof(expected), "%*llu", width, value);
			same(text, digits_decimal(text, value, widths[j]), expected);
			snprintf(expected, sizeof(expected), "%0*llu", width, value);
			same(text, digits_zeros(text, value, widths[j]), expected);
			snprintf(expected, sizeof(expected), "%*llx", width, value);
			same(text, digits_hex(text, value, widths[j]), expected);
			snprintf(expected, sizeof(expected), "%*lld", width, (long long)value);
			same(text, digits_signed(text, (int64_t)value, widths[j]), expected);
			snprintf(expected, sizeof(expected), "%-*lld", width, (long long)value);
			same(text, digits_left(text, (int64_t)value, widths[j]), expected);
		}
	}
}
END_TEST

START_TEST(quoted)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"", "\"\""},
		{"plain", "\"plain\""},
		{"a\"b\\c", "\"a\\\"b\\\\c\""},
		{"\n\t\x1b\x7f", "\"\\n\\t\\u001b\\u007f\""},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
		 "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
		{"\xc2\x9b", "\"\\u009b\""},
		/* Invalid UTF-8: a single byte, an overlong form, a surrogate, a code point above
		   the maximum, and an incomplete character. */
		{"\xff", "\"\\ufffd\""},
		{"\xc0\x80", "\"\\ufffd\\ufffd\""},
		{"\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""},
		{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
		{"\xf5\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{"\xe2\x82", "\"\\ufffd\\ufffd\""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buffer buffer = {0};

		buffer_quoted(&buffer, cases[i].text, strlen(cases[i].text));
		same(buffer.data, buffer.data + buffer.size, cases[i].expected);
		free(buffer.data);
	}
}
END_TEST

START_TEST(harmless)
{
	struct buffer buffer = {0};

	buffer_harmless(&buffer, "a\x1b[2J\0b\xc3\xa4\n", 10);
	same(buffer.data, buffer.data + buffer.size, "a?[2J?b\xc3\xa4?"); /* '?' for each byte */
	free(buffer.data);
}
END_TEST

RUN_TESTS("digits", like_printf, quoted, harmless)
