/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ROWS_H
#define PK_ROWS_H

/*
 * The rows of a table, which are the groups of all sessions. A group (groups.h) exists only while
 * pk_context.epoch does not change. The row of a group has the same values, but its texts are
 * numbers in `texts`. Rows have numbers, which start with 1. At first, all members except
 * columns_count must be zero.
 */

#include "groups.h"
#include "texts.h"

/* The rows of a table, as the comment above describes them. */
struct pk_rows {
	unsigned int columns_count; /* number of columns of the groups, set by the caller */
	struct pk_texts texts;
	uint8_t *modes; /* By row: the mode (such as PERF_RECORD_MISC_KERNEL) of the first sample or
			 * frame of the row. */
	size_t modes_count;
	/* The following members are private. */
	struct pk_texts keys;  /* the keys of rows; the number of a key is the row */
	struct pk_texts bases; /* the keys of rows without the values that belong to frames; see
				* pk_rows_base() */
	struct pk_table names[PK_GROUP_COLUMNS]; /* for each column: the number in `texts` of a
						  * text, by the key of the text in this epoch */
	uint32_t *of_groups; /* the row of each group of this epoch; the index is the number of the
			      * group - 1; a row of 0 means that the group has no row yet */
	size_t of_groups_count;
};

/* A value of a row. */
struct pk_row_value {
	enum pk_value_kind kind; /* PK_VALUE_NONE if the samples of the row do not have the field */
	uint64_t number; /* the number in two's complement, or the number of a text in `texts` */
	struct pk_bytes text; /* the text, or the words of a number of kind PK_VALUE_WORDS */
};

/* Returns the row of a group. mode is the mode of the sample's address (pk_view_mode). Returns 0 if
 * memory is exhausted. */
uint32_t pk_rows_of(struct pk_rows *rows, const struct pk_groups *groups, uint32_t group,
		    uint16_t mode);
/* Returns the row for another frame. In columns whose values belong to frames (pk_field.frame_key),
 * it has the values of `frame`. In all other columns, it has the values of `row`. Returns 0 if
 * memory is exhausted. */
uint32_t pk_rows_of_frame(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row,
			  const struct pk_frame *frame);
/* Returns a number for all rows that differ only in columns whose values belong to frames. The
 * numbers are small and start with 1. Returns 0 if memory is exhausted. */
uint32_t pk_rows_base(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row);
/* Copies the key of a row without the values of some columns. `columns` is a set of bits. Rows that
 * differ only in these columns have the same copy. Returns its size in bytes. */
size_t pk_rows_key_without(const struct pk_rows *rows, uint32_t row, uint32_t columns,
			   uint64_t key[PK_GROUP_COLUMNS + 1]);
/* Returns the row that summarizes `row` and all rows that differ from it only in the columns of the
 * bit set `columns`. In these columns, the result has the value PK_ROWS_ALL of kind PK_VALUE_NONE.
 * Returns 0 if memory is exhausted. */
#define PK_ROWS_ALL UINT64_MAX
uint32_t pk_rows_above(struct pk_rows *rows, uint32_t row, uint32_t columns);
/* Retires a row. The next sample with the values of the row gets a new row. */
void pk_rows_retire(struct pk_rows *rows, uint32_t row);
/* Copy a row, or a number of pk_rows_base(), from other rows with the same columns. Return its
 * number in `rows`, or 0 if memory is exhausted. */
uint32_t pk_rows_copy(struct pk_rows *rows, const struct pk_rows *from, uint32_t row);
uint32_t pk_rows_copy_base(struct pk_rows *rows, const struct pk_rows *from, uint32_t base);
/* Call this function when pk_groups_forget() is called. */
void pk_rows_forget_groups(struct pk_rows *rows);

static inline uint32_t pk_rows_count(const struct pk_rows *rows)
{
	return (uint32_t)rows->keys.count;
}

/* Returns the kind of a value. */
enum pk_value_kind pk_rows_kind(const struct pk_rows *rows, uint32_t row, unsigned int column);
/* Returns true if two rows have the same value in a column. It compares only keys, which is fast.
 * Equal numbers with different words are different values. */
bool pk_rows_same(const struct pk_rows *rows, uint32_t a, uint32_t b, unsigned int column);
struct pk_row_value pk_rows_value(const struct pk_rows *rows, uint32_t row, unsigned int column);
/* Returns the text that all programs print for the value. The value must not be of kind
 * PK_VALUE_NONE. The text is valid as long as `number` and the rows. */
struct pk_bytes pk_row_value_text(const struct pk_row_value *value, char number[PK_VALUE_SIZE]);
void pk_rows_free(struct pk_rows *rows);

#endif
