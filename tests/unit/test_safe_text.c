// SPDX-License-Identifier: BSD-2-Clause
/* Tests how names of the input are written to a terminal and to a JSON string. */
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "safe_text.h"
#include "stream_builder.h"

static void expect_harmless(const char *text, const char *expected)
{
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", text);
	pk_harmless(copy);
	ck_assert_str_eq(copy, expected);
}

START_TEST(harmless)
{
	expect_harmless("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\xa5",
			"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\xa5");
	expect_harmless("a\x1b[31m\x7f\n\tb", "a?[31m???b");
	expect_harmless("\x9b"
			"1mX",
			"?1mX");
	expect_harmless("\xc2\x9b"
			"1m",
			"??1m");
	expect_harmless("\xe2\x80\xae"
			"gpj.exe",
			"???gpj.exe"); /* right-to-left override, U+202E */
	expect_harmless("\xe2\x81\xa6x\xe2\x81\xa9", "???x???");
	expect_harmless("\xe2\x80\xa9\xe2\x81\xa5\xe2\x81\xaa",
			"\xe2\x80\xa9\xe2\x81\xa5\xe2\x81\xaa");
	expect_harmless("cut \xe2\x80", "cut \xe2?"); /* 0x80 alone is a C1 control */
	expect_harmless("\xff\xfe", "\xff\xfe");
}
END_TEST

static void expect_quoted(const char *text, size_t size, const char *expected)
{
	struct buffer buffer = {0};

	buffer_quoted(&buffer, text, size);
	buffer_char(&buffer, '\0');
	ck_assert_str_eq(buffer.data, expected);
	free(buffer.data);
}

START_TEST(quoted)
{
	expect_quoted("a\"b\\c\n\t\x01\x7f", 9, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"");
	expect_quoted("\xc2\x9b \xe2\x80\xae \xc3\xa4", 9, "\"\\u009b \\u202e \xc3\xa4\"");
	expect_quoted("\x9b\xed\xa0\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	expect_quoted("\0x", 2, "\"\\u0000x\"");
	/* These bytes do not begin a character of four or more bytes. */
	expect_quoted("\xf8\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	expect_quoted("\xff\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}
END_TEST

static void expect_valid(const char *text, size_t most, const char *expected)
{
	struct buffer buffer = {0};

	buffer_valid(&buffer, text, strlen(text), most);
	buffer_char(&buffer, '\0');
	ck_assert_str_eq(buffer.data, expected);
	free(buffer.data);
}

START_TEST(valid)
{
	expect_valid("", 3, "");
	expect_valid("plain", 5, "plain");
	expect_valid("plain", 4, "plai...");
	expect_valid("m\xc3\xbcsli", 2, "m\xc3\xbc...");
	expect_valid("\x1b[31m\xff\xe2\x80\xaex\xc2\x9b", 9, "?[31m??x?");
	expect_valid("cut \xe2\x80", 9, "cut ??");
}
END_TEST

RUN_TESTS("safe_text", harmless, quoted, valid)
