/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/dwarf_types.c lib/dwarf/type_members.c lib/dwarf/places.c */
/* Reads the types of an ELF file with debugging information, from all starting points. Separate
 * files of debugging information (.dwo, .dwp, and those of dwz) are read from the same bytes. */
#include <stdlib.h>

#include "check_that.h"
#include "places.h"
#include "type_slots.h"

struct image {
	const uint8_t *data;
	size_t size;
	unsigned opened;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pk_elf *open_part(void *arg, const char *path, const struct pk_build_id *build_id)
{
	struct image *image = arg;

	(void)build_id;
	check_that(path && *path);
	return image->opened++ < 8 ? pk_elf_open_memory(image->data, image->size, NULL) : NULL;
}

static void look_at(struct pk_types *t, pk_type_id id, int64_t offset, uint64_t size)
{
	uint64_t rest, start, length;
	pk_type_id at = pk_type_at(t, id, offset, size, &rest);
	char text[64] = "?";
	bool ok = pk_type_member_name(t, id, offset, size, text, sizeof(text), &start, &length);

	check_that(at < t->count);
	check_that(ok || !at);
	check_that(memchr(text, 0, sizeof(text)) != NULL);
}

static void look_at_type(struct pk_types *t, pk_type_id id)
{
	static const int64_t offsets[] = {0, 1, 8, 20, -8, INT64_MAX, INT64_MIN};
	const struct pk_member *members;
	const size_t count = pk_type_members(t, id, &members);
	struct pk_function function;
	struct pk_type type;
	pk_type_id real = pk_type_strip(t, id);

	check_that(pk_type_info(t, id, &type));
	check_that(strlen(pk_type_name(t, id)) < 4096);
	check_that(type.target < t->count);
	check_that(real < t->count);
	for (size_t i = 0; i < count; i++) {
		check_that(!i || members[i].offset >= members[i - 1].offset);
		check_that(members[i].type < t->count);
	}
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		for (uint64_t size = 0; size <= 16; size += 8)
			look_at(t, id, offsets[i], size);
	pk_type_function(t, id, &function);
}

static void look_at_source(struct pk_types *t, uint64_t address)
{
	struct pk_source_types source;
	const pk_type_id *types;
	size_t count = pk_types_mentioned(t, address, &types);

	for (size_t i = 0; i < count; i++)
		check_that(types[i] < t->count);
	if (!pk_types_of_source(t, address, &source))
		return;
	for (size_t i = 0; i < source.structure_count; i++)
		check_that(source.structures[i] < t->count);
	for (size_t i = 0; i < source.conversion_count; i++)
		check_that(source.conversions[i].from != source.conversions[i].to);
}

static void look_around(struct pk_types *t, uint64_t address)
{
	const struct pk_variable *v;
	struct pk_function function;
	struct pk_global global;
	size_t count = pk_types_variables(t, address, address + 64, &v);

	for (size_t i = 0; i < count; i++)
		check_that(v[i].low < v[i].high && v[i].high > address && v[i].type < t->count);
	if (pk_types_function(t, address, &function))
		for (uint16_t i = 0; i < function.count; i++)
			check_that(function.parameters[i].type < t->count);
	look_at_source(t, address);
	if (pk_types_global(t, address, &global)) {
		check_that(global.name && address - global.address < global.size);
		pk_types_global_named(t, global.name, &global);
	}
	pk_types_thread_local(t, address % 64, &global);
}

struct seen {
	struct pk_types *types;
	const struct pk_instance *instance;
	unsigned instances, statements;
};

static bool look_at_statement(void *arg, const struct pk_statement *statement)
{
	struct seen *seen = arg;
	struct pk_instance owner;
	const struct pk_variable *v;
	size_t count;

	check_that(statement->file && *statement->file);
	if (pk_dwarf_places_of_line(seen->types, statement, &owner))
		check_that(owner.name != NULL);
	count = seen->instance ? pk_dwarf_places_variables(seen->types, seen->instance,
							   statement->address, &v)
			       : 0;
	for (size_t i = 0; i < count; i++)
		check_that(v[i].name && v[i].type < seen->types->count &&
			   (!i || v[i].depth >= v[i - 1].depth));
	return ++seen->statements < 256;
}

static bool look_at_instance(void *arg, const struct pk_instance *instance)
{
	struct seen *seen = arg;
	struct pk_instance outer = *instance;
	unsigned depth = 0;

	check_that(instance->name != NULL);
	while (pk_dwarf_places_around(&outer, &outer))
		check_that(depth++ < 1 << 16);
	seen->instance = instance;
	pk_dwarf_places_statements(instance, look_at_statement, seen);
	seen->instance = NULL;
	if (instance->file)
		pk_dwarf_places_file(seen->types, instance->file, look_at_statement, seen);
	return ++seen->instances < 64;
}

static void look_at_all(struct pk_types *t, const struct pk_dwarf *d)
{
	look_around(t, 0);
	look_around(t, UINT64_MAX);
	for (size_t i = 0; i < d->ranges.count && i < 32; i++) {
		const struct pk_symtable_entry *e = &d->ranges.entries[i];

		for (uint64_t k = 0; k < 8; k++)
			look_around(t, e->at + e->size * k / 8);
	}
	for (size_t i = 0; i < t->placed.count && i < 64; i++)
		look_around(t, t->placed.list[i].address);
	for (size_t i = 0; i < t->named_count && i < 4096; i++) {
		const struct pk_named *n = &t->named[i];
		struct pk_function function;

		if (n->kind == PK_NAMED_TYPE)
			check_that(pk_type_of_entry(t, n->unit, n->die, 0) < t->count);
		if (n->kind == PK_NAMED_FUNCTION)
			pk_types_function_named(t, n->name, &function);
	}
	pk_dwarf_places_functions(t, "*", look_at_instance, &(struct seen){.types = t});
	/* The loop adds types, so the count can grow. */
	for (pk_type_id id = PK_TYPE_VOID; id < t->count && id < 2048; id++)
		look_at_type(t, id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* With this segment, any address can be code. */
	static const struct pk_elf_segment all = {0, 0, UINT64_MAX, UINT64_MAX, 1};
	struct image image = {data, size, 0};
	const struct pk_dwarf_options options = {
		.demangle = true, .open = open_part, .arg = &image};
	struct pk_elf *elf = pk_elf_open_memory(data, size, NULL);
	struct pk_dwarf *d;
	struct pk_types *t;

	if (!elf)
		return 0;
	d = pk_dwarf_new(elf, "/dir/file", &all, 1, &options);
	t = d ? pk_types_new(d, NULL, 0, 0) : NULL;
	if (t)
		look_at_all(t, d);
	pk_types_free(t);
	pk_dwarf_free(d);
	return 0;
}
