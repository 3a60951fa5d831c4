// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "configure.h"
#include "event.h"
#include "lookups.h"
#include "pkprivate.h"
#include "stream_head.h"

/* The id of a control group in samples; 0: unknown. */
static uint64_t cgroup_id(const char *path)
{
	struct {
		struct file_handle handle;
		uint64_t id;
	} known = {.handle.handle_bytes = sizeof(uint64_t)};
	uint64_t id;
	int mount;

	if (name_to_handle_at(AT_FDCWD, path, &known.handle, &mount, 0) ||
	    known.handle.handle_bytes != sizeof(id))
		return 0;
	memcpy(&id, known.handle.f_handle, sizeof(id));
	return id;
}

static void write_cgroup(uint64_t id, const char *path, const struct perf_attr *attr,
			 struct pk_writer *writer)
{
	struct perf_record_cgroup *cgroup = pk_writer_with_text(
		writer, PERF_RECORD_CGROUP, 0, sizeof(*cgroup), path, trailer_size(attr));

	if (cgroup)
		cgroup->id = id;
}

struct walk {
	const struct perf_attr *attr;
	struct pk_writer *writer;
	size_t root;  /* size of the path of the root control group */
	dev_t device; /* the device of its file system */
	char path[PATH_MAX];
};

/* Writes the control group at walk->path, and those below it. size is the path's size. glibc's
 * fts(3) crashes when memory is exhausted, and nftw(3) passes no argument. */
static void write_tree(struct walk *walk, size_t size)
{
	const struct dirent *entry;
	struct stat st;
	DIR *folder;
	uint64_t id;
	int n;

	if (stat(walk->path, &st)) {
		pk_lookup_failed(walk->path);
		return;
	}
	/* File systems mounted inside of the cgroup file system contain no control groups. */
	if (size == walk->root)
		walk->device = st.st_dev;
	else if (st.st_dev != walk->device)
		return;
	id = cgroup_id(walk->path);
	if (id)
		write_cgroup(id, size > walk->root ? walk->path + walk->root : "/", walk->attr,
			     walk->writer);
	folder = opendir(walk->path);
	if (!folder)
		pk_lookup_failed(walk->path);
	while (folder && (errno = 0, entry = readdir(folder))) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		n = snprintf(walk->path + size, sizeof(walk->path) - size, "/%s", entry->d_name);
		if (n > 0 && (size_t)n < sizeof(walk->path) - size)
			write_tree(walk, size + (size_t)n);
		else
			pk_failed(pk_lookups(), walk->path, ENAMETOOLONG);
		walk->path[size] = '\0';
	}
	if (folder && errno)
		pk_lookup_failed(walk->path);
	if (folder)
		closedir(folder);
}

void write_cgroups(const struct perf_attr *attr, struct pk_writer *writer)
{
	struct walk walk = {.attr = attr, .writer = writer};
	char *const root = pk_cgroup_root(pk_lookups());

	if (root && strlen(root) < sizeof(walk.path)) {
		walk.root = strlen(root);
		memcpy(walk.path, root, walk.root + 1);
		write_tree(&walk, walk.root);
	}
	free(root);
}
