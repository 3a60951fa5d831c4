// SPDX-License-Identifier: BSD-2-Clause
/* The kernels of virtual machines (guests). They are in a table that is sorted by pid. The first
 * entry, with pid 0, is the default for other pids. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digits.h"
#include "file.h"
#include "object.h"
#include "vector.h"

enum {
	LIST_MAX = 16 << 20, /* limit in bytes for a list of modules, and for a list of the files of
			      * modules */
	VERSION_MAX = 1 << 16,
};

/* ---- The table ---- */

static enum pk_status add_guest(struct pk_symbols *s, const struct pk_guest_files *guest)
{
	PK_TRY(pk_reserve(&s->guests, &s->guest_capacity, s->guest_count, 1, sizeof(*s->guests)));
	s->guests[s->guest_count++] = *guest;
	return PK_OK;
}

static bool add_default(struct pk_symbols *s)
{
	struct pk_guest_files guest = {
		.where = s->options,
		.modules = pk_need_text(&s->failures, "%s", s->options.guest_modules)};

	guest.where.kallsyms = s->options.guest_kallsyms;
	guest.where.vmlinux = s->options.guest_vmlinux;
	if (guest.modules && add_guest(s, &guest) == PK_OK)
		return true;
	free(guest.modules);
	return false;
}

/* Adds the guest whose root is the folder guest_symfs/PID. */
static bool add_root(struct pk_symbols *s, uint32_t pid)
{
	const char *const symfs = s->options.guest_symfs;
	struct pk_guest_files guest = {.pid = pid, .where = s->options};

	guest.root = pk_need_text(&s->failures, "%s/%u", symfs, pid);
	guest.kallsyms = pk_need_text(&s->failures, "%s/%u/proc/kallsyms", symfs, pid);
	guest.modules = pk_need_text(&s->failures, "%s/%u/proc/modules", symfs, pid);
	guest.where.symfs = guest.root;
	guest.where.kallsyms = guest.kallsyms;
	guest.where.vmlinux = "";
	if (guest.root && guest.kallsyms && guest.modules && add_guest(s, &guest) == PK_OK)
		return true;
	free(guest.root);
	free(guest.kallsyms);
	free(guest.modules);
	return false;
}

/* Returns the pid that is the name of a folder, or 0 if the name is not a pid. */
static uint32_t pid_of_name(const char *name)
{
	const size_t digits = strspn(name, "0123456789");

	return digits && digits <= 9 && !name[digits] ? (uint32_t)strtoul(name, NULL, 10) : 0;
}

static int by_pid(const void *a, const void *b)
{
	const uint32_t x = ((const struct pk_guest_files *)a)->pid,
		       y = ((const struct pk_guest_files *)b)->pid;

	return (x > y) - (x < y);
}

enum pk_status pk_guests_find(struct pk_symbols *s)
{
	const struct pk_symbols_options *const o = &s->options;
	struct dirent *entry;
	bool ok = true;
	DIR *folder;

	if (!*o->guest_kallsyms && !*o->guest_vmlinux && !*o->guest_modules && !*o->guest_symfs)
		return PK_OK;
	if (!add_default(s))
		return PK_NOMEM;
	if (!*o->guest_symfs)
		return PK_OK;
	folder = opendir(o->guest_symfs);
	if (!folder) {
		pk_failed(&s->failures, o->guest_symfs, errno);
		return PK_OK;
	}
	while (ok && (entry = readdir(folder))) {
		const uint32_t pid = pid_of_name(entry->d_name);

		ok = !pid || add_root(s, pid);
	}
	closedir(folder);
	qsort(s->guests, s->guest_count, sizeof(*s->guests), by_pid);
	return ok ? PK_OK : PK_NOMEM;
}

void pk_guests_free(struct pk_symbols *s)
{
	for (size_t i = 0; i < s->guest_count; i++) {
		struct pk_guest_files *const guest = &s->guests[i];

		free(guest->modules);
		free(guest->root);
		free(guest->kallsyms);
		free(guest->folder);
		free(guest->files);
	}
	free(s->guests);
}

bool pk_symbols_guest(const struct pk_symbols *s, size_t i, uint32_t *pid)
{
	if (i >= s->guest_count)
		return false;
	*pid = s->guests[i].pid;
	return true;
}

struct pk_guest_files *pk_guests_of(struct pk_symbols *s, uint32_t pid)
{
	const struct pk_guest_files key = {.pid = pid};
	struct pk_guest_files *const found =
		bsearch(&key, s->guests, s->guest_count, sizeof(key), by_pid);

	return found ? found : s->guests;
}

/* ---- Lists of modules ---- */

/* Reads a file. If it cannot be read, returns NULL and sets *error to an errno. */
static char *read_text(const char *path, size_t max, int *error)
{
	size_t size;
	char *text;
	int fd;

	*error = pk_file_open(path, &fd);
	if (*error)
		return NULL;
	text = pk_file_read(fd, max, &size);
	*error = text ? 0 : errno;
	close(fd);
	return text;
}

/* Makes "[nf_nat]" from "nf_nat". Returns false if the text is not the name of a module. */
static bool name_module(char out[64], const char *name, size_t size)
{
	if (!size || size > 60)
		return false;
	snprintf(out, 64, "[%.*s]", (int)size, name);
	return true;
}

/* Parses a line such as "nf_nat 16384 1 - Live 0xffffffffc0001000 (OE)". Returns false if the line
 * has another form or has no address. */
static bool parse_module(const char *line, char name[64], uint64_t *start, uint64_t *size)
{
	const size_t length = strcspn(line, " ");
	const char *address = strstr(line, " 0x");
	char *end;

	if (!line[length] || !address || !name_module(name, line, length))
		return false;
	errno = 0;
	*size = strtoull(line + length, &end, 10);
	address += 3;
	return !errno && *end == ' ' &&
	       digits_parse_hex(&address, address + strlen(address), start) && *start;
}

void pk_symbols_guest_modules(struct pk_symbols *s, uint32_t pid,
			      bool (*add)(void *arg, const char *name, uint64_t start,
					  uint64_t size),
			      void *arg)
{
	const struct pk_guest_files *const guest = pk_guests_of(s, pid);
	bool more = true;
	char *text, *line;
	int error;

	if (!*guest->modules)
		return;
	text = read_text(guest->modules, LIST_MAX, &error);
	if (!text && (!guest->pid || pk_is_failure(error)))
		pk_failed(&s->failures, guest->modules, error);
	for (line = text; more && line && *line;) {
		char *const end = line + strcspn(line, "\n");
		const bool last = !*end;
		uint64_t start, size;
		char name[64];

		*end = 0;
		if (parse_module(line, name, &start, &size))
			more = add(arg, name, start, size);
		line = last ? NULL : end + 1;
	}
	free(text);
}

/* ---- Files of modules ---- */

/* Reads the list of module files of the guest's kernel. The release of the kernel is from
 * /proc/version. The list is /lib/modules/RELEASE/modules.dep, where each line begins with a path.
 */
static void read_files(struct pk_symbols *s, struct pk_guest_files *guest)
{
	static const char before[] = "Linux version ";
	char *version, *path;
	int error;

	guest->looked = true;
	path = pk_need_text(&s->failures, "%s/proc/version", guest->root);
	version = path ? read_text(path, VERSION_MAX, &error) : NULL;
	free(path);
	if (!version || strncmp(version, before, sizeof(before) - 1)) {
		free(version);
		return;
	}
	path = version + sizeof(before) - 1;
	path[strcspn(path, " /\n")] = 0;
	guest->folder = pk_need_text(&s->failures, "/lib/modules/%s", path);
	free(version);
	path = guest->folder
		       ? pk_need_text(&s->failures, "%s%s/modules.dep", guest->root, guest->folder)
		       : NULL;
	guest->files = path ? read_text(path, LIST_MAX, &error) : NULL;
	if (path && !guest->files && pk_is_failure(error))
		pk_failed(&s->failures, path, error);
	free(path);
}

/* Returns whether a file, given without its folder, is the file of the module. For example,
 * "nf-nat.ko.xz" is the file of "[nf_nat]". */
static bool is_file_of(const char *file, size_t size, const char *name)
{
	size_t i;

	for (i = 0; i < size && name[i + 1] && name[i + 1] != ']'; i++)
		if ((file[i] == '-' ? '_' : file[i]) != name[i + 1])
			return false;
	return name[i + 1] == ']' && size - i >= 3 && !memcmp(file + i, ".ko", 3);
}

char *pk_guests_find_file(struct pk_symbols *s, struct pk_guest_files *guest, const char *name)
{
	if (!guest->root)
		return NULL;
	if (!guest->looked)
		read_files(s, guest);
	for (const char *line = guest->files; line && *line;) {
		const size_t size = strcspn(line, ":\n");
		size_t file = size;

		while (file && line[file - 1] != '/')
			file--;
		if (is_file_of(line + file, size - file, name))
			return *line == '/' ? pk_need_text(&s->failures, "%.*s", (int)size, line)
					    : pk_need_text(&s->failures, "%s/%.*s", guest->folder,
							   (int)size, line);
		line = strchr(line, '\n');
		line += !!line;
	}
	return NULL;
}
