/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the unwinding information of code in a jitdump: rows of a function that pushes the frame
 * pointer, reserves 32 bytes, and calls another function. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit_unwind.h"
#include "object_debug.h"
#include "stream_builder.h"

enum {
	CODE = 0x1234,
	CODE_SIZE = 18,
	AFTER = 24 /* code size, rounded up */
};
enum { TABLE_SIZE = 56, HEADER_SIZE = 20 };

/* An .eh_frame at the address after the code. It has a CIE, and an FDE that begins 32 bytes before
 * the end. The FDE has the rules for this code: 0: push %rbp; 10: sub $32,%rsp; 12: call; 16: add
 * $32,%rsp; 17: pop %rbp; ret. */
static const uint8_t table[TABLE_SIZE] = {
	0x14, 0,    0,	  0,	     0,	 0,    0,    0,	 1,    'z',  'R',
	0,    1,    0x78, 16,	     1,	 0x1b, 0x0c, 7,	 8,    0x90, 1,
	0,    0,    0x1c, 0,	     0,	 0,    0x1c, 0,	 0,    0,    (uint8_t) - (AFTER + 32),
	0xff, 0xff, 0xff, CODE_SIZE, 0,	 0,    0,    0,	 0x41, 0x0e, 16,
	0x86, 2,    0x49, 0x0e,	     48, 0x46, 0x0e, 16, 0x41, 0x0e, 8,
	0xc6};

/* Writes an .eh_frame_hdr that begins `distance` bytes after the start of the .eh_frame. It has one
 * function and the place of its FDE. */
static void put_frame_header(struct built *built, int distance)
{
	put_bytes(built, "\x01\x1b\x03\x3b", 4);
	PUT(built, "4444", (uint32_t)(-distance - 4), 1, (uint32_t)(-distance - AFTER),
	    (uint32_t)(24 - distance));
}

static struct pk_cfi_row row;

/* Looks up the row at the offset. With layout 0, the header is after the table, with layout 1
 * before the table, and otherwise there is no header. */
static enum pk_cfi_status find(int layout, uint64_t offset)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(EM_X86_64);
	struct built built = {0};
	struct pk_jit_unwinding unwinding = {CODE, CODE_SIZE, 0, TABLE_SIZE, 0};
	enum pk_cfi_status status;
	uint64_t work = 1000;
	uint8_t bytes[TABLE_SIZE];

	memcpy(bytes, table, TABLE_SIZE);
	if (layout == 1) {
		put_bytes(&built, "\x01\x1b\x03\x3b", 4);
		PUT(&built, "4444", HEADER_SIZE - 4, 1, (uint32_t)-AFTER, HEADER_SIZE + 24);
		bytes[32] = (uint8_t)(bytes[32] - HEADER_SIZE); /* distance from FDE to code */
	}
	put_bytes(&built, bytes, TABLE_SIZE);
	if (layout == 0)
		put_frame_header(&built, TABLE_SIZE);
	unwinding.size = (uint32_t)built.size;
	unwinding.header_size = (uint32_t)built.size - TABLE_SIZE;
	status = pk_jit_row(&unwinding, built.data, machine, offset, &work, &row);
	ck_assert_uint_lt(work, 1001);
	built_clear(&built);
	return status;
}

START_TEST(rows)
{
	const int cfa[CODE_SIZE] = {8,	16, 16, 16, 16, 16, 16, 16, 16,
				    16, 48, 48, 48, 48, 48, 48, 16, 8};

	for (uint64_t i = 0; i < CODE_SIZE; i++) {
		ck_assert_int_eq(find(_i, CODE + i), PK_CFI_OK);
		ck_assert_uint_eq(row.cfa.reg, 7);
		ck_assert_int_eq(row.cfa.n, cfa[i]);
		ck_assert_uint_eq(row.ruled, UINT64_C(1) << 16 | (cfa[i] > 8 ? 1 << 6 : 0));
	}
	ck_assert_int_eq(find(_i, CODE - 2), PK_CFI_NONE);
	ck_assert_int_eq(find(_i, CODE + CODE_SIZE), PK_CFI_NONE);
}
END_TEST

/* A row is valid even after the bytes of its expression were freed. */
START_TEST(expression)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(EM_X86_64);
	struct pk_jit_unwinding unwinding = {CODE, CODE_SIZE, 0, TABLE_SIZE, 0};
	uint64_t work = 1000;
	uint8_t bytes[TABLE_SIZE];

	memcpy(bytes, table, TABLE_SIZE);
	memcpy(bytes + 41, "\x0f\x02\x77\x08", 4); /* DW_CFA_def_cfa_expression: rsp + 8 */
	memset(bytes + 45, 0, TABLE_SIZE - 45);
	ck_assert_int_eq(pk_jit_row(&unwinding, bytes, machine, CODE, &work, &row), PK_CFI_BAD);
	memcpy(bytes + 41, "\x10\x06\x02\x77\x08", 5); /* DW_CFA_expression: rbp at rsp + 8 */
	ck_assert_int_eq(pk_jit_row(&unwinding, bytes, machine, CODE, &work, &row), PK_CFI_BAD);
	memset(bytes + 41, 0, 5);
	ck_assert_int_eq(pk_jit_row(&unwinding, bytes, machine, CODE, &work, &row), PK_CFI_OK);
}
END_TEST

/* The jitdump is an object of the store. Its code is for this machine, or for an unknown machine.
 */
START_TEST(object)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(EM_X86_64);
	const uint32_t machines[] = {EM_X86_64, EM_NONE, EM_AARCH64};
	char dir[] = "/tmp/pk-jit-unwind.XXXXXX", path[64];
	struct built dump = {.swap = machine->swapped};
	struct pk_symbols *s;
	struct pk_object *o;
	const struct pk_code *codes;
	uint64_t work = 1000;
	FILE *file;

	PUT(&dump, "44444488", 0x4a695444, 1, 40, machines[_i], 0, 123, 1000, 0);
	PUT(&dump, "448888", 4, 40 + TABLE_SIZE + HEADER_SIZE, 1950, TABLE_SIZE + HEADER_SIZE,
	    HEADER_SIZE, 80);
	put_bytes(&dump, table, TABLE_SIZE);
	put_frame_header(&dump, TABLE_SIZE);
	PUT(&dump, "448", 0, 56 + 5 + CODE_SIZE, 2000);
	PUT(&dump, "448888", 7, 7, 0x1000, 0x1000, CODE_SIZE, 1);
	put_bytes(&dump, "name", 5);
	put_zeros(&dump, CODE_SIZE);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/jit-7.dump", dir);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(dump.data, dump.size, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	s = pk_symbols_new(&(struct pk_symbols_options){.symfs = dir});
	o = pk_symbols_jitdump(s, "/jit-7.dump", 7);
	ck_assert_uint_eq(pk_object_codes(o, &codes), 1);
	ck_assert_int_eq(pk_object_jit_row(o, machine, codes[0].offset + 12, &work, &row),
			 _i < 2 ? PK_CFI_OK : PK_CFI_NONE);
	if (_i < 2)
		ck_assert_int_eq(row.cfa.n, 48);
	ck_assert_int_eq(pk_object_jit_row(o, machine, codes[0].offset - 1, &work, &row),
			 PK_CFI_NONE);
	pk_symbols_free(s);
	built_clear(&dump);
	ck_assert_int_eq(unlink(path), 0);
	rmdir(dir);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("jit_unwind");
	TCase *tcase = tcase_create("rows");
	SRunner *r;
	int failed;

	tcase_add_loop_test(tcase, rows, 0, 3);
	tcase_add_test(tcase, expression);
	tcase_add_loop_test(tcase, object, 0, 3);
	suite_add_tcase(s, tcase);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
