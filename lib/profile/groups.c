// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "vector.h"

/* A group's key: the key of each column's value, then a number with the enum pk_value_kind of each
 * column, 4 bits each. */
#define KIND_BITS 4

static size_t words_of(const struct pk_groups *groups)
{
	return groups->columns_count + 1u;
}

static uint64_t *key_of(const struct pk_groups *groups, uint32_t group)
{
	return groups->keys + (group - 1) * words_of(groups);
}

static uint64_t hash_of(struct pk_groups *groups, const uint64_t *key)
{
	return pk_hash(key, words_of(groups) * sizeof(*key), pk_table_secret(&groups->numbers));
}

/* 0: none. */
static uint32_t find(const struct pk_groups *groups, const uint64_t *key, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&groups->numbers, hash);
	uint32_t group;

	while ((group = (uint32_t)pk_probe_next(&probe)))
		if (!memcmp(key_of(groups, group), key, words_of(groups) * sizeof(*key)))
			break;
	return group;
}

static uint32_t add(struct pk_groups *groups, const uint64_t *key, uint64_t hash)
{
	const size_t words = words_of(groups);

	if (groups->count >= UINT32_MAX - 1 ||
	    !pk_reserve(&groups->keys, &groups->keys_capacity, groups->count * words, words,
			sizeof(*key)) ||
	    !pk_table_add(&groups->numbers, hash, groups->count + UINT64_C(1)))
		return 0;
	memcpy(groups->keys + groups->count * words, key, words * sizeof(*key));
	return ++groups->count;
}

/* False: out of memory. */
static bool fill_key(struct pk_groups *groups, struct pk_view *view, uint64_t *key)
{
	uint64_t *kinds = &key[groups->columns_count];

	*kinds = 0;
	for (unsigned int i = 0; i < groups->columns_count; i++) {
		struct pk_column *column = &groups->columns[i];
		const struct pk_binding *binding =
			pk_column_bind(column, groups->context, view->event);

		key[i] = 0;
		if (!binding)
			return false;
		if (pk_view_key(view, binding, &key[i]))
			*kinds |= (uint64_t)binding->kind << (KIND_BITS * i);
	}
	return !groups->context->failed;
}

uint32_t pk_groups_of(struct pk_groups *groups, struct pk_view *view)
{
	uint64_t key[PK_GROUP_COLUMNS + 1], hash;
	uint32_t group = groups->last;

	if (!fill_key(groups, view, key))
		return 0;
	if (group && !memcmp(key_of(groups, group), key, words_of(groups) * sizeof(*key)))
		return group;
	hash = hash_of(groups, key);
	group = find(groups, key, hash);
	if (!group)
		group = add(groups, key, hash);
	groups->last = group;
	return group;
}

bool pk_groups_text(const struct pk_groups *groups, uint32_t group, unsigned int column,
		    struct buffer *out)
{
	const uint64_t *key = key_of(groups, group);
	const enum pk_value_kind kind = key[groups->columns_count] >> (KIND_BITS * column) & 0xf;
	const struct pk_binding binding = {.kind = kind,
					   .field = groups->columns[column].reference.field};
	char number[PK_VALUE_SIZE];
	const char *text = number;
	size_t size = 0;

	if (kind == PK_VALUE_NONE)
		return false;
	if (kind == PK_VALUE_TEXT)
		text = pk_key_text(groups->context, &binding, key[column], &size);
	else
		size = pk_number_text(kind, key[column], number);
	if (text)
		buffer_add(out, text, size);
	return text;
}

void pk_groups_forget(struct pk_groups *groups)
{
	pk_table_clear(&groups->numbers);
	groups->count = groups->last = 0;
}

void pk_groups_free(struct pk_groups *groups)
{
	for (unsigned int i = 0; i < groups->columns_count; i++)
		pk_column_free(&groups->columns[i]);
	free(groups->keys);
	pk_table_free(&groups->numbers);
	*groups = (struct pk_groups){0};
}
