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

/* A rectangle of a picture over time, which is a span of time in one row of a lane. */
struct piece {
	uint64_t start, end; /* in ns */
	uint64_t time; /* sum of the durations of all pieces that were merged into this piece, in ns
			*/
	uint64_t votes; /* Private. A counter in ns that finds the name with the most time: the time
			 * of `name` minus that of other names. */
	uint32_t lane, name; /* Numbers of the lane and the name. If pieces were merged, `name` is
			      * the name with the most time. */
	uint16_t row, group; /* only pieces with the same lane, row and group are merged */
	uint32_t count;	     /* number of pieces that were merged; 1 if the piece is unchanged */
};

/* Each merged piece belongs to a cell. A cell is a multiple of the step. For each lane, row and
 * group, a cell has at most one merged piece. The time of the cell is the time of the pieces that
 * start in it. */
struct pieces {
	struct piece *items;
	size_t count, capacity;
	size_t merged; /* number of items that consist of several pieces */
	size_t most;   /* The caller's limit for the number of items. It becomes larger if there are
			* very many lanes, so that a picture has at least 25 steps. */
	/* This number of merged items is treated as one item when the number of items is compared
	 * with `most`, because merged items need less room in the picture. 0 means 1. */
	size_t merged_as_one;
	uint64_t step; /* in ns; pieces that are shorter than the step are merged; 0 if no pieces
			* are merged */
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
