/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_symbols.h"
#include "file.h"
#include "kallsyms_cache.h"
#include "jitdump.h"
#include "object.h"
#include "vmlinux.h"

enum {
	KALLSYMS_MAX = 1 << 30,
	RETRIES_MAX = 8,
};

static bool copy_loads(struct pk_object *o, const struct pk_elf *elf)
{
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &o->load_count);

	o->loads = pk_need(&o->store->failures, malloc((o->load_count + 1) * sizeof(*loads)));
	if (!o->loads) {
		o->load_count = 0;
		return false;
	}
	memcpy(o->loads, loads, o->load_count * sizeof(*loads));
	return true;
}

struct pk_search pk_object_search(const struct pk_object *o)
{
	return (struct pk_search){
		.where = &o->store->options,
		.path = o->path,
		.build_id = &o->build_id,
		.pid = o->pid,
		.debuginfod = &o->store->debuginfod,
		.failures = &o->store->failures,
	};
}

static void read_file(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_found found;

	if (pk_is_vdso(o->path))
		pk_search_vdso(&search, &found);
	else
		pk_search_file(&search, &found);
	o->state = found.state;
	o->table.demangle = !o->store->options.no_demangle;
	o->table.failures = search.failures;
	if (found.state == PK_OBJECT_READY &&
	    (!copy_loads(o, found.runtime) ||
	     !pk_elf_load_symbols(found.symbols, found.runtime, &o->table)))
		o->state = PK_OBJECT_NO_MEMORY;
	else if (found.state == PK_OBJECT_READY && !o->table.count)
		o->state = PK_OBJECT_STRIPPED;
	o->verified = o->state == PK_OBJECT_READY && o->build_id.size;
	o->source = found.source;
	found.source = NULL;
	pk_found_release(&found);
}

void pk_object_retry(struct pk_object *o, pid_t pid)
{
	if (pid == o->pid || o->retries == RETRIES_MAX ||
	    (o->state != PK_OBJECT_NO_FILE && o->state != PK_OBJECT_OTHER_BUILD))
		return;
	o->retries++;
	o->pid = pid;
	o->state = PK_OBJECT_UNREAD;
}

/* The running kernel's text, out of the cache if there is one. */
static char *read_running(const struct pk_symbols_options *options, int fd, size_t *size,
			  struct pk_kallsyms_cache *keep)
{
	char *text = NULL;

	*keep->path = 0;
	if (!options->no_cache && pk_kallsyms_cache_find(keep, options->own_cache))
		text = pk_kallsyms_cache_read(keep, KALLSYMS_MAX, size);
	if (text)
		*keep->path = 0;
	return text ? text : pk_file_read(fd, KALLSYMS_MAX, size);
}

/* All addresses are 0 for those who may not see them: that is not worth keeping. */
static bool is_shown(const char *text)
{
	const char *text_symbol = strstr(text, " T _text\n");

	return text_symbol && text_symbol - text >= 16 && memcmp(text_symbol - 16, "0000", 4);
}

static void parse_kallsyms(struct pk_kernel *k, const struct pk_search *search, int fd)
{
	const bool running = k->source && !strcmp(k->source, "/proc/kallsyms");
	struct pk_kallsyms_cache keep = {.path = ""};
	size_t size;
	char *text = running ? read_running(search->where, fd, &size, &keep)
			     : pk_file_read(fd, KALLSYMS_MAX, &size);

	k->kallsyms.table.failures = search->failures;
	if (text && *keep.path && is_shown(text))
		pk_kallsyms_cache_write(&keep, text, size);
	if (!text)
		k->state = pk_search_failed(search, k->source, errno);
	else if (!pk_kallsyms_parse(&k->kallsyms, text, size))
		k->state = PK_OBJECT_NO_MEMORY;
	else if (k->kallsyms.hidden)
		k->state = PK_OBJECT_HIDDEN;
	else if (!k->kallsyms.table.count)
		k->state = PK_OBJECT_UNUSABLE;
}

/* Where kallsyms cannot be had: without the symbols of modules, but better than nothing. */
static void load_vmlinux(struct pk_kernel *k, const struct pk_search *search)
{
	char *source = NULL;
	struct pk_elf *elf = pk_search_vmlinux(search, &source);

	if (!elf)
		return;
	free(k->source);
	k->source = source;
	k->state = PK_OBJECT_READY;
	k->verified = search->build_id->size;
	k->kallsyms.table.failures = search->failures;
	if (!pk_vmlinux_load(&k->kallsyms, elf))
		k->state = PK_OBJECT_NO_MEMORY;
	else if (!k->kallsyms.table.count)
		k->state = PK_OBJECT_STRIPPED;
	pk_elf_close(elf);
}

static struct pk_kernel *find_kernel(struct pk_symbols *s, const struct pk_build_id *id)
{
	const struct pk_search search = {
		.where = &s->options,
		.path = s->options.kallsyms,
		.build_id = id,
		.debuginfod = &s->debuginfod,
		.failures = &s->failures,
	};
	struct pk_kernel *k;
	int fd;

	for (k = s->kernels; k; k = k->next)
		if (k->build_id.size == id->size &&
		    !memcmp(k->build_id.bytes, id->bytes, sizeof(id->bytes)))
			return k;
	k = pk_need(&s->failures, calloc(1, sizeof(*k)));
	if (!k)
		return NULL;
	k->build_id = *id;
	k->state = pk_search_kallsyms(&search, &fd, &k->source, &k->verified);
	if (k->state == PK_OBJECT_READY) {
		parse_kallsyms(k, &search, fd);
		close(fd);
	}
	if (k->state != PK_OBJECT_READY)
		load_vmlinux(k, &search);
	k->next = s->kernels;
	s->kernels = k;
	return k;
}

static void read_kernel(struct pk_object *o)
{
	struct pk_kernel *k = find_kernel(o->store, &o->build_id);
	uint64_t listed;

	o->kernel = k;
	o->state = k ? k->state : PK_OBJECT_NO_MEMORY;
	if (o->state != PK_OBJECT_READY)
		return;
	o->verified = k->verified;
	o->source = k->source ? pk_need(&o->store->failures, strdup(k->source)) : NULL;
	if (o->view && pk_kallsyms_reference(&k->kallsyms, o->reference, &listed))
		o->shift = listed - o->view;
}

static void read_object(struct pk_object *o)
{
	uint64_t failures;

	if (o->state != PK_OBJECT_UNREAD)
		return;
	failures = o->store->failures.count;
	switch (o->kind) {
	case PK_KIND_FILE: read_file(o); break;
	case PK_KIND_KERNEL: read_kernel(o); break;
	case PK_KIND_PERF_MAP: pk_object_read_perf_map(o); break;
	case PK_KIND_JITDUMP: pk_object_read_jitdump(o); break;
	}
	/* No names are better than those of another symbol, or of another file. */
	if (o->store->failures.count != failures && o->state != PK_OBJECT_NO_MEMORY)
		o->state = PK_OBJECT_FAILED;
}

struct pk_symtable *pk_object_table(struct pk_object *o)
{
	if (o->dump)
		return &o->dump->symbols;
	return o->kernel ? &o->kernel->kallsyms.table : &o->table;
}

static struct pk_symtable_entry *find(struct pk_object *o, uint64_t address)
{
	struct pk_symtable_entry *e = NULL;

	if (o->state == PK_OBJECT_READY)
		e = pk_symtable_find(pk_object_table(o), address + o->shift);
	/* Modules were elsewhere in another boot, and nothing tells where. */
	if (e && o->shift && e->info >> PK_ENTRY_MODULE_SHIFT)
		return NULL;
	if (e || o->kind != PK_KIND_PERF_MAP || !pk_object_may_look(o) ||
	    !pk_object_read_perf_map(o))
		return e;
	return pk_symtable_find(&o->table, address);
}

void pk_object_describe(struct pk_object *o, struct pk_symtable_entry *e, struct pk_symbol *symbol)
{
	const uint64_t start = pk_symtable_start(e) - o->shift;

	*symbol = (struct pk_symbol){
		.name = pk_symtable_name(pk_object_table(o), e),
		.module = o->kernel ? pk_kallsyms_module(&o->kernel->kallsyms, e) : NULL,
		.start = start,
		.end = start + e->size,
		.flags = (e->info & PK_ENTRY_WEAK ? PK_SYMBOL_WEAK : 0) |
			 (e->info & PK_ENTRY_NOTYPE ? PK_SYMBOL_LABEL : 0) |
			 (e->info & PK_ENTRY_IFUNC ? PK_SYMBOL_IFUNC : 0) |
			 (e->info & PK_ENTRY_PLT ? PK_SYMBOL_PLT : 0),
	};
}

bool pk_object_lookup(struct pk_object *o, uint64_t address, struct pk_symbol *symbol)
{
	struct pk_symtable_entry *e;

	read_object(o);
	e = find(o, address);
	if (e)
		pk_object_describe(o, e, symbol);
	return e;
}

enum pk_object_state pk_object_state(struct pk_object *o)
{
	read_object(o);
	return o->state;
}

bool pk_object_verified(struct pk_object *o)
{
	read_object(o);
	return o->verified;
}

const char *pk_state_text(enum pk_object_state state)
{
	switch (state) {
	case PK_OBJECT_UNREAD: break;
	case PK_OBJECT_READY: return "has symbols";
	case PK_OBJECT_NO_FILE: return "no such file";
	case PK_OBJECT_DENIED: return "may not be read";
	case PK_OBJECT_UNUSABLE: return "is not a file with symbols, or is damaged";
	case PK_OBJECT_OTHER_BUILD: return "is of another build";
	case PK_OBJECT_STRIPPED: return "has no symbols, and no debug file was found";
	case PK_OBJECT_NOT_A_FILE: return "stands for no file";
	case PK_OBJECT_HIDDEN: return "shows no addresses (kptr_restrict)";
	case PK_OBJECT_NO_MEMORY: return "out of memory";
	case PK_OBJECT_FAILED: return "could not be read";
	}
	return "not read";
}

const char *pk_object_reason(struct pk_object *o)
{
	return pk_state_text(pk_object_state(o));
}

const char *pk_object_source(struct pk_object *o)
{
	read_object(o);
	return o->source ? o->source : "";
}

const char *pk_object_path(const struct pk_object *o)
{
	return o->path;
}

bool pk_object_elf_address(struct pk_object *o, uint64_t offset, uint64_t *address)
{
	read_object(o);
	for (size_t i = 0; i < o->load_count; i++) {
		const struct pk_elf_segment *l = &o->loads[i];

		if (offset >= l->offset && offset - l->offset < l->filesz) {
			*address = offset - l->offset + l->vaddr;
			return true;
		}
	}
	return false;
}
