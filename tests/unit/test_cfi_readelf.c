/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares each row of the unwind information of the C library with the output of readelf. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "elf_image.h"
#include "file.h"

static const char *const names[] = {
#if defined(__x86_64__)
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
	"r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra",
#else
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "ra",  "sp",
#endif
};

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#endif

#ifdef MACHINE
static char path[4096];
static uint8_t *bytes;
static struct pk_cfi *cfi;
static unsigned long rows_compared;

static void find_library(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	ck_assert_ptr_nonnull(maps);
	while (!*path && fgets(line, sizeof(line), maps))
		if (strstr(line, "/libc.so.6") || strstr(line, "/libc-2"))
			sscanf(line, "%*s %*s %*s %*s %*s %4095s", path);
	fclose(maps);
}

static void read_library(void)
{
	struct pk_cfi_sections sections = {0};
	const struct pk_elf_section *section;
	struct pk_elf *elf;
	int fd;

	ck_assert_int_eq(pk_file_open(path, &fd), 0);
	elf = pk_elf_open(fd, "a file", NULL);
	ck_assert_ptr_nonnull(elf);
	section = pk_elf_section(elf, ".eh_frame");
	ck_assert_ptr_nonnull(section);
	bytes = pk_elf_bytes(elf, section->offset, section->size);
	sections.eh_frame = (struct pk_cfi_section){bytes, section->size, section->addr};
	pk_elf_close(elf);
	cfi = pk_cfi_new(pk_cfi_machine_find(MACHINE, 2), &sections);
	ck_assert_ptr_nonnull(cfi);
}

static int number_of(const char *name)
{
	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

/* Writes the rule of a register in the format of readelf. */
static void rule_text(const struct pk_cfi_row *row, int reg, char *text, size_t size)
{
	struct pk_cfi_rule rule = {0};

	for (unsigned int i = 0; i < row->count; i++)
		if (row->rules[i].reg == reg)
			rule = row->rules[i];
	switch (rule.kind) {
	case PK_CFI_SAME:
	case PK_CFI_UNDEFINED: snprintf(text, size, "u"); break;
	case PK_CFI_OFFSET: snprintf(text, size, "c%+d", rule.n); break;
	case PK_CFI_VAL_OFFSET: snprintf(text, size, "v%+d", rule.n); break;
	case PK_CFI_REGISTER: snprintf(text, size, "r%d", rule.n); break;
	case PK_CFI_EXPRESSION: snprintf(text, size, "exp"); break;
	default: snprintf(text, size, "vexp");
	}
}

/* Compares a row with a line of readelf, such as "0000000000026006 rsp+24 u c-8". `columns` is the
 * heading, such as "LOC CFA rbx ra". */
static void compare_row(const char *columns, const char *line)
{
	char column[32], cell[32], text[32];
	int at = 0, used = 0, reg;
	struct pk_cfi_row row;
	unsigned long address;

	ck_assert_int_eq(sscanf(line, "%lx %31s%n", &address, cell, &at), 2);
	ck_assert_msg(pk_cfi_find(cfi, address, &row) == PK_CFI_OK, "nothing for %s", line);
	if (row.cfa.kind == PK_CFI_VAL_OFFSET)
		snprintf(text, sizeof(text), "%s%+d", names[row.cfa.reg], row.cfa.n);
	ck_assert_str_eq(row.cfa.kind == PK_CFI_VAL_OFFSET ? text : "exp", cell);
	for (columns += 2; sscanf(columns, "%31s%n", column, &used) == 1; columns += used) {
		line += at;
		ck_assert_int_eq(sscanf(line, "%31s%n", cell, &at), 1);
		if (!strncmp(line + at, " (", 2)) /* a register with a second name: "r9 (r9)" */
			at += (int)strcspn(line + at, ")") + 1;
		reg = number_of(column);
		if (reg < 0)
			continue; /* vector registers */
		rule_text(&row, reg, text, sizeof(text));
		ck_assert_msg(!strcmp(text, !strcmp(cell, "s") ? "u" : cell), "%lx: %s: %s, not %s",
			      address, column, text, cell);
	}
	rows_compared++;
}

START_TEST(every_row)
{
	char command[4200], line[4096], columns[4096] = "";
	bool in_fde = false;
	FILE *readelf;

	find_library();
	ck_assert_str_ne(path, "");
	read_library();
	snprintf(command, sizeof(command),
		 "LC_ALL=C readelf --debug-dump=frames-interp '%s' 2>/dev/null", path);
	readelf = popen(command, "r");
	ck_assert_ptr_nonnull(readelf);
	while (fgets(line, sizeof(line), readelf)) {
		if (strstr(line, "Contents of the .debug_frame"))
			break;
		if (strstr(line, " CIE ") || strstr(line, " FDE "))
			in_fde = strstr(line, " FDE ");
		else if (strstr(line, "LOC"))
			memcpy(columns, strstr(line, "CFA") + 1, strlen(strstr(line, "CFA")));
		else if (in_fde && strspn(line, "0123456789abcdef") == 16)
			compare_row(columns, line);
	}
	while (fgets(line, sizeof(line), readelf))
		;
	pclose(readelf);
	pk_cfi_free(cfi);
	free(bytes);
	ck_assert_uint_gt(rows_compared, 1000);
}
END_TEST
#endif

int main(void)
{
	Suite *s = suite_create("cfi_readelf");
	TCase *t = tcase_create("cfi_readelf");
	SRunner *runner;
	int failed;

	if (system("readelf --version >/dev/null 2>&1")) {
		fputs("no readelf (Debian: binutils)\n", stderr);
		return 77;
	}
#ifdef MACHINE
	tcase_set_timeout(t, 60);
	tcase_add_test(t, every_row);
#else
	(void)names;
	fputs("readelf's names of this machine's registers are not known here\n", stderr);
	return 77;
#endif
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
