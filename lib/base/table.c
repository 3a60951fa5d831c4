// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "vector.h"

#define CAPACITY_MIN 16u

uint64_t pk_table_make_secret(struct pk_table *table)
{
	table->secret = pk_secret() | 1;
	return table->secret;
}

/* Returns the first free slot for the key. */
static struct pk_table_slot *free_slot(const struct pk_table *table, uint64_t key)
{
	size_t i = pk_table_home(table, key);

	while (table->slots[i].value)
		i = (i + 1) & (table->capacity - 1);
	return &table->slots[i];
}

static bool resize(struct pk_table *table, size_t capacity)
{
	struct pk_table bigger = {
		.slots = calloc(capacity, sizeof(*bigger.slots)),
		.capacity = capacity,
		.count = table->count,
		.secret = pk_table_secret(table),
	};

	if (!bigger.slots)
		return false;
	pk_use_large_pages(bigger.slots, capacity * sizeof(*bigger.slots));
	for (size_t i = 0; i < table->capacity; i++)
		if (table->slots[i].value)
			*free_slot(&bigger, table->slots[i].key) = table->slots[i];
	free(table->slots);
	*table = bigger;
	return true;
}

enum pk_status pk_table_reserve(struct pk_table *table, size_t count)
{
	size_t capacity = table->capacity ? table->capacity : CAPACITY_MIN;

	while (pk_table_limit(capacity) < count) {
		if (capacity > SIZE_MAX / 2 / sizeof(*table->slots))
			return PK_NOMEM;
		capacity *= 2;
	}
	return capacity == table->capacity || resize(table, capacity) ? PK_OK : PK_NOMEM;
}

enum pk_status pk_table_add(struct pk_table *table, uint64_t key, uint64_t value)
{
	assert(value);
	PK_TRY(pk_table_reserve_one(table));
	*free_slot(table, key) = (struct pk_table_slot){key, value};
	table->count++;
	return PK_OK;
}

/* If `value` is 0, returns the slot of the first entry with this key. Otherwise returns the slot of
 * the entry with this key and value. Returns NULL if there is no such entry. */
static struct pk_table_slot *find_slot(const struct pk_table *table, uint64_t key, uint64_t value)
{
	size_t i;

	if (!table->capacity)
		return NULL;
	for (i = pk_table_home(table, key); table->slots[i].value;
	     i = (i + 1) & (table->capacity - 1))
		if (table->slots[i].key == key && (!value || table->slots[i].value == value))
			return &table->slots[i];
	return NULL;
}

enum pk_status pk_table_set_u64(struct pk_table *table, uint64_t key, uint64_t value)
{
	struct pk_table_slot *slot = find_slot(table, key, 0);

	assert(value);
	if (!slot)
		return pk_table_add(table, key, value);
	slot->value = value;
	return PK_OK;
}

enum pk_status pk_table_set(struct pk_table *table, uint64_t key, void *value)
{
	return pk_table_set_u64(table, key, (uintptr_t)value);
}

void *pk_table_get_or_add(struct pk_table *table, uint64_t key, size_t size)
{
	void *value = pk_table_get(table, key);

	if (value)
		return value;
	value = calloc(1, size);
	if (value && pk_table_set(table, key, value) != PK_OK) {
		free(value);
		return NULL;
	}
	return value;
}

/* The removed slot becomes a hole. In the slots after it, up to the first free slot, the function
 * looks for an entry whose search would stop at the hole. Such an entry moves into the hole, and
 * its old slot is the new hole. So the table needs no tombstones, which mark removed slots. */
void pk_table_remove_entry(struct pk_table *table, uint64_t key, uint64_t value)
{
	struct pk_table_slot *slot = find_slot(table, key, value);
	size_t mask = table->capacity - 1, hole, i;

	if (!slot)
		return;
	hole = (size_t)(slot - table->slots);
	for (i = (hole + 1) & mask; table->slots[i].value; i = (i + 1) & mask) {
		size_t wanted = pk_table_home(table, table->slots[i].key);

		if (((i - wanted) & mask) < ((i - hole) & mask))
			continue;
		table->slots[hole] = table->slots[i];
		hole = i;
	}
	table->slots[hole].value = 0;
	table->count--;
}

void pk_table_remove(struct pk_table *table, uint64_t key)
{
	pk_table_remove_entry(table, key, 0);
}

void pk_table_clear(struct pk_table *table)
{
	/* If most slots are free, a new allocation is cheaper than clearing the slots. */
	if (table->count < table->capacity / 16) {
		const uint64_t secret = table->secret;

		pk_table_free(table);
		table->secret = secret;
	} else if (table->capacity) {
		memset(table->slots, 0, table->capacity * sizeof(*table->slots));
		table->count = 0;
	}
}

void pk_table_free(struct pk_table *table)
{
	free(table->slots);
	*table = (struct pk_table){0};
}

void pk_table_free_all(struct pk_table *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		free((void *)(uintptr_t)table->slots[i].value);
	pk_table_free(table);
}

const struct pk_table_slot *pk_table_next(const struct pk_table *table, size_t *cursor)
{
	while (*cursor < table->capacity) {
		const struct pk_table_slot *slot = &table->slots[(*cursor)++];

		if (slot->value)
			return slot;
	}
	return NULL;
}
