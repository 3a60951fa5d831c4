/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_RECORD_LISTS_H
#define PK_FILTER_RECORD_LISTS_H

/*
 * Any number of lists of records in bounded memory: what does not fit waits in a file of its own,
 * in $TMPDIR, that nobody else sees.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_list {
	uint64_t first, last; /* chunks in the file, by their offset + 1; 0: none */
	uint8_t *data;	      /* what waits in memory */
	size_t used, capacity;
	struct record_list *next_waiting;
};

struct record_lists;

/* NULL with errno. */
struct record_lists *record_lists_new(void);
void record_lists_free(struct record_lists *lists);
/*
 * Appends an entry: two pieces of bytes, either of which may be empty, and a number. list is all
 * zero at first and stays where it is until record_lists_reset. False with errno.
 */
bool record_lists_add(struct record_lists *lists, struct record_list *list, uint64_t number,
		      const void *head, size_t head_size, const void *tail, size_t tail_size);
/* Forgets all lists. False with errno. */
bool record_lists_reset(struct record_lists *lists);

/* A place in a list. */
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

/* To begin with, before all entries. False with errno. */
bool record_cursor_start(struct record_cursor *cursor, struct record_lists *lists,
			 struct record_list *list);
/* 1: there is one; 0: no more; -1 with errno. */
int record_cursor_next(struct record_cursor *cursor);
void record_cursor_end(struct record_cursor *cursor);

#endif
