// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pieces.h"
#include "vector.h"

#define FIRST_STEP  1000 /* in ns */
#define STEPS_LEAST 50	 /* the smallest number of steps in the time of all pieces */

/* Approximate sizes in the file in bytes: of a piece, of a merged piece, and of a gap before a
 * merged piece. */
#define PIECE_BYTES  60
#define MERGED_BYTES 6
#define GAP_BYTES    4
#define GROUPS	     32 /* number of groups that the estimate tells apart */

/* Returns true if two short pieces can be merged. Only pieces that are shorter than the step are
 * merged. */
static bool is_alike(const struct piece *a, const struct piece *b, uint64_t step)
{
	return a->lane == b->lane && a->row == b->row && a->group == b->group &&
	       a->start / step == b->start / step;
}

static uint64_t key_of(const struct piece *piece, uint64_t step)
{
	const uint64_t place =
		(uint64_t)piece->lane << 32 | (uint32_t)piece->row << 16 | piece->group;

	return pk_mix64(place, piece->start / step);
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* Selects the name of a merged piece. A name that has more than half of the time wins. If there is
 * no such name, one of the names with much time wins. */
static void vote(struct piece *into, const struct piece *piece)
{
	if (into->name == piece->name) {
		into->votes = plus(into->votes, piece->votes);
	} else if (into->votes >= piece->votes) {
		into->votes -= piece->votes;
	} else {
		into->votes = piece->votes - into->votes;
		into->name = piece->name;
	}
}

static void merge(struct piece *into, const struct piece *piece)
{
	vote(into, piece);
	if (piece->start < into->start)
		into->start = piece->start;
	if (piece->end > into->end)
		into->end = piece->end;
	into->time = plus(into->time, piece->time);
	if (__builtin_add_overflow(into->count, piece->count, &into->count))
		into->count = UINT32_MAX;
}

/* Merges the piece with the piece of the same cell. If there is none, adds the piece. The caller
 * must have reserved room for it. */
static enum pk_status place(struct pieces *pieces, const struct piece *piece)
{
	const uint64_t step = pieces->step;
	uint64_t key = 0, value;

	if (step && piece->end - piece->start < step) {
		key = key_of(piece, step);
		for (struct pk_probe probe = pk_table_probe(&pieces->cells, key);
		     (value = pk_probe_next(&probe));) {
			struct piece *other = &pieces->items[value - 1];

			if (!is_alike(other, piece, step))
				continue;
			pieces->merged += other->count == 1;
			merge(other, piece);
			return PK_OK;
		}
		PK_TRY(pk_table_add(&pieces->cells, key, pieces->count + 1));
	}
	pieces->merged += piece->count > 1;
	pieces->items[pieces->count++] = *piece;
	return PK_OK;
}

/* Doubles the step and merges the pieces again. */
static enum pk_status compact(struct pieces *pieces)
{
	const size_t count = pieces->count;

	pieces->step = pieces->step ? pieces->step * 2 : FIRST_STEP;
	pieces->count = pieces->merged = 0;
	pk_table_clear(&pieces->cells);
	for (size_t i = 0; i < count; i++) {
		const struct piece piece = pieces->items[i];

		PK_TRY(place(pieces, &piece));
	}
	return PK_OK;
}

/* Returns the number that is compared with the limit `most`. An item that was not merged is 1.
 * `merged_as_one` merged items together are 1. */
static size_t cost_of(const struct pieces *pieces)
{
	return pieces->count - pieces->merged +
	       pieces->merged / (pieces->merged_as_one ? pieces->merged_as_one : 1);
}

static uint64_t longest_step(const struct pieces *pieces)
{
	return (pieces->last - pieces->first) / STEPS_LEAST;
}

/* With very many lanes, the limit grows. Otherwise the steps would become so long that the picture
 * shows nothing. The picture stays small, because most of these lanes are not drawn. */
static enum pk_status make_room(struct pieces *pieces)
{
	const uint64_t longest = longest_step(pieces);

	while (cost_of(pieces) > pieces->most / 4 * 3) {
		if (pieces->step >= longest && pieces->step) {
			pieces->most = cost_of(pieces) * 2;
			break;
		}
		PK_TRY(compact(pieces));
	}
	return PK_OK;
}

enum pk_status pieces_add(struct pieces *pieces, struct piece piece)
{
	piece.time = piece.votes = piece.end - piece.start;
	piece.count = 1;
	if (piece.end > pieces->last)
		pieces->last = piece.end;
	if (!pieces->first || piece.start < pieces->first)
		pieces->first = piece.start;
	if (cost_of(pieces) >= pieces->most)
		PK_TRY(make_room(pieces));
	PK_TRY(pk_vector_reserve(pieces, 1));
	return place(pieces, &piece);
}

static int compare(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end < b->end) - (a->end > b->end);
}

void pieces_sort(struct pieces *pieces)
{
	if (pieces->count)
		qsort(pieces->items, pieces->count, sizeof(*pieces->items), compare);
}

/* Returns true if the merged piece continues the path of `last`, the previous merged piece of the
 * same group. */
static bool continues(const struct pieces *pieces, const struct piece *last,
		      const struct piece *piece)
{
	return last && last->lane == piece->lane && last->row == piece->row &&
	       last->group == piece->group && last->name == piece->name &&
	       last->start / pieces->step + 1 == piece->start / pieces->step;
}

/* Estimates the size of the sorted pieces in the file, in bytes. */
static size_t file_size(const struct pieces *pieces)
{
	const struct piece *last[GROUPS] = {NULL};
	size_t size = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->items[i];

		size += piece->count == 1 ? PIECE_BYTES : MERGED_BYTES;
		if (piece->count == 1)
			continue;
		if (!continues(pieces, last[piece->group % GROUPS], piece))
			size += GAP_BYTES;
		last[piece->group % GROUPS] = piece;
	}
	return size;
}

enum pk_status pieces_fit(struct pieces *pieces, size_t most)
{
	pieces_sort(pieces);
	while (file_size(pieces) > most && pieces->step < longest_step(pieces)) {
		PK_TRY(compact(pieces));
		pieces_sort(pieces);
	}
	return PK_OK;
}

uint64_t pieces_merged(const struct pieces *pieces)
{
	uint64_t merged = 0;

	for (size_t i = 0; i < pieces->count; i++)
		merged += pieces->items[i].count > 1 ? pieces->items[i].count : 0;
	return merged;
}

uint32_t piece_name(struct pk_texts *names, const char *name, size_t size)
{
	const uint32_t number =
		names->count < PIECE_NAMES_MAX ? 0 : pk_texts_find(names, name, size);

	if (number || names->count < PIECE_NAMES_MAX)
		return number ? number : pk_texts_add(names, name, size);
	return pk_texts_add(names, "[other]", strlen("[other]"));
}

void pieces_free(struct pieces *pieces)
{
	free(pieces->items);
	pk_table_free(&pieces->cells);
}
