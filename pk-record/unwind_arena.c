// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf_call.h"
#include "hash.h"
#include "lookups.h"
#include "unwind_arena.h"
#include "vector.h"

#define RULES_BYTES  (UNWIND_RULES_MAX * sizeof(struct pk_unwind_rule))
#define CHUNKS_BYTES (UNWIND_CHUNKS_MAX * sizeof(uint64_t))

/* ---- Extents ---- */

static void add_extent(struct unwind_extents *list, struct unwind_extent extent)
{
	if (pk_need_room(pk_lookups(), pk_reserve(&list->items, &list->capacity, list->count, 1,
						  sizeof(*list->items))) == PK_OK)
		list->items[list->count++] = extent;
}

static void remove_extent(struct unwind_extents *list, size_t at)
{
	list->count--;
	memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof(*list->items));
}

/* ---- Arenas ---- */

static bool add_arena(struct unwind_arenas *arenas)
{
	const uint32_t number = arenas->count;
	union bpf_attr attr = {0};
	void *memory;
	int fd;

	if (number == UNWIND_ARENAS_MAX)
		return false;
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = UNWIND_ARENA_SIZE;
	attr.max_entries = 1;
	attr.map_flags = BPF_F_MMAPABLE;
	fd = bpf_call(BPF_MAP_CREATE, &attr);
	if (fd < 0)
		return false;
	memory = mmap(NULL, UNWIND_ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED ||
	    bpf_access_map(BPF_MAP_UPDATE_ELEM, arenas->map, &number, &fd)) {
		if (memory != MAP_FAILED)
			munmap(memory, UNWIND_ARENA_SIZE);
		close(fd);
		return false;
	}
	arenas->memory[number] = memory;
	arenas->fds[number] = fd;
	arenas->count++;
	add_extent(&arenas->unused,
		   (struct unwind_extent){number << UNWIND_ARENA_BITS, UNWIND_ARENA_SIZE});
	return true;
}

static uint32_t find_room(struct unwind_arenas *arenas, uint32_t size)
{
	struct unwind_extents *list = &arenas->unused;

	for (size_t i = 0; i < list->count; i++) {
		struct unwind_extent *extent = &list->items[i];
		const uint32_t place = extent->place;

		if (extent->size < size)
			continue;
		extent->place += size;
		extent->size -= size;
		if (!extent->size)
			remove_extent(list, i);
		return place;
	}
	return UINT32_MAX;
}

static uint32_t rounded(size_t size)
{
	return (uint32_t)(size + 7) & ~7u;
}

uint32_t unwind_arenas_place(struct unwind_arenas *arenas, size_t size, void **memory)
{
	uint32_t place = UINT32_MAX;

	if (size <= UNWIND_ARENA_SIZE)
		place = find_room(arenas, rounded(size));
	if (place == UINT32_MAX && size <= UNWIND_ARENA_SIZE && add_arena(arenas))
		place = find_room(arenas, rounded(size));
	if (place == UINT32_MAX) {
		arenas->full = true;
		return 0;
	}
	*memory = unwind_arenas_at(arenas, place);
	return place;
}

void *unwind_arenas_at(const struct unwind_arenas *arenas, uint32_t place)
{
	return arenas->memory[place >> UNWIND_ARENA_BITS] + place % UNWIND_ARENA_SIZE;
}

/* ---- Rules ---- */

uint16_t unwind_arenas_rule(struct unwind_arenas *arenas, const struct pk_unwind_rule *rule)
{
	const uint64_t hash = pk_hash(rule, sizeof(*rule), pk_table_secret(&arenas->numbers));
	struct pk_probe probe = pk_table_probe(&arenas->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&arenas->rules[number - 1], rule, sizeof(*rule)))
			return (uint16_t)(number - 1);
	if (arenas->rules_count == UNWIND_RULES_MAX ||
	    pk_table_add(&arenas->numbers, hash, arenas->rules_count + 1) != PK_OK) {
		arenas->full = true;
		return PK_UNWIND_BAD;
	}
	arenas->rules[arenas->rules_count++] = *rule;
	return (uint16_t)(arenas->rules_count - 1);
}

/* ---- Chunks ---- */

uint32_t unwind_arenas_chunks(struct unwind_arenas *arenas, uint32_t count)
{
	const uint32_t first = arenas->chunks_count;

	if (count > UNWIND_CHUNKS_MAX - first) {
		arenas->full = true;
		return UNWIND_NO_CHUNK;
	}
	arenas->chunks_count += count;
	return first;
}

const struct pk_unwind_rule *unwind_arenas_find(const struct unwind_arenas *arenas, uint32_t first,
						uint64_t relative)
{
	const uint64_t number = first + (relative >> UNWIND_CHUNK_BITS);
	const uint32_t low = relative % (1u << UNWIND_CHUNK_BITS);
	const struct unwind_chunk *chunk;
	size_t at, last;

	if (first == UNWIND_NO_CHUNK || number >= arenas->chunks_count)
		return &arenas->rules[0];
	if (arenas->chunks[number] >= UNWIND_ASKED_PLACE)
		return &arenas->rules[0];
	chunk = unwind_arenas_at(arenas, (uint32_t)arenas->chunks[number]);
	at = chunk->first[low >> UNWIND_BLOCK_BITS];
	last = chunk->first[(low >> UNWIND_BLOCK_BITS) + 1];
	while (at < last && chunk->rows[at + 1].start <= low)
		at++;
	return &arenas->rules[chunk->rows[at].rule];
}

/* ---- Start and end ---- */

void *unwind_memory_map(int fd, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Stores a chunk without unwind rules at place 0, so that the place 0 means that there are no
 * rules. */
static bool place_nothing(struct unwind_arenas *arenas)
{
	const size_t size = sizeof(struct unwind_chunk) + sizeof(struct unwind_row);
	void *memory;

	return add_arena(arenas) && unwind_arenas_place(arenas, size, &memory) == 0 &&
	       !arenas->full;
}

enum pk_status unwind_arenas_init(struct unwind_arenas *arenas, int map, int rules, int chunks)
{
	static const struct pk_unwind_rule none = {.cfa = PK_UNWIND_NONE},
					   bad = {.cfa = PK_UNWIND_BAD};

	*arenas = (struct unwind_arenas){.map = map};
	arenas->rules = unwind_memory_map(rules, RULES_BYTES);
	arenas->chunks = arenas->rules ? unwind_memory_map(chunks, CHUNKS_BYTES) : NULL;
	if (!arenas->chunks)
		return PK_IO;
	if (unwind_arenas_rule(arenas, &none) != PK_UNWIND_NONE)
		return PK_IO;
	if (unwind_arenas_rule(arenas, &bad) != PK_UNWIND_BAD)
		return PK_IO;
	return place_nothing(arenas) ? PK_OK : PK_IO;
}

void unwind_arenas_free(struct unwind_arenas *arenas)
{
	for (uint32_t i = 0; i < arenas->count; i++) {
		munmap(arenas->memory[i], UNWIND_ARENA_SIZE);
		close(arenas->fds[i]);
	}
	if (arenas->rules)
		munmap(arenas->rules, RULES_BYTES);
	if (arenas->chunks)
		munmap(arenas->chunks, CHUNKS_BYTES);
	free(arenas->unused.items);
	pk_table_free(&arenas->numbers);
	*arenas = (struct unwind_arenas){0};
}
