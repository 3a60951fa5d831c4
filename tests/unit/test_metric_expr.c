// SPDX-License-Identifier: BSD-2-Clause
/* Tests expressions of metrics: values, names of events, and positions of errors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metric_expr.h"
#include "stream_builder.h"

/* Returns the value of a name: "a" is 6, "b" is 4, "zero" is 0, "nan" is NaN, and "cpu/x=1,y-2/"
 * is 5. #one and has_event(here) are also known. */
static double id_value(void *arg, const struct metric_node *node)
{
	(void)arg;
	if (!strcmp(node->text, "a"))
		return 6;
	if (!strcmp(node->text, "b"))
		return 4;
	if (!strcmp(node->text, "zero"))
		return 0;
	if (!strcmp(node->text, "cpu/x=1,y-2/"))
		return 5;
	return NAN;
}

static double source_count(void *arg, const struct metric_node *node)
{
	(void)arg;
	return !strcmp(node->text, "a") ? 2 : 0;
}

static double counters(void *arg, const struct metric_node *node)
{
	(void)arg;
	return !strcmp(node->text, "a") ? 3 : 0;
}

static double known(void *arg, const struct metric_node *node)
{
	(void)arg;
	return !strcmp(node->text, "#one") || !strcmp(node->text, "here");
}

static const struct metric_values values = {id_value, source_count, counters, known, NULL};

static double value_of(const char *text)
{
	struct metric_expr expr;
	struct metric_error error;
	double scratch[64], value;

	ck_assert_msg(metric_expr_parse(&expr, text, &error), "%s: %s", text, error.what);
	ck_assert_uint_le(expr.count, 64);
	value = metric_expr_value(&expr, &values, scratch);
	metric_expr_free(&expr);
	return value;
}

static const struct {
	const char *text;
	double value;
} good[] = {
	{"1", 1},
	{" 1.5e3 ", 1500},
	{".5", 0.5},
	{"2e-3", 0.002},
	{"1e+2", 100},
	{"a", 6},
	{"a + b * 2", 14},
	{"(a + b) * 2", 20},
	{"a - b - 1", 1},
	{"100 / a / b", 100.0 / 6 / 4},
	{"-a + b", -2},
	{"a - -b", 10},
	{"--a", 6},
	{"!a", 0},
	{"!zero + 1", 2},
	{"a % b", 2},
	{"-7 % 4", -3},
	{"6 | 1", 7},
	{"6 & 3", 2},
	{"6 ^ 3", 5},
	{"1 | 6 & 3 ^ 1", 1 | ((6 & 3) ^ 1)},
	{"1 < 2 & 3 > 2", 1},
	{"a > b", 1},
	{"a < b", 0},
	{"1 + 2 < 4", 1},
	{"min(a, b)", 4},
	{"max(a, b + 3)", 7},
	{"min(max(1, 2), 3) * 2", 4},
	{"d_ratio(a, b)", 1.5},
	{"d_ratio(a, zero)", 0},
	{"1 if a > b else 2", 1},
	{"1 if a < b else 2", 2},
	{"1 if zero else 2 if zero else 3", 3},
	{"(1 if zero else 2) + 1", 3},
	{"a / b if b > 0 else 0", 1.5},
	{"min(1 if zero else 5, 3)", 3},
	{"source_count(a)", 2},
	{"aggr_nr(a)", 3},
	{"cpu@x=1,y-2@ * 2", 10},
	{"NaN if zero else 4", 4},
	{"d_ratio(cpu@x=1,y-2@, cpu@x\\=1\\,y\\-2@)", 1},
	{"#one + 1", 2},
	{"a / #(b - 1)", 2},
	{"has_event(here) + has_event(there)", 1},
	{"strcmp_cpuid_str(0x00000000410fd030)", 0},
	{"cpu@x\\=1\\,y\\-2@ * 2", 10},
	{"1 if nan else 2", 1},
	{"1e400 - 1e400 > 0", 0},
	{"9223372036854775807 % -1", 0},
	{"1e30 | 0", 9223372036854775807.0},
};

START_TEST(worth)
{
	for (size_t i = 0; i < COUNT(good); i++) {
		const double value = value_of(good[i].text);

		ck_assert_msg(fabs(value - good[i].value) <= fabs(good[i].value) * 1e-12,
			      "%s is %g", good[i].text, value);
	}
}
END_TEST

static const char *const nans[] = {"a / zero", "a % zero", "nan + 1",
				   "nan | 1",  "a % 0.5",  "a / (b - 4)",
				   "unheard",  "0 * nan",  "min(a, b) / zero"};

START_TEST(not_a_number)
{
	for (size_t i = 0; i < COUNT(nans); i++)
		ck_assert_msg(isnan(value_of(nans[i])), "%s", nans[i]);
}
END_TEST

static const struct {
	const char *text;
	size_t at;
	const char *what;
} bad[] = {
	{"", 0, "ends too early"},
	{"a +", 3, "ends too early"},
	{"a b", 2, "does not belong here"},
	{"(a", 2, ") is expected here"},
	{"a)", 1, "does not belong here"},
	{"min(a)", 5, "a comma is expected here"},
	{"min(a,", 6, "ends too early"},
	{"max a", 4, "( is expected here"},
	{"a if b", 6, "else is expected here"},
	{"if a else b", 0, "a number or a name is expected here"},
	{"a * * b", 4, "a number or a name is expected here"},
	{"a $ b", 2, "does not belong here"},
	{"source_count()", 13, "a name is expected here"},
	{"has_event(a", 11, ") is expected here"},
	{"a \\ b", 2, "does not belong here"},
};

START_TEST(wrong)
{
	struct metric_expr expr;
	struct metric_error error;

	for (size_t i = 0; i < COUNT(bad); i++) {
		ck_assert_msg(!metric_expr_parse(&expr, bad[i].text, &error), "%s", bad[i].text);
		ck_assert_msg(error.at == bad[i].at, "%s: at %zu", bad[i].text, error.at);
		ck_assert_str_eq(error.what, bad[i].what);
	}
}
END_TEST

START_TEST(limits)
{
	struct metric_expr expr;
	struct metric_error error;
	static char text[100000];

	memset(text, '(', 5000);
	ck_assert(!metric_expr_parse(&expr, text, &error));
	ck_assert_str_eq(error.what, "is nested too deeply");
	memset(text, '-', 5000);
	ck_assert(!metric_expr_parse(&expr, text, &error));
	memset(text, '#', 99990);
	memcpy(text + 99990, "(1)", 4);
	ck_assert(metric_expr_parse(&expr, text, &error));
	metric_expr_free(&expr);
	for (size_t i = 0; i < 99998; i += 2)
		memcpy(text + i, "1+", 2);
	memcpy(text + 99998, "1", 2);
	ck_assert(!metric_expr_parse(&expr, text, &error));
	ck_assert_str_eq(error.what, "the expression is too long");
	text[19000] = '1';
	text[19001] = '\0';
	ck_assert(metric_expr_parse(&expr, text, &error));
	metric_expr_free(&expr);
}
END_TEST

/* Writes the names of the events that the expression needs, in their order. */
static void needed_of(const char *text, char *names, size_t size)
{
	struct metric_expr expr;
	struct metric_error error;
	bool needed[64];
	size_t used = 0;

	ck_assert(metric_expr_parse(&expr, text, &error));
	ck_assert(metric_expr_needed(&expr, &values, needed) == PK_OK);
	names[0] = '\0';
	for (size_t i = 0; i < expr.count; i++)
		if (needed[i] && expr.nodes[i].op == METRIC_ID)
			used += (size_t)snprintf(names + used, size - used, "%s ",
						 expr.nodes[i].text);
	metric_expr_free(&expr);
}

START_TEST(needed)
{
	static const char *const cases[][2] = {
		{"a + b", "a b "},
		{"a if #one else b", "a "},
		{"a if #two else b", "b "},
		{"a if has_event(there) else b if has_event(here) else c", "b "},
		{"a if b else c", "a b c "},
		{"a if #one > 0 & 2 > 1 else b", "a "},
		{"a * (b if !#one else 1)", "a "},
		{"min(a if #one else b, c)", "a c "},
	};
	char names[100];

	for (size_t i = 0; i < COUNT(cases); i++) {
		needed_of(cases[i][0], names, sizeof(names));
		ck_assert_str_eq(names, cases[i][1]);
	}
}
END_TEST

RUN_TESTS("metric_expr", worth, not_a_number, wrong, limits, needed)
