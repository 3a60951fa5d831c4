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
#include "unwind_objects.h"
#include "unwind_table.h"
#include "vector.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)
#define PAGE_SIZE  UINT64_C(4096)

/* Code of one object, from its first to its last byte. */
#define SPAN_MAX (UINT64_C(1) << 30)

struct load {
	uint64_t offset, size, address;
};

struct unwind_object {
	struct unwind_file key;
	uint32_t number; /* one of its numbers */
	uint64_t base;	 /* address of the first chunk, as in the file */
	uint32_t chunk, chunks;
	struct load loads[UNWIND_LOADS_MAX]; /* with code */
	size_t loads_count;
	struct pk_build_id id; /* size 0: unknown */
	uint32_t python;       /* see struct unwind_object_code */
	uint64_t runtime;
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

		if (!(load->flags & PF_X) || object->loads_count == UNWIND_LOADS_MAX ||
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
	    pk_need_room(pk_lookups(), pk_unwind_table_make(&table, cfi, object->base)) == PK_OK) {
		object->chunk = unwind_arenas_chunks(arenas, object->chunks);
		if (object->chunk != UNWIND_NO_CHUNK)
			write_chunks(arenas, &table, object);
	}
	pk_unwind_table_free(&table);
	pk_cfi_free(cfi);
}

/* The file of a map: its path can be that of another file by now. */
static void path_of_map(pid_t pid, const struct map_line *line, char *path, size_t size)
{
	snprintf(path, size, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, line->start,
		 line->end);
}

static void find_python(struct unwind_objects *objects, struct unwind_object *object, pid_t pid,
			const struct map_line *line)
{
	const struct load *load = object->loads;
	char path[96];

	if (*line->name != '/' || !object->loads_count)
		return;
	path_of_map(pid, line, path, sizeof(path));
	object->python =
		python_layouts_find(&objects->layouts, pid ? path : line->name, &object->runtime);
	object->runtime += load->offset - load->address;
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

	object->chunk = UNWIND_NO_CHUNK;
	if (file && !pk_symbols_build_id(symbols, line->name, &by, &object->id))
		object->id.size = 0;
	if (info && is_native(info)) {
		make_table(objects->arenas, object, info);
		find_python(objects, object, pid, line);
	}
	if (symbols)
		pk_failures_add(pk_lookups(), pk_symbols_failures(symbols));
	pk_symbols_free(symbols);
}

/* The key of the file of a map. Its state is read through the map: the path can be that of another
 * file by now. */
static struct unwind_file key_of(pid_t pid, const struct map_line *line)
{
	struct unwind_file key = {.inode = line->inode, .device = line->major << 20 | line->minor};
	char path[96];
	struct stat st;

	if (!line->inode) /* [vdso] */
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

/* NULL: out of memory. */
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

/* A map starts at the page of its segment, whose first bytes can be before the first chunk. */
static struct unwind_load load_of(const struct unwind_object *object, const struct load *load)
{
	const uint64_t inside = load->offset % PAGE_SIZE, end = load->offset + load->size;
	const uint64_t at = load->address - object->base, lost = at < inside;
	const uint64_t first = load->offset / PAGE_SIZE + lost;
	const uint64_t relative = at - inside + lost * PAGE_SIZE;

	if (end <= first * PAGE_SIZE || relative >> UNWIND_CHUNK_BITS >= object->chunks)
		return (struct unwind_load){0};
	return (struct unwind_load){
		.first = (uint32_t)first,
		.pages = (uint32_t)((end - first * PAGE_SIZE + PAGE_SIZE - 1) / PAGE_SIZE),
		.chunk = object->chunk + (uint32_t)(relative >> UNWIND_CHUNK_BITS),
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
	for (size_t i = 0; i < object->loads_count && object->chunk != UNWIND_NO_CHUNK; i++)
		code->loads[i] = load_of(object, &object->loads[i]);
	code->runtime = object->runtime;
	code->python = object->python;
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

const struct pk_unwind_rule *unwind_objects_rule(const struct unwind_objects *objects,
						 const struct unwind_map *map, uint64_t address)
{
	const struct unwind_object_code *code = &objects->codes[UNWIND_MAP_OBJECT(map->place)];
	const uint64_t at = address - UNWIND_MAP_START(map->place) + map->first * PAGE_SIZE;

	for (size_t i = 0; i < UNWIND_LOADS_MAX; i++) {
		const struct unwind_load *load = &code->loads[i];
		const uint64_t relative = at - load->first * PAGE_SIZE;

		if (relative / PAGE_SIZE < load->pages)
			return unwind_arenas_find(objects->arenas, load->chunk,
						  relative + load->offset);
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
	    PK_OK)
		unwind_objects_link(objects, UNWIND_VDSO, object);
	return true;
}

void unwind_objects_free(struct unwind_objects *objects)
{
	if (objects->codes)
		munmap(objects->codes, CODES_BYTES);
	if (objects->numbers)
		munmap(objects->numbers, NUMBERS_BYTES);
	free(objects->items);
	pk_table_free(&objects->by_key);
}
