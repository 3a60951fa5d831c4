// SPDX-License-Identifier: BSD-2-Clause
/* Tests the number of columns that a text has on a terminal. */
#include <stdlib.h>

#include "stream_builder.h"
#include "text_width.h"

static struct pk_text_width width;

static void expect_columns(const char *text, size_t columns)
{
	ck_assert_uint_eq(pk_text_columns(&width, text, strlen(text)), columns);
}

static void expect_fit(const char *text, size_t columns, size_t bytes)
{
	ck_assert_uint_eq(pk_text_fit(&width, text, strlen(text), columns), bytes);
}

START_TEST(columns)
{
	pk_text_width_start(&width);
	ck_assert_ptr_nonnull(width.utf8);
	expect_columns("", 0);
	expect_columns("plain ~", 7);
	expect_columns("m\xc3\xbcsli", 5);
	expect_columns("\xe6\x97\xa5\xe6\x9c\xac", 4);
	expect_columns("e\xcc\x81x", 2);
	expect_columns("\xf0\x9f\x98\x80", 2);
	expect_columns("\033[31m5%\033[0m", 2);
	expect_columns("\033[31", 4); /* an incomplete escape sequence */
	expect_columns("\033x", 2);
	expect_columns("\xff\xfe\x80", 3);
	expect_columns("\xe6\x97", 2); /* an incomplete character */
	pk_text_width_end(&width);
}
END_TEST

START_TEST(fit)
{
	pk_text_width_start(&width);
	expect_fit("plain", 3, 3);
	expect_fit("plain", 5, 5);
	expect_fit("plain", 0, 0);
	expect_fit("\xe6\x97\xa5\xe6\x9c\xac", 3, 3);
	expect_fit("\xe6\x97\xa5\xe6\x9c\xac", 4, 6);
	expect_fit("e\xcc\x81x", 1, 3);
	expect_fit("a\xff\xfe", 2, 2);
	expect_fit("\033[31m12%\033[0m", 2, 7);
	expect_fit("\033[31m12%\033[0m", 3, 12);
	pk_text_width_end(&width);
}
END_TEST

/* The machine does not have the locale. */
START_TEST(no_locale)
{
	width = (struct pk_text_width){0};
	expect_columns("\xe6\x97\xa5x", 2);
	expect_columns("e\xcc\x81x", 3);
	expect_fit("\xe6\x97\xa5x", 1, 3);
}
END_TEST

RUN_TESTS("text_width", columns, fit, no_locale)
