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

static struct unwind_map map_of(const struct map_line *line, uint32_t number)
{
	const uint64_t pages = (line->end - line->start) >> 12;

	return (struct unwind_map){
		.place = line->start >> 12 << UNWIND_OBJECT_BITS | number,
		.pages = pages < UINT32_MAX ? (uint32_t)pages : UINT32_MAX,
		.first = (uint32_t)(line->offset >> 12),
	};
}

/* The map that a program has read at this address. */
static const struct unwind_map *find_seen(const struct unwind_seen *seen, uint64_t address)
{
	for (uint32_t i = seen->count; i-- > 0;)
		if (address - UNWIND_MAP_START(seen->maps[i].place) < (uint64_t)seen->maps[i].pages
									      << 12)
			return &seen->maps[i];
	return NULL;
}

/* The programs may have given another number to the file. */
static uint32_t number_of(struct unwind_objects *objects, struct unwind_object *object,
			  const struct unwind_map *seen)
{
	const uint32_t number = seen ? UNWIND_MAP_OBJECT(seen->place) : 0;

	if (unwind_objects_needs(objects, number))
		unwind_objects_link(objects, number, object);
	return number ? number : unwind_objects_number(objects, object);
}

static enum pk_status add_map(struct unwind_processes *processes, const struct unwind_seen *seen,
			      struct map_list *list, pid_t pid, const struct map_line *line)
{
	struct unwind_object *object;
	uint32_t number = 0;

	if (line->permissions[2] != 'x' || line->start >= USER_END ||
	    list->count == UNWIND_MAPS_MAX)
		return PK_OK;
	if (!strcmp(line->name, "[vdso]")) {
		number = UNWIND_VDSO;
	} else if (*line->name == '/') {
		PK_TRY(unwind_objects_find(&processes->objects, pid, line, &object));
		number = number_of(&processes->objects, object, find_seen(seen, line->start));
	}
	PK_TRY(pk_reserve(&list->items, &list->capacity, list->count, 1, sizeof(*list->items)));
	list->items[list->count++] = map_of(line, number);
	return PK_OK;
}

static bool read_maps(struct unwind_processes *processes, pid_t pid, const struct unwind_seen *seen,
		      struct map_list *list)
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
			ok = pk_need_room(pk_lookups(),
					  add_map(processes, seen, list, pid, &line)) == PK_OK;
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
	if (pk_table_set_u64(&processes->places, (uint64_t)pid,
			     (uint64_t)value.place << 32 | list->count) != PK_OK)
		pk_no_memory();
	publish(processes, pid, &value);
	release(processes, before);
}

bool unwind_processes_load(struct unwind_processes *processes, pid_t pid, bool asked)
{
	struct unwind_seen seen = {.count = 0};
	const uint32_t key = (uint32_t)pid;
	struct map_list list = {0};
	bool found;

	if (!bpf_access_map(BPF_MAP_LOOKUP_ELEM, processes->seen, &key, &seen) &&
	    seen.count > UNWIND_SEEN_MAX)
		seen.count = UNWIND_SEEN_MAX;
	found = read_maps(processes, pid, &seen, &list);
	processes->loaded++;
	if (found)
		place_maps(processes, pid, &list, asked);
	else if (!found)
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

static void recover_object(struct unwind_processes *processes,
			   const struct unwind_recorded_process *process,
			   const struct unwind_map *map)
{
	const uint64_t start = UNWIND_MAP_START(map->place);
	const struct unwind_recorded_map *at = process->maps;
	struct unwind_object *object = NULL;
	char name[4096];
	struct map_line line = {.name = name};
	const char *text;
	size_t size, i = 0;

	while (i < process->count && at[i].start != start)
		i++;
	if (i == process->count)
		return;
	text = pk_texts_get(&processes->recorded.names, at[i].name, &size);
	snprintf(name, sizeof(name), "%.*s", (int)size, text);
	if (*name == '/' &&
	    pk_need_room(pk_lookups(), unwind_objects_find_path(&processes->objects, &line,
								&at[i].id, &object)) == PK_OK &&
	    object)
		unwind_objects_link(&processes->objects, UNWIND_MAP_OBJECT(map->place), object);
}

void unwind_processes_recover(struct unwind_processes *processes, pid_t pid,
			      const struct unwind_seen *seen)
{
	const struct unwind_recorded_process *process =
		unwind_recorded_find(&processes->recorded, (uint32_t)pid);

	for (uint32_t i = 0; process && i < seen->count; i++)
		if (unwind_objects_needs(&processes->objects,
					 UNWIND_MAP_OBJECT(seen->maps[i].place)))
			recover_object(processes, process, &seen->maps[i]);
}

void unwind_processes_replaced(struct unwind_processes *processes, pid_t pid, uint64_t start,
			       uint64_t size)
{
	const uint32_t key = (uint32_t)pid;
	struct unwind_seen seen = {.count = 0};

	if (bpf_access_map(BPF_MAP_LOOKUP_ELEM, processes->seen, &key, &seen))
		return;
	for (uint32_t i = 0; i < seen.count && i < UNWIND_SEEN_MAX; i++) {
		const uint64_t at = UNWIND_MAP_START(seen.maps[i].place);
		const uint64_t pages = seen.maps[i].pages;

		if (at < start + size && start < at + (pages << 12) &&
		    (at != start || pages != size >> 12))
			bpf_access_map(BPF_MAP_DELETE_ELEM, processes->seen, &key, NULL);
	}
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

/* The map with an address among those that pk-record has read. */
static const struct unwind_map *find_placed(const struct unwind_processes *processes, pid_t pid,
					    uint64_t address)
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

		if (UNWIND_MAP_START(maps->maps[middle].place) <= address)
			low = middle;
		else
			high = middle;
	}
	return address - UNWIND_MAP_START(maps->maps[low].place) < (uint64_t)maps->maps[low].pages
									   << 12
		       ? &maps->maps[low]
		       : NULL;
}

const struct pk_unwind_rule *unwind_processes_rule(const struct unwind_processes *processes,
						   pid_t pid, const struct unwind_seen *seen,
						   uint64_t address)
{
	const struct unwind_map *map = find_seen(seen, address);

	if (!map)
		map = find_placed(processes, pid, address);
	if (!map)
		return NULL;
	if (unwind_objects_needs(&processes->objects, UNWIND_MAP_OBJECT(map->place)))
		return NULL;
	return unwind_objects_rule(&processes->objects, map, address);
}

void unwind_processes_forget(struct unwind_processes *processes, pid_t pid)
{
	drop_maps(processes, pid);
	unwind_recorded_forget(&processes->recorded, (uint32_t)pid);
}

void unwind_processes_free(struct unwind_processes *processes)
{
	unwind_objects_free(&processes->objects);
	unwind_recorded_free(&processes->recorded);
	pk_table_free(&processes->places);
	pk_table_free(&processes->settled);
}
