// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cli.h"
#include "vector.h"

#define LINKS_MAX   40 /* limit for nested links, as in path_resolution(7) */
#define RETRIES_MAX 10 /* attempts while other processes create and remove the file */

/* ---- Inputs ---- */

struct input {
	dev_t device;
	ino_t inode;
	char *name;
};

static struct input *inputs;
static size_t inputs_count, inputs_capacity;
static int inputs_unknown; /* the errno with which a lookup of inputs failed; 0: all are known */

static void add_input(const struct stat *st, const char *name)
{
	if (!S_ISREG(st->st_mode))
		return;
	if (!pk_reserve(&inputs, &inputs_capacity, inputs_count, 1, sizeof(*inputs))) {
		inputs_unknown = ENOMEM;
		return;
	}
	inputs[inputs_count] = (struct input){st->st_dev, st->st_ino, strdup(name)};
	if (inputs[inputs_count].name)
		inputs_count++;
	else
		inputs_unknown = ENOMEM;
}

/* Declares the files of a directory, which perf record --threads writes. */
static void add_members(int fd, const char *name)
{
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	while (folder && (errno = 0, entry = readdir(folder)))
		if (!fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			add_input(&st, name);
	if (errno)
		inputs_unknown = errno;
	if (folder)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
}

void pk_protect_input(const char *path)
{
	const bool standard = !strcmp(path, "-");
	const char *name = standard ? "stdin" : path;
	struct stat st;

	if (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st))
		return; /* reading it later will fail, too */
	if (!S_ISDIR(st.st_mode))
		add_input(&st, name);
	else if (standard)
		add_members(openat(STDIN_FILENO, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), name);
	else
		add_members(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), name);
}

void pk_protect_inputs(char *const *paths, int count)
{
	if (!count)
		pk_protect_input("-");
	for (int i = 0; i < count; i++)
		pk_protect_input(paths[i]);
}

static int refuse_input(const struct stat *st, const char *name)
{
	if (!S_ISREG(st->st_mode))
		return PK_EXIT_OK;
	for (size_t i = 0; i < inputs_count; i++) {
		if (inputs[i].device != st->st_dev || inputs[i].inode != st->st_ino)
			continue;
		pk_error("%s: the output is the same file as the input %s: nothing was written",
			 name, inputs[i].name);
		return PK_EXIT_USAGE;
	}
	if (!inputs_unknown)
		return PK_EXIT_OK;
	pk_error("the inputs cannot be compared with the output: %s", strerror(inputs_unknown));
	return PK_EXIT_FAILED;
}

int pk_refuse_input(const char *path)
{
	struct stat st;

	return stat(path, &st) ? PK_EXIT_OK : refuse_input(&st, path);
}

int pk_refuse_input_fd(int fd, const char *name)
{
	struct stat st;

	return fstat(fd, &st) ? PK_EXIT_OK : refuse_input(&st, name);
}

/* ---- Outputs ---- */

/* The state while an output is opened. This code, not the kernel, follows symbolic links in the
 * last part of the path, so that it can check their owners. */
struct place {
	const char *path; /* as the user gave it; for messages */
	int folder;
	char name[PATH_MAX]; /* the part of the path that is still to be resolved, relative to the
			      * folder */
	const char *base;    /* the file name, after the folder was resolved */
	bool append;
	bool descriptor; /* the path names an open descriptor, such as /dev/stdout */
};

static bool enter_folder(struct place *place)
{
	char *slash = strrchr(place->name, '/');
	int folder;

	place->base = place->name;
	if (!slash)
		return true;
	if (!slash[1]) {
		errno = EISDIR;
		return false;
	}
	place->base = slash + 1;
	if (slash == place->name) {
		folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	} else {
		*slash = 0;
		folder = openat(place->folder, place->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	if (folder < 0)
		return false;
	if (place->folder != AT_FDCWD)
		close(place->folder);
	place->folder = folder;
	return true;
}

static bool is_trusted(const struct stat *st)
{
	return st->st_uid == geteuid() || !st->st_uid;
}

/* Replaces a link in *place by its target. The link itself is opened, so that the link whose owner
 * was checked is the one that is read. False with errno, which is 0 after a message. */
static bool follow_link(struct place *place)
{
	const int link = openat(place->folder, place->base, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	struct stat st;
	ssize_t size;

	if (link < 0)
		return errno == ENOENT; /* removed meanwhile: try again */
	if (fstat(link, &st) || fstatfs(link, &fs)) {
		close(link);
		return false;
	}
	if (S_ISLNK(st.st_mode) && !is_trusted(&st)) {
		close(link);
		pk_error("%s: a symbolic link of another user is not followed", place->path);
		errno = 0;
		return false;
	}
	if (S_ISLNK(st.st_mode) && fs.f_type == PROC_SUPER_MAGIC) {
		/* Not a path, but a link to an open file of a process. */
		place->descriptor = true;
	} else if (S_ISLNK(st.st_mode)) {
		size = readlinkat(link, "", place->name, sizeof(place->name));
		if (size == (ssize_t)sizeof(place->name)) {
			errno = ENAMETOOLONG;
			size = -1;
		}
		place->name[size < 0 ? 0 : size] = 0;
		if (size < 0 || !enter_folder(place)) {
			const int error = errno;

			close(link);
			errno = error;
			return false;
		}
	}
	close(link);
	return true;
}

/* Opens the file. -1 with errno; *created: it did not exist. */
static int open_file(const struct place *place, bool *created)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (place->append ? O_APPEND : 0);
	int fd;

	for (int i = 0; i < RETRIES_MAX; i++) {
		*created = false;
		if (place->descriptor)
			return openat(place->folder, place->base, flags);
		fd = openat(place->folder, place->base, flags | O_CREAT | O_EXCL, 0600);
		*created = fd >= 0;
		if (fd >= 0 || errno != EEXIST)
			return fd;
		fd = openat(place->folder, place->base, flags | O_NOFOLLOW);
		if (fd >= 0 || errno != ENOENT)
			return fd;
	}
	return -1;
}

static int open_or_follow(struct place *place, bool *created)
{
	int fd;

	for (int links = 0; links < LINKS_MAX; links++) {
		fd = open_file(place, created);
		if (fd >= 0 || errno != ELOOP)
			return fd;
		if (!follow_link(place))
			return -1;
	}
	errno = ELOOP;
	return -1;
}

/* Whether the file belongs to another user, who could read the output. */
static bool is_of_another(const struct place *place, const struct stat *st)
{
	if (place->descriptor)
		return false;
	return S_ISREG(st->st_mode)    ? st->st_uid != geteuid()
	       : S_ISFIFO(st->st_mode) ? !is_trusted(st)
				       : false;
}

void pk_make_private(int fd, const char *name)
{
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & 077 && fchmod(fd, 0600))
		pk_warn("%s: other users can read it: its mode %03o cannot be changed: %s", name,
			st.st_mode & 0777, strerror(errno));
}

/* Makes a regular file private, and empties it, except with append. */
static bool prepare(const struct place *place, int fd, const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return true;
	if (!place->descriptor)
		pk_make_private(fd, place->path);
	return place->append || !st->st_size || !ftruncate(fd, 0);
}

/* Returns a descriptor; -1 with errno, which is 0 after a message; -PK_EXIT_USAGE after a
 * message. */
static int create(struct place *place)
{
	bool created;
	struct stat st;
	int fd, refused;

	if (!enter_folder(place))
		return -1;
	for (int i = 0; i < RETRIES_MAX; i++) {
		fd = open_or_follow(place, &created);
		if (fd < 0)
			return -1;
		if (fstat(fd, &st)) {
			close(fd);
			return -1;
		}
		refused = created ? PK_EXIT_OK : refuse_input(&st, place->path);
		if (refused) {
			close(fd);
			errno = 0;
			return -refused;
		}
		if (created || !is_of_another(place, &st)) {
			if (prepare(place, fd, &st))
				return fd;
			close(fd);
			return -1;
		}
		close(fd);
		/* Remove the file: the next attempt creates one that belongs to this user. */
		if (!S_ISREG(st.st_mode) || place->append ||
		    unlinkat(place->folder, place->base, 0))
			break;
	}
	pk_error("%s: belongs to another user: not written to", place->path);
	errno = 0;
	return -1;
}

int pk_create(const char *path, bool append)
{
	struct place place = {.path = path, .folder = AT_FDCWD, .append = append};
	const size_t size = strlen(path);
	int fd = -1;

	errno = ENAMETOOLONG;
	if (size < sizeof(place.name)) {
		memcpy(place.name, path, size + 1);
		fd = create(&place);
	}
	if (fd == -PK_EXIT_FAILED && errno)
		pk_error("%s: %s", path, strerror(errno));
	if (place.folder != AT_FDCWD)
		close(place.folder);
	return fd;
}
