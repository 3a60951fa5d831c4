/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_FRAME_TABLE_H
#define EXPORT_FRAME_TABLE_H

/* Numbers frames, from 1 on: frames are equal if their function and its file are and, if wanted,
 * their line. Unresolved frames are equal if their object is. */

#include "pkstream.h"
#include "texts.h"

struct frame_key {
	uint32_t function; /* string; 0: unresolved */
	uint32_t object;   /* of an unresolved frame: string, its path */
	uint32_t file;	   /* string; 0: unknown */
	uint32_t line, column;
};

struct frame_table {
	/* Set by the caller: */
	const struct pk_dictionary *names;
	bool lines;
	/* Private to the table: */
	struct pk_texts keys;
	uint32_t *numbers; /* by id of the frame; 0: not looked up yet */
	size_t numbers_count;
};

/* The number of a defined frame. 0: out of memory. */
uint32_t frame_table_number(struct frame_table *table, uint32_t frame);
static inline const struct frame_key *frame_table_key(const struct frame_table *table,
						      uint32_t number)
{
	return (const void *)pk_texts_get(&table->keys, number, NULL);
}
static inline uint32_t frame_table_count(const struct frame_table *table)
{
	return (uint32_t)table->keys.count;
}
void frame_table_free(struct frame_table *table);

#endif
