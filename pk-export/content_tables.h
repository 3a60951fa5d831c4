/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_CONTENT_TABLES_H
#define EXPORT_CONTENT_TABLES_H

/* The tables of objects, frames and stacks. The files of the format rows, and the tables of SQLite
 * and ClickHouse, are made from this definition of their columns. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pkstream.h"
#include "row_writer.h"

enum content_table { CONTENT_OBJECTS, CONTENT_FRAMES, CONTENT_STACKS, CONTENT_TABLES };

#define CONTENT_COLUMNS 8

/* A table and its columns. */
struct content_columns {
	const char *table;
	unsigned int count;
	/* The first column is the key of the item in the row. */
	struct content_column {
		const char *name;
		enum row_type type;
		/* If the column has keys: the table that has the item with this key. */
		enum content_table of;
	} columns[CONTENT_COLUMNS];
};

extern const struct content_columns content_tables[CONTENT_TABLES];

#define CONTENT_KEY_SIZE 16

/* An item with its key. Items with equal keys have equal numbers. */
struct content_item {
	uint8_t key[CONTENT_KEY_SIZE];
	uint32_t number; /* number of the item; the first item of each table has number 1 */
	uint32_t depth;	 /* number of frames if the item is a stack */
};

/* The flags of a frame that tell its processor mode. */
#define CONTENT_MODES (PK_FRAME_KERNEL | PK_FRAME_USER | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR)

/* Returns true if the object is code that a JIT compiler has made. The code of all processes is
 * treated as one object. */
static inline bool content_is_jit(const struct pk_dso *dso)
{
	return dso->kind == PK_DSO_JIT && !dso->build_id_size;
}

/* A row of one of the tables. Its values point into the items and into the dictionary, which must
 * stay valid. */
struct content_row {
	struct content_value {
		enum { CONTENT_NONE, CONTENT_NUMBER, CONTENT_TEXT, CONTENT_ITEM } kind;
		uint64_t number;
		const char *text;
		size_t size;
		const struct content_item *item;
	} values[CONTENT_COLUMNS];
	char build_id[2 * PK_BUILD_ID_MAX + 1];
};

void content_object_row(struct content_row *row, const struct pk_dictionary *names,
			const struct content_item *item, const struct pk_dso *dso);
/* object is NULL if the frame has no object. */
void content_frame_row(struct content_row *row, const struct pk_dictionary *names,
		       const struct content_item *item, const struct content_item *object,
		       const struct pk_frame *frame);
/* parent is NULL if the stack has only one frame. */
void content_stack_row(struct content_row *row, const struct content_item *item,
		       const struct content_item *parent, const struct content_item *frame);

#endif
