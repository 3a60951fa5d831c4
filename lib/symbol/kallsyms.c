// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "digits.h"
#include "file.h"
#include "hash.h"
#include "kallsyms.h"
#include "vector.h"

/* ---- The list ---- */

/* The symbols that the kernel map of a stream can refer to. */
static const char *const reference_names[PK_KALLSYMS_REFERENCES] = {"_text", "_stext"};

/* Returns whether perf uses symbols with this type and name: symbols of code and data, except
 * mapping symbols such as "$x". Symbols of data are kept so that the code before them ends there.
 */
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

/* Returns the flags of a symbol with a name of `size` bytes. Names are not demangled, so a name
 * that need not be cut is shown unchanged. */
static uint32_t entry_info(char type, size_t size)
{
	const uint32_t plain = size <= PK_SYMBOL_NAME_MAX ? PK_ENTRY_PLAIN : 0;

	if (type == 'W')
		return PK_ENTRY_WEAK | plain;
	return type >= 'A' && type <= 'Z' ? PK_ENTRY_GLOBAL | plain : plain;
}

/* Returns the number of a module. Adds the module if it is new. */
static enum pk_status find_module(struct pk_kallsyms *k, const char *name, size_t size,
				  uint32_t *module)
{
	enum { MODULES_MAX = (1 << (32 - PK_ENTRY_MODULE_SHIFT)) - 1 };
	const uint32_t number = pk_texts_add(&k->modules, name, size);

	*module = number <= MODULES_MAX ? number : 0;
	return pk_need_room(k->table.failures, number ? PK_OK : PK_NOMEM);
}

/* Moves a name to the end of the kept names. The kept names are at the start of the block that
 * contains the text. They never overlap the text that is not read yet. */
static uint32_t keep_name(struct pk_symtable *t, const char *name, size_t size)
{
	uint32_t offset = (uint32_t)t->names_size;

	memmove(t->names + offset, name, size);
	t->names[offset + size] = 0;
	t->names_size += size + 1;
	return offset;
}

static enum pk_status read_module(struct pk_kallsyms *k, const char *name, const char *end,
				  uint32_t *module)
{
	*module = 0;
	if (end - name < 3 || name[0] != '[' || end[-1] != ']')
		return PK_OK;
	return find_module(k, name + 1, (size_t)(end - name) - 2, module);
}

static void note_reference(struct pk_kallsyms *k, const char *name, size_t size, uint64_t address)
{
	for (size_t i = 0; i < PK_KALLSYMS_REFERENCES; i++)
		if (size == strlen(reference_names[i]) && !memcmp(name, reference_names[i], size))
			k->references[i] = address;
}

/* Reads the line from `line` to `end`. */
static enum pk_status read_line(struct pk_kallsyms *k, char *line, char *end)
{
	const char *p = line;
	uint32_t name, module = 0;
	uint64_t address;
	const char *name_end;
	size_t size;
	char type;

	if (!digits_parse_hex(&p, end, &address) || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return PK_OK;
	type = p[1];
	p += 3;
	k->hidden &= !address;
	note_reference(k, p, (size_t)(end - p), address);
	if (!is_wanted(type, p))
		return PK_OK;
	name_end = memchr(p, '\t', (size_t)(end - p));
	size = (size_t)((name_end ? name_end : end) - p);
	name = keep_name(&k->table, p, size);
	if (name_end)
		PK_TRY(read_module(k, name_end + 1, end, &module));
	return pk_symtable_add(&k->table, address, 0, name,
			       entry_info(type, size) | module << PK_ENTRY_MODULE_SHIFT);
}

/* Reads the lines of a text that follows the kept names in their block, and sorts the symbols. */
static enum pk_status read_lines(struct pk_kallsyms *k, char *text, size_t size)
{
	char *const limit = text + size;
	char *line = text;
	enum pk_status status = PK_OK;

	while (status == PK_OK && line < limit) {
		char *end = memchr(line, '\n', (size_t)(limit - line));

		if (!end)
			end = limit;
		status = read_line(k, line, end);
		line = end + 1;
	}
	if (status == PK_OK)
		status = pk_symtable_settle(&k->table)
				 ?: pk_symtable_flatten(&k->table, PK_OVERLAP_INNERMOST);
	if (status != PK_OK) {
		pk_kallsyms_clear(k);
		return PK_NOMEM;
	}
	k->hidden &= k->table.count > 0;
	k->table.names_room = (size_t)(limit - k->table.names) + 1;
	pk_shrink(&k->table.names, &k->table.names_room, k->table.names_size + 1, 1);
	return PK_OK;
}

enum pk_status pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size)
{
	*k = (struct pk_kallsyms){
		.table.names = text, .table.failures = k->table.failures, .hidden = true};
	return read_lines(k, text, size);
}

static enum pk_status copy_modules(const struct pk_kallsyms *k, struct pk_kallsyms *all)
{
	uint32_t module;

	for (size_t i = 0; i < k->modules.count; i++) {
		const struct pk_texts_item *item = &k->modules.items[i];

		PK_TRY(find_module(all, item->text, item->size, &module));
	}
	return PK_OK;
}

/* Copies the symbols of `k` to `all`, which has room for them. Symbols have no size in the text, so
 * their sizes are calculated again. */
static void copy_symbols(const struct pk_kallsyms *k, struct pk_kallsyms *all)
{
	const struct pk_symtable *from = &k->table;
	struct pk_symtable *to = &all->table;

	memcpy(to->names, from->names, from->names_size);
	to->names_size = from->names_size;
	for (size_t i = 0; i < from->count; i++) {
		if (from->entries[i].back)
			continue; /* a later range of a symbol */
		to->entries[to->count] = from->entries[i];
		to->entries[to->count++].size = 0;
	}
	memcpy(all->references, k->references, sizeof(k->references));
}

enum pk_status pk_kallsyms_extend(const struct pk_kallsyms *k, const char *text, size_t size,
				  struct pk_kallsyms *all)
{
	struct pk_symtable *t = &all->table;

	if (pk_symtable_reserve(t, k->table.count) != PK_OK || copy_modules(k, all) != PK_OK ||
	    pk_need_room(t->failures, pk_reserve(&t->names, &t->names_room, 0,
						 k->table.names_size + size + 1, 1)) != PK_OK) {
		pk_kallsyms_clear(all);
		return PK_NOMEM;
	}
	copy_symbols(k, all);
	memcpy(t->names + t->names_size, text, size);
	t->names[t->names_size + size] = 0;
	return read_lines(all, t->names + t->names_size, size);
}

/* Returns whether a line lists code of ftrace, a BPF program or a kprobe. */
static bool is_generated(const char *line, size_t size)
{
	return memmem(line, size, "\t[__builtin__", 13) || memmem(line, size, "\t[bpf]", 6);
}

/* The kernel lists generated code last, so only the last lines are read. */
size_t pk_kallsyms_lasting_size(const char *text, size_t size)
{
	while (size) {
		const char *before = memrchr(text, '\n', size - 1);
		const size_t start = before ? (size_t)(before + 1 - text) : 0;

		if (!is_generated(text + start, size - start))
			break;
		size = start;
	}
	return size;
}

const char *pk_kallsyms_module(const struct pk_kallsyms *k, const struct pk_symtable_entry *e)
{
	return pk_texts_get(&k->modules, e->info >> PK_ENTRY_MODULE_SHIFT, NULL);
}

bool pk_kallsyms_may_lack(const struct pk_kallsyms *k, const struct pk_symtable_entry *e)
{
	return !e || e + 1 == k->table.entries + k->table.count ||
	       e[0].info >> PK_ENTRY_MODULE_SHIFT != e[1].info >> PK_ENTRY_MODULE_SHIFT;
}

/* Returns the name of references[index]. */
static const char *pk_kallsyms_reference_name(size_t index)
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
	pk_texts_free(&k->modules);
	*k = (struct pk_kallsyms){.table.failures = k->table.failures};
}

/* ---- The symbols of the running kernel in the cache ---- */

/* Adds the hash of a file's content to the key. Returns false if there is no such file, or if a
 * read fails. */
static bool add_file(struct pk_cache_key *key, const char *path)
{
	enum { SIZE_MAX_READ = 4 << 20 };
	size_t size;
	uint64_t hash;
	char *text;
	int fd;

	if (pk_file_open(path, &fd))
		return false;
	text = pk_file_read(fd, SIZE_MAX_READ, &size);
	close(fd);
	if (!text)
		return false;
	hash = pk_hash(text, size, size);
	pk_cache_key_add(key, &hash, sizeof(hash));
	free(text);
	return true;
}

void pk_kallsyms_key(struct pk_cache_key *key)
{
	pk_cache_key_start(key, "kernel");
	if (!add_file(key, "/proc/sys/kernel/random/boot_id"))
		key->size = 0;
	else
		add_file(key, "/proc/modules");
}

/* Reads what is saved with the table: the references, and the names of the modules in the order of
 * their numbers. */
static enum pk_status read_extra(struct pk_kallsyms *k, const char *bytes, size_t size)
{
	const char *name = bytes + sizeof(k->references), *const end = bytes + size;
	uint32_t module;

	if (size < sizeof(k->references) || (name < end && end[-1]))
		return PK_FAILED;
	memcpy(k->references, bytes, sizeof(k->references));
	for (; name < end; name += strlen(name) + 1)
		PK_TRY(find_module(k, name, strlen(name), &module));
	return PK_OK;
}

bool pk_kallsyms_load(const struct pk_symbol_cache *c, const struct pk_cache_key *key,
		      struct pk_kallsyms *k)
{
	const void *extra;
	size_t size;

	if (!pk_symbol_cache_load(c, key, &k->table, &extra, &size))
		return false;
	if (read_extra(k, extra, size) == PK_OK)
		return true;
	pk_kallsyms_clear(k);
	return false;
}

void pk_kallsyms_save(struct pk_symbol_cache *c, const struct pk_cache_key *key,
		      const struct pk_kallsyms *k)
{
	struct buffer extra = {0};

	if (k->hidden || !k->references[0])
		return;
	buffer_add(&extra, k->references, sizeof(k->references));
	for (size_t i = 0; i < k->modules.count; i++)
		buffer_add(&extra, k->modules.items[i].text, k->modules.items[i].size + 1);
	if (!extra.failed)
		pk_symbol_cache_save(c, key, &k->table, extra.data, extra.size);
	free(extra.data);
}

/* ---- The kernel's ELF file ---- */

struct symbols {
	struct pk_elf_records records;
	char *names;
	uint64_t names_size;
};

static bool open_symbols(const struct pk_elf *elf, struct symbols *s)
{
	const struct pk_elf_section *table = pk_elf_section(elf, ".symtab"), *sections;
	size_t count;

	sections = pk_elf_sections(elf, &count);
	if (!table || table->type != SHT_SYMTAB || table->link >= count ||
	    sections[table->link].type != SHT_STRTAB)
		return false;
	s->names_size = sections[table->link].size;
	s->names = pk_elf_bytes(elf, sections[table->link].offset, s->names_size);
	s->records = pk_elf_symbols(elf, table);
	return s->names;
}

bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value)
{
	struct symbols s;
	bool found = false;

	if (!open_symbols(elf, &s))
		return false;
	for (size_t i = 0; i < s.records.count && !found; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &s.records, i);

		found = symbol.name < s.names_size && !strcmp(s.names + symbol.name, name);
		if (found)
			*value = symbol.value;
	}
	free(s.names);
	return found;
}

/* Returns whether a symbol is a function, or a label in code. */
static bool is_code(const struct pk_elf *elf, const struct pk_elf_symbol *symbol)
{
	size_t count;
	const struct pk_elf_section *sections = pk_elf_sections(elf, &count);

	return (symbol->type == STT_FUNC || symbol->type == STT_NOTYPE) &&
	       symbol->section < count && sections[symbol->section].flags & SHF_EXECINSTR;
}

static uint32_t info_of(const struct pk_elf_symbol *symbol)
{
	return (symbol->bind == STB_GLOBAL ? PK_ENTRY_GLOBAL : 0) |
	       (symbol->bind == STB_WEAK ? PK_ENTRY_WEAK : 0) |
	       (symbol->type == STT_NOTYPE ? PK_ENTRY_NOTYPE : 0);
}

bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf)
{
	struct symbols s;
	uint32_t names;
	bool ok;

	*k = (struct pk_kallsyms){.table.failures = k->table.failures};
	if (!open_symbols(elf, &s))
		return true;
	ok = pk_symtable_names(&k->table, s.names, s.names_size + 1, &names) == PK_OK;
	for (size_t i = 0; ok && i < s.records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &s.records, i);

		if (symbol.name < s.names_size && s.names[symbol.name] && is_code(elf, &symbol))
			ok = pk_symtable_add(&k->table, symbol.value, symbol.size,
					     names + symbol.name, info_of(&symbol)) == PK_OK;
	}
	free(s.names);
	ok = ok && pk_symtable_settle(&k->table) == PK_OK &&
	     pk_symtable_flatten(&k->table, PK_OVERLAP_INNERMOST) == PK_OK;
	if (!ok) {
		pk_kallsyms_clear(k);
		return false;
	}
	for (size_t i = 0; i < PK_KALLSYMS_REFERENCES; i++)
		if (!pk_vmlinux_symbol(elf, pk_kallsyms_reference_name(i), &k->references[i]))
			k->references[i] = 0;
	return true;
}
