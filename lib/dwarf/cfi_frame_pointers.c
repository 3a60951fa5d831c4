// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cfi_table.h"
#include "object.h"
#include "object_debug.h"

/* A file keeps frame pointers if the functions with frame pointers are at least MOST times as many
 * as the functions without. Rust programs do not reach this, because only the library of Rust keeps
 * frame pointers. */
enum { SAMPLES = 256, SIZE_MIN = 16, MOST = 19 };

/* Returns the rule of a register in a row, or NULL if the register has no rule. */
static const struct pk_cfi_rule *rule_of(const struct pk_cfi_row *row, uint8_t reg)
{
	for (unsigned int i = 0; i < row->count; i++)
		if (row->rules[i].reg == reg)
			return &row->rules[i];
	return NULL;
}

/* Returns true if the function has a frame here, so that it can call other functions. Functions
 * without a frame are ignored, because compilers omit their frame pointers. The linkage table and
 * the outermost function are also ignored, because their rules are different. */
static bool has_frame(const struct pk_cfi_machine *machine, const struct pk_cfi_row *row)
{
	const struct pk_cfi_rule *address = rule_of(row, row->ra);

	return address && address->kind == PK_CFI_OFFSET && row->cfa.kind == PK_CFI_VAL_OFFSET &&
	       (row->cfa.reg == machine->frame || row->cfa.n > machine->word);
}

/* Returns true if the frame pointer points to the saved frame pointer of the caller here. On arm64,
 * the CFA can be relative to the stack pointer even then. So the check uses the places of the two
 * saved registers, which are next to each other. */
static bool has_record(const struct pk_cfi_machine *machine, const struct pk_cfi_row *row)
{
	const struct pk_cfi_rule *address = rule_of(row, row->ra),
				 *frame = rule_of(row, machine->frame);

	if (machine->elf_machine != EM_AARCH64)
		return row->cfa.reg == machine->frame;
	return frame && frame->kind == PK_CFI_OFFSET && address->n - frame->n == machine->word;
}

/* Checks three places of a function, because a function can return before it has a frame. */
static enum pk_frame_pointers function_keeps(const struct pk_cfi *cfi, uint64_t start, uint64_t end)
{
	const uint64_t size = end - start;
	enum pk_frame_pointers result = PK_FRAME_POINTERS_UNKNOWN;
	struct pk_cfi_row row;

	for (unsigned int quarter = 1; size >= SIZE_MIN && quarter <= 3; quarter++) {
		if (pk_cfi_find(cfi, start + size / 4 * quarter, &row) ||
		    !has_frame(cfi->machine, &row))
			continue;
		if (has_record(cfi->machine, &row))
			return PK_FRAME_POINTERS_KEPT;
		result = PK_FRAME_POINTERS_OMITTED;
	}
	return result;
}

enum pk_frame_pointers pk_cfi_frame_pointers(const struct pk_cfi *cfi)
{
	const size_t count = pk_cfi_count(cfi), step = count / SAMPLES + 1;
	size_t functions[PK_FRAME_POINTERS_OMITTED + 1] = {0};
	const size_t *kept = &functions[PK_FRAME_POINTERS_KEPT],
		     *omitted = &functions[PK_FRAME_POINTERS_OMITTED];
	uint64_t start, end;

	/* The loop stops when so many functions have omitted the frame pointer that the other
	 * functions cannot change the result. */
	for (size_t n = 0; n < count && *kept + (count - n - 1) / step + 1 >= MOST * *omitted;
	     n += step)
		if (pk_cfi_range(cfi, n, &start, &end))
			functions[function_keeps(cfi, start, end)]++;
	if (!*kept && !*omitted)
		return PK_FRAME_POINTERS_UNKNOWN;
	return *kept >= MOST * *omitted ? PK_FRAME_POINTERS_KEPT : PK_FRAME_POINTERS_OMITTED;
}

/* ---- Objects ---- */

/* A section .eh_frame of which some pieces are in memory. Only some functions are looked at, and
 * the section of a large program has megabytes. */
struct pieces {
	const struct pk_elf *elf;
	uint64_t at, size; /* offset and size of the section in the file, in bytes */
	uint8_t *data;
	uint8_t *loaded; /* for each piece, whether it was read */
};

enum { PIECE = 4096 };

/* Reads the pieces that contain these bytes. */
static void load(void *arg, uint64_t offset, uint64_t size)
{
	struct pieces *p = arg;
	uint64_t end;

	if (offset >= p->size)
		return;
	end = size < p->size - offset ? offset + size : p->size;
	for (uint64_t n = offset / PIECE; n * PIECE < end; n++) {
		const uint64_t start = n * PIECE;

		if (!p->loaded[n])
			pk_elf_read(p->elf, p->at + start, p->data + start,
				    p->size - start < PIECE ? p->size - start : PIECE);
		p->loaded[n] = true;
	}
}

/* Returns .eh_frame if the object has no other call frame information. */
static const struct pk_elf_section *only_eh_frame(const struct pk_found *found)
{
	const struct pk_elf *const files[] = {found->runtime, found->symbols};
	const struct pk_elf_section *s = pk_elf_section(found->runtime, ".eh_frame");

	for (size_t i = 0; i < 2; i++)
		if (pk_elf_section(files[i], ".debug_frame") ||
		    pk_elf_section(files[i], ".zdebug_frame") ||
		    pk_elf_section(files[i], ".sframe"))
			return NULL;
	return s && s->type != SHT_NOBITS && !(s->flags & SHF_COMPRESSED) && s->size <= INT32_MAX &&
			       s->offset <= pk_elf_size(found->runtime) &&
			       s->size <= pk_elf_size(found->runtime) - s->offset
		       ? s
		       : NULL;
}

/* Judges an object by pieces of its .eh_frame, which the table of .eh_frame_hdr finds. Returns
 * false if there is no such table. */
static bool judge_pieces(struct pieces *p, const struct pk_cfi_machine *machine,
			 const struct pk_elf_section *s, enum pk_frame_pointers *result)
{
	struct pk_cfi_sections sections = {.eh_frame = {p->data, p->size, s->addr}};
	struct pk_elf_segment header;
	uint8_t *table = NULL;
	struct pk_cfi *cfi;
	size_t next = 0;
	bool ok;

	if (pk_elf_segment(p->elf, PT_GNU_EH_FRAME, &next, &header))
		table = pk_elf_bytes(p->elf, header.offset, header.filesz);
	if (!table)
		return false;
	sections.header = (struct pk_cfi_section){table, header.filesz, header.vaddr};
	cfi = pk_need(pk_elf_failures(p->elf), pk_cfi_new(machine, &sections));
	ok = cfi && cfi->header.count;
	if (ok) {
		cfi->tables[0].frame.load = load;
		cfi->tables[0].frame.arg = p;
		*result = pk_cfi_frame_pointers(cfi);
	}
	pk_cfi_free(cfi);
	free(table);
	return ok;
}

static bool judge_file(const struct pk_found *found, enum pk_frame_pointers *result)
{
	const struct pk_elf *const elf = found->runtime;
	const struct pk_cfi_machine *machine =
		elf ? pk_cfi_machine_by_elf((uint16_t)pk_elf_machine(elf)) : NULL;
	const struct pk_elf_section *s;
	struct pieces p = {.elf = elf};
	bool ok = false;

	if (!machine || machine->elf_machine == EM_ARM || pk_elf_swapped(elf) != machine->swapped ||
	    !found->symbols)
		return false;
	s = only_eh_frame(found);
	if (!s || !s->size)
		return false;
	p.at = s->offset;
	p.size = s->size;
	p.loaded = pk_need(pk_elf_failures(elf), calloc(s->size / PIECE + 1, 1));
	p.data = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p.loaded && p.data != MAP_FAILED)
		ok = judge_pieces(&p, machine, s, result);
	if (p.data != MAP_FAILED)
		munmap(p.data, s->size);
	free(p.loaded);
	return ok;
}

/* Returns false if the object must be judged by all of its call frame information. */
static bool judge_by_pieces(const struct pk_object *o, enum pk_frame_pointers *result)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_found found;
	bool ok;

	if (o->kind != PK_KIND_FILE)
		return false;
	if (pk_is_vdso(o->path))
		pk_search_vdso(&search, &found);
	else
		pk_search_file(&search, &found);
	ok = judge_file(&found, result);
	pk_found_release(&found);
	return ok;
}

enum pk_frame_pointers pk_object_frame_pointers(struct pk_object *o)
{
	enum pk_frame_pointers result = PK_FRAME_POINTERS_UNKNOWN;
	const struct pk_cfi_machine *machine;
	const struct pk_unwind_info *info;
	enum pk_object_state state;
	struct pk_cfi *cfi = NULL;

	if (judge_by_pieces(o, &result))
		return result;
	info = pk_object_unwind_info(o, &state);
	machine = info ? pk_cfi_machine_by_elf(info->machine) : NULL;
	if (machine && info->swapped == machine->swapped)
		cfi = pk_need(&o->store->failures, pk_unwind_cfi(info, machine));
	if (cfi)
		result = pk_cfi_frame_pointers(cfi);
	pk_cfi_free(cfi);
	return result;
}
