/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debuginfod.h"
#include "elf_build_id.h"
#include "elf_symbols.h"
#include "file.h"
#include "search.h"

bool pk_make_path(pk_path path, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(pk_path), format, args);
	va_end(args);
	return n >= 0 && (size_t)n < sizeof(pk_path);
}

enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error)
{
	if (pk_is_failure(error))
		pk_failed(s->failures, path, error);
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ESRCH:
	case ENAMETOOLONG: return PK_OBJECT_NO_FILE;
	case EACCES:
	case EPERM: return PK_OBJECT_DENIED;
	case ENOMEM: return PK_OBJECT_NO_MEMORY;
	default: return pk_is_failure(error) ? PK_OBJECT_FAILED : PK_OBJECT_UNUSABLE;
	}
}

bool pk_cache_path(const struct pk_search *s, const char *name, pk_path path)
{
	char hex[PK_BUILD_ID_HEX];

	if (s->build_id->size < 2 || !*s->where->cache_dir)
		return false;
	pk_build_id_format(s->build_id, hex);
	return pk_make_path(path, "%s/.build-id/%.2s/%s/%s", s->where->cache_dir, hex, hex + 2,
			    name);
}

/* Several places were tried: the most telling failure is kept. */
static void note_failure(enum pk_object_state *state, enum pk_object_state failure)
{
	static const int weight[] = {
		[PK_OBJECT_NO_FILE] = 1,     [PK_OBJECT_UNUSABLE] = 2, [PK_OBJECT_DENIED] = 3,
		[PK_OBJECT_OTHER_BUILD] = 4, [PK_OBJECT_FAILED] = 5,   [PK_OBJECT_NO_MEMORY] = 6,
	};

	if (weight[failure] > weight[*state])
		*state = failure;
}

static void tell(const struct pk_search *s, const char *path, enum pk_object_state state)
{
	if (s->where->tried)
		s->where->tried(s->where->arg, path,
				state == PK_OBJECT_READY ? "found" : pk_state_text(state));
}

static struct pk_elf *open_and_check(const struct pk_search *s, const char *path,
				     const struct pk_build_id *wanted, enum pk_object_state *state)
{
	const uint64_t failures = s->failures->count;
	struct pk_build_id id;
	struct pk_elf *elf;
	int fd, error;

	error = pk_file_open(path, &fd);
	if (error) {
		*state = pk_search_failed(s, path, error);
		return NULL;
	}
	elf = pk_elf_open(fd, path, s->failures);
	if (!elf)
		*state = PK_OBJECT_UNUSABLE;
	else if (wanted->size && (!pk_elf_build_id(elf, &id) || !pk_build_id_equal(&id, wanted)))
		*state = PK_OBJECT_OTHER_BUILD;
	if (s->failures->count != failures)
		*state = PK_OBJECT_FAILED;
	if (*state == PK_OBJECT_READY)
		return elf;
	pk_elf_close(elf);
	return NULL;
}

struct pk_elf *pk_search_open(const struct pk_search *s, const char *path,
			      const struct pk_build_id *wanted, enum pk_object_state *state)
{
	enum pk_object_state result = PK_OBJECT_READY;
	struct pk_elf *elf = open_and_check(s, path, wanted, &result);

	tell(s, path, result);
	if (!elf)
		note_failure(state, result);
	return elf;
}

/* A server that has nothing or does not answer is no failure of this machine. */
static bool is_local(int error)
{
	return error == ENOMEM || error == EIO || error == EMFILE || error == ENFILE ||
	       error == ENOSPC;
}

struct pk_elf *pk_search_servers(const struct pk_search *s, const struct pk_build_id *id,
				 bool executable, char **path)
{
	struct pk_build_id found;
	struct pk_elf *elf;
	int fd, error;

	if (!s->where->debuginfod_seconds || !s->debuginfod || id->size < 2)
		return NULL;
	error = pk_debuginfod_find(s->debuginfod, s->where, id, executable, &fd, path);
	if (error) {
		if (is_local(error))
			pk_failed(s->failures, "debuginfod", error);
		if (s->where->tried)
			s->where->tried(s->where->arg, "debuginfod", strerror(error));
		return NULL;
	}
	elf = pk_elf_open(fd, *path, s->failures);
	if (elf && pk_elf_build_id(elf, &found) && pk_build_id_equal(&found, id)) {
		tell(s, *path, PK_OBJECT_READY);
		return elf;
	}
	pk_elf_close(elf);
	tell(s, *path, PK_OBJECT_OTHER_BUILD);
	free(*path);
	return NULL;
}

/* True: that is the runtime file. */
static bool try_runtime(const char *path, const struct pk_search *s, struct pk_found *found)
{
	found->runtime = pk_search_open(s, path, s->build_id, &found->state);
	if (!found->runtime)
		return false;
	found->source = pk_need(s->failures, strdup(path));
	return true;
}

static bool try_process_root(const struct pk_search *s, struct pk_found *found)
{
	pk_path path;

	return s->pid > 0 && !*s->where->symfs &&
	       pk_make_path(path, "/proc/%d/root%s", (int)s->pid, s->path) &&
	       try_runtime(path, s, found);
}

static void find_runtime(const struct pk_search *s, struct pk_found *found)
{
	pk_path path;

	/* With no build-id to tell them apart, the process's own view is the right one. */
	if (!s->build_id->size && try_process_root(s, found))
		return;
	if (pk_make_path(path, "%s%s", s->where->symfs, s->path) && try_runtime(path, s, found))
		return;
	if (s->build_id->size && try_process_root(s, found))
		return;
	if ((pk_cache_path(s, "elf", path) && try_runtime(path, s, found)) ||
	    (pk_cache_path(s, "", path) && try_runtime(path, s, found)))
		return;
	found->runtime = pk_search_servers(s, s->build_id, true, &found->source);
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool is_a_file(const char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t size = strlen(path);

	return path[0] == '/' && path[1] != '/' && !starts_with(path, "/dev/zero") &&
	       !starts_with(path, "/anon_hugepage") && !starts_with(path, "/memfd:") &&
	       !starts_with(path, "/SYSV") &&
	       (size < sizeof(deleted) || strcmp(path + size - (sizeof(deleted) - 1), deleted));
}

static void settle(struct pk_found *found)
{
	if (!found->runtime && found->state == PK_OBJECT_UNREAD)
		found->state = PK_OBJECT_NO_FILE;
	else if (found->runtime && !found->source)
		found->state = PK_OBJECT_NO_MEMORY;
	else if (found->runtime && found->state != PK_OBJECT_STRIPPED)
		found->state = PK_OBJECT_READY;
}

void pk_search_file(const struct pk_search *s, struct pk_found *found)
{
	*found = (struct pk_found){.state = PK_OBJECT_UNREAD};
	if (!is_a_file(s->path)) {
		found->state = PK_OBJECT_NOT_A_FILE;
		return;
	}
	find_runtime(s, found);
	if (found->runtime) {
		found->state = PK_OBJECT_UNREAD;
		pk_search_symbols(s, found);
	}
	settle(found);
}

struct pk_elf *pk_search_debug_info(const struct pk_search *s, char **source)
{
	struct pk_search search = *s;
	struct pk_found found = {.state = PK_OBJECT_UNREAD};
	struct pk_elf *elf = NULL;

	search.wanted = pk_elf_has_dwarf;
	if (!is_a_file(s->path))
		return NULL;
	find_runtime(s, &found);
	if (found.runtime)
		pk_search_symbols(&search, &found);
	if (found.symbols && found.source && pk_elf_has_dwarf(found.symbols)) {
		elf = found.symbols;
		*source = found.source;
		found.source = NULL;
		found.symbols = NULL;
		if (found.runtime == elf)
			found.runtime = NULL;
	}
	pk_found_release(&found);
	return elf;
}

bool pk_is_vdso(const char *path)
{
	return !strcmp(path, "[vdso]") || !strcmp(path, "[vdso32]") || !strcmp(path, "[vdsox32]") ||
	       !strcmp(path, "[vdso64]");
}

static bool try_symfs_vdso(const struct pk_search *s, struct pk_found *found)
{
	static const char *const names[] = {"vdso64.so", "vdso32.so", "vdsox32.so"};
	pk_path path;

	if (!*s->where->symfs)
		return false;
	if (pk_make_path(path, "%s/%s", s->where->symfs, s->path) && try_runtime(path, s, found))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pk_make_path(path, "%s/%s", s->where->symfs, names[i]) &&
		    try_runtime(path, s, found))
			return true;
	return false;
}

/* This process's own: it is the same in all that run on this kernel. */
static bool try_own_vdso(const struct pk_search *s, struct pk_found *found)
{
	struct pk_build_id id;
	size_t size;
	const void *image = pk_own_vdso(&size, s->failures);

	/* Without a build-id there must be nothing that says "recorded elsewhere". */
	if (!image || (!s->build_id->size && *s->where->symfs))
		return false;
	found->runtime = pk_elf_open_memory(image, size, s->failures);
	if (!found->runtime)
		return false;
	if (s->build_id->size &&
	    (!pk_elf_build_id(found->runtime, &id) || !pk_build_id_equal(&id, s->build_id))) {
		note_failure(&found->state, PK_OBJECT_OTHER_BUILD);
		pk_elf_close(found->runtime);
		found->runtime = NULL;
		return false;
	}
	found->source = pk_need(s->failures, strdup("[vdso]"));
	return true;
}

void pk_search_vdso(const struct pk_search *s, struct pk_found *found)
{
	pk_path path;

	*found = (struct pk_found){.state = PK_OBJECT_UNREAD};
	if (try_symfs_vdso(s, found) || try_own_vdso(s, found) ||
	    (pk_cache_path(s, "vdso", path) && try_runtime(path, s, found)))
		found->symbols = found->runtime;
	settle(found);
}

void pk_found_release(struct pk_found *found)
{
	if (found->symbols != found->runtime)
		pk_elf_close(found->symbols);
	pk_elf_close(found->runtime);
	free(found->source);
	*found = (struct pk_found){0};
}
