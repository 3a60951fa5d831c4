// SPDX-License-Identifier: BSD-2-Clause
/* Where the symbols and the debugging information of a file are that has none itself. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_build_id.h"
#include "elf_symbols.h"
#include "inflate.h"
#include "search.h"

static bool has_wanted(const struct pk_search *s, const struct pk_elf *elf)
{
	return s->wanted ? s->wanted(elf) : pk_elf_has_symtab(elf);
}

/* True: there is what is wanted in it, of that very build as far as one can tell. */
static bool try_debug(const struct pk_search *s, const char *path, const struct pk_build_id *id,
		      struct pk_found *found)
{
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	struct pk_elf *elf = pk_search_open(s, path, id, &ignored);
	char *source;

	if (!elf)
		return false;
	source = has_wanted(s, elf) ? pk_need(s->failures, strdup(path)) : NULL;
	if (!source) {
		pk_elf_close(elf);
		return false;
	}
	free(found->source);
	found->source = source;
	found->symbols = elf;
	return true;
}

/* The name in .gnu_debuglink, a file name without directory; "" if there is none. */
static void read_debug_link(const struct pk_elf *elf, char name[NAME_MAX + 1])
{
	const struct pk_elf_section *link = pk_elf_section(elf, ".gnu_debuglink");
	char *text = NULL;

	*name = 0;
	if (link && link->size <= NAME_MAX + 8)
		text = pk_elf_bytes(elf, link->offset, link->size);
	if (text && strlen(text) <= NAME_MAX && !strchr(text, '/') && strcmp(text, "..") &&
	    strcmp(text, "."))
		memcpy(name, text, strlen(text) + 1);
	free(text);
}

/* The folders of debugging information, from i = 0 on. False: no more. */
static bool base_of(const struct pk_search *s, unsigned i, pk_path base)
{
	static const char usual[] = "/usr/lib/debug";
	const char *symfs = s->where->symfs, *own = s->where->debug_dir;
	const bool both = strcmp(own, usual);

	switch (i) {
	case 0: return pk_make_path(base, "%s%s", symfs, own);
	case 1: return both && pk_make_path(base, "%s", own);
	case 2: return both && pk_make_path(base, "%s%s", symfs, usual);
	default: return false;
	}
}

static bool try_debug_link(const struct pk_search *s, const struct pk_build_id *id,
			   struct pk_found *found)
{
	const int dir = (int)(strrchr(s->path, '/') - s->path);
	const char *symfs = s->where->symfs;
	char name[NAME_MAX + 1];
	pk_path path, base;

	read_debug_link(found->runtime, name);
	if (!*name)
		return false;
	if ((pk_make_path(path, "%s%.*s/%s", symfs, dir, s->path, name) &&
	     try_debug(s, path, id, found)) ||
	    (pk_make_path(path, "%s%.*s/.debug/%s", symfs, dir, s->path, name) &&
	     try_debug(s, path, id, found)))
		return true;
	for (unsigned i = 0; base_of(s, i, base); i++)
		if (pk_make_path(path, "%s%.*s/%s", base, dir, s->path, name) &&
		    try_debug(s, path, id, found))
			return true;
	return false;
}

static bool try_debug_build_id(const struct pk_search *s, const struct pk_build_id *id,
			       struct pk_found *found)
{
	char hex[PK_BUILD_ID_HEX];
	pk_path path, base;

	if (id->size < 2)
		return false;
	pk_build_id_format(id, hex);
	for (unsigned i = 0; base_of(s, i, base); i++)
		if (pk_make_path(path, "%s/.build-id/%.2s/%s.debug", base, hex, hex + 2) &&
		    try_debug(s, path, id, found))
			return true;
	return false;
}

static bool try_debug_path(const struct pk_search *s, const struct pk_build_id *id,
			   struct pk_found *found)
{
	pk_path path, base;

	for (unsigned i = 0; base_of(s, i, base); i++)
		if ((pk_make_path(path, "%s%s.debug", base, s->path) &&
		     try_debug(s, path, id, found)) ||
		    (pk_make_path(path, "%s%s", base, s->path) && try_debug(s, path, id, found)))
			return true;
	return false;
}

static bool try_debug_cache(const struct pk_search *search, const struct pk_build_id *id,
			    struct pk_found *found)
{
	struct pk_search with_id = *search;
	const struct pk_search *s = &with_id;
	pk_path path;

	with_id.build_id = id;
	return (pk_cache_path(s, "elf", path) && try_debug(s, path, id, found)) ||
	       (pk_cache_path(s, "debug", path) && try_debug(s, path, id, found));
}

/* .gnu_debugdata: an ELF file with the symbols that .dynsym has not, compressed by xz. */
static bool try_mini(const struct pk_search *s, struct pk_found *found)
{
	const struct pk_elf_section *section = pk_elf_section(found->runtime, ".gnu_debugdata");
	struct pk_elf *elf = NULL;
	uint8_t *packed, *bytes;
	size_t size;

	if (!section)
		return false;
	packed = pk_elf_bytes(found->runtime, section->offset, section->size);
	bytes = packed ? pk_unxz(packed, section->size, section->size * 100 + 4096, &size,
				 s->failures)
		       : NULL;
	free(packed);
	if (bytes)
		elf = pk_elf_open_part(bytes, size, s->failures);
	if (elf && has_wanted(s, elf)) {
		found->symbols = elf;
		return true;
	}
	pk_elf_close(elf);
	return false;
}

static bool try_servers(const struct pk_search *s, const struct pk_build_id *id,
			struct pk_found *found)
{
	struct pk_elf *elf;
	char *path;

	elf = pk_search_servers(s, id, false, &path);
	if (!elf)
		return false;
	free(found->source);
	found->source = path;
	found->symbols = elf;
	return true;
}

void pk_search_symbols(const struct pk_search *s, struct pk_found *found)
{
	struct pk_build_id id;

	found->symbols = found->runtime;
	if (has_wanted(s, found->runtime))
		return;
	pk_elf_build_id(found->runtime, &id);
	if (try_debug_link(s, &id, found) || try_debug_cache(s, &id, found) ||
	    try_debug_build_id(s, &id, found) || try_debug_path(s, &id, found) ||
	    try_mini(s, found) || try_servers(s, &id, found))
		return;
	if (!pk_elf_has_dynsym(found->runtime))
		found->state = PK_OBJECT_STRIPPED;
}

/* "a/../b" stays as it is: the kernel knows where that leads. */
static struct pk_elf *open_beside(const struct pk_search *s, const char *of, const char *path,
				  const struct pk_build_id *id)
{
	const char *slash = strrchr(of, '/');
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	pk_path full;

	return slash && pk_make_path(full, "%.*s/%s", (int)(slash - of), of, path)
		       ? pk_search_open(s, full, id, &ignored)
		       : NULL;
}

static struct pk_elf *open_by_build_id(const struct pk_search *s, const struct pk_build_id *id)
{
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	char hex[PK_BUILD_ID_HEX];
	struct pk_elf *elf = NULL;
	pk_path path, base;

	if (id->size < 2)
		return NULL;
	pk_build_id_format(id, hex);
	for (unsigned i = 0; !elf && base_of(s, i, base); i++)
		if (pk_make_path(path, "%s/.build-id/%.2s/%s.debug", base, hex, hex + 2))
			elf = pk_search_open(s, path, id, &ignored);
	return elf;
}

struct pk_elf *pk_search_part(const struct pk_search *s, const char *of, const char *path,
			      const struct pk_build_id *build_id)
{
	const struct pk_build_id none = {0}, *id = build_id ? build_id : &none;
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	const char *base = strrchr(path, '/');
	struct pk_elf *elf = NULL;
	pk_path full;

	if (*path == '/' && pk_make_path(full, "%s%s", s->where->symfs, path))
		elf = pk_search_open(s, full, id, &ignored);
	if (!elf && *path == '/' && *s->where->symfs)
		elf = pk_search_open(s, path, id, &ignored);
	if (!elf && *path != '/')
		elf = open_beside(s, of, path, id);
	if (!elf && base)
		elf = open_beside(s, of, base + 1, id);
	return elf ? elf : open_by_build_id(s, id);
}

static struct pk_elf *open_vmlinux(const struct pk_search *s, const char *path, char **source)
{
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	struct pk_elf *elf = pk_search_open(s, path, s->build_id, &ignored);

	if (elf)
		*source = pk_need(s->failures, strdup(path));
	if (!elf || *source)
		return elf;
	pk_elf_close(elf);
	return NULL;
}

struct pk_elf *pk_search_vmlinux(const struct pk_search *s, char **source)
{
	char hex[PK_BUILD_ID_HEX];
	struct pk_elf *elf = NULL;
	pk_path path, base;

	if (*s->where->vmlinux)
		return open_vmlinux(s, s->where->vmlinux, source);
	if (s->build_id->size < 2)
		return NULL;
	pk_build_id_format(s->build_id, hex);
	for (unsigned i = 0; !elf && base_of(s, i, base); i++)
		if (pk_make_path(path, "%s/.build-id/%.2s/%s.debug", base, hex, hex + 2))
			elf = open_vmlinux(s, path, source);
	if (!elf && pk_cache_path(s, "elf", path))
		elf = open_vmlinux(s, path, source);
	return elf ? elf : pk_search_servers(s, s->build_id, false, source);
}
