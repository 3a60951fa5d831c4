// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "vector.h"

enum {
	SIZE_MAX_LOOKED_AT = 4 << 20,
	SIZE_GUESSED = 64, /* behind the last sample, where nobody knows where a function ends */
};

/* ---- Bytes ---- */

/* How long the function is: as its symbol says; or, of code that has symbols, up to a bit behind
 * the last sample. */
static uint64_t size_of(const struct function *f, const struct heat *heat)
{
	uint64_t end = f->is.start;
	struct pk_symbol symbol;

	if (pk_object_lookup(f->code->symbols, f->address, &symbol) && symbol.start == f->address)
		return symbol.end - symbol.start;
	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct heat_cell *cells =
			heat_cells_of(heat, f->events[c], f->is.number, &count);

		if (count && cells[count - 1].address >= end)
			end = cells[count - 1].address;
	}
	return end - f->is.start + SIZE_GUESSED;
}

static bool read_bytes(struct function *f, const struct heat *heat)
{
	uint64_t size = f->code->symbols ? size_of(f, heat) : SIZE_MAX_LOOKED_AT;

	if (size > SIZE_MAX_LOOKED_AT) {
		size = SIZE_MAX_LOOKED_AT;
		f->cut = true;
	}
	f->bytes = malloc(size + 1);
	if (!f->bytes)
		return false;
	f->size = pk_machine_code_read(f->code->code, f->address, f->bytes, size);
	if (!f->size || !pk_machine_code_shown(f->code->code, f->address, &f->shown))
		f->reason = "lies outside of its object";
	return true;
}

/* ---- Rows ---- */

static bool add_row(struct function *f, size_t *capacity, const struct row *row)
{
	if (!pk_reserve(&f->rows, capacity, f->rows_count, 1, sizeof(*row)))
		return false;
	f->rows[f->rows_count++] = *row;
	return true;
}

static enum disasm_mode mode_at(const struct function *f, uint64_t shown, uint64_t *end)
{
	switch (pk_machine_code_mapping(f->code->code, shown, end)) {
	case 't': return DISASM_THUMB;
	case 'd': return DISASM_DATA;
	default: return DISASM_CODE;
	}
}

/* The rows from at on that are of one mode; targets: by row, those of jumps. */
static bool decode_run(struct function *f, size_t *room, size_t at, size_t end,
		       enum disasm_mode mode)
{
	struct insn insn;

	disasm_mode(f->code->disasm, mode);
	while (at < end) {
		struct row row = {.shown = f->shown + at, .at = (uint32_t)at, .mode = mode};

		if (!disasm_next(f->code->disasm, 0, f->bytes + at, end - at, row.shown, &insn))
			break;
		row.size = insn.size;
		row.kind = insn.kind;
		/* For now, how far it is to the target. */
		row.jump = ROW_NONE;
		if (insn.has_target && insn.target - f->shown < f->size)
			row.jump = (uint32_t)(insn.target - f->shown);
		if (!add_row(f, room, &row))
			return false;
		at += insn.size;
	}
	return true;
}

/* The row that begins there. */
static uint32_t row_at(const struct function *f, uint32_t at)
{
	uint32_t low = 0, high = f->rows_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (f->rows[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->rows_count && f->rows[low].at == at ? low : ROW_NONE;
}

static bool decode(struct function *f)
{
	size_t room = 0;

	for (size_t at = 0, end; at < f->size; at = end) {
		uint64_t run_end;
		const enum disasm_mode mode = mode_at(f, f->shown + at, &run_end);

		/* UINT64_MAX is no end, not even of code that goes on there. */
		end = run_end != UINT64_MAX && run_end - f->shown < f->size
			      ? (size_t)(run_end - f->shown)
			      : f->size;
		if (!decode_run(f, &room, at, end, mode))
			return false;
	}
	for (uint32_t i = 0; i < f->rows_count; i++) {
		struct row *row = &f->rows[i];

		if (row->jump != ROW_NONE)
			row->jump = row->kind == INSN_CALL ? ROW_NONE : row_at(f, row->jump);
	}
	return true;
}

bool function_text(const struct function *f, const struct row *row, struct insn *insn)
{
	disasm_mode(f->code->disasm, (enum disasm_mode)row->mode);
	return disasm_next(f->code->disasm, DISASM_TEXT, f->bytes + row->at, row->size, row->shown,
			   insn);
}

/* ---- Heat ---- */

static void add_count(struct heat_count *to, const struct heat_count *count)
{
	to->samples += count->samples;
	to->weight += count->weight;
}

/* Both are in the order of their addresses. */
static void warm_column(struct function *f, unsigned int column, const struct heat_cell *cells,
			size_t count)
{
	uint32_t r = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t at = cells[i].address - f->is.start;
		const bool before = cells[i].address < f->is.start;

		add_count(&f->totals[column], &cells[i].count);
		while (!before && r < f->rows_count && f->rows[r].at + f->rows[r].size <= at)
			r++;
		if (before || r == f->rows_count || at < f->rows[r].at) {
			f->outside += cells[i].count.samples;
			continue;
		}
		f->within += at != f->rows[r].at ? cells[i].count.samples : 0;
		add_count(&f->counts[(size_t)r * f->columns + column], &cells[i].count);
	}
}

static bool warm(struct function *f, const struct heat *heat)
{
	f->totals = calloc(f->columns, sizeof(*f->totals));
	f->counts = calloc((size_t)f->rows_count * f->columns + 1, sizeof(*f->counts));
	if (!f->totals || !f->counts)
		return false;
	for (unsigned int c = 0; c < f->columns; c++) {
		size_t count;
		const struct heat_cell *cells =
			heat_cells_of(heat, f->events[c], f->is.number, &count);

		warm_column(f, c, cells, count);
	}
	return true;
}

/* ---- All ---- */

bool function_load(struct function *f, struct objects *objects, const struct heat *heat,
		   uint32_t number, const uint32_t *events, unsigned int columns)
{
	*f = (struct function){
		.is = heat_function_at(heat, number), .events = events, .columns = columns};
	f->object = heat_object_at(heat, f->is.object);
	f->code = objects_open(objects, heat, f->is.object);
	if (!f->code)
		return false;
	f->address = f->is.start + f->code->shift;
	f->reason = f->code->reason;
	if (!f->reason && !read_bytes(f, heat))
		return false;
	if (!f->reason && !decode(f))
		return false;
	return warm(f, heat);
}

void function_release(struct function *f)
{
	free(f->bytes);
	free(f->rows);
	free(f->counts);
	free(f->totals);
	*f = (struct function){0};
}
