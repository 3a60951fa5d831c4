// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build_id.h"
#include "elf_symbols.h"
#include "file.h"
#include "jitdump.h"
#include "module_name.h"
#include "object.h"
#include "perfmap.h"

/* ---- Perf maps and jitdumps: files that grow while their code runs ---- */

/* The limit for the memory of all perf maps, in bytes. There can be many maps, because a process
 * that ends leaves its map file. */
enum { PERF_MAPS_MAX = 1 << 30 };

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Opens the perf map or jitdump of the object, and sets *fd and o->source. */
static enum pk_object_state open_written(struct pk_object *o, int *fd)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_symbols *store = o->store;
	struct pk_written written;
	enum pk_object_state state =
		pk_search_written(&search, o->kind == PK_KIND_PERF_MAP, &written);

	*fd = written.fd;
	if (state == PK_OBJECT_READY) {
		free(o->source);
		o->source = written.source;
	}
	/* If content was read while the process was alive, it stays valid. */
	if (state == PK_OBJECT_NOT_TRUSTED && o->state != state && !o->table.count &&
	    !(o->dump && o->dump->code_count)) {
		store->not_trusted++;
		if (!store->distrust) {
			store->distrust = written.distrust;
			return state;
		}
	}
	free(written.distrust);
	return state;
}

static uint64_t bytes_of(const struct pk_symtable *t)
{
	return t->names_room + t->room * sizeof(*t->entries);
}

/* Replaces the previous content by the content of the file. Closes fd. Returns true if this
 * succeeds. */
static bool parse_perf_map(struct pk_object *o, int fd)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_symbols *store = o->store;
	uint64_t left;
	size_t size;
	char *text;

	store->perf_map_bytes -= bytes_of(&o->table);
	pk_symtable_clear(&o->table);
	o->table.failures = search.failures;
	left = store->perf_map_bytes < PERF_MAPS_MAX ? PERF_MAPS_MAX - store->perf_map_bytes : 0;
	text = pk_file_read(fd, left, &size);
	o->state = text ? PK_OBJECT_READY : PK_OBJECT_UNUSABLE;
	if (!text && errno == EFBIG)
		store->perf_maps_left_out++;
	else if (!text)
		o->state = pk_search_failed(&search, o->source, errno);
	close(fd);
	if (!text)
		return false;
	if (pk_perf_map_parse(&o->table, text, size) != PK_OK)
		o->state = PK_OBJECT_NO_MEMORY;
	store->perf_map_bytes += bytes_of(&o->table);
	return o->state == PK_OBJECT_READY;
}

/* Reads a perf map if the file has changed. Returns true if there is new content. */
static bool pk_object_read_perf_map(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	const uint64_t begun = now_ms();
	enum pk_object_state state;
	uint64_t changed, bytes;
	struct stat st;
	bool news;
	int fd;

	o->next_look = begun + 100;
	state = open_written(o, &fd);
	if (state != PK_OBJECT_READY) {
		/* The process and its map file can be gone, but the previous content stays valid.
		 */
		if (!o->table.count)
			o->state = state;
		return false;
	}
	if (fstat(fd, &st)) {
		pk_failed(search.failures, o->source, errno);
		memset(&st, 0, sizeof(st));
	}
	bytes = (uint64_t)st.st_size;
	changed = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	if (o->file_time == changed && o->file_size == bytes) {
		close(fd);
		return false;
	}
	o->file_time = changed;
	o->file_size = bytes;
	news = parse_perf_map(o, fd);
	/* The next read may start after 100 ms plus 10 times the duration of this read. */
	o->next_look += 10 * (now_ms() - begun);
	return news;
}

/* Returns whether the file may be read again now. */
static bool pk_object_may_look(const struct pk_object *o)
{
	return now_ms() >= o->next_look;
}

/* Returns true if the file of a perf map has changed in the last 100 ms. */
static bool is_changing(struct pk_object *o)
{
	struct timespec now;

	if (pk_object_may_look(o))
		pk_object_read_perf_map(o);
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - o->file_time < 100000000;
}

bool pk_object_is_awaited(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	const enum pk_object_state state = pk_object_state(o);

	return !*o->where->symfs &&
	       (state == PK_OBJECT_NO_FILE || (state == PK_OBJECT_READY && is_changing(o))) &&
	       pk_search_writer_runs(&search);
}

void pk_object_is_final(struct pk_object *o)
{
	o->next_look = 0;
}

/* ---- jitdump ---- */

static bool pk_object_read_jitdump(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	const uint64_t begun = now_ms();
	enum pk_object_state state;
	size_t before;
	int fd;

	if (!o->dump) {
		o->dump = pk_need(search.failures, calloc(1, sizeof(*o->dump)));
		o->state = o->dump ? PK_OBJECT_READY : PK_OBJECT_NO_MEMORY;
		if (o->dump) {
			o->dump->failures = search.failures;
			o->dump->path = o->path;
		}
	}
	o->next_look = begun + 100;
	if (o->state == PK_OBJECT_NO_MEMORY || o->state == PK_OBJECT_UNUSABLE)
		return false;
	before = o->dump->code_count;
	state = open_written(o, &fd);
	/* The file can be gone, but the previous content stays valid. */
	o->state = before ? PK_OBJECT_READY : state;
	if (state != PK_OBJECT_READY)
		return false;
	if (pk_jitdump_read(o->dump, fd) != PK_OK && !o->dump->code_count)
		o->state = PK_OBJECT_UNUSABLE;
	close(fd);
	o->next_look += 10 * (now_ms() - begun);
	return o->dump->code_count > before;
}

size_t pk_object_codes(struct pk_object *o, const struct pk_code **codes)
{
	*codes = NULL;
	if (o->kind != PK_KIND_JITDUMP)
		return 0;
	if (o->state == PK_OBJECT_UNREAD || pk_object_may_look(o))
		pk_object_read_jitdump(o);
	if (!o->dump)
		return 0;
	*codes = o->dump->codes;
	return o->dump->code_count;
}

bool pk_object_jit_line(const struct pk_object *o, uint64_t address, struct pk_source *source)
{
	return o->dump && pk_jitdump_line(o->dump, address, source);
}

uint8_t *pk_object_jit_unwinding(struct pk_object *o, uint64_t address,
				 struct pk_jit_unwinding *unwinding)
{
	const struct pk_jit_unwinding *found =
		o->dump ? pk_jitdump_unwinding(o->dump, address) : NULL;
	uint8_t *bytes;
	int fd;

	if (!found || open_written(o, &fd) != PK_OBJECT_READY)
		return NULL;
	bytes = pk_jitdump_bytes(o->dump, fd, found);
	close(fd);
	*unwinding = *found;
	return bytes;
}

void pk_object_free_jitdump(struct pk_object *o)
{
	if (o->dump)
		pk_jitdump_clear(o->dump);
	free(o->dump);
}

/* ---- Objects ---- */

enum {
	KALLSYMS_MAX = 1 << 30,
	RETRIES_MAX = 8,
};

static enum pk_status copy_loads(struct pk_object *o, const struct pk_elf *elf)
{
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &o->load_count);

	o->loads = pk_need(&o->store->failures, malloc((o->load_count + 1) * sizeof(*loads)));
	if (!o->loads) {
		o->load_count = 0;
		return PK_NOMEM;
	}
	memcpy(o->loads, loads, o->load_count * sizeof(*loads));
	return PK_OK;
}

struct pk_search pk_object_search(const struct pk_object *o)
{
	return (struct pk_search){
		.where = o->where,
		.path = o->path,
		.build_id = &o->build_id,
		.by = {o->pid, o->major, o->minor, o->inode},
		.failures = &o->store->failures,
	};
}

/* Sets the key of the table in the cache. The build-id alone is not enough, because the author of a
 * file can choose its build-id. Files without a build-id are not kept in the cache. */
static void set_cache_key(struct pk_object *o, const struct pk_found *found)
{
	const struct pk_elf_identity runtime = pk_elf_identity(found->runtime),
				     symbols = pk_elf_identity(found->symbols);
	struct pk_build_id id;

	if (!o->table.demangle || o->table.all_names || !runtime.inode ||
	    !pk_elf_build_id(found->runtime, &id))
		return;
	pk_cache_key_start(&o->cache_key, "file");
	pk_cache_key_add(&o->cache_key, &id, sizeof(id));
	pk_cache_key_add(&o->cache_key, &runtime, sizeof(runtime));
	pk_cache_key_add(&o->cache_key, &symbols, sizeof(symbols));
}

static enum pk_status load_symbols(struct pk_object *o, const struct pk_found *found)
{
	const void *extra;
	size_t size;

	set_cache_key(o, found);
	if (pk_symbol_cache_load(&o->store->cache, &o->cache_key, &o->table, &extra, &size))
		return PK_OK;
	return pk_elf_load_symbols(found->symbols, found->runtime, &o->table);
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
	o->has_no_dwarf = found.has_no_dwarf;
	o->table.demangle = !o->store->options.no_demangle;
	o->table.all_names = o->store->options.all_names;
	o->table.failures = search.failures;
	if ((found.runtime && copy_loads(o, found.runtime) != PK_OK) ||
	    (found.state == PK_OBJECT_READY && load_symbols(o, &found) != PK_OK))
		o->state = PK_OBJECT_NO_MEMORY;
	else if (found.state == PK_OBJECT_READY && !o->table.count)
		o->state = PK_OBJECT_STRIPPED;
	o->source = found.source;
	found.source = NULL;
	pk_found_release(&found);
}

/* Reads the symbols of a module. Its addresses are the addresses that pk_elf_symbol() gives to a
 * relocatable file. */
static void read_module(struct pk_object *o)
{
	const struct pk_search search = pk_object_search(o);
	struct pk_elf *elf = pk_search_module(&search, &o->source, &o->state);

	o->table.failures = search.failures;
	if (!elf)
		return;
	if (copy_loads(o, elf) != PK_OK || pk_elf_load_symbols(elf, elf, &o->table) != PK_OK)
		o->state = PK_OBJECT_NO_MEMORY;
	else if (!o->table.count)
		o->state = PK_OBJECT_STRIPPED;
	pk_elf_close(elf);
}

void pk_object_retry(struct pk_object *o, pid_t pid)
{
	if (pid == o->pid || o->retries == RETRIES_MAX ||
	    (o->state != PK_OBJECT_NO_FILE && o->state != PK_OBJECT_OTHER_BUILD &&
	     o->state != PK_OBJECT_GONE))
		return;
	o->retries++;
	o->pid = pid;
	o->state = PK_OBJECT_UNREAD;
}

/* Reads the list of the running kernel, from the cache if possible. If the table is a copy, or is
 * as short as a copy, k->fd is set to fd, so that the whole list can be read later. For users
 * without permission, the kernel shows only zeros. A list of zeros is not saved. */
static enum pk_status read_running(struct pk_kernel *k, struct pk_symbol_cache *cache, int fd)
{
	size_t size;
	char *text;

	k->fd = fd;
	if (cache->newer.bytes)
		pk_kallsyms_key(&k->cache_key);
	if (pk_kallsyms_load(cache, &k->cache_key, &k->kallsyms))
		return PK_OK;
	text = pk_file_read(fd, KALLSYMS_MAX, &size);
	if (!text)
		return PK_IO;
	if (cache->writable && k->cache_key.size) {
		size = pk_kallsyms_lasting_size(text, size);
		text[size] = 0;
	} else {
		k->fd = -1;
	}
	PK_TRY(pk_kallsyms_parse(&k->kallsyms, text, size));
	pk_kallsyms_save(cache, &k->cache_key, &k->kallsyms);
	return PK_OK;
}

static enum pk_status read_list(struct pk_kernel *k, struct pk_symbol_cache *cache, int fd)
{
	size_t size;
	char *text;

	if (k->source && !strcmp(k->source, "/proc/kallsyms"))
		return read_running(k, cache, fd);
	text = pk_file_read(fd, KALLSYMS_MAX, &size);
	return text ? pk_kallsyms_parse(&k->kallsyms, text, size) : PK_IO;
}

static void parse_kallsyms(struct pk_kernel *k, const struct pk_search *search,
			   struct pk_symbol_cache *cache, int fd)
{
	enum pk_status status;

	k->kallsyms.table.failures = search->failures;
	status = read_list(k, cache, fd);
	if (status == PK_IO)
		k->state = pk_search_failed(search, k->source, errno);
	else if (status != PK_OK)
		k->state = PK_OBJECT_NO_MEMORY;
	else if (k->kallsyms.hidden)
		k->state = PK_OBJECT_HIDDEN;
	else if (!k->kallsyms.table.count)
		k->state = PK_OBJECT_UNUSABLE;
}

static bool is_same_key(const struct pk_cache_key *a, const struct pk_cache_key *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Parses the whole list of the kernel. If no module was loaded or removed since the copy was made,
 * only the lines that the copy does not have are parsed. */
static enum pk_status parse_all(const struct pk_kernel *k, char *text, size_t size,
				struct pk_kallsyms *all)
{
	const size_t lasting = pk_kallsyms_lasting_size(text, size);
	struct pk_cache_key key;
	enum pk_status status;

	pk_kallsyms_key(&key);
	if (k->kallsyms.table.shown_count || !is_same_key(&key, &k->cache_key))
		return pk_kallsyms_parse(all, text, size);
	status = pk_kallsyms_extend(&k->kallsyms, text + lasting, size - lasting, all);
	free(text);
	return status;
}

/* Replaces a copy from the cache by the whole list of the kernel. If this fails, the copy stays in
 * use. */
static void complete_kallsyms(struct pk_kernel *k, struct pk_failures *failures)
{
	struct pk_kallsyms all = {.table.failures = failures};
	size_t size;
	char *text = pk_file_read(k->fd, KALLSYMS_MAX, &size);

	if (!text)
		pk_failed_errno(failures, k->source);
	close(k->fd);
	k->fd = -1;
	if (!text || parse_all(k, text, size, &all) != PK_OK)
		return;
	if (all.hidden) {
		pk_kallsyms_clear(&all);
		return;
	}
	pk_kallsyms_clear(&k->kallsyms);
	k->kallsyms = all;
}

/* Reads the symbols of a vmlinux file. The vmlinux file is used only if there is no usable
 * kallsyms, because vmlinux does not have the symbols of modules. */
static void load_vmlinux(struct pk_kernel *k, const struct pk_search *search)
{
	char *source = NULL;
	struct pk_elf *elf = pk_search_vmlinux(search, &source);

	if (!elf)
		return;
	free(k->source);
	k->source = source;
	k->state = PK_OBJECT_READY;
	k->kallsyms.table.failures = search->failures;
	if (!pk_vmlinux_load(&k->kallsyms, elf))
		k->state = PK_OBJECT_NO_MEMORY;
	else if (!k->kallsyms.table.count)
		k->state = PK_OBJECT_STRIPPED;
	pk_elf_close(elf);
}

static struct pk_kernel *find_kernel(struct pk_symbols *s, const struct pk_symbols_options *where,
				     const struct pk_build_id *id)
{
	const bool guest = where != &s->options;
	const struct pk_search search = {
		.where = where,
		.path = where->kallsyms,
		.build_id = id,
		.failures = &s->failures,
	};
	struct pk_kernel *k;
	int fd;

	for (k = s->kernels; k; k = k->next)
		if (k->where == where && k->build_id.size == id->size &&
		    !memcmp(k->build_id.bytes, id->bytes, sizeof(id->bytes)))
			return k;
	k = pk_need(&s->failures, calloc(1, sizeof(*k)));
	if (!k)
		return NULL;
	k->build_id = *id;
	k->where = where;
	k->state = guest && !*where->kallsyms ? PK_OBJECT_NO_FILE
					      : pk_search_kallsyms(&search, &fd, &k->source);
	k->fd = -1;
	if (k->state == PK_OBJECT_READY) {
		parse_kallsyms(k, &search, &s->cache, fd);
		if (k->fd < 0)
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
	struct pk_kernel *k = find_kernel(o->store, o->where, &o->build_id);
	uint64_t listed;

	o->kernel = k;
	o->state = k ? k->state : PK_OBJECT_NO_MEMORY;
	if (o->state != PK_OBJECT_READY)
		return;
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
	case PK_KIND_MODULE: read_module(o); break;
	case PK_KIND_KERNEL: read_kernel(o); break;
	case PK_KIND_PERF_MAP: pk_object_read_perf_map(o); break;
	case PK_KIND_JITDUMP: pk_object_read_jitdump(o); break;
	}
	/* After a failed read, no names are shown. Names of a wrong symbol or file would be worse
	 * than no names. */
	if (o->store->failures.count != failures && o->state != PK_OBJECT_NO_MEMORY)
		o->state = PK_OBJECT_FAILED;
}

/* Returns the symbol table of the object. */
static struct pk_symtable *pk_object_table(struct pk_object *o)
{
	if (o->dump)
		return &o->dump->symbols;
	return o->kernel ? &o->kernel->kallsyms.table : &o->table;
}

/* Returns whether a later lookup can find a different symbol. */
static bool changes(const struct pk_object *o)
{
	return o->kind == PK_KIND_PERF_MAP || o->kind == PK_KIND_JITDUMP;
}

/* Finds the entry in the object's table. If the table is a copy from the cache and may lack the
 * symbol, the whole list of the kernel is read first. */
static struct pk_symtable_entry *find_listed(struct pk_object *o, uint64_t address,
					     struct pk_range *same)
{
	struct pk_symtable_entry *e = pk_symtable_find_range(pk_object_table(o), address, same);

	if (!o->kernel || o->kernel->fd < 0 || o->shift ||
	    !pk_kallsyms_may_lack(&o->kernel->kallsyms, e))
		return e;
	complete_kallsyms(o->kernel, &o->store->failures);
	return pk_symtable_find_range(pk_object_table(o), address, same);
}

static struct pk_symtable_entry *find_entry(struct pk_object *o, uint64_t address,
					    struct pk_range *same)
{
	struct pk_symtable_entry *e = NULL;

	*same = PK_RANGE_ALL;
	if (o->state == PK_OBJECT_READY)
		e = find_listed(o, address + o->shift, same);
	*same = changes(o) ? pk_range_of_one(address)
			   : pk_range_move(same, address + o->shift, address);
	/* The kernel was at another address when the recording was made. So its modules were at
	 * other addresses, too, and these addresses are unknown. */
	if (e && o->shift && e->info >> PK_ENTRY_MODULE_SHIFT)
		return NULL;
	if (e || o->kind != PK_KIND_PERF_MAP || !pk_object_may_look(o) ||
	    !pk_object_read_perf_map(o))
		return e;
	return pk_symtable_find(&o->table, address);
}

static void pk_object_describe(struct pk_object *o, struct pk_symtable_entry *e,
			       struct pk_symbol *symbol)
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
			 (e->info & PK_ENTRY_PLT ? PK_SYMBOL_PLT : 0) |
			 (e->info & PK_ENTRY_DATA ? PK_SYMBOL_DATA : 0),
	};
}

bool pk_object_lookup_range(struct pk_object *o, uint64_t address, struct pk_symbol *symbol,
			    struct pk_range *same)
{
	struct pk_symtable_entry *e;

	read_object(o);
	e = find_entry(o, address, same);
	if (e)
		pk_object_describe(o, e, symbol);
	return e;
}

bool pk_object_lookup(struct pk_object *o, uint64_t address, struct pk_symbol *symbol)
{
	struct pk_range same;

	return pk_object_lookup_range(o, address, symbol, &same);
}

bool pk_object_covers(struct pk_object *o, uint64_t start, uint64_t end)
{
	struct pk_range same;

	read_object(o);
	return o->state == PK_OBJECT_READY &&
	       (pk_symtable_find_range(pk_object_table(o), start + o->shift, &same) ||
		same.to < end + o->shift);
}

enum pk_object_state pk_object_state(struct pk_object *o)
{
	read_object(o);
	return o->state;
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

bool pk_object_code_start(struct pk_object *o, uint64_t *address)
{
	read_object(o);
	for (size_t i = 0; i < o->load_count; i++)
		if (o->loads[i].flags & PF_X) {
			*address = o->loads[i].vaddr;
			return true;
		}
	return false;
}

/* ---- All symbols of an object, and build-ids ---- */

bool pk_object_symbol(struct pk_object *o, size_t index, struct pk_symbol *symbol)
{
	const struct pk_symtable *table;

	if (pk_object_state(o) != PK_OBJECT_READY)
		return false;
	table = pk_object_table(o);
	if (index >= table->count)
		return false;
	pk_object_describe(o, &table->entries[index], symbol);
	return true;
}

/* Gets the name of a module from "[ext4]", or from the path of its file. Returns false if the path
 * is not a module. */
static bool module_name(const char *path, char *name, size_t size)
{
	const char *end = strchr(path, ']');

	if (*path != '[')
		return pk_module_name(path, name, size) && name[0] != '.';
	return end && end > path + 1 && path[1] != '.' &&
	       snprintf(name, size, "%.*s", (int)(end - path - 1), path + 1) < (int)size &&
	       !strchr(name, '/');
}

bool pk_running_build_id(struct pk_symbols *s, const char *path, struct pk_build_id *id)
{
	char name[128], notes[256];
	struct pk_elf *elf;
	const void *image;
	size_t size;
	bool found;

	if (!strcmp(path, "[kernel.kallsyms]"))
		return pk_build_id_of_file("/sys/kernel/notes", id, &s->failures);
	if (pk_is_vdso(path)) {
		image = pk_own_vdso(&size, &s->failures);
		elf = image ? pk_elf_open_memory(image, size, &s->failures) : NULL;
		found = elf && pk_elf_build_id(elf, id);
		pk_elf_close(elf);
		return found;
	}
	if (!module_name(path, name, sizeof(name)))
		return false;
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return pk_build_id_of_file(notes, id, &s->failures);
}

bool pk_symbols_build_id(struct pk_symbols *s, const char *path, const struct pk_mapped *by,
			 struct pk_build_id *id)
{
	const struct pk_build_id any = {0};
	const struct pk_search search = {
		.where = &s->options,
		.path = path,
		.build_id = &any,
		.by = by ? *by : (struct pk_mapped){0},
		.failures = &s->failures,
	};
	struct pk_elf *elf = pk_search_mapped(&search);
	const bool found = elf && pk_elf_build_id(elf, id);

	pk_elf_close(elf);
	return found;
}

/* ---- The files of an object, for archives ---- */

static bool anything(const struct pk_elf *elf)
{
	(void)elf;
	return true;
}

/* Returns `path` if it differs from `first`. Otherwise frees `path` and returns NULL. */
static char *other_path(char *path, const char *first)
{
	if (path && *path && strcmp(path, first))
		return path;
	free(path);
	return NULL;
}

static void find_debug(const struct pk_search *s, struct pk_files *files)
{
	struct pk_search search = *s;
	struct pk_found found;
	char *source = NULL;
	struct pk_elf *elf;

	search.build_id = &files->build_id;
	elf = pk_search_debug_info(&search, &source);
	pk_elf_close(elf);
	files->debug = other_path(source, files->file);
	if (files->debug)
		return;
	search.wanted = NULL;
	pk_search_file(&search, &found);
	if (found.runtime && found.source)
		files->debug = other_path(pk_need(s->failures, strdup(found.source)), files->file);
	pk_found_release(&found);
}

enum pk_object_state pk_symbols_files(struct pk_symbols *s, const char *path,
				      const struct pk_build_id *build_id,
				      const struct pk_mapped *by, struct pk_files *files)
{
	const struct pk_search search = {
		.where = &s->options,
		.path = path,
		.build_id = build_id,
		.by = by ? *by : (struct pk_mapped){0},
		.wanted = anything,
		.failures = &s->failures,
	};
	const uint64_t failures = s->failures.count;
	struct pk_found found;
	enum pk_object_state state;

	*files = (struct pk_files){0};
	if (pk_is_vdso(path))
		pk_search_vdso(&search, &found);
	else
		pk_search_file(&search, &found);
	state = found.state;
	if (found.runtime && found.source) {
		pk_elf_build_id(found.runtime, &files->build_id);
		files->file = found.source;
		found.source = NULL;
		if (!pk_is_vdso(path))
			find_debug(&search, files);
	}
	pk_found_release(&found);
	return s->failures.count == failures ? state : PK_OBJECT_FAILED;
}

enum pk_object_state pk_symbols_kallsyms(struct pk_symbols *s, const struct pk_build_id *build_id,
					 int *fd)
{
	const struct pk_search search = {
		.where = &s->options,
		.path = s->options.kallsyms,
		.build_id = build_id,
		.failures = &s->failures,
	};
	enum pk_object_state state;
	char *source = NULL;

	*fd = -1;
	state = pk_search_kallsyms(&search, fd, &source);
	free(source);
	return state;
}

const void *pk_symbols_own_vdso(struct pk_symbols *s, size_t *size)
{
	return pk_own_vdso(size, &s->failures);
}

void pk_files_release(struct pk_files *files)
{
	free(files->file);
	free(files->debug);
	*files = (struct pk_files){0};
}
