/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the compact rules for the C library. Each rule must give the same registers as the rows of
 * the call frame information. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "elf_image.h"
#include "file.h"

/* The stack of all functions. It contains random bytes. */
static struct pk_memory stack;

static int read_stack(void *arg, uint64_t address, void *to, uint64_t size)
{
	const uint64_t at = address - stack.start;

	(void)arg;
	if (address < stack.start || at > stack.size || stack.size - at < size)
		return -1;
	memcpy(to, stack.data + at, size);
	return 0;
}

#define PK_UNWIND_READ read_stack
#define STACK_SIZE     ((uint64_t)1 << 20)
#include "unwind_rule.h"
#include "unwind_table.h"

static struct pk_unwind_table table;

/* Numbers of registers of x86-64: rbx and rdi. */
enum { BASE = 3, ARGUMENT = 5 };

/* Number of the compared rows of each kind. */
static unsigned int shapes[PK_UNWIND_PLT + 1], shapes_of_ra[PK_UNWIND_ARGUMENT + 1];

static uint64_t random_u64(void)
{
	static uint64_t state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Fills the stack with addresses in the stack, so that memory at these addresses can also be read.
 */
static void fill_stack(void)
{
	uint64_t *words = malloc(STACK_SIZE);

	ck_assert_ptr_nonnull(words);
	stack = (struct pk_memory){(const uint8_t *)words, 0x7fff00000000, STACK_SIZE, 0, NULL};
	for (size_t i = 0; i < STACK_SIZE / 8; i++)
		words[i] = stack.start + (random_u64() & (STACK_SIZE / 2 - 8));
}

/* Makes one step with the row and one step with the rule, from the same registers, and compares the
 * results. */
static void compare_step(const struct pk_cfi *of, const struct pk_cfi_machine *machine,
			 uint64_t address)
{
	const struct pk_unwind_rule *rule = pk_unwind_table_find(&table, address);
	struct pk_cfi_row row;
	const enum pk_cfi_status found = pk_cfi_find(of, address, &row);
	struct pk_frame_state by_row = {.pc = address};
	struct pk_unwind_state by_rule = {.pc = address, .fp_known = 1, .interrupted = 1};
	enum pk_cfi_status status;
	enum pk_unwind_end result;
	uint64_t base;

	if (found == PK_CFI_NONE || rule->cfa == PK_UNWIND_NONE) {
		ck_assert_msg(found == PK_CFI_NONE && rule->cfa == PK_UNWIND_NONE, "at %lx",
			      (unsigned long)address);
		return;
	}
	if (rule->cfa == PK_UNWIND_BAD)
		return;
	ck_assert_int_eq(found, PK_CFI_OK);
	for (unsigned int reg = 0; reg < PK_CFI_REGISTERS; reg++)
		by_row.value[reg] = stack.start + (random_u64() & (STACK_SIZE / 4 - 8));
	by_row.known = (UINT64_C(1) << PK_CFI_REGISTERS) - 1;
	by_row.value[machine->stack] = stack.start + STACK_SIZE / 8;
	if (machine->pc < PK_CFI_REGISTERS)
		by_row.value[machine->pc] = address;
	by_rule.sp = by_row.value[machine->stack];
	by_rule.fp = by_row.value[machine->frame];
	by_rule.lr = machine->link ? by_row.value[machine->link] : 0;
	by_rule.base = by_row.value[BASE];
	by_rule.argument = by_row.value[ARGUMENT];
	status = pk_cfi_step(of, &row, &stack, &by_row);
	result = pk_unwind_step(rule, &by_rule, NULL);
	if (result == PK_UNWIND_BAD_RULE) /* the stack pointer would decrease */
		return;
	ck_assert_int_eq(status == PK_CFI_END, result == PK_UNWIND_COMPLETE);
	ck_assert_int_eq(status == PK_CFI_OK, result == PK_UNWIND_GOES_ON);
	if (status)
		return;
	ck_assert_uint_eq(by_row.pc, by_rule.pc);
	ck_assert_uint_eq(by_row.value[machine->stack], by_rule.sp);
	ck_assert_int_eq(row.signal_frame, by_rule.interrupted);
	if (rule->base_offset && rule->base_offset != PK_UNWIND_BASE_LOST) {
		ck_assert_int_eq(read_stack(NULL, by_rule.base_at, &base, sizeof(base)), 0);
		ck_assert_uint_eq(by_row.value[BASE], base);
	} else if (!rule->base_offset && machine->elf_machine == EM_X86_64) {
		ck_assert_uint_eq(by_row.value[BASE], by_rule.base);
		ck_assert_uint_eq(by_rule.base_at, 0);
	}
	shapes[rule->cfa]++;
	shapes_of_ra[rule->ra]++;
	if (rule->fp == PK_UNWIND_LOST)
		return;
	ck_assert_uint_eq(by_row.known >> machine->frame & 1, by_rule.fp_known);
	if (by_rule.fp_known)
		ck_assert_uint_eq(by_row.value[machine->frame], by_rule.fp);
}

/* ---- Files ---- */

static struct pk_cfi *open_cfi(struct pk_elf *elf, uint8_t **bytes)
{
	static const char *const names[] = {".eh_frame", ".debug_frame"};
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(pk_elf_machine(elf));
	struct pk_cfi_sections sections = {0};
	struct pk_cfi_section *const of[] = {&sections.eh_frame, &sections.debug_frame};

	for (int i = 0; i < 2; i++) {
		const struct pk_elf_section *section = pk_elf_section(elf, names[i]);

		bytes[i] = section ? pk_elf_bytes(elf, section->offset, section->size) : NULL;
		if (bytes[i])
			*of[i] = (struct pk_cfi_section){bytes[i], section->size, section->addr};
	}
	return machine && machine->word == 8 && (bytes[0] || bytes[1])
		       ? pk_cfi_new(machine, &sections)
		       : NULL;
}

/* The argument of compare_row(). */
struct comparison {
	const struct pk_cfi *of;
	const struct pk_cfi_machine *machine;
};

static void compare_row(void *arg, uint64_t start, uint64_t end, const struct pk_cfi_row *row)
{
	const struct comparison *comparison = arg;

	(void)row; /* not compared: the row of another FDE can apply here; compare_step() finds it
		    */
	compare_step(comparison->of, comparison->machine, start);
	compare_step(comparison->of, comparison->machine, end - 1);
}

/* Tables of ranges of addresses must have the same rules as the table of all addresses. */
static void compare_parts(const struct pk_cfi *of)
{
	const uint64_t end = table.rows[table.count - 1].start, size = 0x10000;
	uint64_t work = pk_unwind_table_work(of);
	size_t row = 0;

	for (uint64_t base = 0; base <= end; base += size) {
		struct pk_unwind_table part;

		ck_assert(pk_unwind_table_make(&part, of, base, size, &work) == PK_OK);
		ck_assert_uint_lt(part.rows[part.count - 1].start, size);
		for (size_t i = 0; i < part.count; i++) {
			const uint64_t first = base + part.rows[i].start;
			const uint64_t next =
				i + 1 < part.count ? base + part.rows[i + 1].start : base + size;
			const struct pk_unwind_rule *rule = &part.rules[part.rows[i].rule];

			ck_assert_mem_eq(rule, pk_unwind_table_find(&table, first), sizeof(*rule));
			ck_assert_mem_eq(rule, pk_unwind_table_find(&table, next - 1),
					 sizeof(*rule));
		}
		for (; row < table.count && table.rows[row].start < base + size; row++)
			ck_assert_mem_eq(pk_unwind_table_find(&table, table.rows[row].start),
					 pk_unwind_table_find(&part, table.rows[row].start),
					 sizeof(struct pk_unwind_rule));
		pk_unwind_table_free(&part);
	}
}

/* Compares all rows of a file, and the addresses at the start and end of the rows of its table.
 * Returns the number of rows in the table. */
static size_t compare_file(const char *path)
{
	struct comparison comparison = {0};
	uint8_t *bytes[2] = {NULL, NULL};
	uint64_t work = UINT64_MAX;
	struct pk_cfi *of;
	struct pk_elf *elf;
	size_t count = 0;
	int fd;

	ck_assert_msg(pk_file_open(path, &fd) == 0, "%s", path);
	elf = pk_elf_open(fd, "a file", NULL);
	of = elf ? open_cfi(elf, bytes) : NULL;
	if (of) {
		comparison.of = of;
		comparison.machine = pk_cfi_machine_by_elf(pk_elf_machine(elf));
		work = pk_unwind_table_work(of);
		ck_assert(pk_unwind_table_make(&table, of, 0, UINT64_MAX, &work) == PK_OK);
		compare_parts(of);
		work = UINT64_MAX;
		for (size_t i = 0; i < table.count; i++) {
			const uint64_t start = table.rows[i].start;

			compare_step(of, comparison.machine, start);
			if (start)
				compare_step(of, comparison.machine, start - 1);
		}
		for (size_t n = 0; n < pk_cfi_count(of); n++)
			pk_cfi_walk_nth(of, n, &work, compare_row, &comparison);
		count = table.count;
		/* Rows of functions that are written in assembly need not have a rule. */
		ck_assert_msg(table.unsupported <= 20 + count / 10, "%s: %zu of %zu rows", path,
			      table.unsupported, count);
		printf("%zu of %zu rows are of other shapes: %s\n", table.unsupported, count, path);
		pk_unwind_table_free(&table);
	}
	pk_cfi_free(of);
	free(bytes[0]);
	free(bytes[1]);
	pk_elf_close(elf);
	return count;
}

/* Writes the path of a library that this program uses. */
static void find_library(const char *name, char *path)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	ck_assert_ptr_nonnull(maps);
	*path = '\0';
	while (!*path && fgets(line, sizeof(line), maps))
		if (strstr(line, name))
			sscanf(line, "%*s %*s %*s %*s %*s %4095s", path);
	fclose(maps);
	ck_assert_msg(*path, "%s is not mapped", name);
}

START_TEST(test_rules_of_a_library)
{
	static const char *const names[] = {"/libc.so.6", "/ld-linux"};
	char path[4096];

	find_library(names[_i], path);
	fill_stack();
	ck_assert_uint_gt(compare_file(path), 1000);
#if defined(__x86_64__)
	ck_assert_uint_gt(shapes[PK_UNWIND_SP], 0);
	ck_assert_uint_gt(shapes[PK_UNWIND_FP], 0);
	/* vfork() in the C library has such a rule. */
	ck_assert_int_eq(shapes_of_ra[PK_UNWIND_ARGUMENT] > 0, _i == 0);
	/* _dl_runtime_resolve() in the dynamic loader has such a rule. */
	ck_assert_int_eq(shapes[PK_UNWIND_BASE] > 0, _i == 1);
#endif
}
END_TEST

/* Compares the files whose names are the lines of the file PK_TEST_OBJECTS. */
START_TEST(test_rules_of_files)
{
	FILE *list = fopen(getenv("PK_TEST_OBJECTS"), "r");
	char line[4096];
	size_t count = 0;

	ck_assert_ptr_nonnull(list);
	fill_stack();
	while (fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = '\0';
		count += compare_file(line);
	}
	fclose(list);
	ck_assert_uint_gt(count, 1000);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("rules");
	Suite *suite = suite_create("unwind_table");
	SRunner *runner = srunner_create(suite);
	int failed;

	if (getenv("PK_TEST_OBJECTS")) {
		tcase_set_timeout(tests, 1200);
		tcase_add_test(tests, test_rules_of_files);
	} else {
		tcase_add_loop_test(tests, test_rules_of_a_library, 0, 2);
	}
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
