// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "session.h"

static size_t home(const struct pk_table *table, uint64_t key)
{
	return pk_mix64(key ^ table->secret, UINT64_C(0xe7037ed1a0b428db)) & (table->capacity - 1);
}

static struct pk_table_slot *find(const struct pk_table *table, uint64_t key)
{
	size_t i = home(table, key);

	while (table->slots[i].value && table->slots[i].key != key)
		i = (i + 1) & (table->capacity - 1);
	return &table->slots[i];
}

void *pk_table_get(const struct pk_table *table, uint64_t key)
{
	return table->capacity ? find(table, key)->value : NULL;
}

void pk_table_prefetch(const struct pk_table *table, uint64_t key)
{
	if (table->capacity)
		__builtin_prefetch(&table->slots[home(table, key)]);
}

static bool grow(struct pk_table *table)
{
	struct pk_table bigger = {.capacity = table->capacity ? 2 * table->capacity : 64,
				  .count = table->count,
				  .secret = table->capacity ? table->secret : pk_secret()};

	if (2 * (table->count + 1) <= table->capacity)
		return true;
	bigger.slots = calloc(bigger.capacity, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < table->capacity; i++)
		if (table->slots[i].value)
			*find(&bigger, table->slots[i].key) = table->slots[i];
	free(table->slots);
	*table = bigger;
	return true;
}

bool pk_table_set(struct pk_table *table, uint64_t key, void *value)
{
	struct pk_table_slot *slot;

	if (!grow(table))
		return false;
	slot = find(table, key);
	table->count += !slot->value;
	*slot = (struct pk_table_slot){key, value};
	return true;
}

void *pk_table_get_or_add(struct pk_table *table, uint64_t key, size_t size)
{
	void *value = pk_table_get(table, key);

	if (value)
		return value;
	value = calloc(1, size);
	if (value && !pk_table_set(table, key, value)) {
		free(value);
		return NULL;
	}
	return value;
}

/* Without tombstones: what follows in the same cluster moves up where its home allows it. */
void pk_table_remove(struct pk_table *table, uint64_t key)
{
	size_t mask = table->capacity - 1, hole, i;

	if (!table->capacity || !find(table, key)->value)
		return;
	hole = (size_t)(find(table, key) - table->slots);
	for (i = (hole + 1) & mask; table->slots[i].value; i = (i + 1) & mask) {
		size_t wanted = home(table, table->slots[i].key);

		if (((i - wanted) & mask) < ((i - hole) & mask))
			continue;
		table->slots[hole] = table->slots[i];
		hole = i;
	}
	table->slots[hole].value = NULL;
	table->count--;
}

void pk_table_free(struct pk_table *table)
{
	free(table->slots);
	*table = (struct pk_table){0};
}

void pk_table_free_all(struct pk_table *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		free(table->slots[i].value);
	pk_table_free(table);
}
