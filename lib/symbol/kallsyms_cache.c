// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
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

/* Makes the folder of a path, and the one that it is in. Opens it if nobody else can change what is
 * in it: others must not choose, by a link or a folder of theirs, what a privileged user writes
 * and removes. -1: there is none, or not such a one. */
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

/* Those of earlier boots. Closes the folder. */
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

void pk_kallsyms_cache_write(const struct pk_kallsyms_cache *c, const char *text, size_t size)
{
	struct trailer trailer = {.size = size, .hash = pk_hash(text, size, c->key)};
	const int folder = open_folder(c->path);
	const char *name = strrchr(c->path, '/') + 1;
	char part[NAME_MAX + 1];
	bool ok;
	int fd;

	if (folder < 0)
		return;
	memcpy(trailer.magic, magic, sizeof(magic));
	snprintf(part, sizeof(part), "%s.%016llx", name, (unsigned long long)pk_secret());
	fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		ok = pk_write_all(fd, text, size) && pk_write_all(fd, &trailer, sizeof(trailer));
		ok &= !close(fd);
		if (!ok || renameat(folder, part, folder, name))
			unlinkat(folder, part, 0);
	}
	sweep(folder);
}
