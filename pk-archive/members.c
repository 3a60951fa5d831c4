// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "members.h"

struct member {
	char *name;
	char *target;	   /* of a symbolic link; or NULL */
	int fd;		   /* of a file; -1: the bytes are there */
	const void *bytes; /* borrowed */
	void *owned;	   /* the same, to be freed; or NULL */
	uint64_t size;
};

struct members {
	struct member *list;
	size_t count, room;
	size_t objects;
};

enum { PATH_MAX_ = 8192, KALLSYMS_MAX = 1 << 30 };
typedef char member_path[PATH_MAX_];

struct members *members_new(void)
{
	return calloc(1, sizeof(struct members));
}

static void release(struct member *member)
{
	free(member->name);
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

/* Takes over all of it. */
static bool add(struct members *members, const char *name, struct member member)
{
	struct member *list = members->list;
	size_t room = members->room ? 2 * members->room : 64;

	member.name = strdup(name);
	if (members->count == members->room) {
		list = realloc(list, room * sizeof(*list));
		if (list) {
			members->list = list;
			members->room = room;
		}
	}
	if (!member.name || !list) {
		release(&member);
		return false;
	}
	members->list[members->count++] = member;
	return true;
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

/* A path of a stream, relative, without what leads elsewhere. */
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

struct place {
	member_path folder; /* PATH/BUILD-ID */
	char hex[PK_BUILD_ID_HEX];
};

static enum member_status place_of(const char *path, const struct pk_build_id *build_id,
				   struct place *place)
{
	member_path clean;

	if (build_id->size < 2)
		return MEMBER_NO_BUILD_ID;
	pk_build_id_format(build_id, place->hex);
	if (!clean_path(clean, path) || !format_path(place->folder, "%s/%s", clean, place->hex))
		return MEMBER_BAD_PATH;
	return MEMBER_ADDED;
}

/* The one that leads to the folder is as good as any to tell whether it is there. */
static bool is_there(const struct members *members, const struct place *place)
{
	member_path name;

	if (!format_path(name, ".build-id/%.2s/%s", place->hex, place->hex + 2))
		return true;
	for (size_t i = 0; i < members->count; i++)
		if (!strcmp(members->list[i].name, name))
			return true;
	return false;
}

static bool add_link(struct members *members, const struct place *place, const char *suffix,
		     const char *file)
{
	struct member link = {.fd = -1};
	member_path name, target;

	if (!format_path(name, ".build-id/%.2s/%s%s", place->hex, place->hex + 2, suffix) ||
	    !format_path(target, "../../%s%s", place->folder, file))
		return false;
	link.target = strdup(target);
	return link.target && add(members, name, link);
}

static bool add_file(struct members *members, const struct place *place, const char *file,
		     struct member member)
{
	member_path name;

	if (!format_path(name, "%s/%s", place->folder, file)) {
		release(&member);
		return false;
	}
	return add(members, name, member);
}

/* ---- Members ---- */

static bool open_file(const char *path, struct member *member)
{
	struct stat st;

	*member = (struct member){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
	if (member->fd < 0)
		return false;
	if (!fstat(member->fd, &st) && S_ISREG(st.st_mode)) {
		member->size = (uint64_t)st.st_size;
		return true;
	}
	close(member->fd);
	member->fd = -1;
	return false;
}

static enum member_status add_vdso(struct members *members, const struct place *place)
{
	struct member member = {.fd = -1};
	size_t size;

	member.bytes = pk_symbols_own_vdso(&size);
	member.size = size;
	if (!member.bytes)
		return MEMBER_UNREADABLE;
	if (!add_file(members, place, "vdso", member) || !add_link(members, place, "", ""))
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

enum member_status members_add_object(struct members *members, const char *path,
				      const struct pk_files *files)
{
	struct member elf, debug = {.fd = -1};
	struct place place;
	enum member_status status = place_of(path, &files->build_id, &place);

	if (status != MEMBER_ADDED || is_there(members, &place))
		return status == MEMBER_ADDED ? MEMBER_THERE_ALREADY : status;
	members->objects++;
	if (!strcmp(files->file, "[vdso]"))
		return add_vdso(members, &place);
	if (!open_file(files->file, &elf))
		return MEMBER_UNREADABLE;
	if (files->debug)
		open_file(files->debug, &debug);
	if (!add_file(members, &place, *path == '[' ? "vdso" : "elf", elf)) {
		release(&debug);
		return MEMBER_NO_MEMORY;
	}
	if (debug.fd >= 0 && !add_file(members, &place, "debug", debug))
		return MEMBER_NO_MEMORY;
	if (!add_link(members, &place, "", "") ||
	    !add_link(members, &place, ".debug", debug.fd >= 0 ? "/debug" : "/elf"))
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

/* Of a file whose size says nothing: /proc. NULL: unreadable. */
static char *read_all(int fd, size_t *size)
{
	size_t room = 1 << 20, used = 0;
	char *bytes = malloc(room), *more;
	ssize_t n = 1;

	while (bytes && n > 0) {
		if (used == room) {
			more = room < KALLSYMS_MAX ? realloc(bytes, 2 * room) : NULL;
			if (!more)
				break;
			bytes = more;
			room *= 2;
		}
		n = read(fd, bytes + used, room - used);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			used += (size_t)n;
	}
	*size = used;
	if (!n)
		return bytes;
	free(bytes);
	return NULL;
}

/* A kernel that hides its addresses lists nothing but zeros (kptr_restrict). */
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
	member.owned = read_all(fd, &size);
	close(fd);
	if (!member.owned || is_hidden(member.owned, size)) {
		release(&member);
		return MEMBER_UNREADABLE;
	}
	member.bytes = member.owned;
	member.size = size;
	members->objects++;
	if (!add_file(members, &place, "kallsyms", member) || !add_link(members, &place, "", ""))
		return MEMBER_NO_MEMORY;
	return MEMBER_ADDED;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

bool members_write(struct members *members, struct tar *tar)
{
	bool ok = true;

	if (members->count)
		qsort(members->list, members->count, sizeof(*members->list), by_name);
	for (size_t i = 0; ok && i < members->count; i++) {
		const struct member *member = &members->list[i];

		if (member->target)
			ok = tar_symlink(tar, member->name, member->target);
		else if (member->fd >= 0)
			ok = tar_file(tar, member->name, member->fd, member->size);
		else
			ok = tar_bytes(tar, member->name, member->bytes, member->size);
	}
	return ok && tar_end(tar);
}
