// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "kallsyms_cache.h"
#include "pkutil.h"

#define PREFIX "kallsyms-"

enum { KEY_MAX = 4 << 20, DAYS_KEPT = 7 };

/* The start of a file of the cache. The entries follow, then the modules, then the names. */
struct header {
	char magic[8]; /* also identifies the version of the layout */
	uint64_t key;
	uint64_t references[PK_KALLSYMS_REFERENCES];
	uint64_t names_size;
	uint32_t count, module_count;
	uint64_t hash; /* hash of the members of this struct that precede it */
};

static const char magic[8] = "pkksym3";

_Static_assert(sizeof(struct pk_symtable_entry) == 24 && sizeof(struct header) % 8 == 0,
	       "a change of the layout needs another magic");

/* Adds the hash of a file's content to the key. Returns false if there is no such file, or if a
 * read fails. */
static bool add_to_key(uint64_t *key, const char *path)
{
	size_t size;
	char *text;
	int fd;

	if (pk_file_open(path, &fd))
		return false;
	text = pk_file_read(fd, KEY_MAX, &size);
	close(fd);
	if (text)
		*key = pk_hash(text, size, *key);
	free(text);
	return text;
}

bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder)
{
	int n;

	*c->path = 0;
	c->fd = -1;
	c->key = pk_mix64((uint64_t)geteuid() + 1, UINT64_C(0x2d358dccaa6c78a5));
	if (!*folder || !add_to_key(&c->key, "/proc/sys/kernel/random/boot_id"))
		return false;
	add_to_key(&c->key, "/proc/modules");
	n = snprintf(c->path, sizeof(c->path), "%s/" PREFIX "%016llx.table", folder,
		     (unsigned long long)c->key);
	if (n > 0 && (size_t)n < sizeof(c->path))
		return true;
	*c->path = 0;
	return false;
}

/* Returns whether the file belongs to this user, and no other user may write to it. */
static bool is_own_file(int fd, off_t *size)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IWGRP | S_IWOTH)))
		return false;
	*size = st.st_size;
	return true;
}

static uint64_t hash_of(const struct header *h)
{
	return pk_hash(h, offsetof(struct header, hash), h->key);
}

static uint64_t size_of(const struct header *h)
{
	return sizeof(*h) + h->count * (uint64_t)sizeof(struct pk_symtable_entry) +
	       h->module_count * (uint64_t)sizeof(uint32_t) + h->names_size;
}

/* Opens a copy for reading. Its header is written last, so a file with a header is complete.
 * Returns -1 if the file is no complete copy. */
static int open_copy(int folder, const char *name, const struct pk_kallsyms_cache *c,
		     struct header *h)
{
	const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	off_t size;

	if (fd < 0)
		return -1;
	if (is_own_file(fd, &size) && pread(fd, h, sizeof(*h), 0) == (ssize_t)sizeof(*h) &&
	    !memcmp(h->magic, magic, sizeof(magic)) && h->key == c->key && h->hash == hash_of(h) &&
	    h->count && h->names_size && h->names_size <= UINT32_MAX &&
	    size_of(h) == (uint64_t)size)
		return fd;
	close(fd);
	return -1;
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* since Linux 5.14 */
#endif

/* Maps a copy. The kernel loads its pages at once, because a read that fails later would raise
 * SIGBUS. The mapping is private and writable, because users of the table change flags of its
 * entries. */
static char *map_copy(int fd, size_t size)
{
	char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	if (bytes == MAP_FAILED)
		return NULL;
	if ((!madvise(bytes, size, MADV_POPULATE_READ) || errno == EINVAL) && !bytes[size - 1])
		return bytes;
	munmap(bytes, size);
	return NULL;
}

bool pk_kallsyms_cache_load(const struct pk_kallsyms_cache *c, struct pk_kallsyms *k)
{
	struct header h;
	const int fd = open_copy(AT_FDCWD, c->path, c, &h);
	struct pk_symtable_entry *entries;
	char *bytes;

	if (fd < 0)
		return false;
	bytes = map_copy(fd, size_of(&h));
	close(fd);
	if (!bytes)
		return false;
	entries = (struct pk_symtable_entry *)(void *)(bytes + sizeof(h));
	*k = (struct pk_kallsyms){
		.table = {.entries = entries,
			  .count = h.count,
			  .names_size = h.names_size,
			  .failures = k->table.failures},
		.modules = (uint32_t *)(void *)(entries + h.count),
		.module_count = h.module_count,
		.mapped = bytes,
		.mapped_size = size_of(&h),
	};
	k->table.names = (char *)(k->modules + h.module_count);
	memcpy(k->references, h.references, sizeof(h.references));
	return true;
}

/* Creates the folder that contains `path`, and its parent folder. Opens the folder if other users
 * cannot change it. Otherwise other users could use a link or their own folder to choose the files
 * that a privileged user writes and removes. Returns -1 if the folder does not exist or is not
 * safe. */
static int open_folder(const char *path)
{
	char folder[sizeof(((struct pk_kallsyms_cache *)NULL)->path)];
	char *last, *above;
	struct stat st;
	int fd;

	snprintf(folder, sizeof(folder), "%s", path);
	last = strrchr(folder, '/');
	if (!last)
		return -1;
	*last = 0;
	above = strrchr(folder, '/');
	if (above && above != folder) {
		*above = 0;
		mkdir(folder, 0700);
		if (!lstat(folder, &st) && S_ISLNK(st.st_mode) && st.st_uid != geteuid() &&
		    st.st_uid)
			return -1;
		*above = '/';
	}
	mkdir(folder, 0700);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	return -1;
}

/* Removes files of the cache that are older than 7 days. Closes the folder. */
static void sweep(int folder)
{
	struct dirent *entry;
	struct stat st;
	DIR *dir = fdopendir(folder);

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) &&
		    !fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    st.st_mtime < time(NULL) - DAYS_KEPT * 86400)
			unlinkat(folder, entry->d_name, 0);
	if (dir)
		closedir(dir);
	else
		close(folder);
}

/* Opens the file for writing, and locks it. Returns -1 if another process is writing it, or if a
 * call fails. */
static int create_copy(int folder, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
	int fd = openat(folder, name, flags, 0600);
	off_t size;

	if (fd >= 0 && !is_own_file(fd, &size)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0 && !unlinkat(folder, name, 0))
		fd = openat(folder, name, flags | O_EXCL, 0600);
	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return -1;
}

void pk_kallsyms_cache_prepare(struct pk_kallsyms_cache *c)
{
	const int folder = *c->path && c->fd < 0 ? open_folder(c->path) : -1;
	const char *name;
	struct header h;
	int fd;

	if (folder < 0)
		return;
	name = strrchr(c->path, '/') + 1;
	fd = open_copy(folder, name, c, &h);
	if (fd >= 0) {
		close(fd);
		close(folder);
		return;
	}
	c->fd = create_copy(folder, name);
	/* Another process can have completed the copy before this process got the lock. Others may
	 * have mapped that copy, so it must not be written again. */
	fd = c->fd < 0 ? -1 : open_copy(folder, name, c, &h);
	if (fd >= 0) {
		close(fd);
		pk_kallsyms_cache_close(c);
	}
	sweep(folder);
}

bool pk_kallsyms_cache_is_prepared(const struct pk_kallsyms_cache *c)
{
	return *c->path && c->fd >= 0;
}

void pk_kallsyms_cache_close(struct pk_kallsyms_cache *c)
{
	if (pk_kallsyms_cache_is_prepared(c))
		close(c->fd);
	c->fd = -1;
}

void pk_kallsyms_cache_save(struct pk_kallsyms_cache *c, const struct pk_kallsyms *k)
{
	struct header h = {0};

	if (!pk_kallsyms_cache_is_prepared(c))
		return;
	if (!ftruncate(c->fd, 0) && pk_write_all(c->fd, &h, sizeof(h)) == PK_OK &&
	    pk_write_all(c->fd, k->table.entries, k->table.count * sizeof(*k->table.entries)) ==
		    PK_OK &&
	    pk_write_all(c->fd, k->modules, k->module_count * sizeof(*k->modules)) == PK_OK &&
	    pk_write_all(c->fd, k->table.names, k->table.names_size) == PK_OK) {
		memcpy(h.magic, magic, sizeof(magic));
		h.key = c->key;
		memcpy(h.references, k->references, sizeof(h.references));
		h.names_size = k->table.names_size;
		h.count = (uint32_t)k->table.count;
		h.module_count = k->module_count;
		h.hash = hash_of(&h);
		(void)!pwrite(c->fd, &h, sizeof(h), 0);
	}
	pk_kallsyms_cache_close(c);
}
