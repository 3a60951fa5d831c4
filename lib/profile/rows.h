/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROWS_H
#define PK_ROWS_H

/*
 * The rows of a table: the groups of all sessions. A group (groups.h) exists while
 * pk_context.epoch does not change; the row of a group has the same values, but refers to texts
 * by their numbers in `texts`. Rows are numbered from 1 on. A struct of all zero bytes with
 * columns_count is empty and valid.
 */

#include "groups.h"
#include "texts.h"

struct pk_rows {
	unsigned int columns_count; /* set by the caller: that of the groups */
	struct pk_texts texts;
	uint8_t *modes; /* by row: PERF_RECORD_MISC_KERNEL and so on of its first sample or frame */
	size_t modes_count;
	/* Private to the rows: */
	struct pk_texts keys;			 /* of the rows */
	struct pk_texts bases;			 /* keys without values of frames */
	struct pk_table names[PK_GROUP_COLUMNS]; /* number of the text, by key, in this epoch */
	uint32_t *of_groups; /* the row, by group - 1, in this epoch; 0: unknown */
	size_t of_groups_count;
};

/* A value of a row. */
struct pk_row_value {
	enum pk_value_kind kind; /* NONE: the samples of the row do not have the field */
	uint64_t number;	 /* in two's complement; of a text: its number in `texts` */
	struct pk_bytes text;	 /* of a text, and the words of a number of kind WORDS */
};

/* The row of a group. mode is that of its address (pk_view_mode()). Returns 0 if memory is
 * exhausted. */
uint32_t pk_rows_of(struct pk_rows *rows, const struct pk_groups *groups, uint32_t group,
		    uint16_t mode);
/* The row that has the values of `frame` in the columns of values of frames (pk_field.frame_key),
 * and otherwise those of `row`. Returns 0 if memory is exhausted. */
uint32_t pk_rows_of_frame(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row,
			  const struct pk_frame *frame);
/* A number that is equal for rows that differ only in the columns of values of frames. It is small,
 * from 1 on. Returns 0 if memory is exhausted. */
uint32_t pk_rows_base(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row);
/* Copies the key of a row, without the values of the columns in `columns` (bits): it is equal for
 * rows that differ only in these. Returns its size in bytes. */
size_t pk_rows_key_without(const struct pk_rows *rows, uint32_t row, uint32_t columns,
			   uint64_t key[PK_GROUP_COLUMNS + 1]);
/* The row that summarizes all rows that differ from `row` only in the columns in `columns` (bits).
 * Its values of these columns are PK_ROWS_ALL, of kind NONE. Returns 0 if memory is exhausted. */
#define PK_ROWS_ALL UINT64_MAX
uint32_t pk_rows_above(struct pk_rows *rows, uint32_t row, uint32_t columns);
/* A sample with the values of the row gets a new row from now on. */
void pk_rows_retire(struct pk_rows *rows, uint32_t row);
/* Adds a row, or a number of pk_rows_base(), of other rows with the same columns. Returns its
 * number in `rows`, or 0 if memory is exhausted. */
uint32_t pk_rows_copy(struct pk_rows *rows, const struct pk_rows *from, uint32_t row);
uint32_t pk_rows_copy_base(struct pk_rows *rows, const struct pk_rows *from, uint32_t base);
/* Call it when pk_groups_forget() is called. */
void pk_rows_forget_groups(struct pk_rows *rows);

static inline uint32_t pk_rows_count(const struct pk_rows *rows)
{
	return (uint32_t)rows->keys.count;
}

/* The kind of a value, without the value. */
enum pk_value_kind pk_rows_kind(const struct pk_rows *rows, uint32_t row, unsigned int column);
/* Whether two rows have the same value, without looking at it. Numbers with other words differ. */
bool pk_rows_same(const struct pk_rows *rows, uint32_t a, uint32_t b, unsigned int column);
struct pk_row_value pk_rows_value(const struct pk_rows *rows, uint32_t row, unsigned int column);
/* The value as all programs print it. It is not of kind NONE. Valid as long as `number` and the
 * rows. */
struct pk_bytes pk_row_value_text(const struct pk_row_value *value, char number[PK_VALUE_SIZE]);
void pk_rows_free(struct pk_rows *rows);

#endif
