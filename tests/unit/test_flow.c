/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the accesses of the functions below, which are compiled into this program. With any
 * compiler, each expected member must be found, no other member may be found, and no access may
 * remain unresolved. */
#include <check.h>
#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow_value.h"
#include "flow_object.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#endif

#define PROBE                                                                                      \
	__attribute__((noinline, used, no_sanitize("address", "undefined"), no_stack_protector))

struct probe_inner {
	short first, second;
};

struct probe_node {
	struct probe_node *next;
	long key;
	int values[4];
	struct probe_inner inner;
	double weight;
	union {
		int number;
		float real;
	} either;
	char name[16];
};

struct probe_table {
	struct probe_node **buckets;
	unsigned count;
	struct probe_node nodes[8];
	struct probe_node *(*make)(long key);
};

struct probe_marked {
	long first;
	char mark[0];
	int second, third;
	int list[2];
	int count;
	int all[];
};

struct probe_table probe_global;
struct probe_marked probe_marked;
__thread struct probe_inner probe_local;

long probe_walk(struct probe_node *n);
struct probe_node *probe_find(struct probe_table *t, long key);
int probe_index(struct probe_table *t, unsigned i, unsigned k);
int probe_before(struct probe_node *n, unsigned i);
int probe_stack(int seed);
long probe_globals(unsigned i);
void probe_indirect(struct probe_table *t);
long probe_spilled(struct probe_table *t, struct probe_node *a, struct probe_node *b);
int probe_local_sum(void);
long probe_advanced(struct probe_node *n);
long probe_multiplied(struct probe_node *n);

PROBE long probe_walk(struct probe_node *n)
{
	long sum = 0;

	for (; n; n = n->next) {
		sum += n->key;
		n->inner.second++;
		n->weight *= 2;
	}
	return sum;
}

PROBE struct probe_node *probe_find(struct probe_table *t, long key)
{
	struct probe_node *n = t->buckets[(unsigned long)key % t->count];

	while (n && n->key != key)
		n = n->next;
	return n;
}

PROBE int probe_index(struct probe_table *t, unsigned i, unsigned k)
{
	t->nodes[i].inner.first = 1;
	return t->nodes[i].values[k] + t->nodes[k].name[i];
}

PROBE int probe_before(struct probe_node *n, unsigned i)
{
	return n->values[i - 1];
}

PROBE int probe_stack(int seed)
{
	volatile struct probe_inner list[4];
	int sum = 0;

	for (int i = 0; i < 4; i++)
		list[i].first = (short)(seed + i);
	for (int i = 0; i < 4; i++)
		sum += list[(i * 3) & 3].first;
	return sum;
}

PROBE long probe_globals(unsigned i)
{
	probe_global.nodes[i].key += 3;
	return probe_global.count;
}

PROBE void probe_indirect(struct probe_table *t)
{
	struct probe_node *n = t->make(5);

	n->either.number = 7;
	probe_find(t, 5)->inner.first = 3;
}

/* The compiler must keep a and b over the calls, for example on the stack. */
PROBE long probe_spilled(struct probe_table *t, struct probe_node *a, struct probe_node *b)
{
	long sum = probe_walk(a) + probe_walk(b);

	sum += probe_stack((int)sum);
	return sum + a->key + b->inner.second + (long)t->count;
}

PROBE int probe_local_sum(void)
{
	return probe_local.first + probe_local.second;
}

/* Accesses the second member with an address that an instruction has calculated by adding to its
 * own operand, if the machine has such an instruction. No variable is in this register. */
PROBE long probe_advanced(struct probe_node *n)
{
	long key = 0;

#if defined(__x86_64__)
	__asm__("mov %1, %%rax\n\tadd $8, %%rax\n\tmov (%%rax), %0"
		: "=r"(key)
		: "r"(n)
		: "rax", "cc", "memory");
#elif defined(__aarch64__)
	__asm__("add x9, %1, #8\n\tldr %0, [x9]" : "=r"(key) : "r"(n) : "x9", "memory");
#else
	(void)n;
#endif
	return key;
}

/* Accesses the second member with an address from an instruction with three operands. */
PROBE long probe_multiplied(struct probe_node *n)
{
	long key = 0;

#if defined(__x86_64__)
	__asm__("mov $2, %%ecx\n\timul $4, %%rcx, %%rax\n\tadd %1, %%rax\n\tmov (%%rax), %0"
		: "=r"(key)
		: "r"(n)
		: "rax", "rcx", "cc", "memory");
#elif defined(__aarch64__)
	__asm__("mov x10, #4\n\tlsl x9, x10, #1\n\tadd x9, %1, x9\n\tldr %0, [x9]"
		: "=r"(key)
		: "r"(n)
		: "x9", "x10", "memory");
#else
	(void)n;
#endif
	return key;
}

#ifdef MACHINE
#define MEMBERS 8

static const struct probe {
	const char *name;
	uintptr_t at;
	struct {
		const char *type, *member;
	} expected[MEMBERS];
} probes[] = {
	{"probe_walk",
	 (uintptr_t)probe_walk,
	 {{"struct probe_node", "next"},
	  {"struct probe_node", "key"},
	  {"struct probe_node", "inner.second"},
	  {"struct probe_node", "weight"}}},
	{"probe_find",
	 (uintptr_t)probe_find,
	 {{"struct probe_table", "buckets"},
	  {"struct probe_table", "count"},
	  {"struct probe_node", "next"},
	  {"struct probe_node", "key"}}},
	{"probe_index",
	 (uintptr_t)probe_index,
	 {{"struct probe_table", "nodes[0].inner.first"},
	  {"struct probe_table", "nodes[0].values[0]"},
	  {"struct probe_table", "nodes[0].name[0]"}}},
	{"probe_before", (uintptr_t)probe_before, {{"struct probe_node", "values[0]"}}},
	{"probe_stack", (uintptr_t)probe_stack, {{"struct probe_inner[4]", NULL}}},
	{"probe_globals",
	 (uintptr_t)probe_globals,
	 {{"struct probe_table", "nodes[0].key"}, {"struct probe_table", "count"}}},
	{"probe_indirect",
	 (uintptr_t)probe_indirect,
	 {{"struct probe_table", "make"},
	  {"struct probe_node", "either.number"},
	  {"struct probe_node", "inner.first"}}},
	{"probe_spilled",
	 (uintptr_t)probe_spilled,
	 {{"struct probe_node", "key"},
	  {"struct probe_node", "inner.second"},
	  {"struct probe_table", "count"}}},
#if defined(__x86_64__) /* the flow analysis does not know the thread pointer of other machines */
	{"probe_local_sum",
	 (uintptr_t)probe_local_sum,
	 {{"struct probe_inner", "first"}, {"struct probe_inner", "second"}}},
#endif
	{"probe_advanced", (uintptr_t)probe_advanced, {{"struct probe_node", "key"}}},
	{"probe_multiplied", (uintptr_t)probe_multiplied, {{"struct probe_node", "key"}}},
};

static struct pk_symbols *symbols;
static struct pk_object *object;
static struct pk_types *types;
static struct flow_object *context;
static struct disasm *disasm;

static bool set_up(void)
{
	const struct pk_symbols_options options = {.no_cache = true};
	const struct disasm_options machine = {.machine = MACHINE, .is_64 = true};
	static char path[PATH_MAX];
	const char *reason;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return false;
	symbols = pk_symbols_new(&options);
	object = pk_symbols_file(symbols, path, NULL, 0);
	types = pk_object_types(object);
	disasm = pk_disasm_new(&machine, &reason);
	context = pk_flow_object_new(object);
	return types && disasm && context;
}

static bool find(const char *name, struct flow_piece *piece, const struct probe *probe)
{
	struct pk_symbol symbol;

	for (size_t i = 0; pk_object_symbol(object, i, &symbol); i++) {
		if (strcmp(symbol.name, name))
			continue;
		piece->bytes = (const uint8_t *)probe->at;
		piece->size = symbol.end - symbol.start;
		return pk_types_address(types, symbol.start, &piece->address);
	}
	return false;
}

/* Returns the index of the expected member, or MEMBERS if the member is not expected. */
static unsigned match(const struct probe *probe, const char *type, const char *member)
{
	unsigned i;

	for (i = 0; i < MEMBERS && probe->expected[i].type; i++)
		if (!strcmp(probe->expected[i].type, type) &&
		    (!probe->expected[i].member || !strcmp(probe->expected[i].member, member)))
			return i;
	return MEMBERS;
}

static void look(const struct probe *probe, const struct flow_access *a, bool *found)
{
	char member[128] = "";
	const char *type;
	unsigned i;

	ck_assert_msg(a->found != FLOW_NOT, "%s: %lx: %s", probe->name, (unsigned long)a->address,
		      pk_flow_reason_text(a->reason));
	if (a->found != FLOW_TYPE)
		return;
	type = pk_type_name(types, a->type);
	if (strncmp(type, "struct probe", 12) || strchr(type, '*'))
		return; /* a variable that the compiler stored on the stack */
	pk_type_member_name(types, a->type, a->offset, a->size, member, sizeof(member), NULL, NULL);
	i = match(probe, type, member);
	ck_assert_msg(i < MEMBERS, "%s: %lx: %s %s", probe->name, (unsigned long)a->address, type,
		      member);
	found[i] = true;
}

START_TEST(members)
{
	const struct probe *probe = &probes[_i];
	struct flow_options options = {.disasm = disasm};
	const struct flow_access *a;
	bool found[MEMBERS] = {false};
	struct flow_piece piece;
	struct flow *f;

	ck_assert(find(probe->name, &piece, probe));
	pk_flow_object_options(context, &options);
	f = pk_flow_new(&options, &piece, 1);
	ck_assert_ptr_nonnull(f);
	for (uint64_t at = piece.address; at < piece.address + piece.size; at++)
		for (size_t n = pk_flow_accesses(f, at, &a); n; n--, a++)
			look(probe, a, found);
	for (unsigned i = 0; i < MEMBERS && probe->expected[i].type; i++)
		ck_assert_msg(found[i], "%s: no access to %s %s", probe->name,
			      probe->expected[i].type, probe->expected[i].member);
	pk_flow_free(f);
}
END_TEST

/* Without information about types, all accesses are unresolved, and this is their reason. */
START_TEST(without_types)
{
	struct flow_options options = {.disasm = disasm};
	const struct flow_access *a;
	struct flow_piece piece;
	struct flow *f;
	size_t seen = 0;

	ck_assert(find("probe_walk", &piece, &probes[0]));
	f = pk_flow_new(&options, &piece, 1);
	ck_assert_ptr_nonnull(f);
	for (uint64_t at = piece.address; at < piece.address + piece.size; at++)
		for (size_t n = pk_flow_accesses(f, at, &a); n; n--, a++)
			if (a->found != FLOW_CALLS) {
				ck_assert_int_eq(a->found, FLOW_NOT);
				ck_assert_int_eq(a->reason, FLOW_NO_INFORMATION);
				seen++;
			}
	ck_assert_uint_gt(seen, 3);
	pk_flow_free(f);
	pk_flow_free(NULL);
}
END_TEST

/* If the last member is an array without elements, it extends to the end. At another place, such an
 * array only marks an offset. */
START_TEST(arrays)
{
	static const struct {
		int64_t a, b;
		bool in_one;
	} pairs[] = {{8, 12, false},  {12, 12, false}, {16, 20, true}, {12, 16, false},
		     {28, 999, true}, {24, 28, false}, {20, 28, false}};
	struct pk_global global;

	ck_assert(pk_types_global_named(types, "probe_marked", &global));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		ck_assert_msg(pk_flow_value_in_one_array(types, global.type, pairs[i].a,
							 pairs[i].b) == pairs[i].in_one,
			      "%d, %d", (int)pairs[i].a, (int)pairs[i].b);
}
END_TEST

/* Words that are saved in the frame, at any known offset. */
START_TEST(slots)
{
	static const int64_t places[] = {INT64_MIN, -8, 0, INT64_MAX - 7, INT64_MAX};
	const struct flow_value one = pk_flow_value_constant(1), two = pk_flow_value_constant(2);

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const int64_t at = places[i];
		struct flow_state s = {0};

		pk_flow_state_store(&s, at, 8, &one, 8);
		pk_flow_state_store(&s, at, 8, &two, 8);
		ck_assert_uint_eq(s.slot_count, 1);
		ck_assert_ptr_nonnull(pk_flow_state_load(&s, at));
		ck_assert_int_eq(pk_flow_state_load(&s, at)->offset, 2);
		pk_flow_state_store(&s, offset_plus(at, 8), 8, &one, 8);
		ck_assert_uint_eq(s.slot_count, 2);
		pk_flow_state_store(&s, offset_plus(at, 7), 1, &one, 8);
		ck_assert_uint_eq(s.slot_count, 1);
		pk_flow_state_store(&s, offset_minus(at, 4), 16, &one, 8);
		ck_assert_uint_eq(s.slot_count, 0);
	}
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("flow");
	TCase *t = tcase_create("flow");
	SRunner *runner;
	int failed;

#ifdef MACHINE
	if (!set_up()) {
		fputs("no debugging information in this program (CFLAGS without -g)\n", stderr);
		return 77;
	}
	tcase_add_loop_test(t, members, 0, (int)(sizeof(probes) / sizeof(*probes)));
	tcase_add_test(t, without_types);
	tcase_add_test(t, slots);
	tcase_add_test(t, arrays);
#else
	fputs("this machine's registers are not followed\n", stderr);
	return 77;
#endif
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
#ifdef MACHINE
	pk_flow_object_free(context);
	pk_disasm_free(disasm);
	pk_symbols_free(symbols);
#endif
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
