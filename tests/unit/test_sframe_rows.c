/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests objects that have both .eh_frame and .sframe. At each row of one of these sections, both
 * sections must give the same registers. The objects are those in tests/data/sframe, which make.sh
 * made, and the arguments of the program. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "elf_image.h"
#include "file.h"
#include "unwind_table.h"

enum { STACK_SIZE = 1 << 20 };

/* The stack of all functions. It contains random addresses of this stack, so that memory at an
 * address in the stack can also be read. */
static uint64_t words[STACK_SIZE / 8];
static const uint64_t stack_start = UINT64_C(0x7fff00000000);

static struct counts {
	unsigned long rows, missing, functions;
} counts;

struct object {
	const char *path;
	const struct pk_cfi_machine *machine;
	struct pk_cfi *frame, *sframe; /* made from .eh_frame alone, and from .sframe alone */
	struct pk_unwind_table table;  /* made from .sframe */
	/* The section .plt.got, or NULL. GNU ld 2.46 describes its entries as if they had pushed a
	 * word. */
	const struct pk_elf_section *wrong;
	uint8_t *bytes[2];
};

static uint64_t random_u64(void)
{
	static uint64_t state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t swapped(const struct pk_cfi_machine *machine, uint64_t value)
{
	return machine->swapped ? __builtin_bswap64(value) : value;
}

static void fill_stack(const struct pk_cfi_machine *machine)
{
	for (size_t i = 0; i < STACK_SIZE / 8; i++)
		words[i] = swapped(machine, stack_start + (random_u64() & (STACK_SIZE / 2 - 8)));
}

/* ---- Comparison ---- */

static enum pk_cfi_status step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       const struct pk_frame_state *from, struct pk_frame_state *to)
{
	struct pk_memory memory = {(const uint8_t *)words, stack_start, STACK_SIZE, 0, NULL};

	*to = *from;
	return pk_cfi_step(cfi, row, &memory, to);
}

/* Returns the row without the rule of the stack pointer. After a step, the stack pointer is then
 * the CFA. */
static struct pk_cfi_row without_stack(const struct pk_cfi_row *row, uint8_t stack)
{
	struct pk_cfi_row result = *row;

	result.count = 0;
	for (unsigned int i = 0; i < row->count; i++)
		if (row->rules[i].reg != stack)
			result.rules[result.count++] = row->rules[i];
	result.ruled &= ~(UINT64_C(1) << stack);
	return result;
}

/* Compares the CFA, the frame pointer and the return address. SFrame describes no other registers.
 */
static void compare_rows(const struct object *o, uint64_t address, const struct pk_cfi_row *row,
			 const struct pk_cfi_row *other)
{
	const struct pk_cfi_row visible = without_stack(row, o->machine->stack);
	const struct pk_cfi_machine *machine = o->machine;
	const uint8_t frame = machine->elf_machine == EM_S390 ? 11 : machine->frame;
	struct pk_frame_state from = {.pc = address}, a, b;
	enum pk_cfi_status status;

	for (unsigned int reg = 0; reg < PK_CFI_REGISTERS; reg++)
		from.value[reg] = stack_start + (random_u64() & (STACK_SIZE / 4 - 8));
	from.known = (UINT64_C(1) << PK_CFI_REGISTERS) - 1;
	if (machine->pc < PK_CFI_REGISTERS)
		from.value[machine->pc] = address;
	status = step(o->frame, &visible, &from, &a);
	ck_assert_msg(step(o->sframe, other, &from, &b) == status, "%s: status at %lx", o->path,
		      (unsigned long)address);
	if (status)
		return;
	ck_assert_msg(a.pc == b.pc, "%s: return address at %lx", o->path, (unsigned long)address);
	ck_assert_msg(a.value[machine->stack] == b.value[machine->stack], "%s: CFA at %lx", o->path,
		      (unsigned long)address);
	ck_assert_msg(a.value[frame] == b.value[frame], "%s: frame pointer at %lx", o->path,
		      (unsigned long)address);
	ck_assert_int_eq(row->signal_frame, other->signal_frame);
}

/* Checks that the table of the kernel unwinder has the compact form of the row. */
static void compare_table(const struct object *o, uint64_t address, const struct pk_cfi_row *row)
{
	const struct pk_unwind_rule *in_table = pk_unwind_table_find(&o->table, address);
	struct pk_unwind_rule rule = {.cfa = PK_UNWIND_NONE};

	if (row)
		rule = pk_unwind_rule_of(o->sframe, row);
	ck_assert_msg(!memcmp(in_table, &rule, sizeof(rule)), "%s: table at %lx", o->path,
		      (unsigned long)address);
}

static void compare(const struct object *o, uint64_t address)
{
	struct pk_cfi_row row, other;
	const enum pk_cfi_status status = pk_cfi_find(o->frame, address, &row),
				 found = pk_cfi_find(o->sframe, address, &other);

	compare_table(o, address, found ? NULL : &other);
	if (o->wrong && address - o->wrong->addr < o->wrong->size)
		return;
	if (found == PK_CFI_NONE) {
		/* The assembler leaves out functions that SFrame cannot describe. */
		counts.missing += status == PK_CFI_OK;
		return;
	}
	ck_assert_msg(found == PK_CFI_OK, "%s: bad at %lx", o->path, (unsigned long)address);
	ck_assert_msg(status == PK_CFI_OK, "%s: unknown at %lx", o->path, (unsigned long)address);
	counts.rows++;
	compare_rows(o, address, &row, &other);
}

static void compare_ends(void *arg, uint64_t start, uint64_t end, const struct pk_cfi_row *row)
{
	(void)row;
	compare(arg, start);
	compare(arg, end - 1);
}

static void compare_all(struct object *o, const struct pk_cfi *cfi)
{
	uint64_t work = UINT64_MAX;

	for (size_t n = 0; n < pk_cfi_count(cfi); n++)
		ck_assert(pk_cfi_walk_nth(cfi, n, &work, compare_ends, o));
}

/* ---- Objects ---- */

static struct pk_cfi_section read_section(const struct pk_elf *elf, const char *name,
					  uint8_t **bytes)
{
	const struct pk_elf_section *section = pk_elf_section(elf, name);

	ck_assert_msg(section, "no %s", name);
	*bytes = pk_elf_bytes(elf, section->offset, section->size);
	ck_assert_ptr_nonnull(*bytes);
	return (struct pk_cfi_section){*bytes, section->size, section->addr};
}

static void compare_object(const char *path)
{
	struct pk_cfi_sections frame = {.eh_frame = {0}}, sframe = {.eh_frame = {0}};
	struct object o = {.path = path};
	struct pk_elf *elf;
	uint64_t work;
	int fd;

	ck_assert_int_eq(pk_file_open(path, &fd), 0);
	elf = pk_elf_open(fd, path, NULL);
	ck_assert_ptr_nonnull(elf);
	o.machine = pk_cfi_machine_by_elf(pk_elf_machine(elf));
	frame.eh_frame = read_section(elf, ".eh_frame", &o.bytes[0]);
	sframe.sframe = read_section(elf, ".sframe", &o.bytes[1]);
	o.wrong = pk_elf_section(elf, ".plt.got");
	o.frame = pk_cfi_new(o.machine, &frame);
	o.sframe = pk_cfi_new(o.machine, &sframe);
	work = pk_unwind_table_work(o.sframe);
	ck_assert(pk_unwind_table_make(&o.table, o.sframe, 0, UINT64_MAX, &work) == PK_OK);
	fill_stack(o.machine);
	counts = (struct counts){.functions = pk_cfi_count(o.sframe)};
	ck_assert_uint_gt(counts.functions, 0);
	compare_all(&o, o.frame);
	compare_all(&o, o.sframe);
	printf("%s: version %u, %lu functions, %lu ends of rows equal, %lu only in .eh_frame\n",
	       path, o.bytes[1][2], counts.functions, counts.rows, counts.missing);
	pk_unwind_table_free(&o.table);
	pk_cfi_free(o.frame);
	pk_cfi_free(o.sframe);
	free(o.bytes[0]);
	free(o.bytes[1]);
	pk_elf_close(elf);
}

static const char *const fixtures[] = {"x86_64-2", "x86_64-3", "aarch64-2", "aarch64-3", "s390x-3"};

START_TEST(small_objects)
{
	const char *top = getenv("PK_TOP");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/sframe/%s.so", top ? top : ".", fixtures[_i]);
	compare_object(path);
	ck_assert_uint_gt(counts.rows, 40);
	ck_assert_uint_eq(counts.missing, 0);
}
END_TEST

static char **paths;

START_TEST(large_objects)
{
	compare_object(paths[_i]);
	ck_assert_uint_gt(counts.rows, 10000);
	ck_assert_uint_lt(counts.missing, counts.rows / 100);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("sframe_rows");
	TCase *tcase = tcase_create("objects");
	SRunner *r;
	int failed;

	paths = argv + 1;
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, small_objects, 0, sizeof(fixtures) / sizeof(fixtures[0]));
	tcase_add_loop_test(tcase, large_objects, 0, argc - 1);
	suite_add_tcase(s, tcase);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
