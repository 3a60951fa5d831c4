/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfod.h"
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
	o->debuginfod_seconds = options->debuginfod_seconds;
	o->tried = options->tried;
	o->arg = options->arg;
	o->debug_dir = copy(options->debug_dir ? options->debug_dir : "/usr/lib/debug");
	o->cache_dir = options->cache_dir ? copy(options->cache_dir) : default_cache_dir();
	o->own_cache = options->own_cache ? copy(options->own_cache) : default_own_cache();
	o->no_cache = options->no_cache;
	o->no_demangle = options->no_demangle;
	o->no_lines = options->no_lines;
	o->no_inlines = options->no_inlines;
	s->secret = pk_secret();
	s->room = 64;
	s->objects = calloc(s->room, sizeof(*s->objects));
	if (o->symfs && o->kallsyms && o->vmlinux && o->debug_dir && o->cache_dir && o->own_cache &&
	    s->objects)
		return s;
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

void pk_symbols_free(struct pk_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->objects && i < s->room; i++)
		while (s->objects[i]) {
			struct pk_object *o = s->objects[i];

			s->objects[i] = o->next;
			free_object(o);
		}
	while (s->kernels) {
		struct pk_kernel *k = s->kernels;

		s->kernels = k->next;
		pk_kallsyms_clear(&k->kallsyms);
		free(k->source);
		free(k);
	}
	free(s->builds);
	free(s->objects);
	pk_debuginfod_free(s->debuginfod);
	free((char *)(uintptr_t)s->options.symfs);
	free((char *)(uintptr_t)s->options.kallsyms);
	free((char *)(uintptr_t)s->options.vmlinux);
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
	*limits = (struct pk_symbols_limits){.perf_maps_left_out = s->perf_maps_left_out};
	for (size_t i = 0; i < s->room; i++)
		for (const struct pk_object *o = s->objects[i]; o; o = o->next)
			limits->names_cut += names_cut(o);
	for (const struct pk_kernel *k = s->kernels; k; k = k->next)
		limits->names_cut += k->kallsyms.table.budget.cut;
}

struct pk_failures *pk_symbols_failures(struct pk_symbols *s)
{
	return &s->failures;
}

struct pk_failures *pk_object_failures(struct pk_object *o)
{
	return &o->store->failures;
}

/* Paths and build-ids are the input's: who makes one must not know which of them collide. */
static uint64_t hash_key(const struct pk_symbols *s, const struct pk_object *key)
{
	uint64_t h = pk_hash(key->path, strlen(key->path), s->secret);

	h = pk_hash(key->build_id.bytes, sizeof(key->build_id.bytes), s->secret ^ h);
	return pk_mix64(h ^ key->view, s->secret ^ UINT64_C(0x9e3779b97f4a7c15));
}

static bool same_key(const struct pk_object *a, const struct pk_object *b)
{
	return a->hash == b->hash && a->kind == b->kind && a->view == b->view &&
	       a->build_id.size == b->build_id.size &&
	       !memcmp(a->build_id.bytes, b->build_id.bytes, sizeof(a->build_id.bytes)) &&
	       !strcmp(a->path, b->path) && !strcmp(a->reference, b->reference);
}

static void make_room(struct pk_symbols *s)
{
	const size_t room = s->room * 2;
	struct pk_object **objects = calloc(room, sizeof(struct pk_object *));

	if (!objects)
		return; /* longer chains do no harm */
	for (size_t i = 0; i < s->room; i++)
		while (s->objects[i]) {
			struct pk_object *o = s->objects[i];

			s->objects[i] = o->next;
			o->next = objects[o->hash & (room - 1)];
			objects[o->hash & (room - 1)] = o;
		}
	free(s->objects);
	s->objects = objects;
	s->room = room;
}

/* The object with the key's kind, path, build-id and view; made from the key if there is none. */
static struct pk_object *intern(struct pk_symbols *s, struct pk_object *key)
{
	struct pk_object *o;

	key->hash = hash_key(s, key);
	for (o = s->objects[key->hash & (s->room - 1)]; o; o = o->next)
		if (same_key(o, key))
			return o;
	o = pk_need(&s->failures, malloc(sizeof(*o)));
	if (!o)
		return NULL;
	*o = *key;
	o->store = s;
	o->path = pk_need(&s->failures, strdup(key->path));
	if (!o->path) {
		free(o);
		return NULL;
	}
	if (s->count++ >= s->room)
		make_room(s);
	o->next = s->objects[o->hash & (s->room - 1)];
	s->objects[o->hash & (s->room - 1)] = o;
	return o;
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

/* 0: the process sees the files that we see, as far as we know. */
static uint64_t view_of(pid_t pid, struct pk_failures *failures)
{
	struct stat ours, theirs;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	if (stat("/proc/self/ns/mnt", &ours) || stat(path, &theirs)) {
		if (pk_is_failure(errno))
			pk_failed(failures, path, errno);
		return 0;
	}
	return ours.st_ino == theirs.st_ino ? 0 : theirs.st_ino;
}

static struct pk_object **build_slot(struct pk_object **builds, size_t room,
				     const struct pk_build_id *id, uint64_t secret)
{
	size_t i = pk_hash(id->bytes, sizeof(id->bytes), secret);

	for (i &= room - 1; builds[i]; i = (i + 1) & (room - 1))
		if (pk_build_id_equal(&builds[i]->build_id, id))
			break;
	return &builds[i];
}

static bool make_build_room(struct pk_symbols *s)
{
	const size_t room = s->builds_room ? 2 * s->builds_room : 64;
	struct pk_object **builds;

	if (2 * (s->builds_count + 1) <= s->builds_room)
		return true;
	builds = pk_need(&s->failures, calloc(room, sizeof(struct pk_object *)));
	if (!builds)
		return false;
	for (size_t i = 0; i < s->builds_room; i++)
		if (s->builds[i])
			*build_slot(builds, room, &s->builds[i]->build_id, s->secret) =
				s->builds[i];
	free(s->builds);
	s->builds = builds;
	s->builds_room = room;
	return true;
}

/* The same build has the same symbols, whatever it is called, and by whatever container. */
static struct pk_object *of_that_build(struct pk_symbols *s, struct pk_object *key)
{
	struct pk_object **slot, *o;

	if (!key->build_id.size || !make_build_room(s))
		return intern(s, key);
	slot = build_slot(s->builds, s->builds_room, &key->build_id, s->secret);
	if (*slot && strcmp((*slot)->path, key->path) && pk_object_state(*slot) == PK_OBJECT_READY)
		return *slot;
	o = intern(s, key);
	if (o && !*slot)
		s->builds_count++;
	if (o)
		*slot = o;
	return o;
}

struct pk_object *pk_symbols_file(struct pk_symbols *s, const char *path,
				  const struct pk_build_id *build_id, pid_t pid)
{
	struct pk_object key = {
		.kind = PK_KIND_FILE,
		.path = (char *)(uintptr_t)path,
		.build_id = normal_build_id(build_id),
		.pid = pid,
	};
	struct pk_object *o;

	if (!key.build_id.size && pid > 0 && !*s->options.symfs)
		key.view = view_of(pid, &s->failures);
	o = of_that_build(s, &key);
	if (o && pid > 0)
		pk_object_retry(o, pid);
	return o;
}

struct pk_object *pk_symbols_kernel(struct pk_symbols *s, const struct pk_build_id *build_id,
				    const char *reference, uint64_t address)
{
	struct pk_object key = {
		.kind = PK_KIND_KERNEL,
		.path = (char *)(uintptr_t) "[kernel.kallsyms]",
		.build_id = normal_build_id(build_id),
		.view = reference ? address : 0,
	};

	if (key.view)
		snprintf(key.reference, sizeof(key.reference), "%s", reference);
	return intern(s, &key);
}

struct pk_object *pk_symbols_perf_map(struct pk_symbols *s, pid_t pid, uid_t uid)
{
	char path[64];
	struct pk_object key = {.kind = PK_KIND_PERF_MAP, .path = path, .pid = pid, .uid = uid};

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return intern(s, &key);
}

struct pk_object *pk_symbols_jitdump(struct pk_symbols *s, const char *path, pid_t pid, uid_t uid)
{
	struct pk_object key = {.kind = PK_KIND_JITDUMP,
				.path = (char *)(uintptr_t)path,
				.view = (uint64_t)pid,
				.pid = pid,
				.uid = uid};

	return intern(s, &key);
}
