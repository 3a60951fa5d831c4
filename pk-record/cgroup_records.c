// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include "configure.h"
#include "event.h"
#include "stream_head.h"

/* What samples call a control group by; 0: not to be had. */
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
	const size_t text = (strlen(path) + 8) & ~(size_t)7; /* with its NUL */
	const size_t size = 16 + text + trailer_size(attr);
	uint8_t *p;

	if (size > PERF_RECORD_SIZE_MAX)
		return;
	p = pk_writer_begin(writer, PERF_RECORD_CGROUP, 0, size);
	if (!p)
		return;
	memset(p + 8, 0, size - 8);
	pk_store_u64(p + 8, id);
	memcpy(p + 16, path, strlen(path));
}

void write_cgroups(const struct perf_attr *attr, struct pk_writer *writer)
{
	char *const root = cgroup_root();
	char *const roots[] = {root, NULL};
	FTS *tree = root ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL) : NULL;
	const FTSENT *entry;
	uint64_t id;

	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D)
			continue;
		id = cgroup_id(entry->fts_path);
		if (id)
			write_cgroup(id, entry->fts_level ? entry->fts_path + strlen(root) : "/",
				     attr, writer);
	}
	if (tree)
		fts_close(tree);
	free(root);
}
