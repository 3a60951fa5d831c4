/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PIECES_H
#define PK_PIECES_H

/* The pieces of a picture over time. A piece is a rectangle from a start to an end. The number of
 * pieces is limited. When there are too many, the step grows, and short pieces are merged. A piece
 * is short if it is shorter than the step. Short pieces are merged if they lie in the same multiple
 * of the step. So memory and the size of the picture do not depend on the length of the input.
 * Short pieces that are far from others keep their times. */

#include <stdbool.h>

#include "texts.h"

struct piece {
	uint64_t start, end; /* ns */
	uint64_t time;	     /* the sum of the durations of all pieces that were merged */
	uint64_t votes;	     /* Private. The time by which `name` exceeds other names. */
	uint32_t lane, name; /* If pieces were merged, `name` is the name with the most time. */
	uint16_t row, group; /* only pieces with the same lane, row and group are merged */
	uint32_t count;	     /* number of pieces that were merged; 1 if the piece is unchanged */
};

/* Each merged piece belongs to a cell. A cell is a multiple of the step. For each lane, row and
 * group, a cell has at most one merged piece. The time of the cell is the time of the pieces that
 * start in it. */
struct pieces {
	struct piece *items;
	size_t count, capacity;
	size_t merged; /* number of items that were merged from several pieces */
	size_t most; /* The maximum number of items. The caller sets it. It grows if there are very
		      * many lanes, so that a picture has at least 25 steps. */
	size_t merged_as_one; /* The number of merged items that count as one item, because they
			       * need less room in the picture. The caller sets it. 0 means 1. */
	uint64_t step;	      /* ns; shorter pieces are merged; 0 if no pieces are merged */
	uint64_t first, last; /* ns; the first start and the last end of all pieces */
	struct pk_table cells;
};

/* Adds a piece. The caller sets start, end, lane, name, row and group. */
PK_MUST_CHECK enum pk_status pieces_add(struct pieces *pieces, struct piece piece);
/* Sorts the pieces by lane, row, and start. If several pieces have the same start, the longest
 * comes first. The caller can add no pieces after this call. */
void pieces_sort(struct pieces *pieces);
/* Sorts the pieces, and merges more of them. It stops when the merged pieces of a timeline need at
 * most `most` bytes in the file. It also stops when a picture would have less than 50 steps. */
PK_MUST_CHECK enum pk_status pieces_fit(struct pieces *pieces, size_t most);
/* Returns the number of pieces that were merged with others. */
uint64_t pieces_merged(const struct pieces *pieces);
void pieces_free(struct pieces *pieces);

/* Returns the number of a name in names. If names has PIECE_NAMES_MAX names and lacks this name,
 * returns the number of "[other]". Returns 0 if memory is exhausted. */
#define PIECE_NAMES_MAX 100000
uint32_t piece_name(struct pk_texts *names, const char *name, size_t size);

#endif
