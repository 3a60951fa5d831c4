// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfi.h"
#include "probe_value.h"
#include "usdt.h"
#include "vector.h"

void pk_probe_values_free(struct probe_values *values)
{
	for (size_t i = 0; i < values->count; i++)
		free(values->items[i].text);
	free(values->items);
	*values = (struct probe_values){0};
}

/* ---- Evaluation ---- */

/* The state of an expression while its steps are applied. */
struct evaluation {
	struct probe_object *object;
	const struct probe_text *text;
	const struct probe_place *place;
	const struct probe_expression *expression;
	struct pk_messages *messages;
	struct probe_value value;
	pk_type_id type; /* PK_TYPE_NONE if it is unknown */
	bool in_memory;	 /* True if the last read gives the value itself. If it is false, base +
			  * added is the value, or the address for the next read. */
	int64_t added;
	uint16_t bit_offset, bit_size; /* the bits of a bit field; bit_size is 0 for other values */
	uint64_t bit_bytes;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct evaluation *e, const char *format,
						       ...)
{
	char reason[512];
	va_list list;

	va_start(list, format);
	vsnprintf(reason, sizeof(reason), format, list);
	va_end(list);
	return pk_messages_error(
		       e->messages, "--probe: argument '%s' at %s: %s", e->expression->text,
		       e->place->function ? e->place->function : "the place", reason) == PK_OK;
}

static bool type_of(struct evaluation *e, struct pk_type *type)
{
	return e->object->types &&
	       pk_type_info(e->object->types, pk_type_strip(e->object->types, e->type), type);
}

/* Reads the memory at the address value + offset. */
static bool read_memory(struct evaluation *e, int64_t offset)
{
	struct probe_value *value = &e->value;

	if (e->bit_size)
		return fail(e, "a bit field is not a pointer");
	if (value->base == PROBE_CONSTANT && !value->reads)
		return fail(e, "it is not stored: the compiler knows its value");
	if (value->reads == sizeof(value->offsets) / sizeof(value->offsets[0]))
		return fail(e, "too many operators");
	value->offsets[value->reads++] = e->added + offset;
	e->added = 0;
	e->in_memory = true;
	return true;
}

/* Moves from a value in memory to a member or element of this value. */
static bool move(struct evaluation *e, uint64_t offset)
{
	if (!e->in_memory)
		return fail(e, "a part of a value in a register cannot be read");
	if (e->value.reads)
		e->value.offsets[e->value.reads - 1] += (int64_t)offset;
	else
		e->value.number += (int64_t)offset;
	return true;
}

static bool find_member(struct evaluation *e, pk_type_id type, const char *name, uint64_t *offset,
			struct pk_member *found, unsigned depth)
{
	const struct pk_member *list;
	const size_t count = pk_type_members(e->object->types, type, &list);

	for (size_t i = 0; i < count; i++) {
		*found = list[i];
		if (found->name && !found->base && !strcmp(found->name, name)) {
			*offset += found->offset;
			return true;
		}
	}
	/* Searches the members of anonymous structures and unions, and of base classes. */
	for (size_t i = 0; i < count && depth < 8; i++) {
		const struct pk_member part = list[i];

		if (part.name && !part.base)
			continue;
		if (find_member(e, part.type, name, offset, found, depth + 1)) {
			*offset += part.offset;
			return true;
		}
	}
	return false;
}

static bool step_member(struct evaluation *e, const char *name)
{
	struct pk_type type = {0};
	struct pk_member member;
	uint64_t offset = 0;

	if (!type_of(e, &type) || (type.kind != PK_KIND_OF_STRUCT && type.kind != PK_KIND_OF_UNION))
		return fail(e, "'%s' is not a member: the value before it is not a structure",
			    name);
	if (!find_member(e, pk_type_strip(e->object->types, e->type), name, &offset, &member, 0))
		return fail(e, "%s has no member '%s'", pk_type_name(e->object->types, e->type),
			    name);
	if (!move(e, offset))
		return false;
	e->type = member.type;
	e->bit_offset = member.bit_offset;
	e->bit_size = member.bit_size;
	e->bit_bytes = member.size;
	return true;
}

/* Follows a pointer, or moves to an element of an array. */
static bool step_index(struct evaluation *e, int64_t index)
{
	struct pk_type type = {0}, target = {0};
	const pk_type_id before = e->type;

	if (!type_of(e, &type))
		return fail(e, "its type is unknown: cast it, as in ((struct name *)ptr)->member");
	if (type.kind == PK_KIND_OF_ARRAY) {
		e->type = type.target;
		return move(e, (uint64_t)index * type.stride);
	}
	if (!pk_type_is_address(type.kind))
		return fail(e, "%s is not a pointer or an array",
			    pk_type_name(e->object->types, before));
	e->type = type.target;
	if (index && (!type_of(e, &target) || !target.size))
		return fail(e, "the size of its elements is unknown");
	return read_memory(e, index * (int64_t)target.size);
}

static bool step_address(struct evaluation *e)
{
	struct probe_value *value = &e->value;

	if (!e->in_memory || e->bit_size || !value->reads)
		return fail(e, "the address of this value is not known");
	e->added = value->offsets[--value->reads];
	e->in_memory = false;
	e->type = pk_type_pointer(e->object->types, e->type);
	return true;
}

static bool step_cast(struct evaluation *e, const struct probe_step *step)
{
	pk_type_id type = PK_TYPE_NONE;

	if (e->object->types)
		type = strcmp(step->name, "void") ? pk_type_named(e->object->types, step->name)
						  : PK_TYPE_VOID;
	if (!type && step->stars)
		return fail(e, "the debugging information has no type '%s'", step->name);
	if (!type)
		return fail(e, "no type '%s': for numbers, add :u8 to :u64 or :s8 to :s64",
			    step->name);
	for (unsigned i = 0; i < step->stars && i < PROBE_STEPS_MOST; i++)
		type = pk_type_pointer(e->object->types, type);
	e->type = type;
	return true;
}

static bool apply(struct evaluation *e, const struct probe_step *step)
{
	switch (step->kind) {
	case PROBE_ARROW: return step_index(e, 0) && step_member(e, step->name);
	case PROBE_MEMBER: {
		struct pk_type type = {0};

		/* In C++, members of a reference are accessed with '.', like those of a structure.
		 */
		if (type_of(e, &type) && type.kind == PK_KIND_OF_REFERENCE && !step_index(e, 0))
			return false;
		return step_member(e, step->name);
	}
	case PROBE_INDEX: return step_index(e, step->number);
	case PROBE_DEREF: return step_index(e, 0);
	case PROBE_ADDRESS: return step_address(e);
	case PROBE_CAST: return step_cast(e, step);
	case PROBE_AT_OFFSET: e->type = PK_TYPE_NONE; return read_memory(e, step->number);
	}
	return false;
}

/* ---- Variables ---- */

static bool set_register(struct evaluation *e, unsigned int dwarf)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(e->object->machine);

	for (uint8_t i = 0; machine && i < machine->perf_count; i++) {
		if (machine->perf[i] != dwarf || dwarf >= PK_CFI_REGISTERS)
			continue;
		e->value.base = PROBE_IN_REGISTER;
		e->value.reg.base = i;
		return true;
	}
	return fail(e, "it is in a register that cannot be read (DWARF's number %u)", dwarf);
}

/* Sets the base to the register of the canonical frame address (CFA). The CFA is the value of this
 * register + *offset. */
static bool set_frame(struct evaluation *e, int64_t *offset)
{
	const struct probe_place *place = e->place;
	struct pk_cfi_row row;

	if (e->object->cfi && pk_cfi_find(e->object->cfi, place->address, &row) == PK_CFI_OK &&
	    row.cfa.kind == PK_CFI_VAL_OFFSET) {
		*offset = row.cfa.n;
		return set_register(e, row.cfa.reg);
	}
	if (place->address == place->instance.container && e->object->machine == EM_X86_64) {
		*offset = 8;
		return set_register(e, 7);
	}
	return fail(e, "it is on the stack, and the object has no call frame information");
}

static bool set_location(struct evaluation *e, const struct pk_variable *v)
{
	int64_t frame = 0;

	e->type = v->type;
	if (v->piece_size)
		return fail(e, "it is spread over several registers");
	switch (v->where) {
	case PK_WHERE_REGISTER: return set_register(e, v->reg);
	case PK_WHERE_MEMORY: return set_register(e, v->reg) && read_memory(e, v->offset);
	case PK_WHERE_CFA: return set_frame(e, &frame) && read_memory(e, frame + v->offset);
	case PK_WHERE_ADDRESS:
		e->value.base = PROBE_STATIC;
		e->value.number = v->offset;
		e->in_memory = true;
		return true;
	case PK_WHERE_VALUE: e->added = v->offset; return set_register(e, v->reg);
	case PK_WHERE_CFA_VALUE:
		if (!set_frame(e, &frame))
			return false;
		e->added = frame + v->offset;
		return true;
	case PK_WHERE_CONSTANT:
		e->value.base = PROBE_CONSTANT;
		e->value.number = v->offset;
		return true;
	case PK_WHERE_ENTRY_VALUE:
		if (e->place->address == e->place->instance.container && !v->offset)
			return set_register(e, v->reg);
		return fail(e, "only its value at the function's entry is known");
	case PK_WHERE_TLS: return fail(e, "it is a variable of the thread");
	case PK_WHERE_POINTER:
	case PK_WHERE_OTHER: break;
	}
	return fail(e, "the compiler has made its location too complex");
}

/* Finds the variable with that name that is visible at the place. Starts with the innermost block
 * of the innermost inlined function. Returns NULL if no such variable has a location at the place.
 */
static const struct pk_variable *find_variable(const struct evaluation *e, const char *name)
{
	struct pk_instance instance = e->place->instance;
	const struct pk_variable *list;

	do {
		size_t n = pk_dwarf_places_variables(e->object->types, &instance, e->place->address,
						     &list);

		while (n--)
			if (!strcmp(list[n].name, name))
				return &list[n];
	} while (pk_dwarf_places_around(&instance, &instance));
	return NULL;
}

/* Returns true if the function has a variable with that name at any of its addresses. The caller
 * uses it if the variable has no location at the place. */
static bool has_variable(const struct evaluation *e, const char *name)
{
	const struct pk_variable *list;
	size_t n = pk_types_variables(e->object->types, e->place->instance.container, UINT64_MAX,
				      &list);

	while (n--)
		if (list[n].name && !strcmp(list[n].name, name))
			return true;
	return false;
}

static bool has_parameter(const struct evaluation *e, const char *name, unsigned *number,
			  pk_type_id *type)
{
	struct pk_function function;

	if (!pk_dwarf_places_signature(e->object->types, &e->place->instance, &function))
		return false;
	for (*number = 1; *number <= function.count; ++*number) {
		const struct pk_parameter *p = &function.parameters[*number - 1];

		*type = p->type;
		if (p->name && !strcmp(p->name, name))
			return true;
	}
	return false;
}

static bool set_global(struct evaluation *e, const char *name)
{
	struct pk_global global;

	if (!pk_types_global_named(e->object->types, name, &global) || !global.address)
		return false;
	e->value.base = PROBE_STATIC;
	e->value.number = (int64_t)global.address;
	e->type = global.type;
	e->in_memory = true;
	return true;
}

/* Sets a parameter at the return of a function. The registers of the parameters have other values
 * there. But the kernel stores the parameters of its own functions at their entry. */
static bool set_at_return(struct evaluation *e, const char *name)
{
	unsigned number;
	pk_type_id type;

	if (!has_parameter(e, name, &number, &type))
		return set_global(e, name) ||
		       fail(e, "no parameter and no global variable has this name");
	if (!e->object->in_kernel)
		return fail(e,
			    "parameters of programs cannot be read at the return: probe the "
			    "entry, too, and let pk-span join both: --carry %s",
			    name);
	e->value.base = PROBE_PASSED;
	e->value.number = number;
	e->type = type;
	return true;
}

static bool set_variable(struct evaluation *e)
{
	const char *name = e->expression->variable;
	const struct pk_variable *v;
	pk_type_id type;
	unsigned number;

	if (!e->object->types)
		return fail(e, "no debugging information: read registers, as in %%di or $arg1");
	if (e->expression->root == PROBE_GLOBAL || !e->place->described)
		return set_global(e, name) || fail(e, "no global variable has this name");
	if (e->text->is_return)
		return set_at_return(e, name);
	v = find_variable(e, name);
	if (v)
		return set_location(e, v);
	if (set_global(e, name))
		return true;
	if (has_variable(e, name) || has_parameter(e, name, &number, &type))
		return fail(e, "it has no location here (optimized out, or not yet set): "
			       "--list-vars shows the variables of a line");
	return fail(e, "no variable has this name: --list-vars shows those that there are");
}

static bool set_root(struct evaluation *e)
{
	const struct probe_expression *x = e->expression;
	const unsigned machine = e->object->machine;
	struct pk_function function;

	switch (x->root) {
	case PROBE_VARIABLE:
	case PROBE_GLOBAL: return set_variable(e);
	case PROBE_REGISTER:
		return pk_probe_register(machine, x->variable, &e->value.reg) ||
		       fail(e, "no register is called %s", x->variable);
	case PROBE_RESULT:
		e->value.base = PROBE_RETURNED;
		if (!e->text->is_return)
			return fail(e, "only FUNCTION%%return has it");
		if (e->place->described &&
		    pk_dwarf_places_signature(e->object->types, &e->place->instance, &function))
			e->type = function.result == PK_TYPE_VOID ? PK_TYPE_NONE : function.result;
		return true;
	case PROBE_ARGUMENT:
		if (e->text->is_return && !e->object->in_kernel)
			return fail(e, "parameters of programs cannot be read at the return");
		if (e->object->in_kernel) {
			e->value.base = PROBE_PASSED;
			e->value.number = x->number;
			return true;
		}
		return pk_probe_passed_in(machine, x->number, &e->value.reg.base) ||
		       fail(e, "it is not passed in a register");
	case PROBE_ALL:
	case PROBE_PARAMETERS: break;
	}
	return fail(e, "$vars and $params stand alone");
}

/* ---- Types ---- */

static void set_number(struct evaluation *e, char kind, uint64_t size)
{
	snprintf(e->value.type, sizeof(e->value.type), "%c%u", kind, (unsigned)size * 8);
	e->value.size = (uint8_t)size;
	e->value.is_signed = kind == 's';
}

static bool set_bits(struct evaluation *e)
{
	const bool big = e->object->big_endian;
	const unsigned bits = (unsigned)(e->bit_bytes * 8);

	snprintf(e->value.type, sizeof(e->value.type), "b%u@%u/%u", e->bit_size, e->bit_offset,
		 bits);
	/* The kernel counts the bits from the least significant bit on. */
	if (big)
		snprintf(e->value.type, sizeof(e->value.type), "b%u@%u/%u", e->bit_size,
			 bits - e->bit_offset - e->bit_size, bits);
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
	       fail(e, "the bit field is not in a number");
}

static bool set_char_array(struct evaluation *e, const struct pk_type *array)
{
	if (array->stride != 1)
		return fail(e, "an array has many values: add an index, as in [0]");
	snprintf(e->value.type, sizeof(e->value.type), "%s",
		 e->object->in_kernel ? "string" : "ustring");
	return true;
}

/* Sets the type of a value that has no type in the text. The value is a number with the size and
 * sign of its type in the source. */
static bool set_own_type(struct evaluation *e)
{
	struct pk_type type = {0};

	if (e->bit_size)
		return set_bits(e);
	if (!type_of(e, &type)) {
		set_number(e, e->expression->root == PROBE_RESULT ? 'x' : 'u', 8);
		return true;
	}
	if (type.kind == PK_KIND_OF_ARRAY)
		return set_char_array(e, &type);
	if (type.kind == PK_KIND_OF_STRUCT || type.kind == PK_KIND_OF_UNION)
		return fail(e, "%s has several members: name one of them",
			    pk_type_name(e->object->types, e->type));
	if (type.is_float)
		return fail(e,
			    "floating point numbers are not read; :x%u shows the bits of one "
			    "in memory",
			    (unsigned)type.size * 8);
	if (pk_type_is_address(type.kind))
		set_number(e, 'x', type.size ? type.size : 8);
	else if (type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8)
		set_number(e, type.is_signed ? 's' : 'u', type.size);
	else
		return fail(e, "%s is not a number of 1, 2, 4 or 8 bytes",
			    pk_type_name(e->object->types, e->type));
	return true;
}

/* Sets the type of a string. The value is a pointer to the string, or an array. */
static bool set_string(struct evaluation *e)
{
	const struct probe_expression *x = e->expression;
	struct pk_type type = {0};
	const bool known = type_of(e, &type);

	snprintf(e->value.type, sizeof(e->value.type), "%s", x->type);
	if (known && type.kind == PK_KIND_OF_ARRAY && e->in_memory)
		return true;
	if (known && !pk_type_is_address(type.kind))
		return fail(e, "%s is not a pointer to a string",
			    pk_type_name(e->object->types, e->type));
	/* In +0($retval):string, the read of the string is already part of the expression, as in
	 * tracefs. */
	return (!known && e->in_memory) || read_memory(e, 0);
}

static bool set_type(struct evaluation *e)
{
	const char *type = e->expression->type;
	uint64_t bits = 0;
	struct pk_type own = {0};

	if (!type)
		return set_own_type(e);
	if (!strcmp(type, "string") || !strcmp(type, "ustring"))
		return set_string(e);
	if (strchr("usx", *type) && !type[1]) {
		if (!set_own_type(e))
			return false;
		if (!e->value.size)
			return fail(e, ":%s is for numbers", type);
		set_number(e, *type, e->value.size);
		return true;
	}
	snprintf(e->value.type, sizeof(e->value.type), "%s", type);
	if (strchr("usx", *type))
		bits = strtoull(type + 1, NULL, 10);
	if ((bits == 8 || bits == 16 || bits == 32 || bits == 64) &&
	    strlen(type) == (bits == 8 ? 2u : 3u)) {
		set_number(e, *type, bits / 8);
		return true;
	}
	if (strchr("usx", *type) && strchr(type, '[') && type_of(e, &own))
		return e->in_memory || read_memory(e, 0);
	return strchr("bx", *type) || strchr(type, '[') || !strcmp(type, "symbol") ||
	       fail(e, "unknown type :%s", type);
}

/* ---- Arguments ---- */

static bool name_is_used(const struct probe_values *values, const char *name)
{
	for (size_t i = 0; i < values->count; i++)
		if (!strcmp(values->items[i].name, name))
			return true;
	return false;
}

/* Replaces all characters that are not letters or digits. The names for $vars come from the object,
 * and a blank or a newline would change the definition. */
static void make_identifier(char *name)
{
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

/* Sets the name of the field. It is the name in the text, or else the name of the last member or of
 * the variable. Arguments without such a name are called arg1, arg2 ... */
static void set_name(const struct evaluation *e, const struct probe_values *values,
		     struct probe_value *value)
{
	const struct probe_expression *x = e->expression;
	const char *name = x->variable;
	const int room = (int)sizeof(value->name) - 1;
	const bool variable = x->root == PROBE_VARIABLE || x->root == PROBE_GLOBAL;

	if (!variable)
		name = NULL;
	for (size_t i = 0; i < x->step_count; i++)
		if (x->steps[i].kind == PROBE_MEMBER || x->steps[i].kind == PROBE_ARROW)
			name = x->steps[i].name;
	if (x->name)
		name = x->name;
	if (name && strstr(name, "::"))
		name = strrchr(name, ':') + 1;
	if (name)
		snprintf(value->name, sizeof(value->name), "%.*s", room, name);
	else
		snprintf(value->name, sizeof(value->name), "arg%zu", values->count + 1);
	make_identifier(value->name);
	for (unsigned i = 2; name_is_used(values, value->name); i++) {
		snprintf(value->name, sizeof(value->name), "%.*s_%u", room - 3, name ? name : "arg",
			 i);
		make_identifier(value->name);
	}
}

static enum pk_status add_value(struct evaluation *e, struct probe_values *values)
{
	struct probe_value *value = &e->value;

	if (values->count == PK_PROBE_ARGUMENTS_MOST)
		return fail(e, "more than %d arguments", PK_PROBE_ARGUMENTS_MOST) ? PK_OK
										  : PK_FAILED;
	set_name(e, values, value);
	if (e->object->types && e->type)
		snprintf(value->shown, sizeof(value->shown), "%s",
			 pk_type_name(e->object->types, e->type));
	if (pk_vector_reserve(values, 1) != PK_OK)
		return pk_messages_no_memory(e->messages);
	values->items[values->count++] = *value;
	return PK_OK;
}

static struct evaluation start(const struct evaluation *like,
			       const struct probe_expression *expression)
{
	struct evaluation e = *like;

	e.expression = expression;
	e.value.reg.base = e.value.reg.index = PK_ARGUMENT_NO_REGISTER;
	return e;
}

/* Adds an expression as it is. The kernel evaluates it with its BTF type information. */
static enum pk_status add_verbatim(struct evaluation *e, struct probe_values *values)
{
	const struct probe_expression *x = e->expression;
	const bool many = x->root == PROBE_ALL || x->root == PROBE_PARAMETERS;

	e->value.base = PROBE_VERBATIM;
	e->value.text = strdup(many ? "$arg*" : x->value);
	snprintf(e->value.type, sizeof(e->value.type), "%s", x->type ? x->type : "");
	if (!e->value.text)
		return pk_messages_no_memory(e->messages);
	if (add_value(e, values) != PK_OK) {
		free(e->value.text);
		return PK_FAILED;
	}
	if (many)
		*values->items[values->count - 1].name = 0;
	return PK_OK;
}

static bool add_expression(struct evaluation *e, struct probe_values *values)
{
	const struct probe_expression *x = e->expression;

	if (e->object->in_kernel && !e->object->types)
		return add_verbatim(e, values) == PK_OK;
	if (!set_root(e))
		return false;
	for (size_t i = 0; i < x->step_count; i++)
		if (!apply(e, &x->steps[i]))
			return false;
	if (!set_type(e))
		return false;
	if (e->value.base == PROBE_STATIC && e->object->module)
		return fail(e, "global variables of modules cannot be read");
	if (!e->in_memory && e->added)
		return fail(e, "it is not stored: only what it points to can be read");
	if (!e->in_memory && e->value.base == PROBE_STATIC)
		return fail(e, "the address of this value is not known");
	if (e->value.type[0] == 'b' && !e->in_memory)
		return fail(e, "a bit field in a register cannot be read");
	return add_value(e, values) == PK_OK;
}

/* Adds one variable of $vars or $params. If the variable cannot be read, skips it without a
 * message. */
static enum pk_status add_if_readable(const struct evaluation *like, const char *name,
				      struct probe_values *values)
{
	struct probe_expression expression = {
		.text = name, .value = name, .root = PROBE_VARIABLE, .variable = name};
	struct evaluation e = start(like, &expression);
	struct pk_messages dropped = {.quiet = true};

	if (name_is_used(values, name))
		return PK_OK;
	e.messages = &dropped;
	add_expression(&e, values);
	if (dropped.no_memory)
		return pk_messages_no_memory(like->messages);
	return PK_OK;
}

struct names {
	const char **items;
	size_t count, capacity;
};

static enum pk_status list_names(const struct evaluation *e, bool all, struct names *names)
{
	const struct pk_variable *list;
	const size_t count = pk_dwarf_places_variables(e->object->types, &e->place->instance,
						       e->place->address, &list);

	for (size_t i = 0; i < count; i++) {
		if (!all && !list[i].parameter)
			continue;
		PK_TRY(pk_vector_reserve(names, 1));
		names->items[names->count++] = list[i].name;
	}
	return PK_OK;
}

static enum pk_status add_variables(const struct evaluation *like,
				    const struct probe_expression *expression,
				    struct probe_values *values)
{
	struct evaluation e = start(like, expression);
	struct names names = {0};
	struct pk_function function = {0};
	bool ok = true;

	if (!e.object->types || !e.place->described)
		return fail(&e, "no debugging information describes this place") ? PK_OK
										 : PK_FAILED;
	if (!e.text->is_return)
		ok = list_names(&e, expression->root == PROBE_ALL, &names) == PK_OK;
	else if (!e.object->in_kernel)
		return fail(&e, "variables of programs cannot be read at the return") ? PK_OK
										      : PK_FAILED;
	else if (pk_dwarf_places_signature(e.object->types, &e.place->instance, &function))
		for (size_t i = 0; i < function.count; i++)
			if (function.parameters[i].name)
				ok &= add_if_readable(like, function.parameters[i].name, values) ==
				      PK_OK;
	for (size_t i = 0; ok && i < names.count; i++)
		ok = add_if_readable(like, names.items[i], values) == PK_OK;
	free(names.items);
	return ok ? PK_OK : pk_messages_no_memory(e.messages);
}

enum pk_status pk_probe_values_resolve(struct probe_object *object, const struct probe_text *text,
				       const struct probe_place *place, struct probe_values *values,
				       struct pk_messages *messages)
{
	const struct evaluation like = {
		.object = object, .text = text, .place = place, .messages = messages};
	bool ok = true;

	*values = (struct probe_values){0};
	for (size_t i = 0; ok && i < text->argument_count; i++) {
		const struct probe_expression *x = &text->arguments[i];
		const bool many = x->root == PROBE_ALL || x->root == PROBE_PARAMETERS;
		struct evaluation e = start(&like, x);

		ok = many && (!object->in_kernel || object->types)
			     ? add_variables(&like, x, values) == PK_OK
			     : add_expression(&e, values);
	}
	return ok ? PK_OK : PK_FAILED;
}
