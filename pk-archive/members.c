// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "members.h"
#include "vector.h"

/* A file or link that is added to the output. */
struct member {
	char *name;
	char *path;	   /* current path of a file */
	char *target;	   /* target of a symbolic link; NULL if the member is a file */
	int fd;		   /* descriptor of the file; -1 if the content is in memory */
	const void *bytes; /* the content of the file in memory; it is not freed */
	void *owned;	   /* the memory of the content if it must be freed; otherwise NULL */
	uint64_t size;
	size_t leads_to; /* for a link, the index of the file to which it points */
	bool left_out;
};

struct members {
	struct pk_symbols *symbols;
	struct cache *cache;
	struct pk_failures *failures;
	struct member *list;
	size_t count, capacity;
	size_t objects;
};

enum { PATH_MAX_ = 8192, KALLSYMS_MAX = 1 << 30 };
typedef char member_path[PATH_MAX_];

struct members *members_new(struct pk_symbols *symbols, struct cache *cache)
{
	struct members *members = calloc(1, sizeof(*members));

	if (!members)
		return NULL;
	members->symbols = symbols;
	members->cache = cache;
	members->failures = pk_symbols_failures(symbols);
	return members;
}

static void release(struct member *member)
{
	free(member->name);
	free(member->path);
	free(member->target);
	free(member->owned);
	if (member->fd >= 0)
		close(member->fd);
}

void members_free(struct members *members)
{
	if (!members)
		return;
	for (size_t i = 0; i < members->count; i++)
		release(&members->list[i]);
	free(members->list);
	free(members);
}

size_t members_count(const struct members *members)
{
	return members->objects;
}

/* Adds a member. Takes ownership of the memory and descriptor in `member`. The name is copied. */
static enum pk_status add_member(struct members *members, const char *name, struct member member)
{
	member.name = pk_need(members->failures, strdup(name));
	if (!member.name || pk_need_room(members->failures,
					 pk_reserve(&members->list, &members->capacity,
						    members->count, 1, sizeof(member))) != PK_OK) {
		release(&member);
		return PK_NOMEM;
	}
	members->list[members->count++] = member;
	return PK_OK;
}

/* ---- Names ---- */

__attribute__((format(printf, 2, 3))) static bool format_path(member_path path, const char *format,
							      ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(member_path), format, args);
	va_end(args);
	return n >= 0 && (size_t)n < sizeof(member_path);
}

/* Makes a path of the stream relative. Returns false if the path leaves the folder with "..", is
 * empty, or is too long. */
static bool clean_path(member_path clean, const char *path)
{
	size_t used = 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !strncmp(path, "..", 2))
			return false;
		if (length && !(length == 1 && *path == '.')) {
			if (used + length + 2 > sizeof(member_path))
				return false;
			if (used)
				clean[used++] = '/';
			memcpy(clean + used, path, length);
			used += length;
		}
		path += length;
		path += *path == '/';
	}
	clean[used] = '\0';
	return used;
}

/* Returns true if the path is in .build-id, which is the folder of the links. */
static bool is_of_links(const char *clean)
{
	return strcspn(clean, "/") == strlen(".build-id") && !strncmp(clean, ".build-id", 9);
}

struct place {
	member_path path, folder; /* folder is PATH/BUILD-ID */
	char hex[PK_BUILD_ID_HEX];
};

static enum member_status place_of(const char *path, const struct pk_build_id *build_id,
				   struct place *place)
{
	if (build_id->size < 2)
		return MEMBER_NO_BUILD_ID;
	pk_build_id_format(build_id, place->hex);
	if (!clean_path(place->path, path) || is_of_links(place->path) ||
	    !format_path(place->folder, "%s/%s", place->path, place->hex))
		return MEMBER_BAD_PATH;
	return MEMBER_ADDED;
}

/* Returns true if the build need not be added. This is the case if its link is already a member, or
 * if the cache contains the build under another path. */
static bool is_there(const struct members *members, const struct place *place)
{
	member_path name;

	if (!format_path(name, ".build-id/%.2s/%s", place->hex, place->hex + 2))
		return true;
	if (members->cache && cache_has_elsewhere(members->cache, place->hex, place->path))
		return true;
	for (size_t i = 0; i < members->count; i++)
		if (!strcmp(members->list[i].name, name))
			return true;
	return false;
}

static enum pk_status add_link(struct members *members, const struct place *place,
			       const char *suffix, const char *file, size_t leads_to)
{
	struct member link = {.fd = -1, .leads_to = leads_to};
	member_path name, target;

	if (!format_path(name, ".build-id/%.2s/%s%s", place->hex, place->hex + 2, suffix) ||
	    !format_path(target, "../../%s%s", place->folder, file))
		return PK_NOMEM;
	link.target = pk_need(members->failures, strdup(target));
	if (!link.target)
		return PK_NOMEM;
	return add_member(members, name, link);
}

static enum pk_status add_file(struct members *members, const struct place *place, const char *file,
			       struct member member)
{
	member_path name;

	if (!format_path(name, "%s/%s", place->folder, file)) {
		release(&member);
		return PK_NOMEM;
	}
	return add_member(members, name, member);
}

/* ---- Members ---- */

static bool open_file(struct members *members, const char *path, struct member *member)
{
	struct stat st;
	int error;

	*member = (struct member){.fd = -1};
	error = pk_file_open(path, &member->fd);
	if (!error && !fstat(member->fd, &st)) {
		member->size = (uint64_t)st.st_size;
		member->path = pk_need(members->failures, strdup(path));
		if (member->path)
			return true;
	} else if (!error || pk_is_failure(error)) {
		pk_failed(members->failures, path, error ? error : errno);
	}
	release(member);
	member->fd = -1;
	return false;
}

static enum member_status add_vdso(struct members *members, const struct place *place)
{
	struct member member = {.fd = -1};
	size_t size;

	member.bytes = pk_symbols_own_vdso(members->symbols, &size);
	member.size = size;
	if (!member.bytes)
		return MEMBER_UNREADABLE;
	members->objects++;
	if (add_file(members, place, "vdso", member) != PK_OK ||
	    add_link(members, place, "", "", members->count - 1) != PK_OK)
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files)
{
	struct member elf, debug = {.fd = -1};
	struct place place;
	size_t at;
	enum member_status status = place_of(path, &files->build_id, &place);

	if (status != MEMBER_ADDED || is_there(members, &place))
		return status == MEMBER_ADDED ? MEMBER_THERE_ALREADY : status;
	if (!strcmp(files->file, "[vdso]"))
		return add_vdso(members, &place);
	if (!open_file(members, files->file, &elf))
		return MEMBER_UNREADABLE;
	members->objects++;
	if (files->debug)
		open_file(members, files->debug, &debug);
	at = members->count;
	if (add_file(members, &place, *path == '[' ? "vdso" : "elf", elf) != PK_OK) {
		release(&debug);
		return MEMBER_NO_MEMORY;
	}
	if (debug.fd >= 0 && add_file(members, &place, "debug", debug) != PK_OK)
		return MEMBER_NO_MEMORY;
	if (add_link(members, &place, "", "", at) != PK_OK ||
	    add_link(members, &place, ".debug", debug.fd >= 0 ? "/debug" : "/elf",
		     members->count - 2) != PK_OK)
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

/* Returns true if all addresses are zero. A kernel that hides its addresses (kptr_restrict) prints
 * such a list. */
static bool is_hidden(const char *text, size_t size)
{
	const char *const end = text + size;

	while (text < end) {
		while (text < end && *text == '0')
			text++;
		if (text < end && *text != ' ')
			return false;
		text = memchr(text, '\n', (size_t)(end - text));
		if (!text)
			break;
		text++;
	}
	return true;
}

enum member_status members_add_kallsyms(struct members *members, const struct pk_build_id *build_id,
					int fd)
{
	struct member member = {.fd = -1};
	struct place place;
	enum member_status status = place_of("[kernel.kallsyms]", build_id, &place);
	size_t size;

	if (status != MEMBER_ADDED || is_there(members, &place)) {
		close(fd);
		return status == MEMBER_ADDED ? MEMBER_THERE_ALREADY : status;
	}
	member.owned = pk_file_read(fd, KALLSYMS_MAX, &size);
	if (!member.owned)
		pk_failed(members->failures, "kallsyms", errno);
	close(fd);
	if (!member.owned || is_hidden(member.owned, size)) {
		release(&member);
		return MEMBER_UNREADABLE;
	}
	member.bytes = member.owned;
	member.size = size;
	members->objects++;
	if (add_file(members, &place, "kallsyms", member) != PK_OK ||
	    add_link(members, &place, "", "", members->count - 1) != PK_OK)
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

/* Sorts by name, but all links come after the files. If the archive is cut, no link points to an
 * incomplete file. */
static int by_name(const void *a, const void *b)
{
	const struct member *one = *(const struct member *const *)a;
	const struct member *other = *(const struct member *const *)b;

	if (!one->target != !other->target)
		return one->target ? 1 : -1;
	return strcmp(one->name, other->name);
}

struct writing {
	struct members *members;
	const struct members_output *to;
	members_unreadable_fn unreadable;
	void *arg;
};

static enum pk_status write_file(const struct writing *w, struct member *member)
{
	const struct members_output *to = w->to;
	struct tar_unreadable why;
	bool read;
	enum pk_status status;

	status = to->tar ? tar_file(to->tar, member->name, member->fd, member->size, &read, &why)
			 : cache_file(to->cache, member->name, member->fd, member->size, &read,
				      &why);
	if (read)
		return status;
	member->left_out = true;
	w->unreadable(w->arg, member->path, &why);
	return status;
}

static enum pk_status write_link(const struct writing *w, const struct member *member)
{
	const struct members_output *to = w->to;

	if (w->members->list[member->leads_to].left_out)
		return PK_OK;
	return to->tar ? tar_symlink(to->tar, member->name, member->target)
		       : cache_symlink(to->cache, member->name, member->target);
}

static enum pk_status write_member(const struct writing *w, struct member *member)
{
	const struct members_output *to = w->to;

	if (member->target)
		return write_link(w, member);
	if (member->fd >= 0)
		return write_file(w, member);
	return to->tar ? tar_bytes(to->tar, member->name, member->bytes, member->size)
		       : cache_bytes(to->cache, member->name, member->bytes, member->size);
}

enum pk_status members_write(struct members *members, const struct members_output *output,
			     members_unreadable_fn unreadable, void *arg)
{
	const struct writing w = {members, output, unreadable, arg};
	struct member **order =
		pk_need(members->failures, malloc((members->count + 1) * sizeof(struct member *)));
	enum pk_status status = order ? PK_OK : PK_NOMEM;

	for (size_t i = 0; status == PK_OK && i < members->count; i++)
		order[i] = &members->list[i];
	if (status == PK_OK && members->count)
		qsort(order, members->count, sizeof(struct member *), by_name);
	for (size_t i = 0; status == PK_OK && i < members->count; i++)
		status = write_member(&w, order[i]);
	free(order);
	PK_TRY(status);
	return output->tar ? tar_end(output->tar) : PK_OK;
}
