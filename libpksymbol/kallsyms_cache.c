// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "kallsyms_cache.h"
#include "pkutil.h"

#define PREFIX "kallsyms-"

enum { KEY_MAX = 4 << 20, DAYS_KEPT = 7 };

/* What stands behind the text. */
struct trailer {
	char magic[8]; /* with the version of the layout */
	uint64_t size, hash;
};

static const char magic[8] = "pkksym1";

/* False: no such file. */
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

	c->key = pk_mix64((uint64_t)geteuid() + 1, UINT64_C(0x2d358dccaa6c78a5));
	if (!*folder || !add_to_key(&c->key, "/proc/sys/kernel/random/boot_id"))
		return false;
	add_to_key(&c->key, "/proc/modules");
	n = snprintf(c->path, sizeof(c->path), "%s/" PREFIX "%016llx", folder,
		     (unsigned long long)c->key);
	return n > 0 && (size_t)n < sizeof(c->path);
}

char *pk_kallsyms_cache_read(const struct pk_kallsyms_cache *c, size_t max, size_t *size)
{
	const int fd = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct trailer trailer;
	char *text = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	/* Nobody else may have written it. */
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)))
		text = pk_file_read(fd, max, size);
	close(fd);
	if (!text || *size < sizeof(trailer)) {
		free(text);
		return NULL;
	}
	*size -= sizeof(trailer);
	memcpy(&trailer, text + *size, sizeof(trailer));
	if (memcmp(trailer.magic, magic, sizeof(magic)) || trailer.size != *size ||
	    trailer.hash != pk_hash(text, *size, c->key)) {
		free(text);
		return NULL;
	}
	text[*size] = 0;
	return text;
}

static bool write_all(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n <= 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

/* The folder of a path, and the one that is in. */
static void make_folder(const char *path)
{
	char folder[4096];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		return;
	*slash = 0;
	slash = strrchr(folder, '/');
	if (slash && slash != folder) {
		*slash = 0;
		mkdir(folder, 0700);
		*slash = '/';
	}
	mkdir(folder, 0700);
}

/* Those of earlier boots. */
static void sweep(const char *path)
{
	char folder[4096];
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s", path);
	*strrchr(folder, '/') = 0;
	dir = opendir(folder);
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)) &&
		    !fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    st.st_mtime < time(NULL) - DAYS_KEPT * 86400)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

void pk_kallsyms_cache_write(const struct pk_kallsyms_cache *c, const char *text, size_t size)
{
	struct trailer trailer = {.size = size, .hash = pk_hash(text, size, c->key)};
	char path[sizeof(c->path) + 16];
	bool ok;
	int fd;

	memcpy(trailer.magic, magic, sizeof(magic));
	snprintf(path, sizeof(path), "%s.XXXXXX", c->path);
	make_folder(c->path);
	fd = mkstemp(path);
	if (fd < 0)
		return;
	ok = write_all(fd, text, size) && write_all(fd, &trailer, sizeof(trailer));
	ok &= !close(fd);
	if (!ok || rename(path, c->path))
		unlink(path);
	sweep(c->path);
}
