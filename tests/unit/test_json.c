// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"
#include "stream_builder.h"

static struct buffer out;

static void is(const char *text)
{
	buffer_char(&out, '\0');
	ck_assert_str_eq(out.data, text);
	free(out.data);
	out = (struct buffer){0};
}

START_TEST(commas_are_between_members)
{
	struct json json = {.out = &out};

	json_open(&json, NULL, '{');
	json_number(&json, "a", UINT64_MAX);
	json_open(&json, "b", '[');
	json_signed(&json, NULL, INT64_MIN);
	json_open(&json, NULL, '[');
	json_close(&json, ']');
	json_hex(&json, NULL, UINT64_MAX);
	json_close(&json, ']');
	json_bool(&json, "c", false);
	json_end(&json);
	is("{\"a\":18446744073709551615,\"b\":[-9223372036854775808,[],\"0xffffffffffffffff\"],"
	   "\"c\":false}\n");
}
END_TEST

START_TEST(texts_are_escaped)
{
	struct json json = {.out = &out};

	json_open(&json, NULL, '{');
	json_name(&json, "a\"b", 3);
	buffer_char(&out, '0');
	json_text(&json, "t", "\\\n");
	json_bytes(&json, "n", NULL, 0);
	json_plain(&json, "p", "x");
	json_end(&json);
	is("{\"a\\\"b\":0,\"t\":\"\\\\\\n\",\"n\":\"\",\"p\":\"x\"}\n");
}
END_TEST

START_TEST(lines_keep_their_commas)
{
	struct json json = {.out = &out};

	json_open(&json, NULL, '[');
	json_line(&json);
	json_known(&json, "'a'");
	json_line(&json);
	json_fixed(&json, NULL, 2, 2);
	json_real(&json, NULL, 0.5);
	json_hex_bytes(&json, NULL, "\1\xff", 2);
	json_close(&json, ']');
	is("[\n\"a\",\n2.00,0.5,\"01ff\"]");
}
END_TEST

RUN_TESTS("json", commas_are_between_members, texts_are_escaped, lines_keep_their_commas)
