/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "hex.h"
#include "kallsyms.h"

/* What a stream's kernel map may be measured by. */
static const char *const reference_names[PK_KALLSYMS_REFERENCES] = {"_text", "_stext"};

/* What perf takes: code, and data so that the code in front of it ends there. */
static bool is_wanted(char type, const char *name)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b': return *name != '$';
	default: return false;
	}
}

static uint32_t entry_info(char type)
{
	if (type == 'W')
		return PK_ENTRY_WEAK;
	return type >= 'A' && type <= 'Z' ? PK_ENTRY_GLOBAL : 0;
}

static const char *module_name(const void *arg, uint32_t module)
{
	const struct pk_kallsyms *k = arg;

	return k->table.names + k->modules[module - 1];
}

/* Symbols of a module stand together, so that its name is compared with the last one only. */
static bool find_module(struct pk_kallsyms *k, const char *name, uint32_t *module)
{
	enum { MODULES_MAX = (1 << (32 - PK_ENTRY_MODULE_SHIFT)) - 1 };

	if (k->module_count && !strcmp(module_name(k, k->module_count), name)) {
		*module = k->module_count;
		return true;
	}
	*module = 0;
	if (k->module_count == MODULES_MAX)
		return true;
	if (k->module_count == k->module_room) {
		uint32_t room = k->module_room * 2 + 64;
		uint32_t *modules =
			pk_need(k->table.failures, realloc(k->modules, room * sizeof(*modules)));

		if (!modules)
			return false;
		k->modules = modules;
		k->module_room = room;
	}
	k->modules[k->module_count++] = (uint32_t)k->table.names_size;
	*module = k->module_count;
	return true;
}

/* Moves a name to the end of those kept, in the same block: it never gets past what is read. */
static uint32_t keep_name(struct pk_symtable *t, const char *name, size_t size)
{
	uint32_t offset = (uint32_t)t->names_size;

	memmove(t->names + offset, name, size);
	t->names[offset + size] = 0;
	t->names_size += size + 1;
	return offset;
}

static bool take_module(struct pk_kallsyms *k, char *name, char *end, uint32_t *module)
{
	uint32_t count = k->module_count;

	if (end - name < 3 || name[0] != '[' || end[-1] != ']') {
		*module = 0;
		return true;
	}
	end[-1] = 0;
	if (!find_module(k, name + 1, module))
		return false;
	if (k->module_count != count)
		keep_name(&k->table, name + 1, (size_t)(end - 1 - (name + 1)));
	return true;
}

static void note_reference(struct pk_kallsyms *k, const char *name, size_t size, uint64_t address)
{
	for (size_t i = 0; i < PK_KALLSYMS_REFERENCES; i++)
		if (size == strlen(reference_names[i]) && !memcmp(name, reference_names[i], size))
			k->references[i] = address;
}

/* One line, which ends at end. False: out of memory. */
static bool take_line(struct pk_kallsyms *k, char *line, char *end)
{
	const char *p = line;
	uint32_t name, module = 0;
	uint64_t address;
	char *name_end;
	char type;

	if (!pk_hex(&p, end, &address) || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return true;
	type = p[1];
	p += 3;
	k->hidden &= !address;
	note_reference(k, p, (size_t)(end - p), address);
	if (!is_wanted(type, p))
		return true;
	name_end = memchr(p, '\t', (size_t)(end - p));
	name = keep_name(&k->table, p, (size_t)((name_end ? name_end : end) - p));
	if (name_end && !take_module(k, name_end + 1, end, &module))
		return false;
	return pk_symtable_add(&k->table, address, 0, name,
			       entry_info(type) | module << PK_ENTRY_MODULE_SHIFT);
}

bool pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size)
{
	char *const limit = text + size;
	char *line = text, *shorter;
	bool ok = size < UINT32_MAX;

	*k = (struct pk_kallsyms){
		.table.names = text, .table.failures = k->table.failures, .hidden = true};
	while (ok && line < limit) {
		char *end = memchr(line, '\n', (size_t)(limit - line));

		if (!end)
			end = limit;
		ok = take_line(k, line, end);
		line = end + 1;
	}
	if (ok)
		ok = pk_symtable_settle(&k->table, module_name, k) &&
		     pk_symtable_flatten(&k->table, PK_OVERLAP_INNERMOST);
	if (!ok) {
		pk_kallsyms_clear(k);
		return false;
	}
	k->hidden &= k->table.count > 0;
	k->table.names_room = k->table.names_size + 1;
	shorter = realloc(k->table.names, k->table.names_room); /* may fail */
	if (shorter)
		k->table.names = shorter;
	return true;
}

const char *pk_kallsyms_module(const struct pk_kallsyms *k, const struct pk_symtable_entry *e)
{
	uint32_t module = e->info >> PK_ENTRY_MODULE_SHIFT;

	return module ? module_name(k, module) : NULL;
}

const char *pk_kallsyms_reference_name(size_t index)
{
	return reference_names[index];
}

bool pk_kallsyms_reference(const struct pk_kallsyms *k, const char *name, uint64_t *address)
{
	for (size_t i = 0; i < PK_KALLSYMS_REFERENCES; i++)
		if (!strcmp(name, reference_names[i]) && k->references[i]) {
			*address = k->references[i];
			return true;
		}
	return false;
}

void pk_kallsyms_clear(struct pk_kallsyms *k)
{
	pk_symtable_clear(&k->table);
	free(k->modules);
	*k = (struct pk_kallsyms){.table.failures = k->table.failures};
}
