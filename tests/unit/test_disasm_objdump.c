/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares each instruction of whole files with the output of objdump: address, size and bytes.
 * PK_DISASM_FILES names other files than the files that each Debian has. PK_DISASM_OBJDUMP names
 * another objdump, for files of other machines. If objdump finds no instruction at an address (in a
 * table inside of code), the result is not compared. Such addresses are counted, and may be at most
 * one in ten. */
#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "file.h"
#include "insn.h"

/* A range without gaps in the output of objdump. */
struct piece {
	uint8_t *bytes;
	size_t size, room;
	uint64_t start;
	struct line {
		uint32_t at;
		uint8_t size;
		bool bad, thumb, has_target;
		uint64_t target;
	} * lines;
	size_t count, line_room;
};

static struct disasm *disasm;
static struct {
	unsigned long lines, bad, differ, unnamed;
} counts;
static const char *path;

static void *grow(void *array, size_t need, size_t *room, size_t each)
{
	if (need > *room) {
		*room = need * 2;
		array = realloc(array, *room * each);
		ck_assert_ptr_nonnull(array);
	}
	return array;
}

static void differ(const struct piece *p, const struct line *l, const struct insn *insn)
{
	counts.differ++;
	if (counts.differ > 20)
		return;
	fprintf(stderr, "%s: %lx: %u bytes to %lx, not %u to %lx:", path,
		(unsigned long)(p->start + l->at), insn->size, (unsigned long)insn->target, l->size,
		(unsigned long)l->target);
	for (size_t i = l->at; i < l->at + 15u && i < p->size; i++)
		fprintf(stderr, " %02x", p->bytes[i]);
	fprintf(stderr, "\n");
}

/* Returns true if the number that objdump prints before "<name>" is the target of the jump or the
 * address of the operand. */
static bool is_target(const struct line *l, const struct insn *insn)
{
	if (!l->has_target)
		return !insn->has_target;
	return (insn->has_target && insn->target == l->target) ||
	       (insn->has_reference && insn->reference == l->target);
}

/* Decodes each instruction from the address that objdump prints. Therefore an error is counted only
 * once. */
static void compare_piece(struct piece *p)
{
	struct insn insn;

	for (size_t i = 0; i < p->count; i++) {
		const struct line *l = &p->lines[i];

		counts.lines++;
		counts.bad += l->bad;
		pk_disasm_mode(disasm, l->thumb ? DISASM_THUMB : DISASM_CODE);
		ck_assert(pk_disasm_next(disasm, DISASM_TEXT, p->bytes + l->at, p->size - l->at,
					 p->start + l->at, &insn));
		if (!l->bad && insn.size != l->size)
			differ(p, l, &insn);
		else if (!l->bad && !is_target(l, &insn))
			differ(p, l, &insn);
		else if (!l->bad && !strcmp(insn.mnemonic, ".byte"))
			counts.unnamed++;
	}
	p->count = p->size = 0;
}

static bool is_no_instruction(const char *text)
{
	static const char *const signs[] = {"(bad)", ".byte",	  ".word", ".short",
					    ".long", "undefined", "%?"};
	bool found = false;

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		found |= strstr(text, signs[i]) != NULL;
	return found;
}

/* Reads the number in a text such as "call   2e000 <name>". Does not accept "lea 0x0(%rip),%rax  #
 * 2e000 <name>". */
static bool read_target(const char *text, uint64_t *target)
{
	const char *name = strstr(text, " <"), *at = name;
	char *end;

	while (at && at > text && strchr("0123456789abcdef", at[-1]))
		at--;
	if (!name || at == name || !strchr(" \t,", at[-1]) || !strncmp(at - 2, "# ", 2))
		return false;
	*target = strtoull(at, &end, 16);
	return end == name;
}

/* Reads a line such as "  401000:\tf3 0f 1e fa \tendbr64" or " 1000:\ta9bf7bfd \tstp ...". Returns
 * false if it is another line. */
static bool take_line(struct piece *p, const char *text)
{
	uint64_t address;
	uint32_t word;
	size_t size = 0, digits;
	char *end;
	bool thumb = false;
	struct line *l;

	address = strtoull(text, &end, 16);
	if (*text != ' ' || *end != ':' || end[1] != '\t')
		return false;
	if (!p->size || address != p->start + p->size) {
		compare_piece(p);
		p->start = address;
	}
	p->lines = grow(p->lines, p->count + 1, &p->line_room, sizeof(*p->lines));
	for (text = end + 2; (digits = strspn(text, "0123456789abcdef")) &&
			     (text[digits] == ' ' || text[digits] == '\t' || text[digits] == '\n');
	     text += digits + 1) {
		if (digits != 2 && digits != 4 && digits != 8)
			return false;
		word = (uint32_t)strtoul(text, NULL, 16);
		p->bytes = grow(p->bytes, p->size + size + 4, &p->room, 1);
		word = htole32(word);
		memcpy(p->bytes + p->size + size, &word, 4);
		size += digits / 2;
		thumb |= digits == 4;
		if (text[digits] != ' ')
			break;
	}
	if (!size)
		return false;
	l = &p->lines[p->count++];
	*l = (struct line){
		(uint32_t)p->size, (uint8_t)size, is_no_instruction(text), thumb, false, 0};
	l->has_target = read_target(text, &l->target);
	p->size += size;
	return true;
}

static bool open_disasm(void)
{
	struct disasm_options options = {0};
	const char *reason = "";
	struct pk_elf *elf;
	int fd;

	if (pk_file_open(path, &fd))
		return false;
	elf = pk_elf_open(fd, "a file", NULL);
	ck_assert_msg(elf, "%s", path);
	options.machine = pk_elf_machine(elf);
	options.is_64 = pk_elf_is_64(elf);
	options.big_endian = pk_elf_swapped(elf);
	pk_elf_close(elf);
	disasm = pk_disasm_new(&options, &reason);
	ck_assert_msg(disasm, "%s: %s", path, reason);
	return true;
}

static void compare_file(void)
{
	const char *objdump = getenv("PK_DISASM_OBJDUMP");
	char command[4400], line[4096];
	struct piece piece = {0};
	FILE *in;

	memset(&counts, 0, sizeof(counts));
	snprintf(command, sizeof(command), "LC_ALL=C %s -d -w '%s'", objdump ? objdump : "objdump",
		 path);
	in = popen(command, "r");
	ck_assert_ptr_nonnull(in);
	while (fgets(line, sizeof(line), in))
		take_line(&piece, line);
	compare_piece(&piece);
	ck_assert_int_eq(pclose(in), 0);
	free(piece.bytes);
	free(piece.lines);
	pk_disasm_free(disasm);
	fprintf(stderr,
		"%s: %lu instructions, %lu of other length, %lu without a name, %lu not decoded by "
		"objdump\n",
		path, counts.lines, counts.differ, counts.unnamed, counts.bad);
	ck_assert_uint_eq(counts.differ, 0);
	ck_assert_uint_le(counts.bad, counts.lines / 10);
	ck_assert_uint_gt(counts.lines, 1000);
}

START_TEST(files_of_any_debian)
{
	static const char *const paths[] = {"/bin/bash", "/lib/x86_64-linux-gnu/libc.so.6"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		path = paths[i];
		if (open_disasm())
			compare_file();
	}
}
END_TEST

START_TEST(files_named)
{
	char *names = getenv("PK_DISASM_FILES"), *rest = NULL;

	for (path = names ? strtok_r(names, " ", &rest) : NULL; path;
	     path = strtok_r(NULL, " ", &rest)) {
		ck_assert_msg(open_disasm(), "%s: cannot be opened", path);
		compare_file();
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("disasm_objdump");
	TCase *t = tcase_create("disasm_objdump");
	SRunner *runner;
	int failed;

	if (system("objdump --version >/dev/null 2>&1")) {
		fputs("no objdump (Debian: binutils)\n", stderr);
		return 77;
	}
	tcase_set_timeout(t, 600);
	if (getenv("PK_DISASM_FILES"))
		tcase_add_test(t, files_named);
	else
		tcase_add_test(t, files_of_any_debian);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
