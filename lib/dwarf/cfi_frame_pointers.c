// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

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

enum pk_frame_pointers pk_object_frame_pointers(struct pk_object *o)
{
	enum pk_object_state state;
	const struct pk_unwind_info *info = pk_object_unwind_info(o, &state);
	const struct pk_cfi_machine *machine = info ? pk_cfi_machine_by_elf(info->machine) : NULL;
	enum pk_frame_pointers result = PK_FRAME_POINTERS_UNKNOWN;
	struct pk_cfi *cfi = NULL;

	if (machine && info->swapped == machine->swapped)
		cfi = pk_need(&o->store->failures, pk_unwind_cfi(info, machine));
	if (cfi)
		result = pk_cfi_frame_pointers(cfi);
	pk_cfi_free(cfi);
	return result;
}
