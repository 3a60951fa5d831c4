/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jitdump.h"
#include "object.h"
#include "pkutil.h"

static char *copy(const char *s)
{
	return strdup(s ? s : "");
}

static char *default_cache_dir(void)
{
	const char *home = getenv("HOME"), *own = getenv("PERF_BUILDID_DIR");
	size_t size = home ? strlen(home) + sizeof("/.debug") : 0;
	char *path;

	if (own && *own)
		return copy(own);
	if (!home || *home != '/')
		return copy("");
	path = malloc(size);
	if (path)
		snprintf(path, size, "%s/.debug", home);
	return path;
}

static char *default_own_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;
	int n;

	if (cache && *cache == '/')
		n = asprintf(&path, "%s/pk", cache);
	else if (home && *home == '/')
		n = asprintf(&path, "%s/.cache/pk", home);
	else
		return copy("");
	return n < 0 ? NULL : path;
}

struct pk_symbols *pk_symbols_new(const struct pk_symbols_options *options)
{
	struct pk_symbols *s = calloc(1, sizeof(*s));
	struct pk_symbols_options *o;

	if (!s)
		return NULL;
	o = &s->options;
	o->symfs = copy(options->symfs);
	o->kallsyms = copy(options->kallsyms);
	o->vmlinux = copy(options->vmlinux);
	o->guest_kallsyms = copy(options->guest_kallsyms);
	o->guest_vmlinux = copy(options->guest_vmlinux);
	o->guest_modules = copy(options->guest_modules);
	o->guest_symfs = copy(options->guest_symfs);
	o->debuginfod = options->debuginfod;
	o->reader = options->reader;
	o->tried = options->tried;
	o->arg = options->arg;
	o->debug_dir = copy(options->debug_dir ? options->debug_dir : "/usr/lib/debug");
	o->cache_dir = options->cache_dir ? copy(options->cache_dir) : default_cache_dir();
	o->own_cache = options->own_cache ? copy(options->own_cache) : default_own_cache();
	o->no_cache = options->no_cache;
	o->no_demangle = options->no_demangle;
	o->all_names = options->all_names;
	o->no_lines = options->no_lines;
	o->declarations = options->declarations;
	o->no_inlines = options->no_inlines;
	o->no_files = options->no_files;
	if (o->symfs && o->kallsyms && o->vmlinux && o->guest_kallsyms && o->guest_vmlinux &&
	    o->guest_modules && o->guest_symfs && o->debug_dir && o->cache_dir && o->own_cache &&
	    pk_guests_find(s) == PK_OK) {
		pk_symbol_cache_open(&s->cache, o->no_cache ? "" : o->own_cache);
		return s;
	}
	pk_symbols_free(s);
	return NULL;
}

static void free_object(struct pk_object *o)
{

	pk_symtable_clear(&o->table);
	pk_object_free_jitdump(o);
	if (o->debug)
		o->debug->free(o->debug);
	free(o->loads);
	free(o->source);
	free(o->path);
	free(o);
}

void pk_symbols_save(struct pk_symbols *s)
{
	const struct pk_object *o;
	size_t cursor = 0;

	while ((o = pk_table_next_value(&s->objects, &cursor)))
		if (o->state == PK_OBJECT_READY)
			pk_symbol_cache_save(&s->cache, &o->cache_key, &o->table, NULL, 0);
	/* A table of a kernel that is not from the cache was saved when it was read. */
	for (const struct pk_kernel *k = s->kernels; k; k = k->next)
		if (k->kallsyms.table.mapped)
			pk_kallsyms_save(&s->cache, &k->cache_key, &k->kallsyms);
}

void pk_symbols_free(struct pk_symbols *s)
{
	struct pk_object *o;
	size_t cursor = 0;

	if (!s)
		return;
	while ((o = pk_table_next_value(&s->objects, &cursor)))
		free_object(o);
	while (s->kernels) {
		struct pk_kernel *k = s->kernels;

		s->kernels = k->next;
		pk_kallsyms_clear(&k->kallsyms);
		if (k->fd >= 0)
			close(k->fd);
		free(k->source);
		free(k);
	}
	pk_guests_free(s);
	pk_table_free(&s->builds);
	pk_table_free(&s->objects);
	pk_symbol_cache_close(&s->cache);
	free(s->distrust);
	free((char *)(uintptr_t)s->options.symfs);
	free((char *)(uintptr_t)s->options.kallsyms);
	free((char *)(uintptr_t)s->options.vmlinux);
	free((char *)(uintptr_t)s->options.guest_kallsyms);
	free((char *)(uintptr_t)s->options.guest_vmlinux);
	free((char *)(uintptr_t)s->options.guest_modules);
	free((char *)(uintptr_t)s->options.guest_symfs);
	free((char *)(uintptr_t)s->options.debug_dir);
	free((char *)(uintptr_t)s->options.cache_dir);
	free((char *)(uintptr_t)s->options.own_cache);
	free(s);
}

static uint64_t names_cut(const struct pk_object *o)
{
	return o->table.budget.cut + (o->dump ? o->dump->symbols.budget.cut : 0) +
	       (o->debug ? o->debug->names_cut(o->debug) : 0);
}

void pk_symbols_limits(const struct pk_symbols *s, struct pk_symbols_limits *limits)
{
	const struct pk_object *o;
	size_t cursor = 0;

	*limits = (struct pk_symbols_limits){
		.perf_maps_left_out = s->perf_maps_left_out,
		.not_trusted = s->not_trusted,
		.distrust = s->distrust,
		.not_saved = s->cache.error,
		.own_cache = s->options.own_cache,
	};
	while ((o = pk_table_next_value(&s->objects, &cursor)))
		limits->names_cut += names_cut(o);
	for (const struct pk_kernel *k = s->kernels; k; k = k->next)
		limits->names_cut += k->kallsyms.table.budget.cut;
}

struct pk_failures *pk_symbols_failures(struct pk_symbols *s)
{
	return &s->failures;
}

const char *pk_symbols_cache_dir(const struct pk_symbols *s)
{
	return s->options.cache_dir;
}

struct pk_failures *pk_object_failures(struct pk_object *o)
{
	return &o->store->failures;
}

static uint64_t hash_key(struct pk_symbols *s, const struct pk_object *key)
{
	const uint64_t secret = pk_table_secret(&s->objects);
	uint64_t h = pk_hash(key->path, strlen(key->path), secret);

	h = pk_hash(key->build_id.bytes, sizeof(key->build_id.bytes), secret ^ h) ^ key->inode;
	return pk_mix64(h ^ key->view, secret ^ UINT64_C(0x9e3779b97f4a7c15));
}

static bool same_key(const struct pk_object *a, const struct pk_object *b)
{
	return a->kind == b->kind && a->where == b->where && a->view == b->view &&
	       a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       a->build_id.size == b->build_id.size &&
	       !memcmp(a->build_id.bytes, b->build_id.bytes, sizeof(a->build_id.bytes)) &&
	       !strcmp(a->path, b->path) && !strcmp(a->reference, b->reference);
}

/* Returns the object that has the kind, path, build-id, view and options of the key. If there is
 * none, creates it from the key. */
static struct pk_object *intern(struct pk_symbols *s, struct pk_object *key)
{
	const uint64_t hash = hash_key(s, key);
	struct pk_probe probe = pk_table_probe(&s->objects, hash);
	struct pk_object *o;

	while ((o = (struct pk_object *)(uintptr_t)pk_probe_next(&probe)))
		if (same_key(o, key))
			return o;
	o = pk_need(&s->failures, malloc(sizeof(*o)));
	if (!o)
		return NULL;
	*o = *key;
	o->store = s;
	o->path = pk_need(&s->failures, strdup(key->path));
	if (o->path &&
	    pk_need_room(&s->failures, pk_table_add(&s->objects, hash, (uintptr_t)o)) == PK_OK)
		return o;
	free(o->path);
	free(o);
	return NULL;
}

static struct pk_build_id normal_build_id(const struct pk_build_id *id)
{
	struct pk_build_id copied = {0};

	if (id && id->size) {
		copied.size = id->size < PK_BUILD_ID_MAX ? id->size : PK_BUILD_ID_MAX;
		memcpy(copied.bytes, id->bytes, copied.size);
	}
	return copied;
}

/* Returns the inode of a mount namespace, or 0 if it is unknown. */
static uint64_t namespace_at(const char *path, struct pk_failures *failures)
{
	struct stat st;

	if (!stat(path, &st))
		return st.st_ino;
	if (pk_is_failure(errno))
		pk_failed(failures, path, errno);
	return 0;
}

/* Returns the inode of the process's mount namespace. Returns 0 if it is the mount namespace of
 * this process, or if it is unknown. */
static uint64_t view_of(struct pk_symbols *s, pid_t pid)
{
	char path[64];
	uint64_t theirs;

	if (!s->own_view)
		s->own_view = namespace_at("/proc/self/ns/mnt", &s->failures);
	if (!s->own_view)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	theirs = namespace_at(path, &s->failures);
	return theirs == s->own_view ? 0 : theirs;
}

static struct pk_object *find_build(const struct pk_symbols *s, const struct pk_build_id *id,
				    uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&s->builds, hash);
	struct pk_object *o;

	while ((o = (struct pk_object *)(uintptr_t)pk_probe_next(&probe)))
		if (pk_build_id_equal(&o->build_id, id))
			break;
	return o;
}

/* Returns the object of a build if one is known. A file with the same build-id has the same symbols
 * under all paths and in all containers. */
static struct pk_object *of_that_build(struct pk_symbols *s, struct pk_object *key)
{
	struct pk_object *known, *o;
	uint64_t hash;

	if (!key->build_id.size)
		return intern(s, key);
	hash = pk_hash(key->build_id.bytes, sizeof(key->build_id.bytes),
		       pk_table_secret(&s->builds));
	known = find_build(s, &key->build_id, hash);
	if (known && strcmp(known->path, key->path) && pk_object_state(known) == PK_OBJECT_READY)
		return known;
	o = intern(s, key);
	if (!o || o == known)
		return o;
	if (known)
		pk_table_remove_entry(&s->builds, hash, (uintptr_t)known);
	pk_need_room(&s->failures, pk_table_add(&s->builds, hash, (uintptr_t)o));
	return o;
}

struct pk_object *pk_symbols_file(struct pk_symbols *s, const char *path,
				  const struct pk_build_id *build_id, const struct pk_mapped *by)
{
	const pid_t pid = by ? by->pid : 0;
	struct pk_object key = {
		.kind = PK_KIND_FILE,
		.where = &s->options,
		.path = (char *)(uintptr_t)path,
		.build_id = normal_build_id(build_id),
		.pid = pid,
	};
	struct pk_object *o;

	if (!key.build_id.size && pid > 0 && !*s->options.symfs) {
		key.view = view_of(s, pid);
		key.major = by->major;
		key.minor = by->minor;
		key.inode = by->inode;
	}
	o = of_that_build(s, &key);
	if (o && pid > 0)
		pk_object_retry(o, pid);
	return o;
}

struct pk_object *pk_symbols_module(struct pk_symbols *s, const char *path,
				    const struct pk_build_id *build_id)
{
	struct pk_object key = {
		.kind = PK_KIND_MODULE,
		.where = &s->options,
		.path = (char *)(uintptr_t)path,
		.build_id = normal_build_id(build_id),
	};

	return intern(s, &key);
}

static struct pk_object *kernel(struct pk_symbols *s, const struct pk_object *like,
				const char *reference, uint64_t address)
{
	struct pk_object key = *like;

	key.kind = PK_KIND_KERNEL;
	key.view = reference ? address : 0;
	if (key.view)
		snprintf(key.reference, sizeof(key.reference), "%s", reference);
	return intern(s, &key);
}

struct pk_object *pk_symbols_kernel(struct pk_symbols *s, const struct pk_build_id *build_id,
				    const char *reference, uint64_t address)
{
	char path[] = "[kernel.kallsyms]";
	const struct pk_object like = {
		.path = path, .build_id = normal_build_id(build_id), .where = &s->options};

	return kernel(s, &like, reference, address);
}

struct pk_object *pk_symbols_guest_kernel(struct pk_symbols *s, uint32_t pid, const char *reference,
					  uint64_t address)
{
	struct pk_guest_files *const guest = pk_guests_of(s, pid);
	char path[64];
	const struct pk_object like = {.path = path, .where = &guest->where};

	snprintf(path, sizeof(path),
		 guest->pid ? "[guest.kernel.kallsyms.%u]" : "[guest.kernel.kallsyms]", guest->pid);
	return kernel(s, &like, reference, address);
}

struct pk_object *pk_symbols_guest_module(struct pk_symbols *s, uint32_t pid, const char *name)
{
	struct pk_guest_files *const guest = pk_guests_of(s, pid);
	char *const path = pk_guests_find_file(s, guest, name);
	struct pk_object key = {.kind = PK_KIND_MODULE, .path = path, .where = &guest->where};
	struct pk_object *object = path ? intern(s, &key) : NULL;

	free(path);
	return object;
}

struct pk_object *pk_symbols_perf_map(struct pk_symbols *s, pid_t pid)
{
	char path[64];
	struct pk_object key = {
		.kind = PK_KIND_PERF_MAP, .where = &s->options, .path = path, .pid = pid};

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return intern(s, &key);
}

struct pk_object *pk_symbols_jitdump(struct pk_symbols *s, const char *path, pid_t pid)
{
	struct pk_object key = {.kind = PK_KIND_JITDUMP,
				.where = &s->options,
				.path = (char *)(uintptr_t)path,
				.view = (uint64_t)pid,
				.pid = pid};

	return intern(s, &key);
}
