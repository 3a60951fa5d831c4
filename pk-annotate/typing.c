// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "flow_object.h"
#include "typing.h"
#include "vector.h"

/* What is known of an object, kept for its other functions. */
struct kept {
	struct pk_object *object;
	struct flow_object *is;
};

struct typing {
	struct kept *kept;
	size_t kept_count, kept_room;
	/* The function's: */
	const struct function *f;
	struct pk_types *types; /* NULL: there are none */
	struct flow *flow;
	uint64_t address; /* of its first byte, for the types */
};

struct typing *typing_new(void)
{
	return calloc(1, sizeof(struct typing));
}

void typing_free(struct typing *t)
{
	if (!t)
		return;
	flow_free(t->flow);
	for (size_t i = 0; i < t->kept_count; i++)
		flow_object_free(t->kept[i].is);
	free(t->kept);
	free(t);
}

/* Functions come by object, or the hottest first: mostly of few objects. NULL: out of memory. */
static struct flow_object *object_of(struct typing *t, struct pk_object *object)
{
	struct kept *kept;

	for (size_t i = t->kept_count; i--;)
		if (t->kept[i].object == object)
			return t->kept[i].is;
	if (!pk_reserve(&t->kept, &t->kept_room, t->kept_count, 1, sizeof(*t->kept)))
		return NULL;
	kept = &t->kept[t->kept_count];
	*kept = (struct kept){object, flow_object_new(object)};
	t->kept_count += kept->is != NULL;
	return kept->is;
}

/* ---- A function ---- */

bool typing_begin(struct typing *t, const struct function *f)
{
	struct flow_piece piece = {.bytes = f->bytes, .size = f->size};
	struct pk_object *symbols = f->code->symbols;
	struct flow_object *object = symbols ? object_of(t, symbols) : NULL;
	struct flow_options options = {0};

	flow_free(t->flow);
	t->flow = NULL;
	t->f = f;
	if (symbols && !object)
		return false;
	/* BPF programs have none. */
	if (object)
		flow_object_options(object, &options);
	options.disasm = f->code->disasm;
	t->types = options.types;
	if (!t->types || !pk_types_address(t->types, f->address, &t->address))
		t->address = f->shown;
	piece.address = t->address;
	disasm_mode(f->code->disasm, f->rows_count ? f->rows[0].mode : DISASM_CODE);
	t->flow = flow_new(&options, &piece, 1);
	return t->flow;
}

const struct flow_access *typing_access(const struct typing *t, uint32_t row)
{
	const struct flow_access *list;
	const size_t count = flow_accesses(t->flow, t->address + t->f->rows[row].at, &list);

	for (size_t i = 0; i < count; i++)
		if (list[i].type)
			return &list[i];
	return count ? list : NULL;
}

static bool is_x86(const struct function *f)
{
	const unsigned int machine = pk_machine_code_machine(f->code->code).number;

	return machine == EM_X86_64 || machine == EM_386;
}

static bool is_fused(const struct function *f, uint32_t row)
{
	static const char *const names[] = {"cmp", "test", "add", "sub", "and", "inc", "dec"};
	struct insn insn;

	if (!row || f->rows[row].kind != INSN_BRANCH || !is_x86(f) ||
	    !function_text(f, &f->rows[row - 1], &insn))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(insn.mnemonic, names[i], strlen(names[i])))
			return true;
	return false;
}

const struct flow_access *typing_sampled(const struct typing *t, uint32_t row)
{
	const struct flow_access *a = typing_access(t, row);

	return a || !is_fused(t->f, row) ? a : typing_access(t, row - 1);
}

/* ---- In words ---- */

static const char *reason_of(const struct flow_access *a)
{
	switch (a->found) {
	case FLOW_NOT: return flow_reason_text(a->reason);
	case FLOW_ADDRESS: return "no variable at its address";
	case FLOW_PER_CPU: return "no per-CPU variable there";
	default: return "not in the type";
	}
}

/* "struct foo" for what a typedef calls foo_t: the same, whoever accesses it. */
static pk_type_id merged(struct pk_types *types, pk_type_id id)
{
	const pk_type_id real = pk_type_strip(types, id);
	const char *name = pk_type_name(types, real);
	struct pk_type type;

	if (!pk_type_info(types, real, &type) || strstr(name, "(anonymous)"))
		return id;
	return type.kind == PK_KIND_OF_STRUCT || type.kind == PK_KIND_OF_UNION ? real : id;
}

void typing_describe(struct typing *t, const struct flow_access *a, bool merge, struct typed *typed)
{
	struct pk_type type;

	*typed = (struct typed){.type = "", .reason = reason_of(a)};
	if (a->found == FLOW_CANARY)
		typed->type = "(stack canary)";
	else if (a->found == FLOW_STACK || a->found == FLOW_CALLS)
		typed->type = "(stack operation)";
	if (!a->type || !t->types || (a->found != FLOW_TYPE && a->found != FLOW_PER_CPU))
		return;
	if (!pk_type_member_name(t->types, a->type, a->offset, a->size, typed->member,
				 sizeof(typed->member), &typed->start, &typed->size) ||
	    !pk_type_info(t->types, pk_type_strip(t->types, a->type), &type))
		return;
	typed->type = pk_type_name(t->types, merge ? merged(t->types, a->type) : a->type);
	typed->type_size = type.size;
}
