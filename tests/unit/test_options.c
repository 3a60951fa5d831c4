// SPDX-License-Identifier: BSD-2-Clause
/* Tests the kinds of options: what they store, and which values they refuse. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "options.h"
#include "stream_builder.h"

struct values {
	bool flag, clear;
	uint8_t word;
	uint16_t two;
	uint32_t set;
	unsigned int more;
	uint64_t bits, size, time;
	double real, percent;
	const char *text;
	struct pk_text_list texts;
	struct inner {
		const char *text;
	} inner;
	const char *noted;
};

static int note(const struct pk_option *option, void *at, const char *text)
{
	(void)text;
	((struct values *)at)->noted = option->name;
	return PK_CONTINUE;
}

static int refuse(const struct pk_option *option, void *at, const char *text)
{
	(void)at;
	return pk_option_wrong(option, text);
}

static const struct pk_option inner_rows[] = {
	{0, "inner", "[TEXT]", PK_TEXT, "text", PK_AT(struct inner, text), .without = "nothing"},
	PK_OPTIONS_END,
};

#define AT(member) PK_AT(struct values, member)

static const struct pk_option rows[] = {
	PK_TITLE("Kinds"),
	{'f', "flag", NULL, PK_FLAG, "text", AT(flag)},
	{0, "clear", NULL, PK_CLEAR, "text", AT(clear)},
	{0, "word", "one|two|three", PK_WORD, "text", AT(word)},
	{'n', "number", "N", PK_NUMBER, "text", AT(two), .least = 1},
	{0, "set", NULL, PK_SET, "text", AT(set), .set = 7},
	{'m', "more", NULL, PK_MORE, "text", AT(more)},
	{0, "low", NULL, PK_BITS, "text", AT(bits), .set = 1},
	{0, "high", NULL, PK_BITS, "text", AT(bits), .set = UINT64_C(1) << 40},
	{0, "size", "SIZE", PK_SIZE, "text", AT(size), .most = 1 << 20},
	{0, "time", "TIME", PK_TIME, "text", AT(time)},
	{0, "real", "NUMBER", PK_REAL, "text", AT(real), .least = -1, .most = 1},
	{0, "percent", "PCT", PK_PERCENT, "text", AT(percent)},
	{'t', "text", "TEXT", PK_TEXT, "text", AT(text), .least = 1},
	PK_ALSO('u', "other", "TEXT", "text"),
	{0, "texts", "TEXT", PK_TEXTS, "text", AT(texts)},
	{0, "refused", "X", PK_CALL, "text", .parse = refuse},
	{.kind = PK_ROWS, .rows = inner_rows, .parse = note, AT(inner)},
	PK_ANSWER('p', "perf", "--text"),
	PK_OPTIONS_END,
};

/* Splits a line into words, and parses the words as options. Returns the result of
 * pk_parse_options(). */
static int parse(struct values *values, bool stops, const char *line)
{
	const struct pk_command command = {.usage = "", .options = rows, .stops = stops};
	static char copy[512], name[] = "test";
	static char *words[64];
	char **argv = words;
	int argc = 1;

	*values = (struct values){.clear = true};
	snprintf(copy, sizeof(copy), "%s", line);
	words[0] = name;
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[argc++] = word;
	words[argc] = NULL;
	return pk_parse_options(&command, values, &argc, &argv);
}

START_TEST(kinds)
{
	struct values v;

	ck_assert_int_eq(parse(&v, false, "--word=three -fmm --clear -n 65535 --set --low --high"),
			 PK_CONTINUE);
	ck_assert(v.flag && !v.clear);
	ck_assert_uint_eq(v.word, 2);
	ck_assert_uint_eq(v.two, 65535);
	ck_assert_uint_eq(v.set, 7);
	ck_assert_uint_eq(v.more, 2);
	ck_assert_uint_eq(v.bits, 1 | UINT64_C(1) << 40);
	ck_assert_int_eq(parse(&v, false, "--size 64k --time=2ms --real -0.5 --percent 12.5"),
			 PK_CONTINUE);
	ck_assert_uint_eq(v.size, 65536);
	ck_assert_uint_eq(v.time, 2000000);
	ck_assert(v.real < -0.49 && v.real > -0.51 && v.percent > 12.4 && v.percent < 12.6);
	ck_assert_int_eq(parse(&v, false, "-ua --texts=b operand --texts c --inner"), PK_CONTINUE);
	ck_assert_str_eq(v.text, "a");
	ck_assert_uint_eq(v.texts.count, 2);
	ck_assert_str_eq(v.texts.items[1], "c");
	ck_assert_str_eq(v.inner.text, "nothing");
	ck_assert_str_eq(v.noted, "inner");
	ck_assert_int_eq(optind, 6);
	free(v.texts.items);
}
END_TEST

START_TEST(ends)
{
	struct values v;

	ck_assert_int_eq(parse(&v, true, "-f operand -m"), PK_CONTINUE);
	ck_assert(v.flag && !v.more && optind == 2);
	ck_assert_int_eq(parse(&v, false, "--fl -- -m"), PK_CONTINUE);
	ck_assert(v.flag && !v.more && optind == 3);
}
END_TEST

START_TEST(refused)
{
	static const char *const lines[] = {
		"--word=four", "--word=on",  "-n 0",	      "-n 65536", "-n x",   "--size=2M",
		"--time=x",    "--real=1.1", "--percent=101", "--text=",  "--text", "--flag=1",
		"--refused=x", "--unknown",  "--te",	      "--perf",	  "-p",	    "-z",
	};
	struct values v;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ck_assert_msg(parse(&v, false, lines[i]) == PK_EXIT_USAGE, "%s", lines[i]);
}
END_TEST

RUN_TESTS("options", kinds, ends, refused)
