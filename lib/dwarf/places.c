// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "dwarf_line.h"
#include "dwarf_scopes.h"
#include "places.h"
#include "type_slots.h"

enum { HOPS_MAX = 16 };

/* ---- Descriptions of functions ---- */

/* Returns the unit that has the lines of this unit. */
static struct pk_unit *lines_unit(struct pk_unit *unit)
{
	return unit->skeleton ? unit->skeleton : unit;
}

static const char *path_of(struct pk_unit *unit, uint64_t file)
{
	struct pk_unit *with_lines = lines_unit(unit);
	struct pk_lines *lines = pk_unit_lines(with_lines);

	return lines ? pk_lines_path(with_lines, lines, file) : NULL;
}

static bool keep_low(void *arg, uint64_t low, uint64_t high)
{
	(void)high;
	*(uint64_t *)arg = low;
	return false;
}

static uint64_t entry_of(struct pk_unit *unit, const struct pk_entry *e)
{
	uint64_t entry = 0;

	if (e->entry_pc.class == PK_FORM_CONSTANT && e->low.class &&
	    pk_unit_address(unit, &e->low, &entry))
		return entry + e->entry_pc.v;
	if (pk_unit_address(unit, &e->entry_pc, &entry))
		return entry;
	pk_ranges_each(unit, &e->low, &e->high, &e->ranges, keep_low, &entry);
	return entry;
}

/* Sets the name and the place of the declaration. They are attributes of the entry, or of the
 * entries to which it refers. */
static void describe(struct pk_unit *unit, struct pk_entry *e, struct pk_instance *instance)
{
	for (int i = 0; i < HOPS_MAX; i++) {
		uint64_t die;

		if (!instance->name)
			instance->name = pk_unit_string(unit, &e->name);
		if (!instance->linkage)
			instance->linkage = pk_unit_string(unit, &e->linkage_name);
		if (!instance->line && e->decl_line) {
			instance->line = (uint32_t)e->decl_line;
			instance->file = path_of(unit, e->decl_file);
		}
		if (!e->origin.class || !pk_entry_refer(&unit, &e->origin, &die) || !unit ||
		    !pk_entry_read(unit, die, e))
			return;
	}
}

static bool instance_of(struct pk_unit *unit, const struct pk_scopes *scopes, uint32_t index,
			struct pk_instance *instance)
{
	const struct pk_scope *scope = &scopes->list[index];
	struct pk_entry e;
	uint32_t outer = index;

	*instance = (struct pk_instance){.inlined = scope->inlined,
					 .unit = unit,
					 .die = unit->offset + scope->die,
					 .scope = index};
	/* Linkers set the address of functions that they remove to 0. In a module of the kernel, 0
	 * is a valid address. */
	if (!index || (!scope->low && !pk_elf_relocatable(unit->file->elf)) ||
	    !pk_entry_read(unit, instance->die, &e))
		return false;
	instance->entry = entry_of(unit, &e);
	while (scopes->list[outer].inlined && scopes->list[outer].parent)
		outer = scopes->list[outer].parent;
	instance->container = scopes->list[outer].low;
	describe(unit, &e, instance);
	return instance->name;
}

/* ---- Functions by name ---- */

/* A search for functions by name. */
struct search {
	struct pk_types *types;
	const char *pattern;
	bool qualified;	       /* true if the pattern has namespaces */
	struct pk_table names; /* The names that were compared. The key is the address of a name in
				* the file. The value is 1 if the name matches, otherwise 2. */
};

/* Compares the pattern with the demangled name without its parameters. */
static bool matches_qualified(struct search *search, const char *linkage)
{
	char *name = pk_name_demangle(&search->types->dwarf->names_budget, linkage);
	bool matches = false;

	if (name) {
		name[strcspn(name, "(")] = 0;
		matches = !fnmatch(search->pattern, name, 0);
	}
	free(name);
	return matches;
}

static bool compare(struct search *search, const struct pk_instance *instance)
{
	return !fnmatch(search->pattern, instance->name, 0) ||
	       (instance->linkage &&
		(!fnmatch(search->pattern, instance->linkage, 0) ||
		 (search->qualified && matches_qualified(search, instance->linkage))));
}

/* Returns true if the name of the instance matches. Each name is compared only once, because many
 * inlined copies have the same name. */
static bool matches(struct search *search, const struct pk_instance *instance)
{
	const char *name = instance->linkage ? instance->linkage : instance->name;
	const uint64_t key = (uint64_t)(uintptr_t)name;
	uint64_t known = pk_table_get_u64(&search->names, key);

	if (!known) {
		known = compare(search, instance) ? 1 : 2;
		pk_need_room(search->types->dwarf->failures,
			     pk_table_set_u64(&search->names, key, known));
	}
	return known == 1;
}

static bool search_unit(struct search *search, struct pk_unit *unit, pk_instance_fn each, void *arg)
{
	const struct pk_scopes *scopes = pk_unit_scopes(unit);
	struct pk_instance instance;

	for (uint32_t i = 1; scopes && i < scopes->count; i++)
		if (instance_of(unit, scopes, i, &instance) && matches(search, &instance) &&
		    !each(arg, &instance))
			return false;
	return true;
}

bool pk_dwarf_places_functions(struct pk_types *t, const char *pattern, pk_instance_fn each,
			       void *arg)
{
	struct search search = {
		.types = t, .pattern = pattern, .qualified = strstr(pattern, "::") != NULL};
	struct pk_dwarf_file *own = t->dwarf->own;
	bool going_on = true;

	for (size_t i = 0; going_on && i < own->unit_count; i++) {
		struct pk_unit *unit = pk_unit_get(own, i);

		unit = unit ? pk_unit_full(unit) : NULL;
		if (unit)
			going_on = search_unit(&search, unit, each, arg);
	}
	pk_table_free(&search.names);
	return going_on;
}

bool pk_dwarf_places_at(struct pk_types *t, uint64_t address, struct pk_instance *instance)
{
	const struct pk_symtable_entry *e = pk_symtable_find(&t->dwarf->ranges, address);
	struct pk_unit *unit = e ? pk_unit_get(t->dwarf->own, e->name) : NULL;
	const struct pk_scopes *scopes;

	unit = unit ? pk_unit_full(unit) : NULL;
	scopes = unit ? pk_unit_scopes(unit) : NULL;
	e = scopes ? pk_symtable_find(&scopes->table, address) : NULL;
	return e && instance_of(unit, scopes, (uint32_t)e->name, instance);
}

bool pk_dwarf_places_around(const struct pk_instance *inner, struct pk_instance *outer)
{
	const struct pk_scopes *scopes = pk_unit_scopes(inner->unit);
	const uint32_t parent = scopes ? scopes->list[inner->scope].parent : 0;

	return inner->inlined && parent && instance_of(inner->unit, scopes, parent, outer);
}

bool pk_dwarf_places_of_line(struct pk_types *t, const struct pk_statement *statement,
			     struct pk_instance *instance)
{
	struct pk_instance at;
	uint32_t best = 0;
	bool found = pk_dwarf_places_at(t, statement->address, &at);

	if (found)
		*instance = at;
	for (bool more = found; more; more = pk_dwarf_places_around(&at, &at)) {
		if (at.line <= best || at.line > statement->line || !at.file ||
		    strcmp(at.file, statement->file) != 0)
			continue;
		best = at.line;
		*instance = at;
	}
	return found;
}

/* ---- Statements ---- */

/* Returns true if the path is equal to `file`, or ends with '/' and `file`. */
static bool pk_dwarf_places_same_file(const char *path, const char *file)
{
	const size_t size = strlen(file), length = path ? strlen(path) : 0;

	return size && length >= size && !strcmp(path + length - size, file) &&
	       (length == size || *file == '/' || path[length - size - 1] == '/');
}

/* A visit of the statements of a unit. */
struct visit {
	struct pk_unit *unit; /* the unit that has the lines */
	struct pk_lines *lines;
	const char *only; /* the only file whose statements are visited; NULL for all files */
	uint64_t low, high;
	uint64_t last, entry; /* last: the address of the previous statement; entry: the address of
			       * the function's entry */
	uint32_t declared;    /* the line where the function is declared */
	pk_statement_fn each;
	void *arg;
};

static bool visit_row(struct visit *visit, const struct pk_line *row)
{
	const bool first = row->address != visit->last;
	struct pk_statement statement = {.address = row->address, .line = row->line};

	if (row->line == PK_LINE_END)
		return true;
	visit->last = row->address;
	if (row->address < visit->low || row->address >= visit->high)
		return true;
	statement.file = path_of(visit->unit, row->file);
	statement.shared = !first || (row->address == visit->entry && row->line != visit->declared);
	if (!statement.file ||
	    (visit->only && !pk_dwarf_places_same_file(statement.file, visit->only)))
		return true;
	return visit->each(visit->arg, &statement);
}

static bool visit_rows(struct visit *visit)
{
	bool going_on = true;

	visit->last = UINT64_MAX;
	for (size_t i = 0; going_on && i < visit->lines->count; i++)
		going_on = visit_row(visit, &visit->lines->rows[i]);
	return going_on;
}

static bool visit_range(void *arg, uint64_t low, uint64_t high)
{
	struct visit *visit = arg;

	visit->low = low;
	visit->high = high;
	return visit_rows(visit);
}

static bool start_visit(struct visit *visit, struct pk_unit *unit)
{
	visit->unit = lines_unit(unit);
	visit->lines = pk_statements_read(visit->unit);
	return visit->lines;
}

bool pk_dwarf_places_statements(const struct pk_instance *instance, pk_statement_fn each, void *arg)
{
	struct visit visit = {.each = each,
			      .arg = arg,
			      .entry = instance->inlined ? UINT64_MAX : instance->entry,
			      .declared = instance->line};
	struct pk_unit *unit = instance->unit;
	struct pk_entry e;
	bool going_on = true;

	if (!pk_entry_read(unit, instance->die, &e) || !start_visit(&visit, unit))
		return true;
	going_on = pk_ranges_each(unit, &e.low, &e.high, &e.ranges, visit_range, &visit);
	pk_lines_free(visit.lines);
	return going_on;
}

/* Returns true if the file is in the line table of the unit. */
static bool has_file(struct pk_unit *unit, const char *file)
{
	struct pk_lines *lines = pk_unit_lines(unit);

	for (size_t i = 0; lines && i < lines->file_count; i++)
		if (pk_dwarf_places_same_file(pk_lines_path(unit, lines, i), file))
			return true;
	return false;
}

bool pk_dwarf_places_file(struct pk_types *t, const char *file, pk_statement_fn each, void *arg)
{
	struct pk_dwarf_file *own = t->dwarf->own;
	bool going_on = true;

	for (size_t i = 0; going_on && i < own->unit_count; i++) {
		struct visit visit = {.each = each,
				      .arg = arg,
				      .only = file,
				      .high = UINT64_MAX,
				      .entry = UINT64_MAX};
		struct pk_unit *unit = pk_unit_get(own, i);

		if (!unit || !has_file(unit, file) || !start_visit(&visit, unit))
			continue;
		going_on = visit_rows(&visit);
		pk_lines_free(visit.lines);
	}
	return going_on;
}

/* ---- Variables ---- */

static int compare_depth(const void *a, const void *b)
{
	const struct pk_variable *x = a, *y = b;

	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

size_t pk_dwarf_places_variables(struct pk_types *t, const struct pk_instance *instance,
				 uint64_t address, const struct pk_variable **variables)
{
	const struct pk_variable *all;
	const size_t count = pk_types_variables(t, address, address + 1, &all);
	struct pk_variable *list = t->chosen.list;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].name && list[i].function == instance->die)
			list[kept++] = list[i];
	if (kept)
		qsort(list, kept, sizeof(*list), compare_depth);
	*variables = list;
	return kept;
}

bool pk_dwarf_places_signature(struct pk_types *t, const struct pk_instance *instance,
			       struct pk_function *function)
{
	return pk_function_of_entry(t, instance->unit, instance->die, function);
}

pk_type_id pk_type_named(struct pk_types *t, const char *name)
{
	const struct pk_named *n = pk_types_named(t, PK_NAMED_TYPE, name);

	return n ? pk_type_of_entry(t, n->unit, n->die, 0) : PK_TYPE_NONE;
}
