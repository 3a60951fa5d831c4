// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow_object.h"
#include "typing.h"
#include "vector.h"

enum {
	SIZE_MAX_READ = 4 << 20,
	SIZE_GUESSED = 64, /* The number of bytes that are read after the last known address, if the
			    * end of a function is unknown. */
};

/* ---- Bytes ---- */

/* Returns the size of the function in bytes. It is the size of its symbol. Without a symbol, the
 * function ends SIZE_GUESSED bytes after the last known address. */
static uint64_t size_of(const struct pk_function_code *f, uint64_t last)
{
	struct pk_symbol symbol;

	if (pk_object_lookup(f->object->symbols, f->address, &symbol) && symbol.start == f->address)
		return symbol.end - symbol.start;
	return (last > f->address ? last : f->address) - f->address + SIZE_GUESSED;
}

static enum pk_status read_bytes(struct pk_function_code *f, uint64_t last)
{
	uint64_t size = f->object->symbols ? size_of(f, last) : SIZE_MAX_READ;

	if (size > SIZE_MAX_READ) {
		size = SIZE_MAX_READ;
		f->cut = true;
	}
	f->bytes = malloc(size + 1);
	if (!f->bytes)
		return PK_NOMEM;
	f->size = pk_machine_code_read(f->object->code, f->address, f->bytes, size);
	if (!f->size || !pk_machine_code_shown(f->object->code, f->address, &f->shown))
		f->reason = "is outside of its object";
	return PK_OK;
}

/* ---- Rows ---- */

static enum pk_status add_row(struct pk_function_code *f, size_t *capacity,
			      const struct pk_row *row)
{
	PK_TRY(pk_reserve(&f->rows, capacity, f->rows_count, 1, sizeof(*row)));
	f->rows[f->rows_count++] = *row;
	return PK_OK;
}

static enum disasm_mode mode_at(const struct pk_function_code *f, uint64_t shown, uint64_t *end)
{
	switch (pk_machine_code_mapping(f->object->code, shown, end)) {
	case 't': return DISASM_THUMB;
	case 'd': return DISASM_DATA;
	default: return DISASM_CODE;
	}
}

/* Decodes the instructions from `at` to `end`, which have the same mode. */
static enum pk_status decode_run(struct pk_function_code *f, size_t *capacity, size_t at,
				 size_t end, enum disasm_mode mode)
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
		/* At first, row.jump is the offset of the target. It becomes the number of a row
		 * when all rows are known. */
		row.jump = PK_NO_ROW;
		if (insn.has_target && insn.target - f->shown < f->size)
			row.jump = (uint32_t)(insn.target - f->shown);
		PK_TRY(add_row(f, capacity, &row));
		at += insn.size;
	}
	return PK_OK;
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

static enum pk_status decode(struct pk_function_code *f)
{
	size_t capacity = 0;

	for (size_t at = 0, end; at < f->size; at = end) {
		uint64_t run_end;
		const enum disasm_mode mode = mode_at(f, f->shown + at, &run_end);

		/* If the mode does not change any more, run_end is UINT64_MAX. */
		end = run_end != UINT64_MAX && run_end - f->shown < f->size
			      ? (size_t)(run_end - f->shown)
			      : f->size;
		PK_TRY(decode_run(f, &capacity, at, end, mode));
	}
	for (uint32_t i = 0; i < f->rows_count; i++) {
		struct pk_row *row = &f->rows[i];

		if (row->jump != PK_NO_ROW)
			row->jump =
				row->kind == INSN_CALL ? PK_NO_ROW : row_that_starts(f, row->jump);
	}
	return PK_OK;
}

bool pk_function_code_text(const struct pk_function_code *f, const struct pk_row *row,
			   struct insn *insn)
{
	pk_disasm_mode(f->object->disasm, (enum disasm_mode)row->mode);
	return pk_disasm_next(f->object->disasm, DISASM_TEXT, f->bytes + row->at, row->size,
			      row->shown, insn);
}

/* ---- Texts of instructions ---- */

static void put_target(const struct pk_function_code *f, uint64_t shown, struct buffer *out)
{
	const struct pk_code_object *code = f->object;
	struct pk_symbol symbol;
	uint64_t address;

	if (!code->symbols || !pk_machine_code_address(code->code, shown, &address) ||
	    !pk_object_lookup(code->symbols, address, &symbol))
		return;
	buffer_text(out, " <");
	buffer_harmless(out, symbol.name, strlen(symbol.name));
	if (address != symbol.start)
		buffer_format(out, "+0x%" PRIx64, address - symbol.start);
	buffer_char(out, '>');
}

static void put_bytes(const struct pk_function_code *f, const struct pk_row *row,
		      struct buffer *out)
{
	buffer_text(out, ".byte ");
	for (unsigned int i = 0; i < row->size; i++)
		buffer_format(out, "%s0x%02x", i ? "," : "", f->bytes[row->at + i]);
}

/* Returns the operands of the instruction. If they are only the target of a jump, the result has no
 * 0x, as in the output of objdump. */
static const char *operands_of(const struct insn *insn)
{
	char target[24];

	snprintf(target, sizeof(target), "0x%" PRIx64, insn->target);
	return insn->operands + (insn->has_target && !strcmp(insn->operands, target) ? 2 : 0);
}

void pk_function_code_line(const struct pk_function_code *f, uint32_t r, struct buffer *out)
{
	const struct pk_row *row = &f->rows[r];
	struct insn insn;

	if (row->kind == INSN_UNDECODED || !pk_function_code_text(f, row, &insn)) {
		put_bytes(f, row, out);
		return;
	}
	if (*insn.operands)
		buffer_format(out, "%-6s %s", insn.mnemonic, operands_of(&insn));
	else
		buffer_text(out, insn.mnemonic);
	if (insn.has_target)
		put_target(f, insn.target, out);
	if (insn.has_reference) {
		buffer_format(out, "        # %" PRIx64, insn.reference);
		put_target(f, insn.reference, out);
	}
}

/* ---- Functions and objects ---- */

enum pk_status pk_function_code_load(struct pk_function_code *f,
				     const struct pk_code_object *object, uint64_t address,
				     uint64_t last)
{
	*f = (struct pk_function_code){
		.object = object, .reason = object->reason, .address = address};
	if (!f->reason)
		PK_TRY(read_bytes(f, last));
	return f->reason ? PK_OK : decode(f);
}

void pk_function_code_release(struct pk_function_code *f)
{
	free(f->bytes);
	free(f->rows);
	*f = (struct pk_function_code){0};
}

void pk_typing_free(struct pk_typing *typing)
{
	struct flow_object *object;
	size_t cursor = 0;

	while ((object = pk_table_next_value(&typing->objects, &cursor)))
		pk_flow_object_free(object);
	pk_table_free(&typing->objects);
}

/* Returns the flow_object of an object, or NULL if memory is exhausted. */
static struct flow_object *object_of(struct pk_typing *typing, struct pk_object *symbols)
{
	struct flow_object *object = pk_table_get(&typing->objects, (uintptr_t)symbols);

	if (object)
		return object;
	object = pk_flow_object_new(symbols);
	if (object && pk_table_set(&typing->objects, (uintptr_t)symbols, object) == PK_OK)
		return object;
	pk_flow_object_free(object);
	return NULL;
}

/* ---- The types of a function ---- */

enum pk_status pk_function_types_read(struct pk_function_types *f, struct pk_typing *typing,
				      const struct pk_function_code *code)
{
	struct flow_piece piece = {.bytes = code->bytes, .size = code->size};
	struct pk_object *symbols = code->object->symbols;
	struct flow_object *object = symbols ? object_of(typing, symbols) : NULL;
	struct flow_options options = {0};

	*f = (struct pk_function_types){.code = code};
	if (symbols && !object)
		return PK_NOMEM;
	/* BPF programs have no symbols. So they have no types. */
	if (object)
		pk_flow_object_options(object, &options);
	options.disasm = code->object->disasm;
	f->types = options.types;
	if (!f->types || !pk_types_address(f->types, code->address, &f->address))
		f->address = code->shown;
	piece.address = f->address;
	pk_disasm_mode(options.disasm, code->rows_count ? code->rows[0].mode : DISASM_CODE);
	f->flow = pk_flow_new(&options, &piece, 1);
	return f->flow ? PK_OK : PK_NOMEM;
}

void pk_function_types_free(struct pk_function_types *f)
{
	pk_flow_free(f->flow);
	*f = (struct pk_function_types){0};
}

const struct flow_access *pk_access_of(const struct pk_function_types *f, uint32_t row)
{
	const struct flow_access *list;
	const size_t count = pk_flow_accesses(f->flow, f->address + f->code->rows[row].at, &list);

	for (size_t i = 0; i < count; i++)
		if (list[i].type)
			return &list[i];
	return count ? list : NULL;
}

static bool is_x86(const struct pk_function_code *code)
{
	const unsigned int machine = pk_machine_code_machine(code->object->code).number;

	return machine == EM_X86_64 || machine == EM_386;
}

static bool is_fused(const struct pk_function_code *code, uint32_t row)
{
	static const char *const names[] = {"cmp", "test", "add", "sub", "and", "inc", "dec"};
	struct insn insn;

	if (!row || code->rows[row].kind != INSN_BRANCH || !is_x86(code) ||
	    !pk_function_code_text(code, &code->rows[row - 1], &insn))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(insn.mnemonic, names[i], strlen(names[i])))
			return true;
	return false;
}

const struct flow_access *pk_access_of_sample(const struct pk_function_types *f, uint32_t row)
{
	const struct flow_access *a = pk_access_of(f, row);

	return a || !is_fused(f->code, row) ? a : pk_access_of(f, row - 1);
}

/* ---- Texts ---- */

static const char *reason_of(const struct flow_access *a)
{
	switch (a->found) {
	case FLOW_NOT: return pk_flow_reason_text(a->reason);
	case FLOW_ADDRESS: return "no variable at its address";
	case FLOW_PER_CPU: return "no per-CPU variable there";
	default: return "not in the type";
	}
}

/* If id is a typedef of a struct or union that has a name, returns the struct or union. So all
 * accesses to it have the same type. */
static pk_type_id merged(struct pk_types *types, pk_type_id id)
{
	const pk_type_id real = pk_type_strip(types, id);
	const char *name = pk_type_name(types, real);
	struct pk_type type;

	if (!pk_type_info(types, real, &type) || strstr(name, "(anonymous)"))
		return id;
	return type.kind == PK_KIND_OF_STRUCT || type.kind == PK_KIND_OF_UNION ? real : id;
}

void pk_access_describe(const struct pk_function_types *f, const struct flow_access *a, bool merge,
			struct pk_access_type *typed)
{
	struct pk_types *types = f->types;
	struct pk_type type;

	*typed = (struct pk_access_type){.type = "", .reason = reason_of(a)};
	if (a->found == FLOW_CANARY)
		typed->type = "(stack canary)";
	else if (a->found == FLOW_STACK || a->found == FLOW_CALLS)
		typed->type = "(stack operation)";
	if (!a->type || !types || (a->found != FLOW_TYPE && a->found != FLOW_PER_CPU))
		return;
	if (!pk_type_member_name(types, a->type, a->offset, a->size, typed->member,
				 sizeof(typed->member), &typed->start, &typed->size) ||
	    !pk_type_info(types, pk_type_strip(types, a->type), &type))
		return;
	typed->type = pk_type_name(types, merge ? merged(types, a->type) : a->type);
	typed->type_size = type.size;
}
