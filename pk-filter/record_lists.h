/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_RECORD_LISTS_H
#define PK_FILTER_RECORD_LISTS_H

/* Any number of lists of records. At most 32 MiB of entries are in memory; the others are in a
 * private temporary file in $TMPDIR. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

struct record_list {
	uint64_t first, last; /* chunks in the file: offset + 1; 0: none */
	uint8_t *data;	      /* entries that are not yet in the file */
	size_t used, capacity;
	struct record_list *next_waiting;
};

struct record_lists;

/* Returns NULL with errno. */
struct record_lists *record_lists_new(void);
void record_lists_free(struct record_lists *lists);
/* Appends an entry: two byte ranges, which can be empty, and a number. list is all zero at first
 * and must not move until record_lists_reset. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status record_lists_add(struct record_lists *lists, struct record_list *list,
					      uint64_t number, const void *head, size_t head_size,
					      const void *tail, size_t tail_size);
/* Empties all lists. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status record_lists_reset(struct record_lists *lists);

/* A position in a list. */
struct record_cursor {
	struct record_lists *lists;
	uint64_t next; /* chunk */
	uint8_t *chunk;
	size_t at, size, capacity;
	/* The entry: */
	uint64_t number;
	const uint8_t *data;
	size_t data_size;
};

/* Moves before the first entry. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status record_cursor_start(struct record_cursor *cursor,
						 struct record_lists *lists,
						 struct record_list *list);
/* Returns 1 for an entry, 0 after the last one, and -1 with errno if reading fails. */
int record_cursor_next(struct record_cursor *cursor);
void record_cursor_end(struct record_cursor *cursor);

#endif
