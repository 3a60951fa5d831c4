// SPDX-License-Identifier: BSD-2-Clause
/* Compares the steps of --call-graph unwind, which a BPF program makes in the kernel, with
 * pk-unwind. From the same registers and stacks of x86-64 and arm64, both must find the same
 * addresses. PK_TEST_STREAM is another recording to compare, and PK_TEST_SYMFS is the folder with
 * its files. */
#include <check.h>
#include <stdlib.h>
#include <unistd.h>
#include <fcntl.h>
#include <stdio.h>

#include "address_space.h"
#include "second.h"
#include "stream_builder.h"
#include "symbols.h"
#include "unwind_stage.h"

static int read_stack(void *arg, uint64_t address, void *to, size_t size)
{
	return pk_second_read(arg, address, to, size) ? 0 : -1;
}

static uint64_t address_bits; /* bits of an address of the machine that are used */

#define PK_UNWIND_READ	  read_stack
#define PK_UNWIND_PC_MASK address_bits
#include "unwind_rule.h"
#include "unwind_table.h"

/* ---- An unwinder that pk-unwind uses instead of its own ---- */

#define FILES_MAX  16
#define FRAMES_MAX 512

static struct {
	const struct pk_unwind_info *info;
	struct pk_unwind_table table;
} files[FILES_MAX];
static size_t files_count;

static const struct pk_unwind_table *table_of(const struct pk_unwind_info *info,
					      const struct pk_cfi_machine *machine)
{
	struct pk_cfi *cfi;
	uint64_t work;
	size_t i = 0;

	while (i < files_count && files[i].info != info)
		i++;
	if (i < files_count)
		return &files[i].table;
	ck_assert_uint_lt(files_count, FILES_MAX);
	files[i].info = info;
	files_count++;
	cfi = pk_unwind_cfi(info, machine);
	ck_assert_ptr_nonnull(cfi);
	work = pk_unwind_table_work(cfi);
	ck_assert_int_eq(pk_unwind_table_make(&files[i].table, cfi, 0, UINT64_MAX, &work), PK_OK);
	pk_cfi_free(cfi);
	return &files[i].table;
}

/* Returns the rule for an address, or NULL if there is no code at the address. */
static const struct pk_unwind_rule *rule_of(struct pk_second_stack *stack, uint64_t address)
{
	static const struct pk_unwind_rule none = {.cfa = PK_UNWIND_NONE};
	const struct pk_map *map = pk_space_find(stack->space, address);
	struct pk_second_module module;

	if (!map || !map->executable)
		return NULL;
	if (!stack->find(stack->arg, address, &module))
		return &none;
	return pk_unwind_table_find(table_of(module.info, stack->machine), address - module.bias);
}

static uint64_t value_or_0(const struct pk_second_stack *stack, unsigned int number)
{
	return stack->state.known >> number & 1 ? stack->state.value[number] : 0;
}

static struct pk_unwind_state start_of(const struct pk_second_stack *stack)
{
	const struct pk_cfi_machine *machine = stack->machine;
	const bool x86 = machine->link == 0;

	return (struct pk_unwind_state){
		.pc = stack->state.pc,
		.sp = stack->state.value[machine->stack],
		.fp = value_or_0(stack, machine->frame),
		.lr = x86 ? 0 : value_or_0(stack, machine->link),
		.base = x86 ? value_or_0(stack, 3) : 0,
		.argument = x86 ? value_or_0(stack, 5) : 0,
		.fp_known = 1,
		.interrupted = 1,
	};
}

static void *open_rules(void)
{
	return files;
}

/* Unwinds a stack as unwind_frame() in pk-record/bpf/unwind.bpf.c does. */
static void unwind_by_rules(void *unwinder, struct pk_second_stack *stack)
{
	struct pk_unwind_state state = start_of(stack);
	enum pk_unwind_end end = PK_UNWIND_GOES_ON;

	(void)unwinder;
	address_bits = stack->machine->pc_mask;
	while (!end && stack->count < FRAMES_MAX) {
		const struct pk_unwind_rule *rule = rule_of(stack, state.pc - !state.interrupted);

		if (!rule)
			break;
		stack->frames[stack->count++] =
			(struct pk_second_frame){state.pc, state.interrupted || rule->interrupted};
		end = rule->cfa == PK_UNWIND_NONE ? pk_unwind_step_by_frame(&state, stack)
						  : pk_unwind_step(rule, &state, stack);
	}
	stack->complete = end == PK_UNWIND_COMPLETE;
}

static void close_rules(void *unwinder)
{
	(void)unwinder;
	while (files_count)
		pk_unwind_table_free(&files[--files_count].table);
}

/* ---- Comparison ---- */

static void unwind(const char *input, const char *symfs, bool by_rules, const char *output)
{
	static const struct pk_second_unwinder rules = {open_rules, unwind_by_rules, close_rules};
	const struct pk_symbols_options options = {.symfs = symfs, .no_cache = true};
	struct pk_symbols *symbols = pk_symbols_new(&options);
	struct pk_run run = {.files = (char *const[]){(char *)input}, .files_count = 1};
	char *const argv[] = {(char[]){"pk-unwind"}, NULL};

	ck_assert_ptr_nonnull(symbols);
	ck_assert_int_eq(unwind_stream(&run, symbols,
				       &(struct unwind_options){.output = output,
								.symbols = &options,
								.other = by_rules ? &rules : NULL,
								.argc = 1,
								.argv = argv}),
			 0);
	pk_symbols_free(symbols);
}

/* Reads the next sample. Returns false at the end of the stream. */
static bool next_sample(struct pk_reader *reader, struct pk_record *record,
			struct pk_sample *sample)
{
	const struct pk_event *event;
	enum pk_status status;

	while (!(status = pk_reader_next(reader, record))) {
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		event = pk_events_at(pk_reader_events(reader), 0);
		ck_assert_int_eq(pk_sample_decode(event, record, sample), PK_OK);
		return true;
	}
	ck_assert_int_eq(status, PK_END);
	return false;
}

/* Returns a reader of the output of pk-unwind for a recording. If by_rules is set, the unwinder of
 * this test makes the callchains. */
static struct pk_reader *open_unwound(const char *input, const char *symfs, bool by_rules)
{
	char path[] = "/tmp/pk-steps-XXXXXX";
	const int fd = mkstemp(path);
	struct pk_reader *reader;

	ck_assert_int_ge(fd, 0);
	unwind(input, symfs, by_rules, path);
	close(fd);
	ck_assert_int_eq(
		pk_reader_new(&(struct pk_reader_options){.fd = open(path, O_RDONLY | O_CLOEXEC)},
			      &reader),
		PK_OK);
	unlink(path);
	return reader;
}

static void print_chain(const char *by, const struct pk_u64s *chain)
{
	printf("%s:", by);
	for (uint64_t i = 0; i < chain->count; i++)
		printf(" %lx", (unsigned long)pk_u64s_at(chain, i));
	printf("\n");
}

static bool same_chains(const struct pk_u64s *a, const struct pk_u64s *b)
{
	bool same = a->count == b->count;

	for (uint64_t i = 0; same && i < a->count; i++)
		same = pk_u64s_at(a, i) == pk_u64s_at(b, i);
	if (!same) {
		print_chain("pk-unwind", a);
		print_chain("rules", b);
	}
	return same;
}

/* Compares the callchains of all samples of a recording. */
static void compare(const char *input, const char *symfs, size_t samples)
{
	struct pk_sample sample, by_rules_sample;
	struct pk_record record, by_rules_record;
	struct pk_reader *reader, *by_rules;
	size_t count = 0, same = 0, long_chains = 0;

	reader = open_unwound(input, symfs, false);
	by_rules = open_unwound(input, symfs, true);
	while (next_sample(reader, &record, &sample)) {
		ck_assert(next_sample(by_rules, &by_rules_record, &by_rules_sample));
		count++;
		same += same_chains(&sample.callchain, &by_rules_sample.callchain);
		long_chains += sample.callchain.count >= 5;
	}
	printf("%s: %zu of %zu callchains are equal, %zu have 5 addresses or more\n", input, same,
	       count, long_chains);
	ck_assert_uint_ge(count, samples);
	ck_assert_uint_ge(long_chains, samples / 2);
	ck_assert_uint_eq(same, count);
	pk_reader_free(reader);
	pk_reader_free(by_rules);
}

/* Compares a recording in the folder tests/data. */
static void compare_in_tests(const char *name, size_t samples)
{
	char path[4096], symfs[4096];

	ck_assert_ptr_nonnull(getenv("PK_TOP"));
	snprintf(symfs, sizeof(symfs), "%s/tests/data/unwind", getenv("PK_TOP"));
	snprintf(path, sizeof(path), "%s/tests/data/unwind/%s", getenv("PK_TOP"), name);
	compare(path, symfs, samples);
}

START_TEST(x86_64)
{
	compare_in_tests("x86_64.perf.zst", 180);
}
END_TEST

START_TEST(arm64)
{
	compare_in_tests("arm64.dwarf.pk.zst", 18);
}
END_TEST

START_TEST(other)
{
	if (getenv("PK_TEST_STREAM"))
		compare(getenv("PK_TEST_STREAM"), getenv("PK_TEST_SYMFS"), 20);
}
END_TEST

RUN_TESTS("unwind_steps", x86_64, arm64, other)
