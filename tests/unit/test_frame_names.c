// SPDX-License-Identifier: BSD-2-Clause
/* Compares the names of frames in pk-fold with those of stackcollapse-perf.pl. Also tests the
 * differences (docs/stackcollapse.md). */
#include <stdlib.h>

#include "frame_names.h"
#include "stream_builder.h"

static struct pk_dictionary *dictionary;
static struct buffer text;

static uint32_t string(const char *s, size_t size)
{
	return pk_dictionary_string(dictionary, s, size);
}

/* Returns the names of the frame, joined by ';'. */
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

static void expect_of(const struct pk_frame *frame, const char *expected)
{
	ck_assert_str_eq(joined(frame, false, false), expected);
}

/* Checks the name of a function of generated code. */
static void expect_jit(const char *function, const char *expected)
{
	const struct pk_frame frame = {.function = string(function, strlen(function)),
				       .flags = PK_FRAME_JIT};

	expect_of(&frame, expected);
}

static void expect(const char *function, const char *expected)
{
	expect_in(false, function, expected);
}

static void expect_named(const struct pk_frame *frame, const struct pk_frame_options *options,
			 const char *expected)
{
	pk_frame_names(&text, dictionary, frame, false, options);
	ck_assert_uint_eq(text.size, strlen(expected) + 1);
	ck_assert_str_eq(text.data, expected);
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
	expect("operator()(int)", "operator()");
	expect("f(int, char (*)(int))", "f");
	expect("net/http.(*Client).Do", "net/http.(*Client).Do");
	expect("net/http.(*Client).Do.func1", "net/http.(*Client).Do.func1");
	expect("a.(b)", "a.(b)");
	expect("std::vector<int, std::allocator<int> >::push_back",
	       "std::vector<int, std::allocator<int> >::push_back");
	expect("a;b \"q\"'z", "a:b qz");
	expect("f [clone .cold]", "f [clone .cold]");
	expect("x.constprop.0", "x.constprop.0");
	teardown();
}
END_TEST

/* In a name, "->" separates inlined calls. */
START_TEST(arrows)
{
	setup();
	expect_jit("A->B->C", "A;B_[i];C_[i]");
	expect_jit("A(int)->B(char)", "A;B_[i]");
	expect_jit("A->B_[i]", "A;B_[i]");
	expect_jit("->B", ";B_[i]");
	expect_jit("A->->B", "A;_[i];B_[i]");
	expect_jit("A->B->", "A;B->_[i]");
	expect_jit("->", "->");
	expect_jit("X::operator->", "X::operator->");
	expect_jit("X::operator->() const", "X::operator->");
	expect_jit("X::operator->*(int)->B", "X::operator->*;B_[i]");
	expect_jit("a.B.<init>(I)V->c.D", "a.B.<init>;c.D_[i]");
	expect_jit("decltype (a->b) f<fn(int) -> int>()", "decltype (a->b) f<fn(int) -> int>");
	expect("A->B", "A->B");
	expect("P::operator->()", "P::operator->");
	expect("P::operator->*(int)", "P::operator->*");
	expect("decltype ({parm#1}->x()) f<int>(int)", "decltype ({parm#1}->x()) f<int>");
	expect("<fn(u32) -> u32 as a::T>::call", "<fn(u32) -> u32 as a::T>::call");
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
	expect_in(true, "La/B;.call(La/C;I)La/D;", "a/B:.call");
	expect_in(true, "La/B;.<init>(La/C;", "a/B:.<init>");
	expect_in(true, "a.B.m([J)[[I", "a.B.m");
	expect_in(true, "Call<int (int)>::run(long) const", "Call<int (int)>::run");
	expect_in(true, "RegExp:(a|b)", "RegExp:(a|b)");
	expect_jit("a.B.m(La/C;)V", "a.B.m");
	expect_jit("void [System.A] B::m(int32,class A`1<int>)[Tier1]", "void [System.A] B::m");
	expect_in(false, "Lorg/x/Y;::m", "Lorg/x/Y:::m");
	expect_in(true, "La/b->Lc/d", "a/b;c/d_[i]");
	teardown();
}
END_TEST

/* Only the parameters at the end are removed. */
START_TEST(parameter_lists)
{
	static const struct {
		const char *name, *cut;
	} cases[] = {
		{"Call<int(int)>::run<A>(int)", "Call<int(int)>::run<A>"},
		{"Call<int(long,int)>::run<B>()", "Call<int(long,int)>::run<B>"},
		{"Queue<(Kind)1>::push(long)", "Queue<(Kind)1>::push"},
		{"Queue<(Kind)1>::push", "Queue<(Kind)1>::push"},
		{"std::function<void (int)>::operator()(int) const",
		 "std::function<void (int)>::operator()"},
		{"X::operator()() const &", "X::operator()"},
		{"X::operator()", "X::operator()"},
		{"myoperator()", "myoperator"},
		{"X::operator()<int>(int) volatile &&", "X::operator()<int>"},
		{"X::operator[](int)", "X::operator[]"},
		{"operator\"\" _km(char const*)", "operator _km"},
		{"operator new(unsigned long)", "operator new"},
		{"X::operator int() const", "X::operator int"},
		{"X::operator void (*)(int)() const", "X::operator void (*)(int)"},
		{"main::{lambda(int)#1}::operator()(int) const",
		 "main::{lambda(int)#1}::operator()"},
		{"f(int)::{lambda(int)#1}::operator()(int) const",
		 "f(int)::{lambda(int)#1}::operator()"},
		{"f(int)::{lambda(int)#1}", "f(int)::{lambda(int)#1}"},
		{"f(int) const::Local::g(char)", "f(int) const::Local::g"},
		{"main::'lambda'(int)::operator()(int) const", "main::lambda(int)::operator()"},
		{"f(void (*)(int), int (&) [3])", "f"},
		{"void (*f(int))(char)", "void (*f)(char)"},
		{"void (*f<int>(int) const)(char)", "void (*f<int>)(char)"},
		{"void (*(*f(int))(char))(long)", "void (*(*f)(char))(long)"},
		{"int (X::*g<int>(int))(char)", "int (X::*g<int>)(char)"},
		{"int (&h<int>())[3]", "int (&h<int>)[3]"},
		{"void (*)(int)", "void (*)(int)"},
		{"operator*(X const&, Y)", "operator*"},
		{"operator&(int X::*)", "operator&"},
		{"operator,(X, Y)", "operator,"},
		{"f[abi:cxx11](int)", "f[abi:cxx11]"},
		{"f(int) [clone .isra.0] [clone .cold]", "f"},
		{"f(int) (.cold)", "f"},
		{"f(int).cold.1", "f"},
		{"f(int)@plt", "f"},
		{"f(int) const@plt", "f"},
		{"f(int) const &.cold", "f"},
		{"(anonymous namespace)::X<(Kind)1>::f(int) const",
		 "(anonymous namespace)::X<(Kind)1>::f"},
		{"ns::(anonymous namespace)", "ns::(anonymous namespace)"},
		{"non-virtual thunk to X::f(int)", "non-virtual thunk to X::f"},
		{"<(u32, u32) as r::Work>::work", "<(u32, u32) as r::Work>::work"},
		{"core::ptr::drop_in_place::<(A, B)>", "core::ptr::drop_in_place::<(A, B)>"},
		{"<r::S as T<fn(A) -> (B,)>>::m::{closure#0}",
		 "<r::S as T<fn(A) -> (B,)>>::m::{closure#0}"},
		{"main.(*T).Method", "main.(*T).Method"},
		{"main.(*T[go.shape.int]).M.func1", "main.(*T[go.shape.int]).M.func1"},
		{"main.F[go.shape.struct { F func(int) }]",
		 "main.F[go.shape.struct { F func(int) }]"},
		{"-[A b:]", "-[A b:]"},
		{"-[A(Category) b:c:]", "-[A(Category) b:c:]"},
		{"LazyCompile:*f /a (b)/x.js:1", "LazyCompile:*f /a (b)/x.js:1"},
		{"f)", "f)"},
		{"f(", "f("},
		{"f()]", "f()]"},
	};

	setup();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].name, cases[i].cut);
	teardown();
}
END_TEST

START_TEST(full_names)
{
	struct pk_frame frame = {0};

	setup();
	frame.function = string("X<'a'>::f(int) const", 20);
	expect_named(&frame, &(struct pk_frame_options){.full = true}, "X<'a'>::f(int) const");
	expect_named(&frame, &(struct pk_frame_options){.full = true, .mark_kernel = true},
		     "X<'a'>::f(int) const");
	teardown();
}
END_TEST

/* stackcollapse-perf.pl skips frames whose names start with '('. */
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

/* Bytes that control a terminal, or that separate frames or lines, are not printed. */
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

RUN_TESTS("frame_names", options, parameter_lists, full_names, functions, arrows, java_names,
	  parentheses, unresolved, control_bytes, comms)
