// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_call.h"
#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "unwind_processes.h"
#include "vector.h"

/* Above it there is only the kernel, and [vsyscall]. */
#define USER_END (UINT64_C(1) << 63)

struct map_list {
	struct unwind_map *items;
	size_t count, capacity;
};

/* ---- Maps ---- */

static bool add_map(struct unwind_processes *processes, struct map_list *list, pid_t pid,
		    const struct map_line *line)
{
	const uint64_t pages = (line->end - line->start) >> 12;
	struct unwind_map map = {
		.start = line->start,
		.pages = pages < UINT32_MAX ? (uint32_t)pages : UINT32_MAX,
		.chunk = UNWIND_NO_CHUNK,
	};

	if (line->permissions[2] != 'x' || line->start >= USER_END ||
	    list->count == UNWIND_MAPS_MAX)
		return true;
	if ((*line->name == '/' || !strcmp(line->name, "[vdso]")) &&
	    !unwind_objects_find(&processes->objects, pid, line, &map))
		return false;
	if (!pk_reserve(&list->items, &list->capacity, list->count, 1, sizeof(map)))
		return false;
	list->items[list->count++] = map;
	return true;
}

static bool read_maps(struct unwind_processes *processes, pid_t pid, struct map_list *list)
{
	struct line_reader reader;
	struct map_line line;
	char path[64], *text;
	bool ok = true;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!pk_line_reader_open(&reader, path, pk_lookups()))
		return false;
	while (ok && (text = pk_line_reader_next(&reader)))
		if (map_line_parse(text, &line))
			ok = pk_need_room(pk_lookups(), add_map(processes, list, pid, &line));
	pk_line_reader_close(&reader);
	return list->count;
}

/* ---- Processes ---- */

static size_t maps_size(size_t count)
{
	return sizeof(struct unwind_maps) + count * sizeof(struct unwind_map);
}

static void publish(const struct unwind_processes *processes, pid_t pid,
		    const struct unwind_process *value)
{
	const uint32_t key = (uint32_t)pid;

	bpf_access_map(BPF_MAP_UPDATE_ELEM, processes->map, &key, value);
}

static void release(struct unwind_processes *processes, uint64_t place)
{
	if (place)
		unwind_arenas_release(processes->objects.arenas, (uint32_t)(place >> 32),
				      maps_size((uint32_t)place));
}

/* Whether the maps at this place are the same. */
static bool are_equal(const struct unwind_processes *processes, uint64_t place,
		      const struct map_list *list)
{
	const struct unwind_maps *maps;

	if (!place || (uint32_t)place != list->count)
		return false;
	maps = unwind_arenas_at(processes->objects.arenas, (uint32_t)(place >> 32));
	return !memcmp(maps->maps, list->items, list->count * sizeof(*list->items));
}

static void place_maps(struct unwind_processes *processes, pid_t pid, const struct map_list *list,
		       bool asked)
{
	struct unwind_arenas *arenas = processes->objects.arenas;
	const uint64_t before = pk_table_get_u64(&processes->places, (uint64_t)pid);
	struct unwind_process value = {.unmapped = asked};
	struct unwind_maps *maps;

	if (are_equal(processes, before, list)) {
		maps = unwind_arenas_at(arenas, (uint32_t)(before >> 32));
		value.place = (uint32_t)(before >> 32);
		value.generation = maps->generation;
		publish(processes, pid, &value);
		if (asked)
			pk_need_room(pk_lookups(),
				     pk_table_set_u64(&processes->settled, (uint64_t)pid, 1));
		return;
	}
	value.unmapped = 0;
	pk_table_remove(&processes->settled, (uint64_t)pid);
	value.place = unwind_arenas_place(arenas, maps_size(list->count), (void **)&maps);
	if (!value.place)
		return;
	value.generation = ++processes->generation;
	maps->count = (uint32_t)list->count;
	memcpy(maps->maps, list->items, list->count * sizeof(*list->items));
	__atomic_store_n(&maps->generation, value.generation, __ATOMIC_RELEASE);
	if (!pk_table_set_u64(&processes->places, (uint64_t)pid,
			      (uint64_t)value.place << 32 | list->count))
		pk_no_memory();
	publish(processes, pid, &value);
	release(processes, before);
}

bool unwind_processes_load(struct unwind_processes *processes, pid_t pid, bool asked)
{
	struct map_list list = {0};
	const bool found = read_maps(processes, pid, &list);

	processes->loaded++;
	if (found)
		place_maps(processes, pid, &list, asked);
	else
		processes->unread++;
	free(list.items);
	return found;
}

static void drop_maps(struct unwind_processes *processes, pid_t pid)
{
	const uint64_t place = pk_table_get_u64(&processes->places, (uint64_t)pid);

	if (!place)
		return;
	pk_table_remove(&processes->places, (uint64_t)pid);
	pk_table_remove(&processes->settled, (uint64_t)pid);
	release(processes, place);
}

static bool find_recorded(struct unwind_processes *processes,
			  const struct unwind_recorded_map *recorded, struct unwind_map *map)
{
	char name[4096];
	struct map_line line = {.start = recorded->start,
				.end = recorded->end,
				.offset = recorded->offset,
				.name = name};
	size_t size;
	const char *text = pk_texts_get(&processes->recorded.names, recorded->name, &size);

	*map = (struct unwind_map){.start = line.start,
				   .pages = (uint32_t)((line.end - line.start) >> 12),
				   .chunk = UNWIND_NO_CHUNK};
	snprintf(name, sizeof(name), "%.*s", (int)size, text);
	return (*name != '/' && strcmp(name, "[vdso]") != 0) ||
	       unwind_objects_find_path(&processes->objects, &line, &recorded->id, map);
}

/* The maps that a child has of its parent. */
static bool copy_parent(struct unwind_processes *processes, pid_t pid, uint32_t parent)
{
	const uint64_t place = pk_table_get_u64(&processes->places, parent);
	struct map_list list = {.count = (uint32_t)place};
	const struct unwind_maps *maps;

	if (!place)
		return false;
	maps = unwind_arenas_at(processes->objects.arenas, (uint32_t)(place >> 32));
	list.items = pk_need(pk_lookups(), malloc(list.count * sizeof(*list.items)));
	if (!list.items)
		return false;
	memcpy(list.items, maps->maps, list.count * sizeof(*list.items));
	place_maps(processes, pid, &list, true);
	free(list.items);
	return true;
}

bool unwind_processes_recover(struct unwind_processes *processes, pid_t pid)
{
	const struct unwind_recorded_process *process =
		unwind_recorded_find(&processes->recorded, (uint32_t)pid);
	struct map_list list = {0};

	if (!process || pk_table_get_u64(&processes->places, (uint64_t)pid))
		return false;
	if (!process->count)
		return process->parent && copy_parent(processes, pid, process->parent);
	list.items = pk_need(pk_lookups(), calloc(process->count, sizeof(*list.items)));
	if (!list.items)
		return false;
	for (size_t i = 0; i < process->count; i++)
		if (!find_recorded(processes, &process->maps[i], &list.items[list.count++]))
			break;
	place_maps(processes, pid, &list, true);
	free(list.items);
	return true;
}

void unwind_processes_changed(struct unwind_processes *processes, pid_t pid)
{
	if (!pk_table_get_u64(&processes->places, (uint64_t)pid))
		return;
	pk_table_remove(&processes->settled, (uint64_t)pid);
	if (!unwind_processes_load(processes, pid, false))
		drop_maps(processes, pid); /* its records have them */
}

bool unwind_processes_settled(const struct unwind_processes *processes, pid_t pid)
{
	return pk_table_get_u64(&processes->settled, (uint64_t)pid);
}

bool unwind_processes_refresh(struct unwind_processes *processes, pid_t pid)
{
	const uint32_t before = processes->generation;

	if (unwind_processes_settled(processes, pid))
		return false;
	return unwind_processes_load(processes, pid, true) && processes->generation != before;
}

const struct pk_unwind_rule *unwind_processes_rule(const struct unwind_processes *processes,
						   pid_t pid, uint64_t address)
{
	const struct unwind_arenas *arenas = processes->objects.arenas;
	const uint64_t place = pk_table_get_u64(&processes->places, (uint64_t)pid);
	const struct unwind_maps *maps;
	uint32_t low = 0, high;

	if (!place)
		return NULL;
	maps = unwind_arenas_at(arenas, (uint32_t)(place >> 32));
	high = maps->count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;

		if (maps->maps[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	return address - maps->maps[low].start < (uint64_t)maps->maps[low].pages << 12
		       ? unwind_arenas_find(arenas, &maps->maps[low], address)
		       : NULL;
}

void unwind_processes_forget(struct unwind_processes *processes, pid_t pid)
{
	const uint32_t key = (uint32_t)pid;

	bpf_access_map(BPF_MAP_DELETE_ELEM, processes->map, &key, NULL);
	drop_maps(processes, pid);
	unwind_recorded_forget(&processes->recorded, key);
}

void unwind_processes_free(struct unwind_processes *processes)
{
	unwind_objects_free(&processes->objects);
	unwind_recorded_free(&processes->recorded);
	pk_table_free(&processes->places);
	pk_table_free(&processes->settled);
}
