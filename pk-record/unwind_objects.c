// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bpf_call.h"
#include "cli.h"
#include "elf_image.h"
#include "hash.h"
#include "lookups.h"
#include "object_debug.h"
#include "unwind_chunks.h"
#include "unwind_objects.h"
#include "vector.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)
#define PAGE_SIZE  UINT64_C(4096)

/* Limit for the size of the code of one file, from its first to its last byte, in bytes. */
#define SPAN_MAX (UINT64_C(1) << 30)

/* A segment of an ELF file that has code. */
struct load {
	uint64_t offset, size, address;
};

/* A file with code. */
struct unwind_object {
	struct unwind_file key;
	uint32_t number; /* One of the numbers that the file has got; 0 if it has none. */
	struct unwind_chunks chunks;
	struct load loads[UNWIND_LOADS_MAX]; /* the segments of the file that have code */
	size_t loads_count;
	struct pk_build_id id; /* build-id of the file; its size is 0 if it is unknown */
	uint32_t interpreter;  /* see struct unwind_object_code */
	struct interpreter_places places;
};

/* ---- Objects ---- */

static void find_loads(struct unwind_object *object, const struct pk_unwind_info *info)
{
	uint64_t end = 0;

	object->chunks.base = UINT64_MAX;
	for (size_t i = 0; i < info->load_count; i++) {
		const struct pk_elf_segment *load = &info->loads[i];

		if (!(load->flags & PF_X) || object->loads_count == UNWIND_LOADS_MAX ||
		    load->filesz > SPAN_MAX || load->vaddr > UINT64_MAX - load->filesz)
			continue;
		object->loads[object->loads_count++] =
			(struct load){load->offset, load->filesz, load->vaddr};
		object->chunks.base =
			load->vaddr < object->chunks.base ? load->vaddr : object->chunks.base;
		end = load->vaddr + load->filesz > end ? load->vaddr + load->filesz : end;
	}
	object->chunks.base &= ~(CHUNK_SIZE - 1);
	if (object->loads_count && end - object->chunks.base <= SPAN_MAX)
		object->chunks.count =
			(uint32_t)((end - object->chunks.base + CHUNK_SIZE - 1) / CHUNK_SIZE);
}

/* Returns true if the file has code of 64 bits for the machine on which pk-record runs. */
static bool is_native(const struct pk_unwind_info *info)
{
#if defined(__x86_64__)
	return info->machine == EM_X86_64 && !info->swapped;
#elif defined(__aarch64__)
	return info->machine == EM_AARCH64 && !info->swapped;
#else
	(void)info;
	return false;
#endif
}

/* Sets `path` to a path in /proc that leads to the file of a map. The path in `line` can be the
 * path of another file now. */
static void path_of_map(pid_t pid, const struct map_line *line, char *path, size_t size)
{
	snprintf(path, size, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, line->start,
		 line->end);
}

static void find_interpreter(struct unwind_objects *objects, struct unwind_object *object,
			     pid_t pid, const struct map_line *line)
{
	char path[96];

	if (*line->name != '/' || !object->loads_count)
		return;
	path_of_map(pid, line, path, sizeof(path));
	object->interpreter = interpreter_layouts_find(&objects->layouts, pid ? path : line->name,
						       &object->places);
}

static void load_object(struct unwind_objects *objects, struct unwind_object *object, pid_t pid,
			const struct map_line *line)
{
	const struct pk_mapped by = {pid, line->major, line->minor, line->inode};
	struct pk_symbols *symbols = pk_need(
		pk_lookups(), pk_symbols_new(&(struct pk_symbols_options){.no_cache = true}));
	struct pk_object *file =
		symbols ? pk_need(pk_lookups(), pk_symbols_file(symbols, line->name, NULL, &by))
			: NULL;
	enum pk_object_state state;
	const struct pk_unwind_info *info = file ? pk_object_unwind_info(file, &state) : NULL;

	object->chunks.first = UNWIND_NO_CHUNK;
	if (file && !pk_symbols_build_id(symbols, line->name, &by, &object->id))
		object->id.size = 0;
	if (symbols)
		pk_failures_add(pk_lookups(), pk_symbols_failures(symbols));
	if (!info || !is_native(info)) {
		pk_symbols_free(symbols);
		return;
	}
	find_loads(object, info);
	unwind_chunks_open(&object->chunks, objects->arenas, symbols, info);
	find_interpreter(objects, object, pid, line);
}

/* Returns the key of the file of a map. Reads its size and time through /proc/PID/map_files if
 * possible, because the path in `line` can be the path of another file now. */
static struct unwind_file key_of(pid_t pid, const struct map_line *line)
{
	struct unwind_file key = {.inode = line->inode, .device = line->major << 20 | line->minor};
	char path[96];
	struct stat st;

	if (!line->inode) /* the vDSO has no file */
		return key;
	path_of_map(pid, line, path, sizeof(path));
	if ((pid && !stat(path, &st)) || !stat(line->name, &st)) {
		key.size = (uint64_t)st.st_size;
		key.seconds = (uint64_t)st.st_mtim.tv_sec;
		key.nanoseconds = (uint32_t)st.st_mtim.tv_nsec;
	}
	return key;
}

static struct unwind_object *find_known(const struct unwind_objects *objects,
					const struct unwind_file *key, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&objects->by_key, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&objects->items[number - 1].key, key, sizeof(*key)))
			return &objects->items[number - 1];
	return NULL;
}

/* Returns the object for the file of a map. Reads the file if it is new. Returns NULL if memory is
 * exhausted. */
static struct unwind_object *find(struct unwind_objects *objects, pid_t pid,
				  const struct map_line *line)
{
	const struct unwind_file key = key_of(pid, line);
	const uint64_t hash = pk_hash(&key, sizeof(key), pk_table_secret(&objects->by_key));
	struct unwind_object *object = find_known(objects, &key, hash);

	if (object)
		return object;
	if (pk_reserve(&objects->items, &objects->capacity, objects->count, 1,
		       sizeof(*objects->items)) != PK_OK ||
	    pk_table_add(&objects->by_key, hash, objects->count + 1) != PK_OK)
		return NULL;
	object = &objects->items[objects->count++];
	*object = (struct unwind_object){.key = key};
	load_object(objects, object, pid, line);
	return object;
}

enum pk_status unwind_objects_find(struct unwind_objects *objects, pid_t pid,
				   const struct map_line *line, struct unwind_object **object)
{
	*object = find(objects, pid, line);
	return *object ? PK_OK : PK_NOMEM;
}

enum pk_status unwind_objects_find_path(struct unwind_objects *objects, struct map_line *line,
					const struct pk_build_id *id, struct unwind_object **object)
{
	struct unwind_object *found;
	struct stat st;

	*object = NULL;
	if (*line->name == '/') {
		if (stat(line->name, &st))
			return PK_OK;
		line->major = major(st.st_dev);
		line->minor = minor(st.st_dev);
		line->inode = st.st_ino;
	}
	found = find(objects, 0, line);
	if (!found)
		return PK_NOMEM;
	if (!id->size || !found->id.size ||
	    (id->size == found->id.size && !memcmp(id->bytes, found->id.bytes, id->size)))
		*object = found;
	return PK_OK;
}

/* ---- Numbers ---- */

bool unwind_objects_needs(const struct unwind_objects *objects, uint32_t number)
{
	return number && number < UNWIND_OBJECTS_MAX &&
	       __atomic_load_n(&objects->codes[number].state, __ATOMIC_ACQUIRE) != UNWIND_LOADED;
}

void unwind_objects_ask_again(struct unwind_objects *objects, uint32_t number)
{
	if (unwind_objects_needs(objects, number))
		__atomic_store_n(&objects->codes[number].state, UNWIND_UNKNOWN, __ATOMIC_RELAXED);
}

/* Returns the pages of a segment that have code. A map starts at a page boundary, so its first page
 * can start before the segment. If it starts before the first chunk, this page is left out. */
static struct unwind_load load_of(const struct unwind_object *object, const struct load *load)
{
	const uint64_t inside = load->offset % PAGE_SIZE, end = load->offset + load->size;
	const uint64_t at = load->address - object->chunks.base, lost = at < inside;
	const uint64_t first = load->offset / PAGE_SIZE + lost;
	const uint64_t relative = at - inside + lost * PAGE_SIZE;

	if (end <= first * PAGE_SIZE || relative >> UNWIND_CHUNK_BITS >= object->chunks.count)
		return (struct unwind_load){0};
	return (struct unwind_load){
		.first = (uint32_t)first,
		.pages = (uint32_t)((end - first * PAGE_SIZE + PAGE_SIZE - 1) / PAGE_SIZE),
		.chunk = object->chunks.first + (uint32_t)(relative >> UNWIND_CHUNK_BITS),
		.offset = (uint32_t)(relative & (CHUNK_SIZE - 1)),
	};
}

void unwind_objects_link(struct unwind_objects *objects, uint32_t number,
			 struct unwind_object *object)
{
	struct unwind_object_code *code;

	if (!number || number >= UNWIND_OBJECTS_MAX)
		return;
	code = &objects->codes[number];
	for (size_t i = 0; i < object->loads_count && object->chunks.first != UNWIND_NO_CHUNK; i++)
		code->loads[i] = load_of(object, &object->loads[i]);
	code->places = object->places;
	code->interpreter = object->interpreter;
	__atomic_store_n(&code->state, UNWIND_LOADED, __ATOMIC_RELEASE);
	if (!object->number)
		object->number = number;
}

uint32_t unwind_objects_number(struct unwind_objects *objects, struct unwind_object *object)
{
	uint32_t number = UNWIND_OBJECTS_MAX;

	if (object->number)
		return object->number;
	if (__atomic_load_n(&objects->numbers->next, __ATOMIC_RELAXED) < UNWIND_OBJECTS_MAX)
		number = __atomic_fetch_add(&objects->numbers->next, 1, __ATOMIC_RELAXED);
	if (number >= UNWIND_OBJECTS_MAX) {
		__atomic_fetch_add(&objects->numbers->full, 1, __ATOMIC_RELAXED);
		return 0;
	}
	unwind_objects_link(objects, number, object);
	bpf_access_map(BPF_MAP_UPDATE_ELEM, objects->files, &object->key, &number);
	return number;
}

void unwind_objects_make(struct unwind_objects *objects, uint32_t chunk)
{
	for (size_t i = 0; i < objects->count; i++)
		if (unwind_chunks_have(&objects->items[i].chunks, chunk))
			unwind_chunks_make(&objects->items[i].chunks, objects->arenas, chunk);
}

void unwind_objects_make_all(struct unwind_objects *objects, struct unwind_object *object)
{
	unwind_chunks_make_all(&object->chunks, objects->arenas);
}

const struct pk_unwind_rule *unwind_objects_rule(struct unwind_objects *objects,
						 const struct unwind_map *map, uint64_t address)
{
	const struct unwind_object_code *code = &objects->codes[UNWIND_MAP_OBJECT(map->place)];
	uint64_t at = address - UNWIND_MAP_START(map->place) + map->first * PAGE_SIZE;
	uint32_t chunk;

	for (size_t i = 0; i < UNWIND_LOADS_MAX; i++) {
		const struct unwind_load *load = &code->loads[i];
		const uint64_t relative = at - load->first * PAGE_SIZE;

		if (relative / PAGE_SIZE >= load->pages)
			continue;
		at = relative + load->offset;
		chunk = load->chunk + (uint32_t)(at >> UNWIND_CHUNK_BITS);
		if (objects->arenas->chunks[chunk] >= UNWIND_ASKED_PLACE)
			unwind_objects_make(objects, chunk);
		return unwind_arenas_find(objects->arenas, load->chunk, at);
	}
	return unwind_arenas_find(objects->arenas, UNWIND_NO_CHUNK, 0);
}

/* ---- Start and end ---- */

#define CODES_BYTES   (UNWIND_OBJECTS_MAX * sizeof(struct unwind_object_code))
#define NUMBERS_BYTES sizeof(struct unwind_numbers)

bool unwind_objects_init(struct unwind_objects *objects, struct unwind_arenas *arenas, int codes,
			 int numbers, int files)
{
	const struct map_line vdso = {.name = (char[]){"[vdso]"}};
	struct unwind_object *object;

	objects->arenas = arenas;
	objects->files = files;
	objects->codes = unwind_memory_map(codes, CODES_BYTES);
	objects->numbers = objects->codes ? unwind_memory_map(numbers, NUMBERS_BYTES) : NULL;
	if (!objects->numbers)
		return false;
	objects->numbers->next = UNWIND_VDSO + 1;
	if (pk_need_room(pk_lookups(), unwind_objects_find(objects, getpid(), &vdso, &object)) ==
	    PK_OK) {
		unwind_objects_make_all(objects, object);
		unwind_objects_link(objects, UNWIND_VDSO, object);
	}
	return true;
}

void unwind_objects_free(struct unwind_objects *objects)
{
	if (objects->codes)
		munmap(objects->codes, CODES_BYTES);
	if (objects->numbers)
		munmap(objects->numbers, NUMBERS_BYTES);
	for (size_t i = 0; i < objects->count; i++)
		unwind_chunks_close(&objects->items[i].chunks, objects->arenas);
	free(objects->items);
	pk_table_free(&objects->by_key);
}
