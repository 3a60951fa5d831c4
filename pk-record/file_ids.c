// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_ids.h"
#include "lookups.h"
#include "pkutil.h"

struct entry {
	uint64_t device, inode; /* inode 0: free */
	struct pk_build_id id;
};

/* Open addressing, at most half full. */
struct file_ids {
	struct entry *entries;
	size_t size, used; /* size is a power of two */
};

#define FIRST_SIZE 1024

struct file_ids *file_ids_new(void)
{
	struct file_ids *ids = calloc(1, sizeof(*ids));

	if (!ids)
		return NULL;
	ids->size = FIRST_SIZE;
	ids->entries = calloc(ids->size, sizeof(*ids->entries));
	if (ids->entries)
		return ids;
	free(ids);
	return NULL;
}

void file_ids_free(struct file_ids *ids)
{
	if (!ids)
		return;
	free(ids->entries);
	free(ids);
}

static struct entry *find(const struct file_ids *ids, uint64_t device, uint64_t inode)
{
	size_t i = pk_mix64(inode ^ UINT64_C(0x9e3779b97f4a7c15), device + 1) & (ids->size - 1);

	while (ids->entries[i].inode &&
	       (ids->entries[i].inode != inode || ids->entries[i].device != device))
		i = (i + 1) & (ids->size - 1);
	return &ids->entries[i];
}

static bool grow(struct file_ids *ids)
{
	struct file_ids larger = {.size = 2 * ids->size, .used = ids->used};

	larger.entries = calloc(larger.size, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < ids->size; i++)
		if (ids->entries[i].inode)
			*find(&larger, ids->entries[i].device, ids->entries[i].inode) =
				ids->entries[i];
	free(ids->entries);
	*ids = larger;
	return true;
}

/*
 * map_files leads to the very file that is mapped, be it deleted, replaced or in another mount
 * namespace, but takes CAP_CHECKPOINT_RESTORE. Without, the path as the process sees it will do if
 * the inode there is still the same.
 */
static void read_id(pid_t pid, const struct map_line *map, struct pk_build_id *id)
{
	char path[4200];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, map->start,
		 map->end);
	if (pk_build_id_of_file(path, id, pk_lookups()))
		return;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, map->name);
	if (map->name[0] == '/' && stat(path, &st)) {
		pk_lookup_failed(path);
		id->size = 0;
	} else if (map->name[0] != '/' || st.st_ino != map->inode ||
		   !pk_build_id_of_file(path, id, pk_lookups())) {
		id->size = 0;
	}
}

const struct pk_build_id *file_ids_get(struct file_ids *ids, pid_t pid, const struct map_line *map)
{
	const uint64_t device = (uint64_t)map->major << 32 | map->minor;
	struct entry *entry;

	if (!ids || (ids->used >= ids->size / 2 && !grow(ids))) {
		pk_failed(pk_lookups(), map->name, ENOMEM);
		return NULL;
	}
	entry = find(ids, device, map->inode);
	if (!entry->inode) {
		entry->device = device;
		entry->inode = map->inode;
		ids->used++;
		read_id(pid, map, &entry->id);
	}
	return entry->id.size ? &entry->id : NULL;
}
