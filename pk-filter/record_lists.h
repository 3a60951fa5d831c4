/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_RECORD_LISTS_H
#define PK_FILTER_RECORD_LISTS_H

/* Any number of lists of records. At most 32 MiB of entries are in memory. All other entries are in
 * a private temporary file in $TMPDIR. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* A list of records. */
struct record_list {
	uint64_t first, last; /* offsets of the first and the last chunk of the list in the
			       * temporary file, plus 1; 0 if the list has no chunk there */
	uint8_t *data;	      /* entries that are not in the temporary file yet */
	size_t used, capacity;
	struct record_list *next_waiting;
};

struct record_lists;

/* Returns NULL and sets errno on failure. */
struct record_lists *record_lists_new(void);
void record_lists_free(struct record_lists *lists);
/* Appends an entry. It is a number and two byte ranges, which are joined and can be empty. A new
 * list is all zero. The list must not move in memory until record_lists_reset(). Returns another
 * status than PK_OK, with errno, on failure. */
PK_MUST_CHECK enum pk_status record_lists_add(struct record_lists *lists, struct record_list *list,
					      uint64_t number, const void *head, size_t head_size,
					      const void *tail, size_t tail_size);
/* Empties all lists. Returns PK_IO with errno on failure. */
PK_MUST_CHECK enum pk_status record_lists_reset(struct record_lists *lists);

/* A position in a list, for reading the entries of the list. */
struct record_cursor {
	struct record_lists *lists;
	uint64_t next; /* offset of the next chunk in the temporary file, plus 1; 0 after the last
			* chunk */
	uint8_t *chunk;
	size_t at, size, capacity;
	/* The current entry: */
	uint64_t number;
	const uint8_t *data;
	size_t data_size;
};

/* Moves to the position before the first entry. Returns another status than PK_OK, with errno, on
 * failure. */
PK_MUST_CHECK enum pk_status record_cursor_start(struct record_cursor *cursor,
						 struct record_lists *lists,
						 struct record_list *list);
/* Moves to the next entry. Returns 1 if there is an entry, 0 after the last entry, and -1 with
 * errno if reading failed. */
int record_cursor_next(struct record_cursor *cursor);
void record_cursor_end(struct record_cursor *cursor);

#endif
