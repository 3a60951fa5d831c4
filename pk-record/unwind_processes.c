// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "bpf_call.h"
#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "unwind_processes.h"

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

static const struct unwind_map *find_map(const struct unwind_seen *seen, uint64_t address)
{
	for (uint32_t i = 0; i < seen->count && i < UNWIND_SEEN_MAX; i++)
		if (address - UNWIND_MAP_START(seen->maps[i].place) < (uint64_t)seen->maps[i].pages
									      << 12)
			return &seen->maps[i];
	return NULL;
}

static void add_map(struct unwind_seen *seen, const struct unwind_map *map)
{
	uint32_t at;

	if (seen->count >= UNWIND_SEEN_MAX)
		seen->count = 0;
	at = seen->count++;
	for (; at && seen->maps[at - 1].place > map->place; at--)
		seen->maps[at] = seen->maps[at - 1];
	seen->maps[at] = *map;
}

/* Adds the map of a line to *seen. If *seen already has a map with this address, and the file of
 * this map is not loaded, tells the BPF programs that the file is `object`. `object` is NULL if the
 * map has no file. */
static void use_line(struct unwind_processes *processes, struct unwind_seen *seen,
		     const struct map_line *line, uint64_t address, struct unwind_object *object)
{
	const struct unwind_map *known = find_map(seen, address);
	const uint32_t number = known ? UNWIND_MAP_OBJECT(known->place) : 0;
	struct unwind_map map;

	if (known && object && unwind_objects_needs(&processes->objects, number))
		unwind_objects_link(&processes->objects, number, object);
	if (known)
		return;
	map = map_of(line, object ? unwind_objects_number(&processes->objects, object)
			   : strcmp(line->name, "[vdso]") == 0 ? UNWIND_VDSO
							       : 0);
	add_map(seen, &map);
}

static enum unwind_finding find_in_maps(struct unwind_processes *processes, pid_t pid,
					struct unwind_seen *seen, uint64_t address)
{
	enum unwind_finding finding = UNWIND_GONE;
	struct unwind_object *object = NULL;
	struct line_reader reader;
	struct map_line line;
	char path[64], *text;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!pk_line_reader_open(&reader, path, pk_lookups()))
		return UNWIND_GONE;
	while (finding != UNWIND_FOUND && (text = pk_line_reader_next(&reader))) {
		finding = UNWIND_NO_CODE;
		if (!map_line_parse(text, &line) || address < line.start || address >= line.end)
			continue;
		if (line.permissions[2] != 'x')
			break;
		if (*line.name == '/' &&
		    pk_need_room(pk_lookups(), unwind_objects_find(&processes->objects, pid, &line,
								   &object)) != PK_OK)
			break;
		use_line(processes, seen, &line, address, object);
		finding = UNWIND_FOUND;
	}
	pk_line_reader_close(&reader);
	return finding;
}

/* Finds the map of an address in the MMAP2 records of a process that has ended. */
static enum unwind_finding find_in_records(struct unwind_processes *processes,
					   const struct unwind_recorded_process *process,
					   struct unwind_seen *seen, uint64_t address)
{
	const struct unwind_recorded_map *at = process->maps;
	struct unwind_object *object = NULL;
	char name[4096];
	struct map_line line = {.name = name};
	const char *text;
	size_t size, i = 0;

	while (i < process->count && (address < at[i].start || address >= at[i].end))
		i++;
	if (i == process->count)
		return UNWIND_GONE;
	line.start = at[i].start;
	line.end = at[i].end;
	line.offset = at[i].offset;
	text = pk_texts_get(&processes->recorded.names, at[i].name, &size);
	snprintf(name, sizeof(name), "%.*s", (int)size, text);
	if (*name == '/' &&
	    (pk_need_room(pk_lookups(), unwind_objects_find_path(&processes->objects, &line,
								 &at[i].id, &object)) != PK_OK ||
	     !object))
		return UNWIND_GONE;
	use_line(processes, seen, &line, address, object);
	return UNWIND_FOUND;
}

enum unwind_finding unwind_processes_find(struct unwind_processes *processes, pid_t pid,
					  struct unwind_seen *seen, uint64_t address)
{
	const enum unwind_finding finding = find_in_maps(processes, pid, seen, address);
	const struct unwind_recorded_process *process;

	if (finding != UNWIND_GONE)
		return finding;
	process = unwind_recorded_find(&processes->recorded, (uint32_t)pid);
	if (!process)
		return UNWIND_GONE;
	if (process->count || !process->parent)
		return find_in_records(processes, process, seen, address);
	return find_in_maps(processes, (pid_t)process->parent, seen, address);
}

void unwind_processes_load(struct unwind_processes *processes, pid_t pid, uint32_t number,
			   uint64_t address)
{
	struct unwind_seen seen = {.count = 1};

	seen.maps[0].place = address >> 12 << UNWIND_OBJECT_BITS | number;
	seen.maps[0].pages = 1;
	unwind_processes_find(processes, pid, &seen, address);
	unwind_objects_ask_again(&processes->objects, number);
}

/* ---- The maps that the BPF programs know ---- */

void unwind_processes_tell(const struct unwind_processes *processes, pid_t pid,
			   struct unwind_seen *seen)
{
	const uint32_t key = (uint32_t)pid;

	seen->generation =
		__atomic_add_fetch(&processes->objects.numbers->generation, 1, __ATOMIC_RELAXED);
	bpf_access_map(BPF_MAP_UPDATE_ELEM, processes->seen, &key, seen);
}

void unwind_processes_replaced(const struct unwind_processes *processes, pid_t pid, uint64_t start,
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

/* ---- Rules ---- */

const struct pk_unwind_rule *unwind_processes_rule(struct unwind_processes *processes,
						   const struct unwind_seen *seen, uint64_t address)
{
	const struct unwind_map *map = find_map(seen, address);

	if (!map || unwind_objects_needs(&processes->objects, UNWIND_MAP_OBJECT(map->place)))
		return NULL;
	return unwind_objects_rule(&processes->objects, map, address);
}

void unwind_processes_free(struct unwind_processes *processes)
{
	unwind_objects_free(&processes->objects);
	unwind_recorded_free(&processes->recorded);
	interpreted_frames_free(&processes->interpreted);
}
