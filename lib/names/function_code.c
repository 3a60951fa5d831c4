// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "function_code.h"
#include "vector.h"

enum {
	SIZE_MAX_READ = 4 << 20,
	SIZE_GUESSED = 64, /* bytes read after the last known address, if the end of a function is
			    * unknown */
};

/* ---- Bytes ---- */

/* The function's size: from its symbol or, without one, up to SIZE_GUESSED bytes after the last
 * known address. */
static uint64_t size_of(const struct pk_function_code *f, uint64_t last)
{
	struct pk_symbol symbol;

	if (pk_object_lookup(f->object->symbols, f->address, &symbol) && symbol.start == f->address)
		return symbol.end - symbol.start;
	return (last > f->address ? last : f->address) - f->address + SIZE_GUESSED;
}

static bool read_bytes(struct pk_function_code *f, uint64_t last)
{
	uint64_t size = f->object->symbols ? size_of(f, last) : SIZE_MAX_READ;

	if (size > SIZE_MAX_READ) {
		size = SIZE_MAX_READ;
		f->cut = true;
	}
	f->bytes = malloc(size + 1);
	if (!f->bytes)
		return false;
	f->size = pk_machine_code_read(f->object->code, f->address, f->bytes, size);
	if (!f->size || !pk_machine_code_shown(f->object->code, f->address, &f->shown))
		f->reason = "is outside of its object";
	return true;
}

/* ---- Rows ---- */

static bool add_row(struct pk_function_code *f, size_t *capacity, const struct pk_row *row)
{
	if (!pk_reserve(&f->rows, capacity, f->rows_count, 1, sizeof(*row)))
		return false;
	f->rows[f->rows_count++] = *row;
	return true;
}

static enum disasm_mode mode_at(const struct pk_function_code *f, uint64_t shown, uint64_t *end)
{
	switch (pk_machine_code_mapping(f->object->code, shown, end)) {
	case 't': return DISASM_THUMB;
	case 'd': return DISASM_DATA;
	default: return DISASM_CODE;
	}
}

/* Decodes the rows from `at` to `end`, which have one mode. */
static bool decode_run(struct pk_function_code *f, size_t *capacity, size_t at, size_t end,
		       enum disasm_mode mode)
{
	struct insn insn;

	pk_disasm_mode(f->object->disasm, mode);
	while (at < end) {
		struct pk_row row = {.shown = f->shown + at, .at = (uint32_t)at, .mode = mode};

		if (!pk_disasm_next(f->object->disasm, 0, f->bytes + at, end - at, row.shown,
				    &insn))
			break;
		row.size = insn.size;
		row.kind = insn.kind;
		/* Until all rows are known, jump is the offset of the target. */
		row.jump = PK_NO_ROW;
		if (insn.has_target && insn.target - f->shown < f->size)
			row.jump = (uint32_t)(insn.target - f->shown);
		if (!add_row(f, capacity, &row))
			return false;
		at += insn.size;
	}
	return true;
}

uint32_t pk_function_code_row(const struct pk_function_code *f, uint64_t at)
{
	uint32_t low = 0, high = f->rows_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (f->rows[middle].at + (uint64_t)f->rows[middle].size <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->rows_count && f->rows[low].at <= at ? low : PK_NO_ROW;
}

static uint32_t row_that_starts(const struct pk_function_code *f, uint32_t at)
{
	const uint32_t row = pk_function_code_row(f, at);

	return row != PK_NO_ROW && f->rows[row].at == at ? row : PK_NO_ROW;
}

static bool decode(struct pk_function_code *f)
{
	size_t capacity = 0;

	for (size_t at = 0, end; at < f->size; at = end) {
		uint64_t run_end;
		const enum disasm_mode mode = mode_at(f, f->shown + at, &run_end);

		/* run_end is UINT64_MAX if the mode does not change any more. */
		end = run_end != UINT64_MAX && run_end - f->shown < f->size
			      ? (size_t)(run_end - f->shown)
			      : f->size;
		if (!decode_run(f, &capacity, at, end, mode))
			return false;
	}
	for (uint32_t i = 0; i < f->rows_count; i++) {
		struct pk_row *row = &f->rows[i];

		if (row->jump != PK_NO_ROW)
			row->jump =
				row->kind == INSN_CALL ? PK_NO_ROW : row_that_starts(f, row->jump);
	}
	return true;
}

bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn)
{
	pk_disasm_mode(f->object->disasm, (enum disasm_mode)row->mode);
	return pk_disasm_next(f->object->disasm, DISASM_TEXT, f->bytes + row->at, row->size,
			      row->shown, insn);
}

/* ---- All ---- */

bool pk_function_code_load(struct pk_function_code *f, const struct pk_code_object *object,
			   uint64_t address, uint64_t last)
{
	*f = (struct pk_function_code){
		.object = object, .reason = object->reason, .address = address};
	if (!f->reason && !read_bytes(f, last))
		return false;
	return f->reason || decode(f);
}

void pk_function_code_release(struct pk_function_code *f)
{
	free(f->bytes);
	free(f->rows);
	*f = (struct pk_function_code){0};
}
