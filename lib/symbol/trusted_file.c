// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "trusted_file.h"

#define LINKS_MAX 40 /* links of one path, as in path_resolution(7) */
#define ROOM	  (2 * (size_t)PATH_MAX)

/* The state of path resolution. The code in this file follows links, instead of the kernel, so that
 * it can check the owners of the links. */
struct walk {
	int root, folder; /* descriptors; `folder` is closed when it is replaced, unless it is equal
			     to `root` */
	struct stat root_stat;
	const struct pk_owners *owners;
	bool narrowed; /* a link that belongs to the process's user was followed */
	struct pk_distrust *distrust;
	char *path; /* a buffer of ROOM bytes with the path that is not resolved yet, relative to
		     * `folder` */
};

static void enter(struct walk *walk, int folder)
{
	if (walk->folder != walk->root)
		close(walk->folder);
	walk->folder = folder;
}

/* Returns whether the owner of a file is trusted. After a link of the process's user was followed,
 * only this user is trusted. Otherwise the link could point to files that this user cannot read. */
static bool is_trusted(const struct walk *walk, uid_t owner)
{
	if (owner == walk->owners->process)
		return true;
	return !walk->narrowed && (owner == 0 || owner == walk->owners->reader);
}

/* Returns the first name of the path. *rest is set to the path after the name, or to "" if it was
 * the last name. */
static char *cut_name(struct walk *walk, char **rest)
{
	char *name = walk->path + strspn(walk->path, "/");
	const size_t size = strcspn(name, "/");

	*rest = name + size + strspn(name + size, "/");
	name[size] = 0;
	return name;
}

/* Replaces the path by the target of the link, followed by `rest`, which is not resolved yet. */
static int read_link(struct walk *walk, int link, const char *rest)
{
	char target[PATH_MAX];
	char path[ROOM];
	const ssize_t size = readlinkat(link, "", target, sizeof(target));
	int n;

	if (size < 0)
		return errno;
	if (size == (ssize_t)sizeof(target))
		return ENAMETOOLONG;
	n = snprintf(path, sizeof(path), "%.*s%s%s", (int)size, target, *rest ? "/" : "", rest);
	if (n < 0 || (size_t)n >= sizeof(path))
		return ENAMETOOLONG;
	if (*path == '/')
		enter(walk, walk->root);
	memcpy(walk->path, path, (size_t)n + 1);
	return 0;
}

/* Follows a link. The link stays open, so that the link that is read is the link whose owner was
 * checked. */
static int follow(struct walk *walk, int link, const char *name, const char *rest, bool *magic)
{
	struct stat st;
	struct statfs fs;

	if (fstat(link, &st))
		return errno;
	if (!S_ISLNK(st.st_mode))
		return ENOTDIR;
	if (st.st_uid != 0 && st.st_uid != walk->owners->reader) {
		if (st.st_uid != walk->owners->process)
			*walk->distrust = (struct pk_distrust){st.st_uid, PK_LINK_OF_ANOTHER};
		if (st.st_uid != walk->owners->process)
			return PK_NOT_TRUSTED;
		walk->narrowed = true;
	}
	if (fstatfs(link, &fs))
		return errno;
	/* A link below /proc is not a path. It leads directly to an open file of a process. */
	*magic = fs.f_type == PROC_SUPER_MAGIC;
	if (!*magic)
		return read_link(walk, link, rest);
	if (*rest) {
		const int folder = openat(walk->folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (folder < 0)
			return errno;
		enter(walk, folder);
		memmove(walk->path, rest, strlen(rest) + 1);
	}
	return 0;
}

static int follow_name(struct walk *walk, const char *name, const char *rest, bool *magic)
{
	const int link = openat(walk->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int error;

	if (link < 0)
		return errno;
	error = follow(walk, link, name, rest, magic);
	close(link);
	return error;
}

/* Returns whether the name is ".." and the folder is the root. In this case, ".." means the root.
 */
static bool is_above_root(const struct walk *walk, const char *name)
{
	struct stat st;

	return !strcmp(name, "..") && !fstat(walk->folder, &st) &&
	       st.st_dev == walk->root_stat.st_dev && st.st_ino == walk->root_stat.st_ino;
}

/* Enters the folder with this name. Returns ELOOP if the name is a link. */
static int enter_name(struct walk *walk, const char *name, const char *rest)
{
	int folder = walk->folder;

	if (!is_above_root(walk, name)) {
		folder = openat(walk->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		/* If the name is a link, open() fails with ENOTDIR here. */
		if (folder < 0)
			return errno == ENOTDIR ? ELOOP : errno;
		enter(walk, folder);
	}
	memmove(walk->path, rest, strlen(rest) + 1);
	return 0;
}

/* Opens the last name of the path. It uses O_NONBLOCK, because open() of a FIFO would wait for its
 * writer. */
static int open_file(struct walk *walk, const char *name, int flags, int *fd)
{
	struct stat st;
	int error;

	*fd = openat(walk->folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (*fd < 0)
		return errno;
	error = fstat(*fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	if (!error && !is_trusted(walk, st.st_uid)) {
		*walk->distrust = (struct pk_distrust){
			st.st_uid, walk->narrowed ? PK_FILE_BEHIND_LINK : PK_FILE_OF_ANOTHER};
		error = PK_NOT_TRUSTED;
	}
	if (!error)
		return 0;
	close(*fd);
	*fd = -1;
	return error;
}

/* Resolves one name of the path, which is a folder, the file or a link. */
static int step(struct walk *walk, int *fd, int *links)
{
	bool magic = false;
	char *rest, *name = cut_name(walk, &rest);
	int error;

	if (!*name)
		return EINVAL; /* the path names a folder, not a file */
	error = *rest ? enter_name(walk, name, rest) : open_file(walk, name, O_NOFOLLOW, fd);
	if (error != ELOOP)
		return error;
	if (++*links > LINKS_MAX)
		return ELOOP;
	error = follow_name(walk, name, rest, &magic);
	return !error && magic && !*rest ? open_file(walk, name, 0, fd) : error;
}

int pk_trusted_open(int root, const char *path, const struct pk_owners *owners, int *fd,
		    struct pk_distrust *distrust)
{
	char room[ROOM];
	struct walk walk = {
		.root = root, .folder = root, .owners = owners, .distrust = distrust, .path = room};
	int error = 0, links = 0;

	*fd = -1;
	if (strlen(path) >= ROOM)
		return ENAMETOOLONG;
	if (fstat(root, &walk.root_stat))
		return errno;
	memcpy(walk.path, path, strlen(path) + 1);
	while (!error && *fd < 0)
		error = step(&walk, fd, &links);
	enter(&walk, walk.root);
	return error;
}
