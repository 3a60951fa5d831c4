/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PIECES_H
#define PK_PIECES_H

/* What is drawn over time: pieces from a start to an end. Their number is limited. When there are
 * too many, those that are shorter than a step, and lie in the same multiple of the step, are
 * merged, and the step grows. So memory and the size of the picture do not depend on the length of
 * the input, and short pieces far from others keep their times. */

#include <stdbool.h>

#include "texts.h"

struct piece {
	uint64_t start, end; /* ns */
	uint64_t time;	     /* the sum of the durations of all pieces that were merged */
	uint64_t votes;	     /* private: the lead of `name` over other names */
	uint32_t lane, name; /* if pieces were merged, name is the one with the most time */
	uint16_t row, group; /* only pieces with the same lane, row and group are merged */
	uint32_t count;	     /* of pieces that were merged; 1: it is as it was added */
};

/* Merged pieces are in cells: multiples of the step. A lane, row and group has at most one for each
 * cell. Its time is that of pieces that start there. */
struct pieces {
	struct piece *items;
	size_t count, capacity;
	size_t merged; /* of count: items that are several pieces */
	size_t most;   /* the caller sets it: the maximum of items; it grows if there are very many
			* lanes, so that a picture has at least 25 steps */
	size_t merged_as_one; /* the caller sets it: so many merged items count as one item, because
			       * they need less room in the picture; 0: 1 */
	uint64_t step;	      /* shorter pieces are merged; 0: no pieces are */
	uint64_t first, last; /* the time of all pieces */
	struct pk_table cells;
};

/* Adds a piece. The caller sets start, end, lane, name, row and group. */
PK_MUST_CHECK enum pk_status pieces_add(struct pieces *pieces, struct piece piece);
/* Sorts the pieces by lane, row, and start. Of those with the same start, the longest is the first.
 * No piece can be added after that. */
void pieces_sort(struct pieces *pieces);
/* The same, and merges more until the merged pieces of a timeline need at most this many bytes in
 * the file, or a picture would have less than 50 steps. */
PK_MUST_CHECK enum pk_status pieces_fit(struct pieces *pieces, size_t most);
/* The number of pieces that were merged with others. */
uint64_t pieces_merged(const struct pieces *pieces);
void pieces_free(struct pieces *pieces);

/* The number of a name in names, or that of "[other]" if there are very many. Returns 0 if memory
 * is exhausted. */
#define PIECE_NAMES_MAX 100000
uint32_t piece_name(struct pk_texts *names, const char *name, size_t size);

#endif
