// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "field.h"
#include "rows.h"
#include "vector.h"

/* Returns the size of a key in bytes. The key of a row has the same layout as the key of a group.
 */
static size_t key_size(const struct pk_rows *rows)
{
	return (rows->columns_count + 1) * sizeof(uint64_t);
}

/* Returns true if the key of a value is the number of a text. */
static bool is_in_texts(enum pk_value_kind kind)
{
	return kind == PK_VALUE_TEXT || pk_kind_is_words(kind);
}

/* Returns the number in `texts` of the text of a key. The key belongs to a column of the groups.
 * Returns 0 if memory is exhausted. */
static uint32_t pk_rows_name(struct pk_rows *rows, const struct pk_groups *groups,
			     unsigned int column, uint64_t key)
{
	const struct pk_binding binding = pk_text_binding(&groups->columns[column].reference);
	struct pk_table *names = &rows->names[column];
	uint64_t number = pk_table_get_u64(names, key);
	const char *text;
	size_t size = 0;

	if (number)
		return (uint32_t)number;
	text = pk_key_text(groups->context, &binding, key, &size);
	if (groups->context->failed)
		return 0;
	number = pk_texts_add(&rows->texts, text ? text : "", text ? size : 0);
	return number && pk_table_set_u64(names, key, number) == PK_OK ? (uint32_t)number : 0;
}

static uint32_t add_row(struct pk_rows *rows, const uint64_t *key, unsigned int mode)
{
	const size_t before = rows->keys.count;
	const uint32_t row = pk_texts_add(&rows->keys, (const char *)key, key_size(rows));

	if (!row || pk_extend(&rows->modes, &rows->modes_count, row) != PK_OK)
		return 0;
	if (rows->keys.count > before)
		rows->modes[row] = (uint8_t)mode;
	return row;
}

static const uint64_t *key_of(const struct pk_rows *rows, uint32_t row)
{
	return (const void *)pk_texts_get(&rows->keys, row, NULL);
}

static uint32_t make(struct pk_rows *rows, const struct pk_groups *groups, uint32_t group,
		     unsigned int mode)
{
	uint64_t key[PK_GROUP_COLUMNS + 1];

	memcpy(key, pk_groups_key(groups, group), key_size(rows));
	for (unsigned int i = 0; i < rows->columns_count; i++) {
		if (!is_in_texts(pk_key_kind(key, rows->columns_count, i)))
			continue;
		key[i] = pk_rows_name(rows, groups, i, key[i]);
		if (!key[i])
			return 0;
	}
	return add_row(rows, key, mode);
}

uint32_t pk_rows_of(struct pk_rows *rows, const struct pk_groups *groups, uint32_t group,
		    uint16_t mode)
{
	uint32_t *row;

	if (pk_extend(&rows->of_groups, &rows->of_groups_count, group - 1) != PK_OK)
		return 0;
	row = &rows->of_groups[group - 1];
	if (!*row)
		*row = make(rows, groups, group, mode);
	return *row;
}

size_t pk_rows_key_without(const struct pk_rows *rows, uint32_t row, uint32_t columns,
			   uint64_t key[PK_GROUP_COLUMNS + 1])
{
	memcpy(key, key_of(rows, row), key_size(rows));
	for (unsigned int i = 0; i < rows->columns_count; i++) {
		if (!(columns >> i & 1))
			continue;
		key[i] = 0;
		pk_key_set_kind(key, rows->columns_count, i, PK_VALUE_NONE);
	}
	return key_size(rows);
}

uint32_t pk_rows_above(struct pk_rows *rows, uint32_t row, uint32_t columns)
{
	uint64_t key[PK_GROUP_COLUMNS + 1];

	pk_rows_key_without(rows, row, columns, key);
	for (unsigned int i = 0; i < rows->columns_count; i++)
		if (columns >> i & 1)
			key[i] = PK_ROWS_ALL;
	return add_row(rows, key, rows->modes[row]);
}

static bool is_of_frame(const struct pk_groups *groups, unsigned int column)
{
	const struct pk_field *field = groups->columns[column].reference.field;

	return field && field->frame_key;
}

uint32_t pk_rows_base(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row)
{
	uint64_t key[PK_GROUP_COLUMNS + 1];
	uint32_t frame_columns = 0;

	for (unsigned int i = 0; i < rows->columns_count; i++)
		frame_columns |= (uint32_t)is_of_frame(groups, i) << i;
	pk_rows_key_without(rows, row, frame_columns, key);
	return pk_texts_add(&rows->bases, (const char *)key, key_size(rows));
}

uint32_t pk_rows_of_frame(struct pk_rows *rows, const struct pk_groups *groups, uint32_t row,
			  const struct pk_frame *frame)
{
	const unsigned int count = rows->columns_count;
	uint64_t key[PK_GROUP_COLUMNS + 1];

	memcpy(key, key_of(rows, row), key_size(rows));
	for (unsigned int i = 0; i < count; i++) {
		uint64_t value;

		if (!is_of_frame(groups, i))
			continue;
		key[i] = 0;
		pk_key_set_kind(key, count, i, PK_VALUE_NONE);
		if (!groups->columns[i].reference.field->frame_key(frame, &value))
			continue;
		pk_key_set_kind(key, count, i, PK_VALUE_TEXT);
		key[i] = pk_rows_name(rows, groups, i, value);
		if (!key[i])
			return 0;
	}
	return add_row(rows, key,
		       frame->flags & PK_FRAME_KERNEL ? PERF_RECORD_MISC_KERNEL
						      : PERF_RECORD_MISC_USER);
}

void pk_rows_retire(struct pk_rows *rows, uint32_t row)
{
	pk_texts_retire(&rows->keys, row);
}

/* Copies a key of `from`, and replaces the numbers of its texts by their numbers in `rows`. */
static enum pk_status translate(struct pk_rows *rows, const struct pk_rows *from, const void *old,
				uint64_t key[PK_GROUP_COLUMNS + 1])
{
	const char *text;
	size_t size;

	memcpy(key, old, key_size(rows));
	for (unsigned int i = 0; i < rows->columns_count; i++) {
		if (!is_in_texts(pk_key_kind(key, rows->columns_count, i)))
			continue;
		text = pk_texts_get(&from->texts, (uint32_t)key[i], &size);
		key[i] = pk_texts_add(&rows->texts, text, size);
		if (!key[i])
			return PK_NOMEM;
	}
	return PK_OK;
}

uint32_t pk_rows_copy(struct pk_rows *rows, const struct pk_rows *from, uint32_t row)
{
	uint64_t key[PK_GROUP_COLUMNS + 1];

	return translate(rows, from, key_of(from, row), key) == PK_OK
		       ? add_row(rows, key, from->modes[row])
		       : 0;
}

uint32_t pk_rows_copy_base(struct pk_rows *rows, const struct pk_rows *from, uint32_t base)
{
	uint64_t key[PK_GROUP_COLUMNS + 1];

	if (translate(rows, from, pk_texts_get(&from->bases, base, NULL), key) != PK_OK)
		return 0;
	return pk_texts_add(&rows->bases, (const char *)key, key_size(rows));
}

void pk_rows_forget_groups(struct pk_rows *rows)
{
	for (unsigned int i = 0; i < rows->columns_count; i++)
		pk_table_clear(&rows->names[i]);
	free(rows->of_groups);
	rows->of_groups = NULL;
	rows->of_groups_count = 0;
}

enum pk_value_kind pk_rows_kind(const struct pk_rows *rows, uint32_t row, unsigned int column)
{
	return pk_key_kind(key_of(rows, row), rows->columns_count, column);
}

bool pk_rows_same(const struct pk_rows *rows, uint32_t a, uint32_t b, unsigned int column)
{
	const uint64_t *left = key_of(rows, a), *right = key_of(rows, b);

	return left[column] == right[column] &&
	       pk_key_kind(left, rows->columns_count, column) ==
		       pk_key_kind(right, rows->columns_count, column);
}

struct pk_row_value pk_rows_value(const struct pk_rows *rows, uint32_t row, unsigned int column)
{
	const uint64_t *key = key_of(rows, row);
	struct pk_row_value value = {
		pk_key_kind(key, rows->columns_count, column), key[column], {NULL, 0}};
	size_t size;
	const char *text;

	if (!is_in_texts(value.kind))
		return value;
	text = pk_texts_get(&rows->texts, (uint32_t)key[column], &size);
	if (pk_kind_is_words(value.kind))
		text = pk_words_split(text, &size, &value.number);
	value.text = (struct pk_bytes){(const uint8_t *)text, size};
	return value;
}

struct pk_bytes pk_row_value_text(const struct pk_row_value *value, char number[PK_VALUE_SIZE])
{
	if (is_in_texts(value->kind))
		return value->text;
	return (struct pk_bytes){(const uint8_t *)number,
				 pk_number_text(value->kind, value->number, number)};
}

void pk_rows_free(struct pk_rows *rows)
{
	for (unsigned int i = 0; i < rows->columns_count; i++)
		pk_table_free(&rows->names[i]);
	free(rows->of_groups);
	free(rows->modes);
	pk_texts_free(&rows->texts);
	pk_texts_free(&rows->keys);
	pk_texts_free(&rows->bases);
	*rows = (struct pk_rows){0};
}
