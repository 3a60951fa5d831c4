// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "dwarf_unit.h"
#include "type_slots.h"
#include "vector.h"

/* ---- Ids ---- */

static uint64_t key_of(const struct pk_unit *unit, uint64_t die, uint32_t dimension)
{
	return (uint64_t)(uintptr_t)unit->file + die + ((uint64_t)dimension << 48);
}

static pk_type_id find_id(const struct pk_types *t, const struct pk_unit *unit, uint64_t die,
			  uint32_t dimension)
{
	struct pk_probe probe = pk_table_probe(&t->ids, key_of(unit, die, dimension));
	pk_type_id id;

	while ((id = (pk_type_id)pk_probe_next(&probe))) {
		const struct pk_type_slot *s = &t->slots[id];

		if (s->die == die && s->dimension == dimension && s->unit->file == unit->file)
			break;
	}
	return id;
}

pk_type_id pk_type_of_entry(struct pk_types *t, struct pk_unit *unit, uint64_t die,
			    uint32_t dimension)
{
	pk_type_id id = find_id(t, unit, die, dimension);

	if (id)
		return id;
	if (t->count >= UINT32_MAX || !pk_dwarf_spend(t->dwarf, 64) ||
	    pk_need_room(t->dwarf->failures,
			 pk_reserve(&t->slots, &t->room, t->count, 1, sizeof(*t->slots))) != PK_OK)
		return PK_TYPE_NONE;
	if (pk_need_room(t->dwarf->failures,
			 pk_table_add(&t->ids, key_of(unit, die, dimension), t->count)) != PK_OK)
		return PK_TYPE_NONE;
	t->slots[t->count] =
		(struct pk_type_slot){.unit = unit, .die = die, .dimension = dimension};
	return (pk_type_id)t->count++;
}

pk_type_id pk_type_of_value(struct pk_types *t, struct pk_unit *unit,
			    const struct pk_form_value *value, pk_type_id absent)
{
	uint64_t die;

	if (value->class == PK_FORM_NONE)
		return absent;
	if (value->class == PK_FORM_SIGNATURE) {
		unit = pk_unit_of_signature(unit, value->v);
		return unit ? pk_type_of_entry(t, unit, unit->offset + unit->type_die, 0)
			    : PK_TYPE_NONE;
	}
	return pk_entry_refer(&unit, value, &die) ? pk_type_of_entry(t, unit, die, 0)
						  : PK_TYPE_NONE;
}

/* ---- Decoding ---- */

/* This function is long because it is a flat switch. */
static enum pk_type_kind kind_of(unsigned tag)
{
	switch (tag) {
	case DW_TAG_base_type: return PK_KIND_OF_BASE;
	case DW_TAG_pointer_type: return PK_KIND_OF_POINTER;
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: return PK_KIND_OF_REFERENCE;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type: return PK_KIND_OF_STRUCT;
	case DW_TAG_union_type: return PK_KIND_OF_UNION;
	case DW_TAG_array_type: return PK_KIND_OF_ARRAY;
	case DW_TAG_enumeration_type: return PK_KIND_OF_ENUM;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram: return PK_KIND_OF_FUNCTION;
	case DW_TAG_typedef:
	case DW_TAG_subrange_type:
	case DW_TAG_template_alias: return PK_KIND_OF_TYPEDEF;
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_packed_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type: return PK_KIND_OF_QUALIFIED;
	default: return PK_KIND_OF_OTHER;
	}
}

/* Returns the number of elements of a dimension, or 0 if it is unknown. */
static uint64_t count_of(const struct pk_entry *e)
{
	if (e->count.class == PK_FORM_CONSTANT)
		return e->count.v;
	/* For a flexible array, the upper bound is missing or -1. */
	return e->upper_bound.class == PK_FORM_CONSTANT && e->upper_bound.v < UINT64_MAX
		       ? (e->upper_bound.v & (UINT64_MAX >> 1)) + 1
		       : 0;
}

/* Returns the number of elements of a dimension. Sets *last to true if no other dimension follows.
 */
static uint64_t read_dimension(struct pk_unit *unit, uint64_t die, uint32_t dimension, bool *last)
{
	struct pk_entries w;
	struct pk_entry e;
	uint64_t count = 0;

	*last = true;
	if (!pk_entries_below(&w, unit, die))
		return 0;
	for (uint32_t i = 0; i <= dimension + 1 && pk_entries_next(&w);) {
		if (!pk_entries_read(&w, &e))
			break;
		if (w.depth == 1 && e.tag == DW_TAG_subrange_type) {
			if (i == dimension)
				count = count_of(&e);
			*last = i <= dimension;
			i++;
		}
		pk_entries_leave_out(&w, e.sibling);
	}
	return count;
}

static struct pk_type decode_array(struct pk_types *t, struct pk_unit *unit, uint32_t dimension,
				   const struct pk_entry *e)
{
	struct pk_type a = {.kind = PK_KIND_OF_ARRAY};
	bool last;

	a.count = read_dimension(unit, e->die, dimension, &last);
	a.target = last || dimension == 255 ? pk_type_of_value(t, unit, &e->type, PK_TYPE_NONE)
					    : pk_type_of_entry(t, unit, e->die, dimension + 1);
	return a;
}

static bool needs_target(enum pk_type_kind kind)
{
	return kind == PK_KIND_OF_POINTER || kind == PK_KIND_OF_FUNCTION ||
	       kind == PK_KIND_OF_TYPEDEF || kind == PK_KIND_OF_QUALIFIED;
}

static struct pk_type decode_plain(struct pk_types *t, struct pk_unit *unit,
				   const struct pk_entry *e)
{
	struct pk_type type = {.kind = kind_of(e->tag)};

	type.target = pk_type_of_value(t, unit, &e->type,
				       needs_target(type.kind) ? PK_TYPE_VOID : PK_TYPE_NONE);
	if (e->byte_size.class == PK_FORM_CONSTANT || e->byte_size.class == PK_FORM_SECTION_OFFSET)
		type.size = e->byte_size.v;
	else if (pk_type_is_address(type.kind))
		type.size = unit->sizes.address;
	type.declared = e->declaration;
	type.is_float = e->encoding == DW_ATE_float;
	type.is_signed = e->encoding == DW_ATE_signed || e->encoding == DW_ATE_signed_char;
	return type;
}

static void decode(struct pk_types *t, pk_type_id id)
{
	struct pk_unit *unit = t->slots[id].unit, *type_unit, *name_unit;
	const uint32_t dimension = t->slots[id].dimension;
	struct pk_type type = {.kind = PK_KIND_OF_OTHER};
	pk_type_id definition = PK_TYPE_NONE;
	const char *plain = NULL;
	struct pk_entry e;

	t->slots[id].decoded = true;
	if (pk_entry_read(unit, t->slots[id].die, &e)) {
		pk_entry_complete(unit, &e, &type_unit, &name_unit);
		type = e.tag == DW_TAG_array_type ? decode_array(t, type_unit, dimension, &e)
						  : decode_plain(t, type_unit, &e);
		plain = pk_entry_name(name_unit, &e);
		if (e.declaration && e.signature.class)
			definition = pk_type_of_value(t, unit, &e.signature, PK_TYPE_NONE);
	}
	t->slots[id].type = type;
	t->slots[id].plain = plain;
	t->slots[id].is_c = pk_language_is_c(unit->language);
	t->slots[id].definition = definition;
	t->slots[id].completed = definition;
}

struct pk_type_slot *pk_type_slot(struct pk_types *t, pk_type_id id)
{
	if (id == PK_TYPE_NONE || id >= t->count)
		return NULL;
	if (!t->slots[id].decoded)
		decode(t, id);
	return &t->slots[id];
}

/* ---- Queries ---- */

/* Compares the full names of two types. In C++, a type of the same name can be in another
 * namespace. */
static bool same_name(struct pk_types *t, pk_type_id a, pk_type_id b)
{
	return t->slots[a].is_c || !strcmp(pk_type_name(t, a), pk_type_name(t, b));
}

/* Returns the definition of a declaration. If there is none, or if the type is not a declaration,
 * returns the type itself. */
static pk_type_id definition_of(struct pk_types *t, pk_type_id id)
{
	struct pk_type_slot *s = pk_type_slot(t, id);
	const struct pk_named *n;
	pk_type_id definition;

	if (!s || !s->type.declared)
		return id;
	if (!s->completed) {
		s->completed = true;
		n = s->plain ? pk_types_named(t, PK_NAMED_TYPE, s->plain) : NULL;
		if (n && !n->declared && !n->ambiguous) {
			definition = pk_type_of_entry(t, n->unit, n->die, 0);
			if (pk_type_slot(t, definition) && same_name(t, id, definition))
				t->slots[id].definition = definition;
		}
	}
	definition = t->slots[id].definition;
	s = pk_type_slot(t, definition);
	return s && !s->type.declared ? definition : id;
}

pk_type_id pk_type_strip(struct pk_types *t, pk_type_id id)
{
	for (int i = 0; i < PK_TYPE_HOPS; i++) {
		const struct pk_type_slot *s = pk_type_slot(t, id);

		if (!s)
			return PK_TYPE_NONE;
		if (s->type.kind != PK_KIND_OF_TYPEDEF && s->type.kind != PK_KIND_OF_QUALIFIED)
			return definition_of(t, id);
		id = s->type.target;
	}
	return PK_TYPE_NONE;
}

/* Sets the size and the stride of an array in bytes. The elements of the array can be arrays. The
 * size and the stride are 0 if they are unknown, or if the size does not fit in 63 bits. */
static void measure(struct pk_types *t, struct pk_type *a)
{
	struct pk_type_slot *s;
	pk_type_id id = a->target;
	uint64_t factor = 1;

	a->stride = a->size = 0;
	for (int i = 0; i < PK_TYPE_HOPS; i++) {
		s = pk_type_slot(t, pk_type_strip(t, id));
		if (!s)
			return;
		if (s->type.kind != PK_KIND_OF_ARRAY)
			break;
		if (__builtin_mul_overflow(factor, s->type.count, &factor))
			return;
		id = s->type.target;
	}
	if (s->type.kind != PK_KIND_OF_ARRAY &&
	    __builtin_mul_overflow(factor, s->type.size, &a->stride))
		a->stride = 0;
	if (__builtin_mul_overflow(a->stride, a->count, &a->size) || a->size > INT64_MAX)
		a->size = 0;
}

bool pk_type_info(struct pk_types *t, pk_type_id id, struct pk_type *type)
{
	const struct pk_type_slot *s = pk_type_slot(t, definition_of(t, id));

	*type = (struct pk_type){0};
	if (!s)
		return false;
	*type = s->type;
	if (type->kind == PK_KIND_OF_ARRAY)
		measure(t, type);
	if (type->kind == PK_KIND_OF_TYPEDEF || type->kind == PK_KIND_OF_QUALIFIED) {
		struct pk_type real;
		pk_type_id stripped = pk_type_strip(t, id);

		/* The recursion ends here, because the stripped type is not a typedef. */
		if (stripped && pk_type_info(t, stripped, &real))
			type->size = real.size;
	}
	return true;
}

pk_type_id pk_type_pointer(struct pk_types *t, pk_type_id target)
{
	struct pk_type_slot *s = pk_type_slot(t, target);

	if (!s || s->pointer)
		return s ? s->pointer : PK_TYPE_NONE;
	if (t->count >= UINT32_MAX || !pk_dwarf_spend(t->dwarf, 64) ||
	    pk_need_room(t->dwarf->failures,
			 pk_reserve(&t->slots, &t->room, t->count, 1, sizeof(*t->slots))) != PK_OK)
		return PK_TYPE_NONE;
	t->slots[t->count] = (struct pk_type_slot){
		.decoded = true,
		.type = {.kind = PK_KIND_OF_POINTER,
			 .target = target,
			 .size = pk_elf_is_64(t->dwarf->own->elf) ? 8 : 4},
	};
	t->slots[target].pointer = (pk_type_id)t->count;
	return (pk_type_id)t->count++;
}

/* ---- Creating and freeing ---- */

struct pk_types *pk_types_new(struct pk_dwarf *dwarf, const struct pk_elf_segment *loads,
			      size_t load_count, uint64_t shift)
{
	struct pk_types *t = pk_need(dwarf->failures, calloc(1, sizeof(*t)));

	if (!t)
		return NULL;
	t->dwarf = dwarf;
	t->loads = loads;
	t->load_count = load_count;
	t->shift = shift;
	t->room = 64;
	t->count = 2;
	t->slots = pk_need(dwarf->failures, calloc(t->room, sizeof(*t->slots)));
	if (!t->slots) {
		free(t);
		return NULL;
	}
	t->slots[PK_TYPE_VOID].decoded = true;
	t->slots[PK_TYPE_VOID].type.kind = PK_KIND_OF_VOID;
	t->slots[PK_TYPE_VOID].plain = "void";
	return t;
}

void pk_types_free(struct pk_types *t)
{
	struct pk_function_slot *f;
	struct pk_source_slot *source;
	size_t cursor = 0, next = 0;

	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++) {
		free(t->slots[i].name);
		free(t->slots[i].members);
	}
	while ((f = pk_table_next_value(&t->functions, &cursor))) {
		free(f->parameters);
		free(f);
	}
	pk_table_free(&t->functions);
	free(t->slots);
	pk_table_free(&t->ids);
	free(t->named);
	pk_table_free(&t->names);
	free(t->placed.list);
	free(t->thread_local.list);
	free(t->variables.list);
	free(t->chosen.list);
	free(t->mentioned.list);
	while ((source = pk_table_next_value(&t->sources, &next))) {
		free(source->structures.list);
		free(source->conversions);
		free(source);
	}
	pk_table_free(&t->sources);
	free(t);
}

/* ---- Addresses ---- */

bool pk_types_address(struct pk_types *t, uint64_t lookup, uint64_t *address)
{
	if (!t->load_count) {
		*address = lookup + t->shift;
		return true;
	}
	for (size_t i = 0; i < t->load_count; i++) {
		const struct pk_elf_segment *l = &t->loads[i];

		if (lookup >= l->offset && lookup - l->offset < l->filesz) {
			*address = lookup - l->offset + l->vaddr;
			return true;
		}
	}
	return false;
}

bool pk_types_lookup(struct pk_types *t, uint64_t address, uint64_t *lookup)
{
	if (!t->load_count) {
		*lookup = address - t->shift;
		return true;
	}
	for (size_t i = 0; i < t->load_count; i++) {
		const struct pk_elf_segment *l = &t->loads[i];

		if (address >= l->vaddr && address - l->vaddr < l->filesz) {
			*lookup = address - l->vaddr + l->offset;
			return true;
		}
	}
	return false;
}

/* ---- Names of types ---- */

/* The limit for names in bytes. Longer names are cut, because names of C++ templates can be very
 * long. */
enum { NAME_MAX_BYTES = 1024, SUFFIX_MAX = 24 };

struct name {
	char text[NAME_MAX_BYTES];
	size_t size;
};

static void append(struct name *n, const char *text)
{
	const size_t left = sizeof(n->text) - 1 - n->size;
	const size_t length = strlen(text), size = length < left ? length : left;

	memcpy(n->text + n->size, text, size);
	n->size += size;
	n->text[n->size] = 0;
}

static const char *word_of(const struct pk_type_slot *s)
{
	switch (s->type.kind) {
	case PK_KIND_OF_STRUCT: return s->is_c || !s->plain ? "struct " : "";
	case PK_KIND_OF_UNION: return s->is_c || !s->plain ? "union " : "";
	case PK_KIND_OF_ENUM: return s->is_c || !s->plain ? "enum " : "";
	default: return "";
	}
}

/* Adds the namespaces and classes of C++. The outermost is first. */
static void append_enclosing(struct name *n, const struct pk_type_slot *s)
{
	const char *names[16];
	size_t count = pk_enclosing_names(s->unit, s->die, names, sizeof(names) / sizeof(names[0]));

	while (count--) {
		append(n, names[count] ? names[count] : "(anonymous)");
		append(n, "::");
	}
}

static void append_plain(struct name *n, const struct pk_type_slot *s)
{
	if (s->type.kind == PK_KIND_OF_FUNCTION) {
		append(n, "(function_type)");
		return;
	}
	append(n, word_of(s));
	if (!s->is_c && s->plain && s->unit)
		append_enclosing(n, s);
	append(n, s->plain ? s->plain : "(anonymous)");
}

/* Adds the suffixes "*", "&" and "[N]" of pointers, references and arrays. The dimensions of an
 * array are in the order of C. */
static void append_suffixes(struct name *n, const struct pk_type *chain, unsigned count)
{
	while (count) {
		unsigned first = count - 1;
		char text[SUFFIX_MAX];

		if (chain[first].kind != PK_KIND_OF_ARRAY) {
			append(n, chain[first].kind == PK_KIND_OF_POINTER ? "*" : "&");
			count--;
			continue;
		}
		while (first && chain[first - 1].kind == PK_KIND_OF_ARRAY)
			first--;
		for (unsigned i = first; i < count; i++) {
			if (chain[i].count)
				snprintf(text, sizeof(text), "[%" PRIu64 "]", chain[i].count);
			append(n, chain[i].count ? text : "[]");
		}
		count = first;
	}
}

static void make_name(struct pk_types *t, pk_type_id id, struct name *n)
{
	struct pk_type chain[PK_TYPE_HOPS];
	const struct pk_type_slot *s = NULL;
	unsigned count = 0;

	for (int i = 0; i < PK_TYPE_HOPS; i++) {
		s = pk_type_slot(t, id);
		if (!s)
			break;
		if (s->type.kind == PK_KIND_OF_ARRAY || pk_type_is_address(s->type.kind))
			chain[count++] = s->type;
		else if (s->type.kind != PK_KIND_OF_QUALIFIED)
			break;
		id = s->type.target;
	}
	if (s)
		append_plain(n, s);
	else
		append(n, "(unknown)");
	append_suffixes(n, chain, count);
}

const char *pk_type_name(struct pk_types *t, pk_type_id id)
{
	struct name n = {.size = 0};

	if (!pk_type_slot(t, id))
		return "";
	if (!t->slots[id].name && pk_dwarf_spend(t->dwarf, 64)) {
		make_name(t, id, &n);
		t->slots[id].name = pk_need(t->dwarf->failures, strdup(n.text));
	}
	return t->slots[id].name ? t->slots[id].name : "";
}
