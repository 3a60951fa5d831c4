// SPDX-License-Identifier: BSD-2-Clause
/* Tests the texts of probes: places and expressions. */
#include <stdio.h>
#include <string.h>

#include "probe_text.h"
#include "stream_builder.h"

static struct probe_text parsed(const char *text)
{
	struct probe_text probe;
	const char *error = pk_probe_text_parse(&probe, text);

	ck_assert_msg(!error, "%s: %s", text, error);
	return probe;
}

START_TEST(places)
{
	struct probe_text p = parsed("name=work:5");

	ck_assert_str_eq(p.event, "name");
	ck_assert_str_eq(p.function, "work");
	ck_assert(p.has_line && p.line == 5 && !p.file && !p.is_return);
	pk_probe_text_free(&p);
	p = parsed("dir/file.c:120");
	ck_assert_str_eq(p.file, "dir/file.c");
	ck_assert(p.line == 120 && !p.function);
	pk_probe_text_free(&p);
	p = parsed("space::Class::method%return");
	ck_assert_str_eq(p.function, "space::Class::method");
	ck_assert(p.is_return && !p.has_line);
	pk_probe_text_free(&p);
	p = parsed("some*+0x10");
	ck_assert_str_eq(p.function, "some*");
	ck_assert_uint_eq(p.offset, 16);
	pk_probe_text_free(&p);
	p = parsed("0x4a0");
	ck_assert(!p.function && p.offset == 0x4a0);
	pk_probe_text_free(&p);
	p = parsed("sdt_lib:mark_*");
	ck_assert_str_eq(p.provider, "lib");
	ck_assert_str_eq(p.marker, "mark_*");
	pk_probe_text_free(&p);
}
END_TEST

/* Checks the steps of an argument. `steps` has a letter for each step: "m" member, "a" arrow, "i"
 * index, "d" dereference, "&" address, "c" cast, "o" offset. */
static void check_steps(const char *argument, const char *steps)
{
	static const char letters[] = {'m', 'a', 'i', 'd', '&', 'c', 'o'};
	char text[100];
	struct probe_text p;
	const struct probe_expression *x;

	snprintf(text, sizeof(text), "f %s", argument);
	p = parsed(text);
	ck_assert_uint_eq(p.argument_count, 1);
	x = &p.arguments[0];
	ck_assert_uint_eq(x->step_count, strlen(steps));
	for (size_t i = 0; i < x->step_count; i++)
		ck_assert_msg(letters[x->steps[i].kind] == steps[i], "%s: step %zu", argument, i);
	pk_probe_text_free(&p);
}

START_TEST(operators)
{
	check_steps("x", "");
	check_steps("x->y.z[3]", "ami");
	check_steps("*x->y", "ad");
	check_steps("(*x).y", "dm");
	check_steps("&x.y", "m&");
	check_steps("((struct s *)x)->y", "ca");
	check_steps("(unsigned int)x", "c");
	check_steps("+8(-16(%sp))", "oo");
	check_steps("**x[2]", "idd");
	check_steps("(x)", "");
}
END_TEST

START_TEST(arguments)
{
	struct probe_text p =
		parsed("f a=(struct s *)ptr->x[-2]:x64 $retval @global:string %di $arg3 $vars");
	const struct probe_expression *x = p.arguments;

	ck_assert_uint_eq(p.argument_count, 6);
	ck_assert_str_eq(x[0].name, "a");
	ck_assert_str_eq(x[0].type, "x64");
	ck_assert_str_eq(x[0].variable, "ptr");
	ck_assert_int_eq(x[0].steps[1].number, -2);
	ck_assert_str_eq(x[0].steps[2].name, "s");
	ck_assert_uint_eq(x[0].steps[2].stars, 1);
	ck_assert_int_eq(x[1].root, PROBE_RESULT);
	ck_assert_int_eq(x[2].root, PROBE_GLOBAL);
	ck_assert_str_eq(x[2].variable, "global");
	ck_assert_str_eq(x[2].type, "string");
	ck_assert_int_eq(x[3].root, PROBE_REGISTER);
	ck_assert_int_eq(x[4].root, PROBE_ARGUMENT);
	ck_assert_uint_eq(x[4].number, 3);
	ck_assert_int_eq(x[5].root, PROBE_ALL);
	pk_probe_text_free(&p);
}
END_TEST

START_TEST(errors)
{
	static const char *const wrong[] = {
		"f:3%return",
		"a.c:3%return",
		"f+4%return",
		"",
		"f+x",
		"f%sideways",
		"f:",
		"9=f",
		"f x->",
		"f x[",
		"f x[y]",
		"f (x",
		"f $nothing",
		"f $arg0",
		"f x:9",
		"f x y=",
		"f +8",
		"f x.y.",
		"f 1=x",
		"f x)",
		"f x:u8:A",
		"0xzz",
		"a:b x",
		"f (s *",
		"f ****************x", /* one operator too many (the limit is 16) */
	};
	struct probe_text p;

	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(pk_probe_text_parse(&p, wrong[i]) != NULL, "'%s' was accepted",
			      wrong[i]);
}
END_TEST

RUN_TESTS("probe_text", places, operators, arguments, errors)
