// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "rotation.h"
#include "vector.h"

#define NAMES_MAX 1000 /* limit for names with the same time, which differ only in a number */

/* The last part of a path. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_directory(const char *path)
{
	char directory[PATH_MAX];
	const int size = (int)(base_of(path) - path);

	snprintf(directory, sizeof(directory), "%.*s.", size, path);
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Makes both names: the pattern's last component with the time. A number that is not 0 is inserted
 * before the suffix. False: too long or invalid. */
static bool make_names(struct rotation *rotation, const struct tm *time, unsigned int number)
{
	const char *base = base_of(rotation->pattern);
	const int directory = (int)(base - rotation->pattern);
	char name[NAME_MAX + 1], digits[16] = "";
	size_t stem;

	if (!strftime(name, sizeof(name), base, time) || strchr(name, '/'))
		return false;
	stem = strcspn(name + 1, ".") + 1;
	if (number)
		snprintf(digits, sizeof(digits), "-%u", number);
	return snprintf(rotation->final, PATH_MAX, "%.*s%.*s%s%s", directory, rotation->pattern,
			(int)stem, name, digits, name + stem) < PATH_MAX &&
	       snprintf(rotation->part, PATH_MAX, "%.*s.%.*s%s%s.part", directory,
			rotation->pattern, (int)stem, name, digits, name + stem) < PATH_MAX;
}

/* ---- Existing files ---- */

/* Makes a glob for fnmatch(3) from a pattern: each conversion matches any text. */
static void make_glob(const char *base, char *glob, size_t size)
{
	size_t used = 0;

	for (; *base && used + 3 < size; base++) {
		if (*base == '%' && base[1]) {
			base++;
			if (*base == '%')
				glob[used++] = '%';
			else if (!used || glob[used - 1] != '*')
				glob[used++] = '*';
		} else {
			if (strchr("*?[\\", *base))
				glob[used++] = '\\';
			glob[used++] = *base;
		}
	}
	glob[used] = 0;
}

struct found {
	char *name;
	struct timespec time;
};

static int newest_first(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? 1 : -1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? 1 : -1;
	return strcmp(y->name, x->name);
}

static void report_unread(void)
{
	pk_warn("old files stay: the directory of the output cannot be read: %s", strerror(errno));
}

/* Lists the regular files whose names match; *count is their number. Freed by free_files(). If the
 * directory cannot be read, or memory is exhausted, a warning reports it: the list is incomplete.
 */
static struct found *list_files(int directory, const char *glob, size_t *count)
{
	const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct found *files = NULL;
	size_t capacity = 0;
	const struct dirent *entry;
	struct stat st;

	*count = 0;
	while (stream && (errno = 0, entry = readdir(stream))) {
		if (fnmatch(glob, entry->d_name, FNM_PERIOD) ||
		    fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (!pk_reserve(&files, &capacity, *count, 1, sizeof(*files)))
			break;
		files[*count].time = st.st_mtim;
		files[*count].name = strdup(entry->d_name);
		if (!files[*count].name)
			break;
		++*count;
	}
	if (errno)
		report_unread();
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return files;
}

static void free_files(struct found *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(files[i].name);
	free(files);
}

/* Removes the incomplete files of earlier recordings. A file that is still being written is locked,
 * and stays. */
static void remove_stale(int directory, const char *glob)
{
	char part[PATH_MAX + 8];
	struct found *files;
	size_t count;

	snprintf(part, sizeof(part), ".%s.part", glob);
	files = list_files(directory, part, &count);
	for (size_t i = 0; i < count; i++) {
		const int fd = openat(directory, files[i].name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && unlinkat(directory, files[i].name, 0) == 0)
			pk_info("%s: left by a killed recording: removed", files[i].name);
		close(fd);
	}
	free_files(files, count);
}

static void remove_old(int directory, const char *glob, size_t keep)
{
	struct found *files;
	size_t count;

	files = list_files(directory, glob, &count);
	if (count)
		qsort(files, count, sizeof(*files), newest_first);
	for (size_t i = keep; i < count; i++)
		if (unlinkat(directory, files[i].name, 0) < 0)
			pk_warn("%s: cannot remove it: %s", files[i].name, strerror(errno));
	free_files(files, count);
}

/* ---- The next file ---- */

static int open_part(struct rotation *rotation)
{
	const time_t now = time(NULL);
	struct tm local;
	int fd = -1;

	localtime_r(&now, &local);
	for (unsigned int number = 0; number < NAMES_MAX; number++) {
		if (!make_names(rotation, &local, number)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (access(rotation->final, F_OK) == 0)
			continue;
		fd = open(rotation->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

int rotation_open(struct rotation *rotation)
{
	char glob[PATH_MAX];
	int directory, fd;

	make_glob(base_of(rotation->pattern), glob, sizeof(glob));
	directory = rotation->keep ? open_directory(rotation->pattern) : -1;
	if (directory >= 0) {
		remove_stale(directory, glob);
		close(directory);
	}
	fd = open_part(rotation);
	if (fd < 0) {
		pk_error("%s: %s", *rotation->part ? rotation->part : rotation->pattern,
			 strerror(errno));
		*rotation->part = 0;
		return -1;
	}
	flock(fd, LOCK_EX | LOCK_NB);
	pk_make_private(fd, rotation->part);
	return fd;
}

bool rotation_commit(struct rotation *rotation, int fd)
{
	const int directory = open_directory(rotation->pattern);
	char glob[PATH_MAX];
	bool ok;

	if (directory < 0 && rotation->keep)
		report_unread();
	ok = fsync(fd) == 0 && rename(rotation->part, rotation->final) == 0;

	if (!ok) {
		pk_error("%s: %s", rotation->final, strerror(errno));
		rotation_abort(rotation);
	}
	*rotation->part = 0;
	if (directory < 0)
		return ok;
	fsync(directory);
	make_glob(base_of(rotation->pattern), glob, sizeof(glob));
	if (rotation->keep)
		remove_old(directory, glob, rotation->keep);
	close(directory);
	return ok;
}

void rotation_abort(struct rotation *rotation)
{
	if (*rotation->part)
		unlink(rotation->part);
	*rotation->part = 0;
}
