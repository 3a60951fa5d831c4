// SPDX-License-Identifier: BSD-2-Clause
/* Tests the parsing of expressions and of time ranges. */
#include <stdio.h>
#include <stdlib.h>

#include "conditions.h"
#include "stream_builder.h"

/* Prints the expression with all parentheses. */
static void print(FILE *file, const struct pk_expression *node)
{
	static const char *const names[] = {
		[PK_OP_OR] = "||",  [PK_OP_AND] = "&&",	   [PK_OP_EQ] = "==", [PK_OP_NE] = "!=",
		[PK_OP_LT] = "<",   [PK_OP_LE] = "<=",	   [PK_OP_GT] = ">",  [PK_OP_GE] = ">=",
		[PK_OP_LIKE] = "~", [PK_OP_UNLIKE] = "!~", [PK_OP_BITS] = "&"};

	switch (node->op) {
	case PK_OP_FIELD:
		fputs(node->reference.field ? node->reference.field->name : node->reference.name,
		      file);
		return;
	case PK_OP_STRING: fprintf(file, "'%s'", node->text); return;
	case PK_OP_NUMBER: fprintf(file, "%lld", (long long)node->number.low); return;
	case PK_OP_NOT:
		fputs("!", file);
		print(file, node->left);
		return;
	default: break;
	}
	fputs("(", file);
	print(file, node->left);
	fprintf(file, " %s ", names[node->op]);
	print(file, node->right);
	fputs(")", file);
}

static void expect(const char *text, const char *expected)
{
	struct pk_expression_error error = {0};
	struct pk_expression *expression = pk_expression_parse(text, &error);
	char *found = NULL;
	size_t size;
	FILE *file;

	ck_assert_msg(expression != NULL, "%s: %s", text, error.text);
	file = open_memstream(&found, &size);
	print(file, expression);
	fclose(file);
	ck_assert_str_eq(found, expected);
	free(found);
	pk_expression_free(expression);
}

START_TEST(precedence)
{
	expect("pid", "pid");
	expect("pid==1||tid==2&&cpu==3", "((pid == 1) || ((tid == 2) && (cpu == 3)))");
	expect("(pid==1||tid==2)&&cpu==3", "(((pid == 1) || (tid == 2)) && (cpu == 3))");
	expect("a & 1 & b == 4", "(((a & 1) & b) == 4)");
	expect("!a == 3", "!(a == 3)");
	expect("! ! (a)", "!!a");
	expect("comm !~ \"x\"", "(comm !~ 'x')");
	expect("a < 1 && b <= 2 && c > 3 && d >= 4 && e != 5",
	       "(((((a < 1) && (b <= 2)) && (c > 3)) && (d >= 4)) && (e != 5))");
	expect("comm == prev_comm", "(comm == prev_comm)");
	expect("\"x\" == name", "(name == 'x')");
}
END_TEST

START_TEST(numbers)
{
	expect("a == 0x10", "(a == 16)");
	expect("a == -7", "(a == -7)");
	expect("a == 1.5s", "(a == 1500000000)");
	expect("a == 10ms", "(a == 10000000)");
	expect("a == 3us", "(a == 3000)");
	expect("a == 4k", "(a == 4096)");
	expect("a == 1.5M", "(a == 1572864)");
	expect("a == 1G", "(a == 1073741824)");
}
END_TEST

START_TEST(types)
{
	struct pk_expression_error error = {0};
	struct pk_expression *expression =
		pk_expression_parse("prev_comm ~ \"a\" && bytes > 4 && other", &error);

	ck_assert(expression);
	ck_assert_int_eq(expression->right->wanted, PK_IS_NUMBER);
	ck_assert_int_eq(expression->left->left->left->wanted, PK_IS_TEXT);
	ck_assert_int_eq(expression->left->right->left->wanted, PK_IS_NUMBER);
	pk_expression_free(expression);
	ck_assert(!pk_expression_parse("pid == comm", &error));
	ck_assert_uint_eq(error.at, 7);
	ck_assert(!pk_expression_parse("stack", &error));
}
END_TEST

static void expect_range(const char *text, enum time_kind kind, uint64_t from, uint64_t to)
{
	struct time_range range;

	ck_assert_msg(pk_time_range_parse(text, &range), "%s", text);
	ck_assert_int_eq(range.kind, kind);
	ck_assert_uint_eq(range.from, from);
	ck_assert_uint_eq(range.to, to);
}

START_TEST(times)
{
	static const char *const wrong[] = {"",	    ",",       "2,1",	 "a",
					    "1,b",  "1,2,3",   "+1,2",	 "1%",
					    "1%-",  "90%-10%", "0%/1",	 "10%/11",
					    "1%/0", "101%-",   "1%-2%x", "99999999999999999999"};
	struct time_range range;

	expect_range("1,2.5", TIME_ABSOLUTE, 1000000000, 2500000000);
	expect_range("1", TIME_ABSOLUTE, 1000000000, UINT64_MAX);
	expect_range(",2", TIME_ABSOLUTE, 0, 2000000000);
	expect_range("+1,+2", TIME_RELATIVE, 1000000000, 2000000000);
	expect_range("+0.000000001", TIME_RELATIVE, 1, UINT64_MAX);
	expect_range(",+3", TIME_RELATIVE, 0, 3000000000);
	expect_range("10%-20%", TIME_PERCENT, 10000000, 20000000);
	expect_range("10%/10", TIME_PERCENT, 90000000, 100000000);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_msg(!pk_time_range_parse(wrong[i], &range), "%s", wrong[i]);
}
END_TEST

RUN_TESTS("expression", precedence, numbers, types, times)
