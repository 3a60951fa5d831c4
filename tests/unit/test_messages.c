// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "messages.h"
#include "stream_builder.h"

static void expect(const struct pk_messages *messages, size_t *at, enum pk_severity severity,
		   const char *text)
{
	enum pk_severity found;
	const char *next = pk_messages_next(messages, at, &found);

	ck_assert_str_eq(next, text);
	ck_assert_int_eq(found, severity);
}

START_TEST(order)
{
	struct pk_messages messages = {0};
	enum pk_severity severity;
	size_t at = 0;

	ck_assert_ptr_null(pk_messages_next(&messages, &at, &severity));
	ck_assert(pk_messages_error(&messages, "%s: %d", "first", 1) != PK_OK);
	pk_messages_warn(&messages, "second");
	pk_messages_info(&messages, "%s", "");
	expect(&messages, &at, PK_SEVERITY_ERROR, "first: 1");
	expect(&messages, &at, PK_SEVERITY_WARNING, "second");
	expect(&messages, &at, PK_SEVERITY_INFO, "");
	ck_assert_ptr_null(pk_messages_next(&messages, &at, &severity));
	pk_messages_clear(&messages);
	ck_assert_uint_eq(messages.text.size, 0);
}
END_TEST

START_TEST(bounded)
{
	struct pk_messages messages = {0};
	enum pk_severity severity;
	char text[8192];
	size_t at = 0, count = 0;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 1000; i++)
		pk_messages_error(&messages, "%s", text);
	while (pk_messages_next(&messages, &at, &severity))
		count++;
	ck_assert_uint_gt(count, 50);
	ck_assert_uint_eq(count + messages.omitted, 1000);
	ck_assert_uint_le(messages.text.size, PK_MESSAGES_MAX);
	pk_messages_clear(&messages);
}
END_TEST

START_TEST(quiet)
{
	struct pk_messages messages = {.quiet = true};

	pk_messages_error(&messages, "text");
	ck_assert_uint_eq(messages.text.size, 0);
	ck_assert(pk_messages_no_memory(&messages) != PK_OK);
	ck_assert(messages.no_memory);
	errno = EIO;
	pk_failed_errno(&messages.failures, "file");
	errno = ENOENT;
	pk_failed_errno(&messages.failures, "absent");
	ck_assert_uint_eq(messages.failures.count, 1);
	pk_messages_clear(&messages);
	ck_assert(messages.quiet && !messages.no_memory && !messages.failures.count);
}
END_TEST

START_TEST(added_failures)
{
	struct pk_failures all = {0}, first = {0}, second = {0};

	pk_failures_add(&all, &first);
	ck_assert_uint_eq(all.count, 0);
	pk_failed(&first, "first", EIO);
	pk_failed(&second, "second", ENOMEM);
	pk_failed(&second, "third", EIO);
	pk_failures_add(&all, &first);
	pk_failures_add(&all, &second);
	ck_assert_uint_eq(all.count, 3);
	ck_assert_str_eq(all.path, "first");
	ck_assert_int_eq(all.error, EIO);
}
END_TEST

RUN_TESTS("messages", order, bounded, quiet, added_failures)
