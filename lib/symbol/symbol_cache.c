// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"
#include "symbol_cache.h"

/* ---- The layout of a file ---- */

enum {
	SLOTS = 4096,
	PROBES = 64, /* a table is in one of these slots from its hash on */
	FILE_MAX = 128 << 20,
	FILE_FULL = FILE_MAX / 4 * 3, /* the file is renamed if it has at least this size */
};

/* The seed of the hashes. They do not protect against a user who changes his own files. */
#define SEED UINT64_C(0x2d358dccaa6c78a5)

/* Where a table is. */
struct slot {
	uint64_t key; /* hash of the key */
	uint64_t offset, size;
	uint64_t check; /* hash of the other members */
};

/* The start of a file. The tables follow. */
struct header {
	char magic[64];
	struct slot slots[SLOTS];
};

static const char magic[64] = "pk symbol cache 1\n";

_Static_assert(sizeof(struct header) % 8 == 0 && PK_CACHED_TABLE_MAX <= FILE_MAX - FILE_FULL,
	       "a file that is not full has room for a table");

static uint64_t check_of(const struct slot *s)
{
	return pk_hash(s, offsetof(struct slot, check), SEED);
}

static uint64_t hash_of(const struct pk_cache_key *key)
{
	return pk_hash(key->bytes, key->size, SEED);
}

/* ---- The folder and the files ---- */

/* Returns whether it belongs to this user, and no other user may write to it. */
static bool is_own(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Returns whether it belongs to this user or to root. */
static bool is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

static int open_directory(int at, const char *name, int flags)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
}

/* Opens the folder `name` of `parent`. Creates it if `parent` belongs to this user. Closes
 * `parent`. A link is followed if it belongs to this user or to root. Returns -1 if there is no
 * such folder, or if is_usable() is false. */
static int open_in(int parent, const char *name, bool (*is_usable)(const struct stat *))
{
	struct stat st;
	int fd = -1;

	if (!fstat(parent, &st) && st.st_uid == geteuid())
		mkdirat(parent, name, 0700);
	if (!fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) && is_trusted(&st))
		fd = open_directory(parent, name, S_ISLNK(st.st_mode) ? 0 : O_NOFOLLOW);
	close(parent);
	if (fd < 0 || (!fstat(fd, &st) && is_usable(&st)))
		return fd;
	close(fd);
	return -1;
}

/* Opens a folder that belongs to this user, in a folder of this user or of root. In a folder of
 * another user, this user could choose the files that a privileged user writes. */
static int open_folder(const char *path)
{
	char above[4096];
	char *parent;
	const char *name = strrchr(path, '/');
	int fd;

	if (!name || name == path || (size_t)(name - path) >= sizeof(above))
		return -1;
	snprintf(above, sizeof(above), "%.*s", (int)(name - path), path);
	parent = strrchr(above, '/');
	if (!parent)
		return -1;
	*parent = 0;
	fd = open_directory(AT_FDCWD, *above ? above : "/", 0);
	if (fd >= 0)
		fd = open_in(fd, parent + 1, is_trusted);
	return fd < 0 ? -1 : open_in(fd, name + 1, is_own);
}

static bool has_header(int fd, off_t size)
{
	char start[sizeof(magic)];

	return size >= (off_t)sizeof(struct header) &&
	       pread(fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, magic, sizeof(magic));
}

/* Maps a file. The mapping is private and writable, because users of a table change flags of its
 * entries. Closes the file if it is not a file of the cache. */
static struct pk_cache_file map_file(int fd)
{
	struct pk_cache_file file = {.fd = fd};
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && is_own(&st) &&
	    has_header(fd, st.st_size)) {
		file.size = (size_t)st.st_size;
		file.bytes = mmap(NULL, file.size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_NORESERVE, fd, 0);
		if (file.bytes != MAP_FAILED)
			return file;
	}
	if (fd >= 0)
		close(fd);
	return (struct pk_cache_file){0};
}

static void unmap_file(struct pk_cache_file *file)
{
	if (!file->bytes)
		return;
	munmap(file->bytes, file->size);
	close(file->fd);
	file->bytes = NULL;
}

static const char newer_name[] = "symbols", older_name[] = "symbols.old";

enum { READ = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW };
enum { WRITE = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW };

/* Returns whether `name` is the file that is open as `fd`. */
static bool is_at(int folder, const char *name, int fd, struct stat *st)
{
	struct stat other;

	return !fstat(fd, st) && !fstatat(folder, name, &other, AT_SYMLINK_NOFOLLOW) &&
	       st->st_dev == other.st_dev && st->st_ino == other.st_ino;
}

/* Starts an empty file, or replaces a file that is full or damaged. Another program can do the same
 * at the same time, so only the program that has the lock changes something. Returns the
 * descriptor of the file to use. */
static int prepare(int folder, int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (!is_at(folder, newer_name, fd, &st) || !S_ISREG(st.st_mode) ||
	    (st.st_size && st.st_size < FILE_FULL && has_header(fd, st.st_size))) {
		flock(fd, LOCK_UN);
		return fd;
	}
	if (st.st_size) {
		if (is_own(&st) && has_header(fd, st.st_size))
			renameat(folder, newer_name, folder, older_name);
		else
			unlinkat(folder, newer_name, 0);
		close(fd);
		fd = openat(folder, newer_name, WRITE | O_EXCL, 0600);
		if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB))
			return fd;
	}
	/* The magic is written last, so a file with a magic has all its slots. */
	if (!ftruncate(fd, sizeof(struct header)))
		(void)!pwrite(fd, magic, sizeof(magic), 0);
	flock(fd, LOCK_UN);
	return fd;
}

/* Opens the newer file for writing if possible, and otherwise for reading. */
static int open_newer(struct pk_symbol_cache *c, int folder)
{
	int fd = openat(folder, newer_name, WRITE, 0600);
	struct stat st;

	/* Something that is not a file of this user is removed. */
	if (fd < 0 && (errno == ELOOP || errno == ENXIO || errno == EISDIR) &&
	    !unlinkat(folder, newer_name, 0))
		fd = openat(folder, newer_name, WRITE | O_EXCL, 0600);
	c->writable = fd >= 0;
	if (fd < 0)
		return openat(folder, newer_name, READ);
	if (fstat(fd, &st) || !st.st_size || st.st_size >= FILE_FULL || !has_header(fd, st.st_size))
		fd = prepare(folder, fd);
	return fd;
}

void pk_symbol_cache_open(struct pk_symbol_cache *c, const char *folder)
{
	const int fd = *folder ? open_folder(folder) : -1;

	*c = (struct pk_symbol_cache){0};
	if (fd < 0)
		return;
	c->newer = map_file(open_newer(c, fd));
	c->writable &= c->newer.bytes != NULL;
	c->older = map_file(openat(fd, older_name, READ));
	close(fd);
}

void pk_symbol_cache_close(struct pk_symbol_cache *c)
{
	unmap_file(&c->newer);
	unmap_file(&c->older);
	c->writable = false;
}

/* ---- Loading ---- */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* since Linux 5.14 */
#endif

/* Loads pages of the file at once, because a read that fails later would raise SIGBUS. */
static bool populate(const struct pk_cache_file *file, uint64_t offset, uint64_t size)
{
	const uint64_t from = offset & ~UINT64_C(4095);

	return !madvise(file->bytes + from, offset + size - from, MADV_POPULATE_READ) ||
	       errno == EINVAL;
}

/* Returns the first of the slots in which a table with this hash of its key can be. */
static size_t first_slot(uint64_t key)
{
	return key % (SLOTS - PROBES + 1);
}

/* Finds the slot of a table with this hash of its key. Another program can change the slot in the
 * file at any time, so *slot is a copy. */
static bool find_slot(const struct pk_cache_file *file, uint64_t key, struct slot *slot)
{
	const struct header *h = (const struct header *)(const void *)file->bytes;

	for (size_t i = 0; i < PROBES; i++) {
		*slot = h->slots[first_slot(key) + i];
		if (slot->key == key && slot->check == check_of(slot) && slot->offset % 8 == 0 &&
		    slot->offset <= file->size && slot->size <= file->size - slot->offset &&
		    slot->size <= PK_CACHED_TABLE_MAX)
			return true;
	}
	return false;
}

static bool load_from(const struct pk_cache_file *file, const struct pk_cache_key *key,
		      struct pk_symtable *t, const void **extra, size_t *extra_size)
{
	struct slot slot;

	return file->bytes && find_slot(file, hash_of(key), &slot) &&
	       populate(file, slot.offset, slot.size) &&
	       pk_cached_table_read(file->bytes + slot.offset, slot.size, key, t, extra,
				    extra_size);
}

bool pk_symbol_cache_load(const struct pk_symbol_cache *c, const struct pk_cache_key *key,
			  struct pk_symtable *t, const void **extra, size_t *extra_size)
{
	return key->size && (load_from(&c->newer, key, t, extra, extra_size) ||
			     load_from(&c->older, key, t, extra, extra_size));
}

/* ---- Saving ---- */

/* Returns whether the table is in this file. */
static bool is_in(const struct pk_cache_file *file, const struct pk_symtable *t)
{
	const uintptr_t at = (uintptr_t)t->entries, from = (uintptr_t)file->bytes;

	return file->bytes && at >= from && at - from < file->size;
}

/* Chooses the slot for a table: the slot of a damaged table with this key, an unused slot, or the
 * slot of another table. Returns its index, or SLOTS if another program has saved the table since
 * the cache was opened. */
static size_t choose_slot(const struct pk_symbol_cache *c, uint64_t key)
{
	const size_t first = first_slot(key);
	struct slot slots[PROBES];
	size_t chosen = first;

	if (pread(c->newer.fd, slots, sizeof(slots),
		  (off_t)(offsetof(struct header, slots) + first * sizeof(*slots))) !=
	    (ssize_t)sizeof(slots))
		return SLOTS;
	for (size_t i = PROBES; i--;) {
		const bool used = slots[i].check == check_of(&slots[i]);

		if (used && slots[i].key == key)
			return slots[i].offset < c->newer.size ? first + i : SLOTS;
		chosen = used ? chosen : first + i;
	}
	return chosen;
}

/* Appends a table. The slot is written last, so a slot that can be read belongs to a complete
 * table. Returns PK_IO and sets errno if this fails. */
static enum pk_status append(const struct pk_symbol_cache *c, uint64_t key,
			     const struct pk_table_copy *copy)
{
	const int fd = c->newer.fd;
	const size_t index = choose_slot(c, key);
	const off_t end = lseek(fd, 0, SEEK_END);
	struct slot slot = {.key = key, .size = pk_table_copy_size(copy)};

	slot.offset = ((uint64_t)end + 7) & ~UINT64_C(7);
	slot.check = check_of(&slot);
	if (index == SLOTS || end < 0 || slot.offset > FILE_MAX - slot.size)
		return PK_OK;
	if (lseek(fd, (off_t)slot.offset, SEEK_SET) >= 0 &&
	    pk_table_copy_write(copy, fd) == PK_OK &&
	    pwrite(fd, &slot, sizeof(slot),
		   (off_t)(offsetof(struct header, slots) + index * sizeof(slot))) ==
		    (ssize_t)sizeof(slot))
		return PK_OK;
	(void)!ftruncate(fd, end);
	return PK_IO;
}

void pk_symbol_cache_save(struct pk_symbol_cache *c, const struct pk_cache_key *key,
			  const struct pk_symtable *t, const void *extra, size_t extra_size)
{
	struct pk_symtable kept = {.failures = NULL};
	struct pk_table_copy copy;
	const void *other;
	size_t size;

	/* A table in which names were cut is hostile, and is not worth keeping. */
	if (!c->writable || !key->size || !t->count || t->budget.cut || is_in(&c->newer, t) ||
	    load_from(&c->newer, key, &kept, &other, &size) ||
	    flock(c->newer.fd, LOCK_EX | LOCK_NB))
		return;
	if (pk_table_copy_start(&copy, key, t, extra, extra_size) &&
	    append(c, hash_of(key), &copy) != PK_OK) {
		c->error = errno;
		c->writable = false;
	}
	flock(c->newer.fd, LOCK_UN);
}
