// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_line.h"
#include "dwarf_scopes.h"
#include "dwarf_unit.h"

struct unit_range {
	struct pk_dwarf *dwarf;
	uint32_t index;
};

static bool add_unit_range(void *arg, uint64_t low, uint64_t high)
{
	const struct unit_range *r = arg;

	if (!pk_dwarf_is_code(r->dwarf, low))
		return true;
	return pk_symtable_add(&r->dwarf->ranges, low, high - low, r->index, 0) == PK_OK;
}

/* Builds an index of the units by address. It uses the root entries of the units, because
 * .debug_aranges can be missing or incomplete. */
static enum pk_status index_units(struct pk_dwarf *d)
{
	struct pk_dwarf_file *f = d->own;

	for (size_t i = 0; i < f->unit_count && i < UINT32_MAX; i++) {
		struct unit_range range = {d, (uint32_t)i};
		struct pk_unit unit = {0};

		if (!pk_unit_read(f, f->offsets[i], &unit))
			continue;
		if (!pk_ranges_each(&unit, &unit.low, &unit.high, &unit.ranges, add_unit_range,
				    &range))
			break;
	}
	return pk_symtable_flatten(&d->ranges, PK_OVERLAP_NEWEST);
}

static void keep_code(struct pk_dwarf *d, const struct pk_elf_segment *loads, size_t count)
{
	const size_t room = sizeof(d->code) / sizeof(d->code[0]);

	for (size_t i = 0; i < count && d->code_count < room; i++)
		if (loads[i].flags & PF_X)
			d->code[d->code_count++] = loads[i];
}

struct pk_dwarf *pk_dwarf_new(struct pk_elf *elf, const char *path,
			      const struct pk_elf_segment *loads, size_t load_count,
			      const struct pk_dwarf_options *options)
{
	struct pk_failures *failures = pk_elf_failures(elf);
	struct pk_dwarf *d = pk_need(failures, calloc(1, sizeof(*d)));

	if (!d) {
		pk_elf_close(elf);
		return NULL;
	}
	d->options = *options;
	d->failures = d->ranges.failures = d->names_budget.failures = failures;
	d->budget = 32 << 20;
	keep_code(d, loads, load_count);
	d->own = pk_dwarf_file_add(d, elf, path, false);
	if (d->own && index_units(d) == PK_OK)
		return d;
	pk_dwarf_free(d);
	return NULL;
}

uint64_t pk_dwarf_names_cut(const struct pk_dwarf *d)
{
	return d->names_budget.cut;
}

static void free_unit(struct pk_unit *unit)
{
	if (!unit)
		return;
	pk_scopes_free(unit->scopes);
	pk_lines_free(unit->lines);
	pk_enclosing_free(unit->enclosing);
	free(unit);
}

static void free_file(struct pk_dwarf_file *f)
{
	for (size_t i = 0; f->units && i < f->unit_count; i++) {
		if (f->units[i])
			free_unit(f->units[i]->split);
		free_unit(f->units[i]);
	}
	pk_abbrevs_free(f);
	pk_dwarf_file_free(f);
}

void pk_dwarf_free(struct pk_dwarf *d)
{
	struct pk_name *name;
	size_t cursor = 0;

	if (!d)
		return;
	while (d->files) {
		struct pk_dwarf_file *f = d->files;

		d->files = f->next;
		free_file(f);
	}
	while ((name = pk_table_next_value(&d->names, &cursor))) {
		free(name->made);
		free(name);
	}
	pk_table_free(&d->names);
	pk_symtable_clear(&d->ranges);
	free(d);
}

const struct pk_scopes *pk_unit_scopes(struct pk_unit *unit)
{
	if (!unit->scopes_tried) {
		unit->scopes_tried = true;
		unit->scopes = pk_scopes_read(unit);
	}
	return unit->scopes;
}

struct pk_lines *pk_unit_lines(struct pk_unit *unit)
{
	if (!unit->lines_tried) {
		unit->lines_tried = true;
		unit->lines = pk_lines_read(unit);
	}
	return unit->lines;
}

/* Lists the functions at an address. The innermost function is first. */
static size_t functions_at(struct pk_unit *unit, uint64_t address, const struct pk_scope **chain,
			   size_t room, struct pk_range *same)
{
	const struct pk_scopes *scopes = pk_unit_scopes(unit);
	const struct pk_symtable_entry *e = NULL;
	struct pk_range piece = PK_RANGE_ALL;
	size_t n = 0;

	if (scopes)
		e = pk_symtable_find_range(&scopes->table, address, &piece);
	pk_range_clip(same, piece.from, piece.to);
	for (uint32_t i = e ? e->name : 0; i && n < room; i = scopes->list[i].parent) {
		chain[n++] = &scopes->list[i];
		if (!scopes->list[i].inlined)
			break;
	}
	return n;
}

bool pk_dwarf_function(struct pk_dwarf *d, uint64_t address, struct pk_unit **unit, uint64_t *die)
{
	const struct pk_scope *chain[PK_SOURCES_MAX];
	const struct pk_symtable_entry *e = pk_symtable_find(&d->ranges, address);
	struct pk_unit *skeleton = e ? pk_unit_get(d->own, e->name) : NULL;
	struct pk_range same = PK_RANGE_ALL;
	size_t n = 0;

	*unit = skeleton ? pk_unit_full(skeleton) : NULL;
	if (*unit)
		n = functions_at(*unit, address, chain, PK_SOURCES_MAX, &same);
	if (!n || chain[n - 1]->inlined)
		return false;
	*die = (*unit)->offset + chain[n - 1]->die;
	return true;
}

void pk_dwarf_function_ranges(struct pk_dwarf *d, uint64_t address,
			      bool (*each)(void *arg, uint64_t start, uint64_t end), void *arg)
{
	struct pk_unit *unit;
	struct pk_entry e;
	uint64_t die;

	if (pk_dwarf_function(d, address, &unit, &die) && pk_entry_read(unit, die, &e))
		pk_ranges_each(unit, &e.low, &e.high, &e.ranges, each, arg);
}

static void set_lines(struct pk_unit *skeleton, uint64_t address,
		      const struct pk_scope *const *chain, struct pk_source *sources, size_t n)
{
	struct pk_lines *lines = pk_unit_lines(skeleton);
	const struct pk_line *row = lines ? pk_lines_find(lines, address) : NULL;

	if (row) {
		sources[0].file = pk_lines_path(skeleton, lines, row->file);
		sources[0].line = row->line;
		sources[0].column = row->column;
		sources[0].discriminator = row->discriminator;
	}
	for (size_t i = 1; i < n; i++) {
		sources[i].file =
			lines ? pk_lines_path(skeleton, lines, chain[i - 1]->call_file) : NULL;
		sources[i].line = chain[i - 1]->call_line;
		sources[i].column = chain[i - 1]->call_column;
		sources[i].discriminator = chain[i - 1]->call_discriminator;
	}
}

size_t pk_dwarf_sources(struct pk_dwarf *d, uint64_t address, bool lines, struct pk_source *sources,
			size_t room, struct pk_range *same)
{
	const struct pk_scope *chain[PK_SOURCES_MAX];
	const struct pk_symtable_entry *e = pk_symtable_find_range(&d->ranges, address, same);
	struct pk_unit *skeleton = e ? pk_unit_get(d->own, e->name) : NULL, *unit;
	size_t n = 0;

	if (!skeleton)
		return 0;
	unit = pk_unit_full(skeleton);
	if (unit)
		n = functions_at(unit, address, chain,
				 room < PK_SOURCES_MAX ? room : PK_SOURCES_MAX, same);
	memset(sources, 0, (n ? n : 1) * sizeof(*sources));
	for (size_t i = 0; i < n; i++) {
		sources[i].function = pk_scope_name(unit, chain[i]);
		sources[i].inlined = i + 1 < n;
		sources[i].start = chain[i]->low;
		if (d->options.declarations)
			sources[i].declared = pk_scope_declared(unit, chain[i]);
	}
	if (lines)
		*same = pk_range_of_one(address);
	if (lines)
		set_lines(skeleton, address, (const struct pk_scope *const *)chain, sources,
			  n ? n : 1);
	return n || !sources[0].file ? n : 1;
}
