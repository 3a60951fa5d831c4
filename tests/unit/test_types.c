/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests types, members, globals, functions and variables of a program that this test compiles with
 * each available compiler and each kind of debugging information. */
#define _GNU_SOURCE
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "types.h"

static const char c_source[] =
	"#include <stdlib.h>\n"
	"struct list { struct list *next, *prev; };\n"
	"struct inner { int a; short b; unsigned f1 : 3, f2 : 7, f3 : 12; };\n"
	"union value { double d; long n; struct { int x, y; } xy; char bytes[8]; };\n"
	"struct node { struct list l; struct inner in[4]; union value v;\n"
	"	union { struct node *left; long number; }; char name[]; };\n"
	"typedef struct { long len; char *p; } str;\n"
	"enum colour { RED, GREEN };\n"
	"struct node *head; const volatile str words[3] = {{1, 0}}; enum colour colour;\n"
	"static int table[10][4] = {{1}}; __thread long counter; struct opaque; struct opaque "
	"*hidden;\n"
	"long (*hook)(struct node *, int);\n"
	"__attribute__((noinline)) struct node *find(struct node *n, const str *s, int k)\n"
	"{\n"
	"	static long calls;\n"
	"	calls++; counter += k;\n"
	"	for (; n; n = (struct node *)n->l.next) {\n"
	"		if (n->in[k].a == s->len && n->in[2].f2 == 3) return n;\n"
	"		table[k][1] += n->v.xy.y;\n"
	"	}\n"
	"	return head;\n"
	"}\n"
	"static inline __attribute__((always_inline)) long twice(const struct inner *deep)\n"
	"{ return deep->a * 2 + atol((char *)deep); }\n"
	"__attribute__((noinline)) long sum(str s, ...)\n"
	"{ long r = 0; for (long i = 0; i < s.len; i++) r += s.p[i];\n"
	"  return r + twice(&head->in[1]) + words[1].len; }\n"
	"int main(int argc, char **argv)\n"
	"{ str s = {argc, argv[0]}; head = calloc(1, 1000); if (hook) hook(head, colour);\n"
	"  return !find(head, &s, argc) + sum(s, 1) + !hidden; }\n";

static const char other_source[] = "struct opaque { long secret; int more; };\n"
				   "struct opaque visible = {1, 2};\n";

static const char cc_source[] =
	"struct base { long id; virtual ~base() {} };\n"
	"namespace deep { struct thing : base { int *data; static int shared; int size;\n"
	"	int at(int i) const; }; int thing::shared = 1;\n"
	"__attribute__((noinline)) int thing::at(int i) const { return data[i] + size; } }\n"
	"__attribute__((noinline)) int use(const deep::thing &t, int i) { return t.at(i); }\n"
	"int main(int argc, char **) { deep::thing t; t.data = &argc; t.size = 1; t.id = 2;\n"
	"	return use(t, 0); }\n";

static const char *const compilers[] = {"gcc", "clang"};
static const char *const optimised[] = {"-O0", "-O2"};
static const char *const kinds[] = {"-gdwarf-5",
				    "-gdwarf-4",
				    "-gdwarf-3 -gstrict-dwarf",
				    "-gdwarf-5 -gsplit-dwarf",
				    "-gdwarf-4 -gsplit-dwarf",
				    "-gdwarf-5 -fdebug-types-section"};

static char dir[64];
static struct pk_symbols *store;
static struct pk_object *object;
static struct pk_types *t;
static bool is_optimised, is_split;

static void write_text(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void make_dir(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%.40s/pk-types.XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	write_text("one.c", c_source);
	write_text("two.c", other_source);
	write_text("one.cc", cc_source);
}

static void remove_dir(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Compiles the sources, and opens the program. Returns false if the machine does not have the
 * compiler. */
static bool compile(const char *compiler, const char *options, const char *sources)
{
	char command[512], path[128];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", compiler);
	if (system(command))
		return false;
	snprintf(command, sizeof(command),
		 "cd %s && %s %s -fno-pie -no-pie -o program %s 2>log || { cat log >&2; false; }",
		 dir, compiler, options, sources);
	ck_assert_msg(system(command) == 0, "%s", command);
	snprintf(path, sizeof(path), "%s/program", dir);
	store = pk_symbols_new(&(struct pk_symbols_options){.no_demangle = true, .no_cache = true});
	ck_assert_ptr_nonnull(store);
	object = pk_symbols_file(store, path, NULL, 0);
	t = pk_object_types(object);
	ck_assert_msg(t, "%s: no types", command);
	is_optimised = strstr(options, "-O2");
	is_split = strstr(options, "-gsplit-dwarf");
	return true;
}

static uint64_t address_of(const char *symbol, uint64_t *end)
{
	struct pk_symbol s;
	uint64_t address = 0;

	for (size_t i = 0; pk_object_symbol(object, i, &s); i++)
		if (!strcmp(s.name, symbol)) {
			ck_assert(pk_types_address(t, s.start, &address));
			*end = address + (s.end - s.start);
			return address;
		}
	ck_abort_msg("no symbol %s", symbol);
	return 0;
}

static pk_type_id target_of(pk_type_id id)
{
	struct pk_type type;

	ck_assert(pk_type_info(t, pk_type_strip(t, id), &type));
	return type.target;
}

static struct pk_global global(const char *name)
{
	struct pk_global g, again;

	ck_assert_msg(pk_types_global_named(t, name, &g), "%s", name);
	ck_assert_str_eq(g.name, name);
	ck_assert(pk_types_global(t, g.address, &again));
	ck_assert_str_eq(again.name, name);
	ck_assert(pk_types_global(t, g.address + g.size - 1, &again));
	ck_assert_str_eq(again.name, name);
	return g;
}

/* Checks the name of a type. clang and gcc have different names for some types of numbers. */
static void expect_type(pk_type_id id, const char *name)
{
	const char *is = pk_type_name(t, id);

	const size_t size = strlen(name);

	if (!strcmp(name, "long") || !strcmp(name, "short"))
		ck_assert_msg(!strncmp(is, name, size) && (!is[size] || !strcmp(is + size, " int")),
			      "%s, not %s", is, name);
	else
		ck_assert_str_eq(is, name);
}

static void expect_member(pk_type_id id, int64_t offset, uint64_t size, const char *name,
			  const char *type)
{
	char text[256];
	uint64_t rest;

	ck_assert(pk_type_member_name(t, id, offset, size, text, sizeof(text), NULL, NULL));
	ck_assert_str_eq(text, name);
	expect_type(pk_type_at(t, id, offset, size, &rest), type);
}

static void check_members(void)
{
	const pk_type_id node = target_of(global("head").type);
	const struct pk_member *m;
	struct pk_type type;
	char text[8];
	uint64_t start, length;

	ck_assert(pk_type_info(t, node, &type));
	ck_assert_int_eq(type.kind, PK_KIND_OF_STRUCT);
	ck_assert_uint_eq(type.size, 0x10 + 4 * 12 + 8 + 8);
	ck_assert_uint_eq(pk_type_members(t, node, &m), 5);
	ck_assert_str_eq(m[1].name, "in");
	ck_assert_uint_eq(m[1].offset, 0x10);
	expect_type(m[1].type, "struct inner[4]");
	expect_member(node, 0, 8, "l.next", "struct list*");
	expect_member(node, 8, 8, "l.prev", "struct list*");
	expect_member(node, 0, 16, "l.next", "struct list");
	expect_member(node, 0x10 + 12, 4, "in[1].a", "int");
	expect_member(node, 0x10 + 36 + 4, 2, "in[3].b", "short");
	expect_member(node, 0x40, 8, "v.d", "double");
	expect_member(node, 0x44, 4, "v.xy.y", "int");
	expect_member(node, 0x43, 1, "v.bytes[3]", "char");
	expect_member(node, 0x48, 8, "left", "struct node*");
	expect_member(node, 0x50, 1, "name[0]", "char");
	expect_member(node, 0x57, 1, "name[7]", "char");
	ck_assert(!pk_type_member_name(t, node, -8, 8, text, sizeof(text), NULL, NULL));
	ck_assert_str_eq(text, "");
	ck_assert(pk_type_member_name(t, node, 0x40, 8, text, 3, &start, &length));
	ck_assert_str_eq(text, "v.");
	ck_assert_uint_eq(start, 0x40);
	ck_assert_uint_eq(length, 8);
}

static void check_bit_fields(void)
{
	const struct pk_member *m;
	pk_type_id inner;
	size_t n;

	n = pk_type_members(t, target_of(global("head").type), &m);
	ck_assert_uint_gt(n, 1);
	inner = target_of(m[1].type);
	ck_assert_uint_eq(pk_type_members(t, inner, &m), 5);
	for (n = 2; n < 5; n++)
		ck_assert_uint_gt(m[n].bit_size, 0);
	ck_assert_uint_eq(8 * m[2].offset + m[2].bit_offset, 48);
	ck_assert_uint_eq(m[2].bit_size, 3);
	ck_assert_uint_eq(8 * m[3].offset + m[3].bit_offset, 51);
	ck_assert_uint_eq(m[3].bit_size, 7);
	ck_assert_uint_eq(8 * m[4].offset + m[4].bit_offset, 64);
	ck_assert_uint_eq(m[4].bit_size, 12);
	expect_member(inner, 6, 1, "f1", "unsigned int");
	expect_member(inner, 7, 1, "f2", "unsigned int");
	expect_member(inner, 8, 2, "f3", "unsigned int");
}

static void check_globals(void)
{
	struct pk_global g = global("words");
	struct pk_type type;
	uint64_t end;

	expect_type(g.type, "str[3]");
	ck_assert_uint_eq(g.size, 48);
	expect_member(g.type, 24, 8, "[1].p", "char*");
	g = global("colour");
	expect_type(g.type, "enum colour");
	ck_assert_uint_eq(g.size, 4);
	ck_assert(pk_types_global(t, address_of("table", &end) + 20, &g));
	ck_assert_str_eq(g.name, "table");
	expect_type(g.type, "int[10][4]");
	expect_member(g.type, 20, 4, "[1][1]", "int");
	expect_member(g.type, 156, 4, "[9][3]", "int");
	ck_assert(!pk_type_member_name(t, g.type, 160, 4, NULL, 0, NULL, NULL));
	/* In split DWARF 5, GCC 12 gives ordinary addresses to thread-local variables. */
	if (!is_split) {
		ck_assert(pk_types_thread_local(t, 0, &g));
		ck_assert_str_eq(g.name, "counter");
	}
	/* One unit declares the type, and another unit defines it. */
	ck_assert(pk_type_info(t, target_of(global("hidden").type), &type));
	ck_assert(!type.declared);
	ck_assert_uint_eq(type.size, 16);
	expect_member(target_of(global("hidden").type), 8, 4, "more", "int");
}

static void check_functions(void)
{
	struct pk_function f;
	uint64_t end, start = address_of("find", &end);

	ck_assert(pk_types_function(t, start, &f));
	ck_assert_str_eq(f.name, "find");
	ck_assert_uint_eq(f.start, start);
	expect_type(f.result, "struct node*");
	ck_assert_uint_eq(f.count, 3);
	expect_type(f.parameters[0].type, "struct node*");
	expect_type(f.parameters[1].type, "str*");
	ck_assert_str_eq(f.parameters[1].name, "s");
	expect_type(f.parameters[2].type, "int");
	ck_assert(!f.variadic);
	ck_assert(pk_types_function_named(t, "sum", &f));
	ck_assert(f.variadic);
	expect_type(f.result, "long");
	ck_assert(pk_type_function(t, global("hook").type, &f));
	ck_assert_uint_eq(f.count, 2);
	expect_type(f.parameters[0].type, "struct node*");
	ck_assert(!pk_types_function_named(t, "no such function", &f));
}

static const struct pk_variable *variable(uint64_t low, uint64_t high, const char *name,
					  uint64_t piece)
{
	const struct pk_variable *v;
	const size_t count = pk_types_variables(t, low, high, &v);

	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_lt(v[i].low, v[i].high);
		ck_assert(v[i].low < high && v[i].high > low);
		if (v[i].name && !strcmp(v[i].name, name) && v[i].piece == piece)
			return &v[i];
	}
	ck_abort_msg("no variable %s at %lx", name, (unsigned long)low);
	return NULL;
}

static bool in_memory(const struct pk_variable *v)
{
	return v->where == PK_WHERE_MEMORY || v->where == PK_WHERE_CFA;
}

static void check_variables(void)
{
	uint64_t end, start = address_of("find", &end);
	const struct pk_variable *v = variable(start, start + 1, "s", 0);

	expect_type(v->type, "str*");
	ck_assert(v->parameter && !v->inlined);
	ck_assert(v->where == PK_WHERE_REGISTER || in_memory(v));
	ck_assert_int_eq(in_memory(v), !is_optimised);
#ifdef __x86_64__
	if (is_optimised) {
		ck_assert_uint_eq(v->reg, 4);
		ck_assert_uint_eq(variable(start, start + 1, "n", 0)->reg, 5);
		ck_assert_uint_eq(variable(start, start + 1, "k", 0)->reg, 1);
	}
#endif
	v = variable(start, end, "calls", 0);
	ck_assert_int_eq(v->where, PK_WHERE_ADDRESS);
	ck_assert(!v->parameter);
	start = address_of("sum", &end);
	v = variable(start, end, "s", 0);
	expect_type(v->type, "str");
#ifdef __x86_64__
	if (is_optimised) {
		ck_assert_uint_eq(v->where, PK_WHERE_REGISTER);
		ck_assert_uint_eq(v->piece_size, 8);
		ck_assert_uint_eq(variable(start, end, "s", 8)->reg, 4);
	}
#endif
	v = variable(start, end, "deep", 0);
	expect_type(v->type, "struct inner*");
	ck_assert(v->inlined && v->parameter);
}

static void check_c(void)
{
	check_members();
	check_bit_fields();
	check_globals();
	check_functions();
	check_variables();
}

START_TEST(c_programs)
{
	unsigned done = 0;

	make_dir();
	for (size_t c = 0; c < 2; c++)
		for (size_t o = 0; o < 2; o++)
			for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
				char options[128];

				snprintf(options, sizeof(options), "%s %s", optimised[o], kinds[k]);
				if (!compile(compilers[c], options, "one.c two.c"))
					continue;
				mark_point();
				check_c();
				pk_symbols_free(store);
				done++;
			}
	ck_assert_uint_gt(done, 0);
	remove_dir();
}
END_TEST

static void check_cc(void)
{
	uint64_t end, start = address_of("_Z3useRKN4deep5thingEi", &end);
	struct pk_function f;
	struct pk_type type;
	struct pk_global g;
	pk_type_id thing;

	ck_assert(pk_types_function(t, start, &f));
	ck_assert_str_eq(f.name, "use");
	expect_type(f.parameters[0].type, "deep::thing&");
	ck_assert(pk_type_info(t, f.parameters[0].type, &type));
	ck_assert_int_eq(type.kind, PK_KIND_OF_REFERENCE);
	ck_assert_uint_eq(type.size, 8); /* size of an address on the machine of the compiler */
	thing = target_of(f.parameters[0].type);
	expect_type(thing, "deep::thing");
	expect_member(thing, 8, 8, "id", "long");
	expect_member(thing, 16, 8, "data", "int*");
	expect_member(thing, 24, 4, "size", "int");
	start = address_of("_ZNK4deep5thing2atEi", &end);
	ck_assert(pk_types_function(t, start, &f));
	ck_assert_str_eq(f.name, "at");
	ck_assert_uint_eq(f.count, 2);
	ck_assert_str_eq(f.parameters[0].name, "this");
	expect_type(f.parameters[0].type, "deep::thing*");
	expect_type(variable(start, start + 1, "this", 0)->type, "deep::thing*");
	ck_assert(pk_types_function_named(t, "_ZNK4deep5thing2atEi", &f));
	expect_type(f.result, "int");
	ck_assert(pk_types_global(t, address_of("_ZN4deep5thing6sharedE", &end), &g));
	ck_assert_str_eq(g.name, "shared");
}

START_TEST(cc_programs)
{
	static const char *const names[] = {"g++", "clang++"};
	unsigned done = 0;

	make_dir();
	for (size_t c = 0; c < 2; c++)
		for (size_t o = 0; o < 2; o++)
			for (size_t k = 0; k < 2; k++) {
				char options[64];

				snprintf(options, sizeof(options), "%s %s", optimised[o], kinds[k]);
				if (!compile(names[c], options, "one.cc"))
					continue;
				check_cc();
				pk_symbols_free(store);
				done++;
			}
	ck_assert_uint_gt(done, 0);
	remove_dir();
}
END_TEST

/* Functions are looked up by their offset in the file, as for samples. */
START_TEST(addresses)
{
	uint64_t end, start, lookup, back;

	make_dir();
	if (compile("cc", "-g -O2", "one.c two.c")) {
		start = address_of("find", &end);
		ck_assert(pk_types_lookup(t, start, &lookup));
		ck_assert(pk_types_address(t, lookup, &back));
		ck_assert_uint_eq(start, back);
		ck_assert(!pk_types_address(t, UINT64_MAX, &back));
		ck_assert_ptr_eq(pk_object_types(object), t);
		ck_assert_str_eq(pk_type_name(t, PK_TYPE_NONE), "");
		ck_assert_str_eq(pk_type_name(t, PK_TYPE_VOID), "void");
		ck_assert_uint_eq(pk_type_strip(t, UINT32_MAX), PK_TYPE_NONE);
		pk_symbols_free(store);
	}
	remove_dir();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("types");
	TCase *tc = tcase_create("types");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 100);
	tcase_add_test(tc, c_programs);
	tcase_add_test(tc, cc_programs);
	tcase_add_test(tc, addresses);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
