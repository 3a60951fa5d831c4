// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "lookups.h"
#include "unwind_chunks.h"
#include "unwind_table.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)

/* Chunks that are made at a time. A sample that needs a chunk which has not been made has a dump of
 * its stack instead of addresses, so there should be few of them. */
#define GROUP 4u

/* Bytes of all files that are kept to make chunks. */
#define KEPT_MAX (UINT64_C(32) << 20)

/* Writes the rows of the table from *at on that start in a chunk, which starts at `start` in the
 * table. Returns its place. */
static uint32_t write_chunk(struct unwind_arenas *arenas, const struct pk_unwind_table *table,
			    const uint16_t *numbers, size_t *at, uint64_t start)
{
	const uint64_t end = start + CHUNK_SIZE;
	const uint16_t before = *at ? numbers[table->rows[*at - 1].rule] : 0;
	size_t last = *at, count, block = 0;
	struct unwind_chunk *to;
	uint32_t place;

	while (last < table->count && table->rows[last].start < end)
		last++;
	/* A row for the start of the chunk, unless one starts there. */
	count = last - *at + !(last > *at && table->rows[*at].start == start);
	if (count == 1 && !(last > *at ? numbers[table->rows[*at].rule] : before)) {
		*at = last;
		return 0;
	}
	place = unwind_arenas_place(arenas, sizeof(*to) + count * sizeof(to->rows[0]),
				    (void **)&to);
	if (!place)
		return 0;
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
	return place;
}

static bool is_made(const struct unwind_arenas *arenas, uint32_t number)
{
	return __atomic_load_n(&arenas->chunks[number], __ATOMIC_RELAXED) < UNWIND_ASKED_PLACE;
}

/* Sets the place of a chunk, unless it has one. */
static void set_place(struct unwind_chunks *chunks, struct unwind_arenas *arenas, uint32_t number,
		      uint32_t place)
{
	if (is_made(arenas, number))
		return;
	__atomic_store_n(&arenas->chunks[number], (uint64_t)place, __ATOMIC_RELEASE);
	chunks->unmade--;
}

/* Makes the rows of chunks that follow each other. If there is no memory, they have none. */
static void make(struct unwind_chunks *chunks, struct unwind_arenas *arenas, uint32_t from,
		 uint32_t count)
{
	struct pk_unwind_table table;
	uint16_t *numbers = NULL;
	size_t at = 0;

	if (pk_need_room(pk_lookups(),
			 pk_unwind_table_make(&table, chunks->cfi, chunks->base + from * CHUNK_SIZE,
					      count * CHUNK_SIZE, &chunks->work)) == PK_OK)
		numbers = pk_need(pk_lookups(), calloc(table.rules_count, sizeof(*numbers)));
	for (size_t i = 0; numbers && i < table.rules_count; i++)
		numbers[i] = unwind_arenas_rule(arenas, &table.rules[i]);
	for (uint32_t i = 0; i < count; i++)
		set_place(chunks, arenas, chunks->first + from + i,
			  numbers ? write_chunk(arenas, &table, numbers, &at, i * CHUNK_SIZE) : 0);
	free(numbers);
	pk_unwind_table_free(&table);
}

/* Makes chunks, whose numbers are relative to the first one. */
static void make_or_close(struct unwind_chunks *chunks, struct unwind_arenas *arenas, uint32_t from,
			  uint32_t count)
{
	if (!chunks->cfi)
		return;
	make(chunks, arenas, from, count);
	if (!chunks->unmade)
		unwind_chunks_close(chunks, arenas);
}

bool unwind_chunks_have(const struct unwind_chunks *chunks, uint32_t number)
{
	return chunks->first != UNWIND_NO_CHUNK && number - chunks->first < chunks->count;
}

void unwind_chunks_make(struct unwind_chunks *chunks, struct unwind_arenas *arenas, uint32_t number)
{
	const uint32_t from = (number - chunks->first) / GROUP * GROUP, left = chunks->count - from;

	if (!is_made(arenas, number))
		make_or_close(chunks, arenas, from, left < GROUP ? left : GROUP);
}

void unwind_chunks_make_all(struct unwind_chunks *chunks, struct unwind_arenas *arenas)
{
	make_or_close(chunks, arenas, 0, chunks->count);
}

static uint64_t size_of(const struct pk_unwind_info *info)
{
	return info->eh_frame.size + info->eh_frame_hdr.size + info->debug_frame.size +
	       info->sframe.size;
}

void unwind_chunks_open(struct unwind_chunks *chunks, struct unwind_arenas *arenas,
			struct pk_symbols *symbols, const struct pk_unwind_info *info)
{
	chunks->first = UNWIND_NO_CHUNK;
	chunks->symbols = symbols;
	chunks->size = size_of(info);
	arenas->kept += chunks->size;
	chunks->cfi =
		pk_need(pk_lookups(), pk_unwind_cfi(info, pk_cfi_machine_by_elf(info->machine)));
	if (chunks->cfi && chunks->count && pk_cfi_count(chunks->cfi))
		chunks->first = unwind_arenas_chunks(arenas, chunks->count);
	if (chunks->first == UNWIND_NO_CHUNK) {
		unwind_chunks_close(chunks, arenas);
		return;
	}
	chunks->work = pk_unwind_table_work(chunks->cfi);
	chunks->unmade = chunks->count;
	for (uint32_t i = 0; i < chunks->count; i++)
		arenas->chunks[chunks->first + i] = UNWIND_UNMADE_PLACE;
	if (arenas->kept > KEPT_MAX)
		unwind_chunks_make_all(chunks, arenas);
}

void unwind_chunks_close(struct unwind_chunks *chunks, struct unwind_arenas *arenas)
{
	arenas->kept -= chunks->size;
	chunks->size = 0;
	pk_cfi_free(chunks->cfi);
	pk_symbols_free(chunks->symbols);
	chunks->cfi = NULL;
	chunks->symbols = NULL;
}
