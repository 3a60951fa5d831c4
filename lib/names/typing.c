// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "flow_object.h"
#include "typing.h"

void pk_typing_free(struct pk_typing *typing)
{
	struct flow_object *object;
	size_t cursor = 0;

	while ((object = pk_table_next_value(&typing->objects, &cursor)))
		pk_flow_object_free(object);
	pk_table_free(&typing->objects);
}

/* NULL: out of memory. */
static struct flow_object *object_of(struct pk_typing *typing, struct pk_object *symbols)
{
	struct flow_object *object = pk_table_get(&typing->objects, (uintptr_t)symbols);

	if (object)
		return object;
	object = pk_flow_object_new(symbols);
	if (object && pk_table_set(&typing->objects, (uintptr_t)symbols, object))
		return object;
	pk_flow_object_free(object);
	return NULL;
}

/* ---- A function ---- */

bool pk_function_types_read(struct pk_function_types *f, struct pk_typing *typing,
			    const struct pk_function_code *code)
{
	struct flow_piece piece = {.bytes = code->bytes, .size = code->size};
	struct pk_object *symbols = code->object->symbols;
	struct flow_object *object = symbols ? object_of(typing, symbols) : NULL;
	struct flow_options options = {0};

	*f = (struct pk_function_types){.code = code};
	if (symbols && !object)
		return false;
	/* BPF programs have no symbols, and so no types */
	if (object)
		pk_flow_object_options(object, &options);
	options.disasm = code->object->disasm;
	f->types = options.types;
	if (!f->types || !pk_types_address(f->types, code->address, &f->address))
		f->address = code->shown;
	piece.address = f->address;
	pk_disasm_mode(options.disasm, code->rows_count ? code->rows[0].mode : DISASM_CODE);
	f->flow = pk_flow_new(&options, &piece, 1);
	return f->flow;
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

/* For a typedef of a struct or union with a name: the struct or union itself. So all accesses to it
 * have the same type. */
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
