// SPDX-License-Identifier: BSD-2-Clause
/*
 * libdw_answers [names] FILE: asks libdw and lib/dwarf about the code of an object. Of addresses
 * all over it: which functions are inlined there and into which, with files and lines, and with
 * `names` their names. Of every row of its call frame information: the CFA and where each register
 * is. Prints what differs, "ADDRESS", "- libdw's", "+ ours", and how much was compared.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi.h"
#include "object_debug.h"

/* This file includes libelf through libdw, ours includes none of it. */
#include <gelf.h>

#define ADDRESSES 4000 /* of the code that are asked about */

struct text {
	char bytes[8192];
	size_t size;
};

static bool with_names;
static int registers;	  /* that functions keep, by DWARF's numbers */
static int stack_pointer; /* is the CFA in the caller, which libdw writes as a rule */
static uint64_t compared, inlined, different;

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->size += (size_t)vsnprintf(text->bytes + text->size, sizeof(text->bytes) - text->size,
					format, args);
	va_end(args);
	if (text->size >= sizeof(text->bytes))
		errx(1, "too long");
}

static void compare(uint64_t address, const struct text *theirs, const struct text *ours)
{
	compared++;
	if (!strcmp(theirs->bytes, ours->bytes))
		return;
	different++;
	printf("%#" PRIx64 "\n- %s\n+ %s\n", address, theirs->bytes, ours->bytes);
}

/* ---- Functions and lines ---- */

/* "name file:line < name file:line", innermost first. */
static void add_place(struct text *text, const char *name, const char *file, int line)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	add(text, "%s%s %s:%d", text->size ? " < " : "", with_names && name ? name : "",
	    line && file ? (slash ? slash + 1 : file) : "", line);
}

static int number_in(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	if (dwarf_attr(die, name, &attr))
		dwarf_formudata(&attr, &value);
	return (int)value;
}

/* The place of the call that an inlined function is at. */
static void find_call(Dwarf_Die *cu, Dwarf_Die *die, const char **file, int *line)
{
	Dwarf_Files *files;
	size_t count;

	*line = number_in(die, DW_AT_call_line);
	*file = NULL;
	if (!dwarf_getsrcfiles(cu, &files, &count))
		*file = dwarf_filesrc(files, (size_t)number_in(die, DW_AT_call_file), NULL, NULL);
}

static void ask_libdw(Dwarf *dwarf, uint64_t address, struct text *text)
{
	Dwarf_Die cu, *scopes, *chain;
	const char *file = NULL;
	int line = 0, count;
	Dwarf_Line *row;

	if (!dwarf_addrdie(dwarf, address, &cu))
		return;
	row = dwarf_getsrc_die(&cu, address);
	if (row) {
		dwarf_lineno(row, &line);
		file = dwarf_linesrc(row, NULL, NULL);
	}
	count = dwarf_getscopes(&cu, address, &scopes);
	if (count > 0) {
		count = dwarf_getscopes_die(&scopes[0], &chain);
		free(scopes);
	}
	for (int i = 0; i < count; i++) {
		const int tag = dwarf_tag(&chain[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		add_place(text, dwarf_diename(&chain[i]), file, line);
		if (tag == DW_TAG_subprogram)
			break;
		inlined++;
		find_call(&cu, &chain[i], &file, &line);
	}
	if (count > 0)
		free(chain);
	if (!text->size && row) /* between functions */
		add_place(text, NULL, file, line);
}

static void ask_ours(struct pk_object *object, uint64_t offset, struct text *text)
{
	const struct pk_source *sources;
	const size_t count = pk_object_sources(object, offset, &sources);

	for (size_t i = 0; i < count; i++)
		add_place(text, sources[i].function, sources[i].file, (int)sources[i].line);
}

static bool find_code(Elf *elf, GElf_Shdr *code)
{
	Elf_Scn *section = NULL;
	size_t names;

	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, code) && code->sh_type == SHT_PROGBITS &&
		    !strcmp(elf_strptr(elf, names, code->sh_name), ".text"))
			return true;
	return false;
}

static void compare_functions(Dwarf *dwarf, struct pk_object *object, const GElf_Shdr *code)
{
	const uint64_t step = code->sh_size / ADDRESSES + 1;

	for (uint64_t at = 0; at < code->sh_size; at += step) {
		struct text theirs = {.size = 0}, ours = {.size = 0};

		ask_libdw(dwarf, code->sh_addr + at, &theirs);
		ask_ours(object, code->sh_offset + at, &ours);
		compare(code->sh_addr + at, &theirs, &ours);
	}
	printf("FUNCTIONS %" PRIu64 " addresses, %" PRIu64 " inlined, %" PRIu64 " different\n",
	       compared, inlined, different);
}

/* ---- Call frame information ---- */

/* A rule as libdw has it: operations for an address or, with stack_value, a value. */
static void add_operations(struct text *text, const Dwarf_Op *ops, size_t count)
{
	const bool value = count && ops[count - 1].atom == DW_OP_stack_value;
	const size_t n = count - value;

	if (n && n <= 2 && ops[0].atom == DW_OP_call_frame_cfa &&
	    (n == 1 || ops[1].atom == DW_OP_plus_uconst))
		add(text, "%c%+d", value ? 'v' : 'c', n == 2 ? (int)ops[1].number : 0);
	else if (n == 1 && ops[0].atom == DW_OP_regx)
		add(text, "r%d", (int)ops[0].number);
	else if (n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		add(text, "r%d", ops[0].atom - DW_OP_reg0);
	else
		add(text, value ? "value" : "expression");
}

static void libdw_row(Dwarf_Frame *frame, struct text *text)
{
	Dwarf_Op *ops, room[3];
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count))
		errx(1, "dwarf_frame_cfa: %s", dwarf_errmsg(-1));
	if (count == 1 && ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31)
		add(text, "cfa=r%d%+d", ops[0].atom - DW_OP_breg0, (int)ops[0].number);
	else if (count == 1 && ops[0].atom == DW_OP_bregx)
		add(text, "cfa=r%d%+d", (int)ops[0].number, (int)ops[0].number2);
	else
		add(text, "cfa=expression");
	for (int reg = 0; reg < registers; reg++) {
		if (dwarf_frame_register(frame, reg, room, &ops, &count))
			errx(1, "dwarf_frame_register: %s", dwarf_errmsg(-1));
		if (!count || (reg == stack_pointer && ops[count - 1].atom == DW_OP_stack_value))
			continue; /* undefined, the same, or the CFA */
		add(text, " %d=", reg);
		add_operations(text, ops, count);
	}
}

static void our_row(const struct pk_cfi_row *row, struct text *text)
{
	if (row->cfa.kind == PK_CFI_VAL_OFFSET)
		add(text, "cfa=r%d%+d", row->cfa.reg, row->cfa.n);
	else
		add(text, "cfa=expression");
	for (int reg = 0; reg < registers; reg++)
		for (unsigned int i = 0; i < row->count; i++) {
			const struct pk_cfi_rule *rule = &row->rules[i];

			if (rule->reg != reg || rule->kind == PK_CFI_SAME ||
			    rule->kind == PK_CFI_UNDEFINED)
				continue;
			add(text, " %d=", reg);
			switch (rule->kind) {
			case PK_CFI_OFFSET: add(text, "c%+d", rule->n); break;
			case PK_CFI_VAL_OFFSET: add(text, "v%+d", rule->n); break;
			case PK_CFI_REGISTER: add(text, "r%d", rule->n); break;
			case PK_CFI_EXPRESSION: add(text, "expression"); break;
			default: add(text, "value");
			}
		}
}

static void compare_rows(Elf *elf, const struct pk_unwind_info *info, const GElf_Shdr *code)
{
	const struct pk_cfi_sections sections = {
		.eh_frame = {info->eh_frame.data, info->eh_frame.size, info->eh_frame.address}};
	struct pk_cfi *cfi = pk_cfi_new(pk_cfi_machine_by_elf(info->machine), &sections);
	Dwarf_CFI *theirs = dwarf_getcfi_elf(elf);
	uint64_t at = code->sh_addr, all = 0;

	if (!cfi || !theirs)
		errx(1, "no call frame information");
	compared = different = 0;
	registers = info->machine == EM_X86_64 ? 17 : 31;
	stack_pointer = pk_cfi_machine_by_elf(info->machine)->stack;
	while (at < code->sh_addr + code->sh_size) {
		struct text their_text = {.size = 0}, our_text = {.size = 0};
		const bool has = pk_cfi_find(cfi, at, &(struct pk_cfi_row){0}) == PK_CFI_OK;
		struct pk_cfi_row row;
		Dwarf_Addr start, end = at + 1;
		Dwarf_Frame *frame;

		if (!dwarf_cfi_addrframe(theirs, at, &frame)) {
			libdw_row(frame, &their_text);
			dwarf_frame_info(frame, &start, &end, NULL);
			free(frame);
			all++;
		}
		if (has && !pk_cfi_find(cfi, at, &row))
			our_row(&row, &our_text);
		if (has || their_text.size)
			compare(at, &their_text, &our_text);
		at = end > at ? end : at + 1;
	}
	printf("ROWS %" PRIu64 ", %" PRIu64 " different\n", all, different);
	dwarf_cfi_end(theirs);
	pk_cfi_free(cfi);
}

int main(int argc, char **argv)
{
	const struct pk_symbols_options options = {.no_cache = true, .no_demangle = true};
	const char *path = argv[argc - 1];
	struct pk_symbols *symbols = pk_symbols_new(&options);
	struct pk_object *object = symbols ? pk_symbols_file(symbols, path, NULL, 0) : NULL;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct pk_unwind_info *info;
	enum pk_object_state why;
	GElf_Shdr code;
	Dwarf *dwarf;
	Elf *elf;

	with_names = argc == 3;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!object || !elf || !find_code(elf, &code))
		errx(1, "%s: cannot be read", path);
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf)
		compare_functions(dwarf, object, &code);
	info = pk_object_unwind_info(object, &why);
	if (!info)
		errx(1, "%s: %s", path, pk_state_text(why));
	compare_rows(elf, info, &code);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
	pk_symbols_free(symbols);
	return 0;
}
