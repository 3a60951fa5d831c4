// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_ids.h"
#include "lookups.h"
#include "table.h"
#include "vector.h"

struct entry {
	uint64_t device, inode;
	struct pk_build_id id;
};

struct file_ids {
	struct entry *entries;
	size_t count, capacity;
	struct pk_table numbers; /* device and inode -> index of the entry + 1 */
};

struct file_ids *file_ids_new(void)
{
	return calloc(1, sizeof(struct file_ids));
}

void file_ids_free(struct file_ids *ids)
{
	if (!ids)
		return;
	free(ids->entries);
	pk_table_free(&ids->numbers);
	free(ids);
}

static struct entry *find(const struct file_ids *ids, uint64_t key, uint64_t device, uint64_t inode)
{
	struct pk_probe probe = pk_table_probe(&ids->numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct entry *entry = &ids->entries[number - 1];

		if (entry->inode == inode && entry->device == device)
			return entry;
	}
	return NULL;
}

/* NULL: out of memory. */
static struct entry *add(struct file_ids *ids, uint64_t key, uint64_t device, uint64_t inode)
{
	if (!pk_reserve(&ids->entries, &ids->capacity, ids->count, 1, sizeof(*ids->entries)) ||
	    !pk_table_add(&ids->numbers, key, ids->count + 1))
		return NULL;
	ids->entries[ids->count] = (struct entry){.device = device, .inode = inode};
	return &ids->entries[ids->count++];
}

/* Whether the path is that file. */
static bool is_file(const char *path, const struct map_line *map)
{
	struct stat st;

	if (!stat(path, &st))
		return st.st_ino == map->inode;
	pk_lookup_failed(path);
	return false;
}

/* map_files opens the mapped file itself, even if it was deleted or replaced or is in another mount
 * namespace, but needs CAP_CHECKPOINT_RESTORE. Otherwise, the process's path and its executable are
 * used if their inode is the same. */
static void read_id(pid_t pid, const struct map_line *map, struct pk_build_id *id)
{
	char path[4200];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, map->start,
		 map->end);
	if (pk_build_id_of_file(path, id, pk_lookups()))
		return;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, map->name);
	if (map->name[0] == '/' && is_file(path, map) &&
	    pk_build_id_of_file(path, id, pk_lookups()))
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (!is_file(path, map) || !pk_build_id_of_file(path, id, pk_lookups()))
		id->size = 0;
}

const struct pk_build_id *file_ids_get(struct file_ids *ids, pid_t pid, const struct map_line *map)
{
	const uint64_t device = (uint64_t)map->major << 32 | map->minor;
	const uint64_t key = device * UINT64_C(0x9e3779b97f4a7c15) ^ map->inode;
	struct entry *entry = ids ? find(ids, key, device, map->inode) : NULL;

	if (!entry) {
		entry = ids ? add(ids, key, device, map->inode) : NULL;
		if (!entry) {
			pk_failed(pk_lookups(), map->name, ENOMEM);
			return NULL;
		}
		read_id(pid, map, &entry->id);
	}
	return entry->id.size ? &entry->id : NULL;
}
