// SPDX-License-Identifier: BSD-2-Clause
/* Names of frames in pk-fold, compared with stackcollapse-perf.pl, and the differences
 * (docs/stackcollapse.md). */
#include <stdlib.h>

#include "frame_names.h"
#include "stream_builder.h"

static struct pk_dictionary *dictionary;
static struct buffer text;

static uint32_t string(const char *s, size_t size)
{
	return pk_dictionary_string(dictionary, s, size);
}

/* The names of the frame, joined by ';'. */
static const char *joined(const struct pk_frame *frame, bool java, bool addresses)
{
	pk_frame_names(&text, dictionary, frame, java,
		       &(struct pk_frame_options){.addresses = addresses});
	ck_assert(!text.failed);
	ck_assert_uint_gt(text.size, 0);
	ck_assert_int_eq(text.data[text.size - 1], '\0');
	for (size_t i = 0; i + 1 < text.size; i++)
		if (!text.data[i])
			text.data[i] = ';';
	return text.data;
}

static void expect_in(bool java, const char *function, const char *expected)
{
	struct pk_frame frame = {.function = string(function, strlen(function))};

	ck_assert_str_eq(joined(&frame, java, false), expected);
	ck_assert_str_eq(joined(&frame, java, true), expected);
}

static void expect(const char *function, const char *expected)
{
	expect_in(false, function, expected);
}

static void setup(void)
{
	dictionary = pk_dictionary_new(NULL);
}

static void teardown(void)
{
	pk_dictionary_free(dictionary);
	free(text.data);
	text = (struct buffer){0};
}

START_TEST(functions)
{
	setup();
	expect("do_syscall_64", "do_syscall_64");
	expect("ns::(anonymous namespace)::g(int)", "ns::(anonymous namespace)::g");
	expect("operator()(int)", "operator");
	expect("f(int, char (*)(int))", "f");
	expect("net/http.(*Client).Do", "net/http.(*Client).Do");
	expect("net/http.(*Client).Do.func1(int)", "net/http.(*Client).Do.func1(int)");
	expect("a.(b)", "a.");
	expect("std::vector<int, std::allocator<int> >::push_back",
	       "std::vector<int, std::allocator<int> >::push_back");
	expect("a;b \"q\"'z", "a:b qz");
	expect("f [clone .cold]", "f [clone .cold]");
	expect("x.constprop.0", "x.constprop.0");
	teardown();
}
END_TEST

/* "->" separates inlined calls. */
START_TEST(arrows)
{
	setup();
	expect("A->B->C", "A;B_[i];C_[i]");
	expect("A(int)->B(char)", "A;B_[i]");
	expect("A->B_[i]", "A;B_[i]");
	expect("->B", ";B_[i]");
	expect("A->->B", "A;_[i];B_[i]");
	expect("X::operator->", "X::operator");
	expect("A->B->", "A;B_[i]");
	expect("A->->", "A");
	expect("->", "->");
	teardown();
}
END_TEST

START_TEST(java_names)
{
	setup();
	expect_in(true, "Lorg/x/Y;::m", "org/x/Y:::m");
	expect_in(true, "Labc;::m", "Labc:::m");
	expect_in(true, "LLa/b", "La/b");
	expect_in(true, "org/L/x", "org/L/x");
	expect_in(true, "L", "L");
	expect_in(true, "Lx(a/b)", "Lx");
	expect_in(false, "Lorg/x/Y;::m", "Lorg/x/Y:::m");
	expect_in(true, "La/b->Lc/d", "a/b;c/d_[i]");
	teardown();
}
END_TEST

/* Frames that stackcollapse-perf.pl skips because they start with '(' */
START_TEST(parentheses)
{
	setup();
	expect("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
	expect("(anonymous namespace)", "(anonymous namespace)");
	expect("(other)::f", "(other)::f");
	expect("(", "(");
	teardown();
}
END_TEST

static void expect_object(const char *path, const char *expected)
{
	struct pk_dso dso = {.path = string(path, strlen(path)), .kind = PK_DSO_FILE};
	struct pk_frame frame = {.address = 0x1a2b, .flags = PK_FRAME_UNRESOLVED};
	char with[100];

	frame.dso = pk_dictionary_dso(dictionary, &dso);
	ck_assert_str_eq(joined(&frame, false, false), expected);
	ck_assert_uint_lt(strlen(expected), 80);
	memcpy(with, expected, strlen(expected));
	memcpy(with + strlen(expected), "+0x1a2b", 8);
	ck_assert_str_eq(joined(&frame, true, true), with);
}

START_TEST(unresolved)
{
	struct pk_frame frame = {.address = 0x1a2b, .flags = PK_FRAME_UNRESOLVED};

	setup();
	expect_object("/usr/lib/libc.so.6", "[libc.so.6]");
	expect_object("[vdso]", "[[vdso]]");
	expect_object("[kernel.kallsyms]", "[[kernel.kallsyms]]");
	expect_object("/tmp/x (deleted)", "[x]");
	expect_object("/tmp/x(1)", "[x(1)]");
	expect_object("//anon", "[anon]");
	expect_object("relative", "[relative]");
	expect_object("/odd;\x1b[31m\nname", "[odd:?[31m?name]");
	expect_object("/ends/with/", "[]");
	ck_assert_str_eq(joined(&frame, false, false), "[unknown]");
	ck_assert_str_eq(joined(&frame, false, true), "[unknown]+0x1a2b");
	teardown();
}
END_TEST

/* No byte that controls a terminal or separates frames or lines is printed. */
START_TEST(control_bytes)
{
	char all[255];

	setup();
	for (int i = 0; i < 255; i++)
		all[i] = (char)(i + 1);
	for (int i = 0; i < 255; i++) {
		struct pk_frame frame = {.function = string(&all[i], 1)};
		const char *name = joined(&frame, false, false);

		ck_assert_msg(!strpbrk(name, ";\n\x1b\x7f\r"), "byte %d: %s", i + 1, name);
		pk_comm_name(&text, &all[i], 1);
		ck_assert_uint_eq(text.size, 1);
		ck_assert((unsigned char)text.data[0] >= 0x20 && text.data[0] != ';' &&
			  text.data[0] != ' ');
	}
	expect("\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9");
	expect("a\xc2\x9bz", "a??z");
	expect("a\xc2\xa9z", "a\xc2\xa9z");
	expect("a\xc2", "a\xc2");
	teardown();
}
END_TEST

static void expect_comm(const char *comm, const char *expected)
{
	pk_comm_name(&text, comm, strlen(comm));
	ck_assert_uint_eq(text.size, strlen(expected));
	ck_assert(!memcmp(text.data, expected, text.size));
}

START_TEST(comms)
{
	expect_comm("nginx", "nginx");
	expect_comm("Web Content", "Web_Content");
	expect_comm("a;b", "a:b");
	expect_comm(":-1", ":-1");
	expect_comm("x", "x");
	expect_comm("worker 7 a", "worker_7_a");
	expect_comm("tab\there", "tab?here");
	expect_comm("a(b)\"c'", "a(b)\"c'");
	expect_comm("", "");
	teardown();
}
END_TEST

static void expect_named(const struct pk_frame *frame, const struct pk_frame_options *options,
			 const char *expected)
{
	pk_frame_names(&text, dictionary, frame, false, options);
	ck_assert_uint_eq(text.size, strlen(expected) + 1);
	ck_assert_str_eq(text.data, expected);
}

START_TEST(options)
{
	struct pk_dso object = {0};
	struct pk_frame frame = {.line = 77, .address = 0x10};
	const struct pk_frame_options all = {.modules = true,
					     .lines = true,
					     .mark_kernel = true,
					     .mark_jit = true,
					     .mark_inlines = true};

	setup();
	object.path = string("/usr/lib/libm.so.6", 18);
	frame.dso = pk_dictionary_dso(dictionary, &object);
	frame.function = string("sin(double)", 11);
	frame.file = string("../sysdeps/s_sin.c", 18);
	expect_named(&frame, &(struct pk_frame_options){0}, "sin");
	expect_named(&frame, &(struct pk_frame_options){.modules = true}, "libm.so.6`sin");
	expect_named(&frame, &(struct pk_frame_options){.lines = true}, "sin:s_sin.c:77");
	frame.flags = PK_FRAME_KERNEL;
	expect_named(&frame, &all, "libm.so.6`sin:s_sin.c:77_[k]");
	frame.flags = PK_FRAME_USER | PK_FRAME_JIT | PK_FRAME_INLINED;
	expect_named(&frame, &all, "libm.so.6`sin:s_sin.c:77_[j]_[i]");
	expect_named(&frame, &(struct pk_frame_options){.mark_kernel = true}, "sin");
	frame.file = frame.dso = 0;
	frame.flags = 0;
	expect_named(&frame, &all, "sin");
	frame.function = 0;
	frame.flags = PK_FRAME_KERNEL;
	expect_named(&frame, &all, "[unknown]_[k]");
	frame.flags = PK_FRAME_INLINED;
	pk_frame_names(&text, dictionary, &frame, false,
		       &(struct pk_frame_options){.hide_inlines = true});
	ck_assert_uint_eq(text.size, 0);
	teardown();
}
END_TEST

RUN_TESTS("frame_names", options, functions, arrows, java_names, parentheses, unresolved,
	  control_bytes, comms)
