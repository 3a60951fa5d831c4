// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "pkprivate.h"
#include "unwind_recorded.h"
#include "vector.h"

/* Maximum number of maps of a process. */
#define MAPS_MAX 8192

struct unwind_recorded_change {
	uint64_t time;
	uint32_t type, pid, parent;
	struct unwind_recorded_map map;
};

/* ---- Records ---- */

static bool read_map(struct unwind_recorded *recorded, const struct perf_record_mmap2 *mmap,
		     size_t size, struct unwind_recorded_map *map)
{
	const size_t at = offsetof(struct perf_record_mmap2, filename);
	const size_t length = size > at ? strnlen(mmap->filename, size - at) : 0;

	if (!length || mmap->header.misc & PERF_RECORD_MISC_MMAP_DATA ||
	    mmap->len > UINT64_MAX - mmap->addr)
		return false;
	map->start = mmap->addr;
	map->end = mmap->addr + mmap->len;
	map->offset = mmap->pgoff;
	map->name = pk_texts_add(&recorded->names, mmap->filename, length);
	if (mmap->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    mmap->build_id_size <= sizeof(map->id.bytes)) {
		map->id.size = mmap->build_id_size;
		memcpy(map->id.bytes, mmap->build_id, map->id.size);
	}
	return map->name;
}

/* Reads a record into *change if the record changes the maps of a process. Otherwise, returns
 * false. */
static bool read_change(struct unwind_recorded *recorded, const uint8_t *record, size_t size,
			struct unwind_recorded_change *change)
{
	const struct perf_header *header = (const void *)record;
	const struct perf_record_task *task = (const void *)record;

	change->type = header->type;
	change->pid = task->pid;
	switch (header->type) {
	case PERF_RECORD_MMAP2: return read_map(recorded, (const void *)record, size, &change->map);
	case PERF_RECORD_FORK: change->parent = task->ppid; return task->pid != task->ppid;
	case PERF_RECORD_COMM: return header->misc & PERF_RECORD_MISC_COMM_EXEC;
	default: return false;
	}
}

static void tell_replaced(const struct unwind_recorded *recorded,
			  const struct unwind_recorded_change *change)
{
	recorded->replaced(recorded->arg, change->pid, change->map.start,
			   change->map.end - change->map.start);
}

void unwind_recorded_keep(struct unwind_recorded *recorded, const uint8_t *record, size_t trailer)
{
	const struct perf_header *header = (const void *)record;
	struct unwind_recorded_change change = {0};
	/* In the trailer, the time comes after pid and tid. */
	const size_t time_at = 8;

	if (header->size < sizeof(struct perf_record_comm) + trailer ||
	    !read_change(recorded, record, header->size - trailer, &change))
		return;
	if (trailer <
	    time_at + sizeof(change.time)) { /* without their times, it is unknown in which order
					      * the records of different rings were written */
		if (change.type == PERF_RECORD_MMAP2)
			tell_replaced(recorded, &change);
		return;
	}
	change.time = pk_load_u64(record + header->size - trailer + time_at);
	if (pk_need_room(pk_lookups(), pk_reserve(&recorded->changes, &recorded->capacity,
						  recorded->count, 1, sizeof(change))) == PK_OK)
		recorded->changes[recorded->count++] = change;
}

/* ---- Processes ---- */

const struct unwind_recorded_process *unwind_recorded_find(const struct unwind_recorded *recorded,
							   uint32_t pid)
{
	return pk_table_get(&recorded->processes, pid);
}

/* Adds a map. Removes all maps that it overlaps, and sets *replaces to true if there were any. */
static enum pk_status add_map(struct unwind_recorded_process *process,
			      const struct unwind_recorded_map *map, bool *replaces)
{
	struct unwind_recorded_map *maps = process->maps;
	size_t first = 0, last;

	while (first < process->count && maps[first].end <= map->start)
		first++;
	for (last = first; last < process->count && maps[last].start < map->end;)
		last++;
	*replaces = last != first;
	if (last == first) {
		if (process->count == MAPS_MAX)
			return PK_NOMEM;
		PK_TRY(pk_reserve(&process->maps, &process->capacity, process->count, 1,
				  sizeof(*map)));
		maps = process->maps;
		last = first + 1;
		memmove(maps + last, maps + first, (process->count++ - first) * sizeof(*map));
	}
	maps[first] = *map;
	memmove(maps + first + 1, maps + last, (process->count - last) * sizeof(*map));
	process->count -= last - first - 1;
	return PK_OK;
}

static enum pk_status copy_maps(struct unwind_recorded_process *to,
				const struct unwind_recorded_process *from)
{
	to->count = 0;
	if (!from || !from->count)
		return PK_OK;
	PK_TRY(pk_reserve(&to->maps, &to->capacity, 0, from->count, sizeof(*to->maps)));
	memcpy(to->maps, from->maps, from->count * sizeof(*to->maps));
	to->count = from->count;
	return PK_OK;
}

static enum pk_status apply_map(struct unwind_recorded *recorded,
				const struct unwind_recorded_change *change)
{
	struct unwind_recorded_process *process = pk_table_get(&recorded->processes, change->pid);
	enum pk_status status = PK_OK;
	bool replaces = true;

	if (process)
		status = add_map(process, &change->map, &replaces);
	/* In two cases, the recorded maps are incomplete, so that the new map may replace unknown
	 * ones: the process started before the recording, or it still has the maps of its parent.
	 */
	if (!process || process->parent || status != PK_OK || replaces)
		tell_replaced(recorded, change);
	return status;
}

static enum pk_status apply(struct unwind_recorded *recorded,
			    const struct unwind_recorded_change *change)
{
	struct unwind_recorded_process *process;
	const struct unwind_recorded_process *parent;

	if (change->type == PERF_RECORD_MMAP2)
		return apply_map(recorded, change);
	process = pk_table_get_or_add(&recorded->processes, change->pid, sizeof(*process));
	if (!process)
		return PK_NOMEM;
	process->parent = change->parent;
	process->count = 0;
	if (change->type == PERF_RECORD_COMM)
		return PK_OK;
	parent = unwind_recorded_find(recorded, change->parent);
	if (parent && parent->parent && !parent->count)
		process->parent = parent->parent;
	return copy_maps(process, parent);
}

static int by_time(const void *a, const void *b)
{
	const struct unwind_recorded_change *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

void unwind_recorded_apply(struct unwind_recorded *recorded)
{
	if (recorded->count)
		qsort(recorded->changes, recorded->count, sizeof(*recorded->changes), by_time);
	for (size_t i = 0; i < recorded->count; i++)
		pk_need_room(pk_lookups(), apply(recorded, &recorded->changes[i]));
	recorded->count = 0;
}

void unwind_recorded_forget(struct unwind_recorded *recorded, uint32_t pid)
{
	struct unwind_recorded_process *process = pk_table_get(&recorded->processes, pid);

	if (!process)
		return;
	pk_table_remove(&recorded->processes, pid);
	free(process->maps);
	free(process);
}

void unwind_recorded_free(struct unwind_recorded *recorded)
{
	struct unwind_recorded_process *process;
	size_t cursor = 0;

	while ((process = pk_table_next_value(&recorded->processes, &cursor)))
		free(process->maps);
	pk_table_free_all(&recorded->processes);
	pk_texts_free(&recorded->names);
	free(recorded->changes);
}
