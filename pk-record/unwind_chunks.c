// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "lookups.h"
#include "unwind_chunks.h"
#include "unwind_table.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)

/* Number of chunks that are made together. If a sample needs a chunk that is not made yet, it gets
 * a dump of its stack instead of addresses. Making neighbours together avoids many of these dumps.
 */
#define GROUP 4u

/* Limit for the bytes of call frame information that are kept for all files to make chunks from
 * them later. */
#define KEPT_MAX (UINT64_C(32) << 20)

/* Stores a chunk. `start` is the offset in the table at which the chunk starts. Writes the rows of
 * the table from *at to the end of the chunk, and advances *at. numbers[i] is the index in the map
 * `rules` of the table's rule i. Returns the place of the chunk, or 0 if the chunk has no rules or
 * there is no more room. */
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
	/* If no row starts at the start of the chunk, add one with the rule that applies there. */
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

/* Sets the place of a chunk. Does nothing if the chunk already has a place. */
static void set_place(struct unwind_chunks *chunks, struct unwind_arenas *arenas, uint32_t number,
		      uint32_t place)
{
	if (is_made(arenas, number))
		return;
	__atomic_store_n(&arenas->chunks[number], (uint64_t)place, __ATOMIC_RELEASE);
	chunks->unmade--;
}

/* Makes `count` chunks of a file. `from` is the number of the first one, relative to the first
 * chunk of the file. If memory is exhausted, the chunks get no rows. */
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

/* Makes chunks like make(). If all chunks of the file are then made, frees the call frame
 * information. */
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
