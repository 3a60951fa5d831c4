// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "cli.h"
#include "elf_image.h"
#include "hash.h"
#include "lookups.h"
#include "object_debug.h"
#include "unwind_objects.h"
#include "unwind_table.h"
#include "vector.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)
#define PAGE_SIZE  UINT64_C(4096)

/* Code of one object, from its first to its last byte. */
#define SPAN_MAX (UINT64_C(1) << 30)

#define LOADS_MAX 8

/* What identifies the content of a file: its number can be used again. */
struct key {
	uint64_t inode, size, seconds, nanoseconds;
	uint32_t major, minor;
};

struct load {
	uint64_t offset, size, address;
};

struct unwind_object {
	struct key key;
	uint64_t base; /* address of the first chunk, as in the file */
	uint32_t chunk, chunks;
	struct load loads[LOADS_MAX]; /* with code */
	size_t loads_count;
	struct pk_build_id id; /* size 0: unknown */
};

/* ---- Chunks ---- */

/* Writes the rows of the table from *at on that start in a chunk. */
static bool write_chunk(struct unwind_arenas *arenas, const struct pk_unwind_table *table,
			const uint16_t *numbers, size_t *at, uint32_t chunk, uint32_t number)
{
	const uint64_t start = (uint64_t)chunk << UNWIND_CHUNK_BITS, end = start + CHUNK_SIZE;
	const uint16_t before = *at ? numbers[table->rows[*at - 1].rule] : 0;
	size_t last = *at, count, block = 0;
	struct unwind_chunk *to;
	uint32_t place;

	while (last < table->count && table->rows[last].start < end)
		last++;
	/* A row for the start of the chunk, unless one starts there. */
	count = last - *at + !(last > *at && table->rows[*at].start == start);
	if (count == 1 && last == *at && !before)
		return true; /* place 0 */
	place = unwind_arenas_place(arenas, sizeof(*to) + count * sizeof(to->rows[0]),
				    (void **)&to);
	if (!place)
		return false;
	count = 0;
	if (!(last > *at && table->rows[*at].start == start))
		to->rows[count++] = (struct unwind_row){0, before};
	for (; *at < last; ++*at)
		to->rows[count++] = (struct unwind_row){(uint16_t)(table->rows[*at].start - start),
							numbers[table->rows[*at].rule]};
	for (size_t i = 0; i < count; i++)
		while (block < UNWIND_BLOCKS &&
		       (i + 1 == count || to->rows[i + 1].start > block << UNWIND_BLOCK_BITS))
			to->first[block++] = (uint16_t)i;
	to->first[UNWIND_BLOCKS] = (uint16_t)(count - 1);
	__atomic_store_n(&arenas->chunks[number], (uint64_t)place, __ATOMIC_RELEASE);
	return true;
}

static void write_chunks(struct unwind_arenas *arenas, const struct pk_unwind_table *table,
			 struct unwind_object *object)
{
	uint16_t *numbers = calloc(table->rules_count, sizeof(*numbers));
	size_t at = 0;

	if (!numbers) {
		object->chunk = UNWIND_NO_CHUNK;
		pk_no_memory();
		return;
	}
	for (size_t i = 0; i < table->rules_count; i++)
		numbers[i] = unwind_arenas_rule(arenas, &table->rules[i]);
	for (uint32_t i = 0; i < object->chunks; i++)
		if (!write_chunk(arenas, table, numbers, &at, i, object->chunk + i))
			break;
	free(numbers);
}

/* ---- Objects ---- */

static void find_loads(struct unwind_object *object, const struct pk_unwind_info *info)
{
	uint64_t end = 0;

	object->base = UINT64_MAX;
	for (size_t i = 0; i < info->load_count; i++) {
		const struct pk_elf_segment *load = &info->loads[i];

		if (!(load->flags & PF_X) || object->loads_count == LOADS_MAX ||
		    load->filesz > SPAN_MAX || load->vaddr > UINT64_MAX - load->filesz)
			continue;
		object->loads[object->loads_count++] =
			(struct load){load->offset, load->filesz, load->vaddr};
		object->base = load->vaddr < object->base ? load->vaddr : object->base;
		end = load->vaddr + load->filesz > end ? load->vaddr + load->filesz : end;
	}
	object->base &= ~(CHUNK_SIZE - 1);
	if (object->loads_count && end - object->base <= SPAN_MAX)
		object->chunks = (uint32_t)((end - object->base + CHUNK_SIZE - 1) / CHUNK_SIZE);
}

/* Whether pk-record runs on the machine of the object, with 64 bits. */
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

static void make_table(struct unwind_arenas *arenas, struct unwind_object *object,
		       const struct pk_unwind_info *info)
{
	const struct pk_cfi_machine *machine = pk_cfi_machine_by_elf(info->machine);
	struct pk_unwind_table table = {0};
	struct pk_cfi *cfi;

	find_loads(object, info);
	if (!object->chunks)
		return;
	cfi = pk_need(pk_lookups(), pk_unwind_cfi(info, machine));
	if (cfi && pk_cfi_count(cfi) &&
	    pk_need_room(pk_lookups(), pk_unwind_table_make(&table, cfi, object->base))) {
		object->chunk = unwind_arenas_chunks(arenas, object->chunks);
		if (object->chunk != UNWIND_NO_CHUNK)
			write_chunks(arenas, &table, object);
	}
	pk_unwind_table_free(&table);
	pk_cfi_free(cfi);
}

static void load_object(struct unwind_arenas *arenas, struct unwind_object *object, pid_t pid,
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

	object->chunk = UNWIND_NO_CHUNK;
	if (file && !pk_symbols_build_id(symbols, line->name, &by, &object->id))
		object->id.size = 0;
	if (info && is_native(info))
		make_table(arenas, object, info);
	if (symbols)
		pk_failures_add(pk_lookups(), pk_symbols_failures(symbols));
	pk_symbols_free(symbols);
}

/* The key of the file of a map. Its state is read through the map: the path can be that of another
 * file by now. */
static struct key key_of(pid_t pid, const struct map_line *line)
{
	struct key key = {.inode = line->inode, .major = line->major, .minor = line->minor};
	char path[96];
	struct stat st;

	if (!line->inode) /* [vdso] */
		return key;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, line->start,
		 line->end);
	if ((pid && !stat(path, &st)) || !stat(line->name, &st)) {
		key.size = (uint64_t)st.st_size;
		key.seconds = (uint64_t)st.st_mtim.tv_sec;
		key.nanoseconds = (uint64_t)st.st_mtim.tv_nsec;
	}
	return key;
}

/* Sets where the map starts in the chunks of its object. A map starts at the page of its segment.
 */
static void set_place(const struct unwind_object *object, const struct map_line *line,
		      struct unwind_map *map)
{
	for (size_t i = 0; i < object->loads_count; i++) {
		const struct load *load = &object->loads[i];
		const uint64_t first = load->offset & ~(PAGE_SIZE - 1);
		uint64_t relative, most;

		if (line->offset < first || line->offset >= load->offset + load->size)
			continue;
		relative = line->offset - load->offset + load->address - object->base;
		if (relative >> UNWIND_CHUNK_BITS >= object->chunks)
			continue;
		map->chunk = object->chunk + (uint32_t)(relative >> UNWIND_CHUNK_BITS);
		map->offset = (uint32_t)(relative & (CHUNK_SIZE - 1));
		most = (object->chunks * CHUNK_SIZE - relative) / PAGE_SIZE;
		map->pages = map->pages < most ? map->pages : (uint32_t)most;
		return;
	}
}

static struct unwind_object *find_known(const struct unwind_objects *objects, const struct key *key,
					uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&objects->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&objects->items[number - 1].key, key, sizeof(*key)))
			return &objects->items[number - 1];
	return NULL;
}

/* NULL: out of memory. */
static struct unwind_object *find(struct unwind_objects *objects, pid_t pid,
				  const struct map_line *line)
{
	const struct key key = key_of(pid, line);
	const uint64_t hash = pk_hash(&key, sizeof(key), pk_table_secret(&objects->numbers));
	struct unwind_object *object = find_known(objects, &key, hash);

	if (object)
		return object;
	if (!pk_reserve(&objects->items, &objects->capacity, objects->count, 1,
			sizeof(*objects->items)) ||
	    !pk_table_add(&objects->numbers, hash, objects->count + 1))
		return NULL;
	object = &objects->items[objects->count++];
	*object = (struct unwind_object){.key = key};
	load_object(objects->arenas, object, pid, line);
	return object;
}

bool unwind_objects_find(struct unwind_objects *objects, pid_t pid, const struct map_line *line,
			 struct unwind_map *map)
{
	const struct unwind_object *object = find(objects, pid, line);

	map->chunk = UNWIND_NO_CHUNK;
	if (object && object->chunk != UNWIND_NO_CHUNK)
		set_place(object, line, map);
	return object;
}

bool unwind_objects_find_path(struct unwind_objects *objects, struct map_line *line,
			      const struct pk_build_id *id, struct unwind_map *map)
{
	const struct unwind_object *object;
	struct stat st;

	map->chunk = UNWIND_NO_CHUNK;
	if (*line->name == '/') {
		if (stat(line->name, &st))
			return true;
		line->major = major(st.st_dev);
		line->minor = minor(st.st_dev);
		line->inode = st.st_ino;
	}
	object = find(objects, 0, line);
	if (!object)
		return false;
	if (id->size && object->id.size &&
	    (id->size != object->id.size || memcmp(id->bytes, object->id.bytes, id->size) != 0))
		return true;
	if (object->chunk != UNWIND_NO_CHUNK)
		set_place(object, line, map);
	return true;
}

void unwind_objects_free(struct unwind_objects *objects)
{
	free(objects->items);
	pk_table_free(&objects->numbers);
}
