// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "build_id.h"
#include "characters.h"
#include "debuginfod.h"
#include "elf_symbols.h"
#include "file.h"
#include "gopclntab.h"
#include "inflate.h"
#include "module_name.h"
#include "pkutil.h"
#include "search.h"

/* ---- Opening ---- */

/* Notes why a place has failed. If several places were searched, the most specific reason is kept.
 */
static void note_failure(enum pk_object_state *state, enum pk_object_state failure)
{
	static const int weight[] = {
		[PK_OBJECT_NO_FILE] = 1,     [PK_OBJECT_UNUSABLE] = 2, [PK_OBJECT_DENIED] = 3,
		[PK_OBJECT_OTHER_BUILD] = 4, [PK_OBJECT_FAILED] = 5,   [PK_OBJECT_NO_MEMORY] = 6,
	};

	if (weight[failure] > weight[*state])
		*state = failure;
}

static void report_tried(const struct pk_search *s, const char *path, enum pk_object_state state)
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

/* Opens a file, and rejects a file of another build. If this fails, returns NULL, and sets *state
 * to the reason if it is more specific than the previous reason. */
static struct pk_elf *pk_search_open(const struct pk_search *s, const char *path,
				     const struct pk_build_id *wanted, enum pk_object_state *state)
{
	enum pk_object_state result = PK_OBJECT_READY;
	struct pk_elf *elf = open_and_check(s, path, wanted, &result);

	report_tried(s, path, result);
	if (!elf)
		note_failure(state, result);
	return elf;
}

/* Returns whether an error of a request is counted as a failure of this machine or of the server,
 * for example an answer that is too large. It is not a failure if a server does not have the file,
 * or does not answer. */
static bool is_failed_request(int error)
{
	return error == ENOMEM || error == EIO || error == EMFILE || error == ENFILE ||
	       error == ENOSPC || error == EFBIG || error == ECONNABORTED || error == EBADMSG;
}

/* Requests a file of this build from the debuginfod servers, if the options enable it. *path is set
 * to the path of the file, which the caller frees, or to NULL if there is no result. An answer that
 * is not an ELF file of this build is counted as a failure. */
static struct pk_elf *pk_search_servers(const struct pk_search *s, const struct pk_build_id *id,
					bool executable, char **path)
{
	enum pk_object_state state = PK_OBJECT_UNREAD;
	struct pk_elf *elf;
	int error;

	*path = NULL;
	if (!s->where->debuginfod || id->size < 2)
		return NULL;
	error = pk_debuginfod_find(s->where->debuginfod, s->where, id, executable, path);
	if (error) {
		if (is_failed_request(error))
			pk_failed(s->failures, "debuginfod", error);
		if (s->where->tried)
			s->where->tried(s->where->arg, "debuginfod", strerror(error));
		return NULL;
	}
	elf = pk_search_open(s, *path, id, &state);
	if (elf)
		return elf;
	if (state != PK_OBJECT_FAILED)
		pk_failed(s->failures, *path, EBADMSG);
	free(*path);
	*path = NULL;
	return NULL;
}

/* ---- Symbols and debugging information in separate files ---- */

static bool has_wanted(const struct pk_search *s, const struct pk_elf *elf)
{
	return s->wanted ? s->wanted(elf) : pk_elf_has_symtab(elf);
}

/* Tries a file with symbols or debugging information. Returns true if it has the required content,
 * and is of the right build, if the build is known. */
static bool try_debug(const struct pk_search *s, const char *path, const struct pk_build_id *id,
		      struct pk_found *found)
{
	enum pk_object_state ignored = PK_OBJECT_UNREAD;
	struct pk_elf *elf = pk_search_open(s, path, id, &ignored);
	char *source;

	if (!elf)
		return false;
	found->has_no_dwarf &= !pk_elf_has_dwarf(elf);
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

/* Reads the name in .gnu_debuglink, which is the name of a file without a directory. The name is ""
 * if there is no valid .gnu_debuglink. */
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

/* Sets `base` to folder number i, from 0 on, that can contain debugging information. Returns false
 * if there are no more. */
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

/* Tries the section .gnu_debugdata. It is an ELF file, compressed with xz, with the symbols that
 * .dynsym lacks. */
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

static bool try_separate(const struct pk_search *s, const struct pk_build_id *id,
			 struct pk_found *found)
{
	return try_debug_link(s, id, found) || try_debug_cache(s, id, found) ||
	       try_debug_build_id(s, id, found) || try_debug_path(s, id, found);
}

/* Sets found->symbols to the file that has the symbols of found->runtime. */
static void pk_search_symbols(const struct pk_search *s, struct pk_found *found)
{
	struct pk_build_id id;

	found->symbols = found->runtime;
	if (has_wanted(s, found->runtime))
		return;
	pk_elf_build_id(found->runtime, &id);
	found->has_no_dwarf = !pk_elf_has_dwarf(found->runtime) && !s->where->debuginfod;
	if (try_separate(s, &id, found)) {
		found->has_no_dwarf = false; /* the search has ended early */
		return;
	}
	if (try_mini(s, found) || try_servers(s, &id, found))
		return;
	if (!pk_elf_has_dynsym(found->runtime) && !pk_elf_has_go_table(found->runtime))
		found->state = PK_OBJECT_STRIPPED;
}

/* Opens a path relative to the folder of the file `of`. A path such as "a/../b" is not simplified,
 * because the kernel resolves it correctly, also if "a" is a link. */
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

/* ---- Modules of the kernel ---- */

/* Returns the length of the path without the suffix of a compression format. */
static size_t plain_length(const char *path)
{
	const char *suffix = pk_module_suffix(path);

	return suffix ? (size_t)(suffix - path) + strlen(".ko") : strlen(path);
}

static uint8_t *unpack_zstd(const struct pk_search *s, const uint8_t *in, size_t size, uint64_t max,
			    size_t *out_size)
{
	const uint64_t known = pk_unzstd_size(in, size);
	uint8_t *out = NULL;

	if (known && known <= max && known < SIZE_MAX)
		out = pk_need(s->failures, malloc(known));
	*out_size = known;
	if (out && pk_unzstd(in, size, out, known))
		return out;
	free(out);
	return NULL;
}

/* Decompresses the bytes of a file. `suffix` is ".gz", ".xz" or ".zst". */
static uint8_t *unpack(const struct pk_search *s, const char *suffix, const uint8_t *in,
		       size_t size, size_t *out_size)
{
	/* Compression never makes a module smaller than 1/100 of its size. */
	const uint64_t max = (uint64_t)size * 100 + 4096;

	if (!strcmp(suffix, ".gz"))
		return pk_gunzip(in, size, max, out_size, s->failures);
	if (!strcmp(suffix, ".xz"))
		return pk_unxz(in, size, max, out_size, s->failures);
	return unpack_zstd(s, in, size, max, out_size);
}

static struct pk_elf *open_packed(const struct pk_search *s, const char *path,
				  enum pk_object_state *state)
{
	enum { PACKED_MAX = 256 << 20 };
	struct pk_elf *elf = NULL;
	struct pk_build_id id;
	size_t in_size, size;
	uint8_t *in, *image;
	int fd, error = pk_file_open(path, &fd);

	if (error) {
		note_failure(state, pk_search_failed(s, path, error));
		return NULL;
	}
	in = (uint8_t *)pk_file_read(fd, PACKED_MAX, &in_size);
	if (!in)
		note_failure(state, pk_search_failed(s, path, errno));
	close(fd);
	image = in ? unpack(s, path + plain_length(path), in, in_size, &size) : NULL;
	free(in);
	if (image)
		elf = pk_elf_open_part(image, size, s->failures);
	if (elf && (!s->build_id->size ||
		    (pk_elf_build_id(elf, &id) && pk_build_id_equal(&id, s->build_id))))
		return elf;
	note_failure(state, elf ? PK_OBJECT_OTHER_BUILD : PK_OBJECT_UNUSABLE);
	pk_elf_close(elf);
	return NULL;
}

/* Opens the file of a module, not a file with its debugging information. The file can be
 * compressed. */
static struct pk_elf *open_module(const struct pk_search *s, const char *path,
				  enum pk_object_state *state)
{
	enum pk_object_state before = *state;
	struct pk_elf *elf;

	if (!path[plain_length(path)])
		return pk_search_open(s, path, s->build_id, state);
	*state = PK_OBJECT_UNREAD;
	elf = open_packed(s, path, state);
	report_tried(s, path, elf ? PK_OBJECT_READY : *state);
	note_failure(&before, *state);
	*state = before;
	return elf;
}

/* Searches for the debugging information of a module, and sets found->symbols. */
static bool try_module_debug(const struct pk_search *s, const struct pk_build_id *id,
			     struct pk_found *found)
{
	struct pk_search plain = *s;
	pk_path path;

	if (*s->path == '/' && pk_make_path(path, "%.*s", (int)plain_length(s->path), s->path))
		plain.path = path;
	return try_debug_build_id(s, id, found) || try_debug_cache(s, id, found) ||
	       (*s->path == '/' && try_debug_path(&plain, id, found)) || try_servers(s, id, found);
}

struct pk_elf *pk_search_module(const struct pk_search *s, char **source,
				enum pk_object_state *state)
{
	struct pk_build_id id = *s->build_id;
	struct pk_found found = {0};
	pk_path path;

	*state = PK_OBJECT_UNREAD;
	if (pk_leaves_its_root(s->path)) {
		*state = PK_OBJECT_NOT_A_FILE;
		return NULL;
	}
	if (*s->path == '/' && pk_make_path(path, "%s%s", s->where->symfs, s->path))
		found.runtime = open_module(s, path, state);
	if (found.runtime) {
		found.source = pk_need(s->failures, strdup(path));
		pk_elf_build_id(found.runtime, &id);
	}
	if ((!found.runtime || !has_wanted(s, found.runtime)) && (id.size || found.runtime) &&
	    try_module_debug(s, &id, &found)) {
		pk_elf_close(found.runtime);
		found.runtime = found.symbols;
	}
	if (found.runtime && pk_elf_relocatable(found.runtime) && found.source) {
		*state = PK_OBJECT_READY;
		*source = found.source;
		return found.runtime;
	}
	if (found.runtime)
		*state = PK_OBJECT_UNUSABLE;
	else if (*state == PK_OBJECT_UNREAD)
		*state = PK_OBJECT_NO_FILE;
	pk_elf_close(found.runtime);
	free(found.source);
	return NULL;
}

/* ---- Files ---- */

/* Opens `path` as the mapped file. Returns false if there is no such file, or if it is of another
 * build. */
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

	return s->by.pid > 0 && !*s->where->symfs &&
	       pk_make_path(path, "/proc/%d/root%s", (int)s->by.pid, s->path) &&
	       try_runtime(path, s, found);
}

/* Returns whether the file at `path` has this device and inode. The result can also be false for
 * the right file, because a file system on top of others, such as overlayfs, has several devices.
 */
static bool has_inode(const char *path, uint32_t major, uint32_t minor, uint64_t inode)
{
	struct stat st;

	return !stat(path, &st) && st.st_ino == inode && major(st.st_dev) == major &&
	       minor(st.st_dev) == minor;
}

/* Opens the file that the process has mapped, even if its path has changed. It is
 * /proc/PID/map_files, which needs CAP_CHECKPOINT_RESTORE, or /proc/PID/exe. */
static bool try_process_map(const struct pk_search *s, const struct pk_mapped_file *file,
			    struct pk_found *found)
{
	const enum pk_object_state before = found->state;
	pk_path path;

	if (pk_make_path(path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)s->by.pid,
			 file->start, file->end) &&
	    try_runtime(path, s, found))
		return true;
	found->state = before;
	return pk_make_path(path, "/proc/%d/exe", (int)s->by.pid) &&
	       has_inode(path, file->major, file->minor, file->inode) &&
	       try_runtime(path, s, found);
}

/* Returns whether the file at the recorded path is not the recorded file, because its inode
 * differs. */
static bool is_replaced(const struct pk_search *s)
{
	struct stat st;

	return s->by.inode && !*s->where->symfs && !stat(s->path, &st) &&
	       major(st.st_dev) == s->by.major && minor(st.st_dev) == s->by.minor &&
	       st.st_ino != s->by.inode;
}

/* Searches without a build-id. Builds cannot be compared in this case, so the file that the process
 * sees is tried first. */
static bool find_without_build_id(const struct pk_search *s, struct pk_found *found)
{
	const bool here = !*s->where->symfs;
	const bool marked = s->path[pk_plain_path(s->path)];
	struct pk_mapped_file file;
	pk_path path;

	if (here && pk_search_map(s, &file)) {
		if (file.at_path && try_process_root(s, found))
			return true;
		if (try_process_map(s, &file, found))
			return true;
		if (!file.at_path)
			return false;
	} else if (!marked && try_process_root(s, found)) {
		return true;
	}
	return !marked && !(here && is_replaced(s)) &&
	       pk_make_path(path, "%s%s", s->where->symfs, s->path) && try_runtime(path, s, found);
}

static bool find_by_build_id(const struct pk_search *s, struct pk_found *found)
{
	const int size = (int)pk_plain_path(s->path);
	struct pk_mapped_file file;
	pk_path path;

	if ((pk_make_path(path, "%s%.*s", s->where->symfs, size, s->path) &&
	     try_runtime(path, s, found)) ||
	    try_process_root(s, found) ||
	    (pk_cache_path(s, "elf", path) && try_runtime(path, s, found)) ||
	    (pk_cache_path(s, "", path) && try_runtime(path, s, found)))
		return true;
	return !*s->where->symfs && pk_search_map(s, &file) && try_process_map(s, &file, found);
}

static void find_runtime(const struct pk_search *s, struct pk_found *found)
{
	if (s->build_id->size ? find_by_build_id(s, found) : find_without_build_id(s, found))
		return;
	found->runtime = pk_search_servers(s, s->build_id, true, &found->source);
	if (!found->runtime && found->state <= PK_OBJECT_NO_FILE && s->by.pid > 0)
		found->state = PK_OBJECT_GONE;
}

/* Returns whether the path can belong to a file. A file that was deleted, or that exists only in
 * memory, can be found only through its process or by its build-id. */
static bool is_a_file(const struct pk_search *s)
{
	const char *path = s->path;
	const bool no_path = pk_starts_with(path, "/memfd:") || path[pk_plain_path(path)];

	return path[0] == '/' && path[1] != '/' && !pk_leaves_its_root(path) &&
	       !pk_starts_with(path, "/dev/zero") && !pk_starts_with(path, "/anon_hugepage") &&
	       !pk_starts_with(path, "/SYSV") && (!no_path || s->by.pid > 0 || s->build_id->size);
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
	if (!is_a_file(s)) {
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

struct pk_elf *pk_search_mapped(const struct pk_search *s)
{
	struct pk_found found = {.state = PK_OBJECT_UNREAD};

	if (is_a_file(s))
		find_runtime(s, &found);
	free(found.source);
	return found.runtime;
}

struct pk_elf *pk_search_debug_info(const struct pk_search *s, char **source)
{
	struct pk_search search = *s;
	struct pk_found found = {.state = PK_OBJECT_UNREAD};
	struct pk_elf *elf = NULL;

	search.wanted = pk_elf_has_dwarf;
	if (!is_a_file(s))
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

/* Uses the vDSO of this process. All processes of this kernel have the same vDSO. */
static bool try_own_vdso(const struct pk_search *s, struct pk_found *found)
{
	struct pk_build_id id;
	size_t size;
	const void *image = pk_own_vdso(&size, s->failures);

	/* If there is no build-id, the recording is assumed to be from this machine, unless symfs
	 * is set. */
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
