/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TABLE_H
#define PK_TABLE_H

/*
 * The hash table: open addressing with linear probing, from a 64-bit key to a 64-bit number that is
 * not 0, or to a pointer that is not NULL. A table of all zero bytes is empty and valid.
 *
 * Numbers are used as keys directly. For longer keys, use their hash: the value is then the entry's
 * index plus one, or its pointer, and the caller compares:
 *
 *     for (struct pk_probe probe = pk_table_probe(&table, hash); (value = pk_probe_next(&probe));)
 *             if (is_equal(&entries[value - 1], key))
 *                     return value;
 *     pk_table_add(&table, hash, count + 1);
 *
 * Positions depend on a secret of each table: the author of a stream cannot choose keys that
 * collide. For the same reason, hash bytes with pk_table_secret().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "status.h"

struct pk_table_slot {
	uint64_t key, value; /* value 0: free */
};

struct pk_table {
	struct pk_table_slot *slots;
	size_t capacity, count; /* capacity is 0 or a power of two */
	uint64_t secret;	/* 0: not yet set */
};

/* The secret for hashing bytes to a key of this table. */
uint64_t pk_table_secret(struct pk_table *table);

static inline size_t pk_table_home(const struct pk_table *table, uint64_t key)
{
	return pk_mix64(key ^ table->secret, UINT64_C(0xe7037ed1a0b428db)) & (table->capacity - 1);
}

/* Returns the value of the key, or 0 if it has none. If pk_table_add() has added several entries,
 * returns the value of the first. */
static inline uint64_t pk_table_get_u64(const struct pk_table *table, uint64_t key)
{
	size_t i;

	if (!table->capacity)
		return 0;
	i = pk_table_home(table, key);
	while (table->slots[i].value && table->slots[i].key != key)
		i = (i + 1) & (table->capacity - 1);
	return table->slots[i].value;
}

static inline void *pk_table_get(const struct pk_table *table, uint64_t key)
{
	return (void *)(uintptr_t)pk_table_get_u64(table, key);
}

/* Prefetches the slot of a key. */
static inline void pk_table_prefetch(const struct pk_table *table, uint64_t key)
{
	if (table->capacity)
		__builtin_prefetch(&table->slots[pk_table_home(table, key)]);
}

/* Sets the value of the key, or replaces that of its first entry. Returns PK_NOMEM if memory is
 * exhausted. Nothing has changed then. */
enum pk_status pk_table_set_u64(struct pk_table *table, uint64_t key, uint64_t value);
enum pk_status pk_table_set(struct pk_table *table, uint64_t key, void *value);
/* The key's value, a pointer. If there is none, `size` zero bytes are allocated with calloc(), and
 * become the value. NULL: out of memory. */
void *pk_table_get_or_add(struct pk_table *table, uint64_t key, size_t size);
/* Adds an entry, also if the key has entries already. Returns PK_NOMEM if memory is exhausted.
 * Nothing has changed then. */
enum pk_status pk_table_add(struct pk_table *table, uint64_t key, uint64_t value);
/* Reserves space for count entries in total: until there are so many, or the table is cleared,
 * adding cannot fail. */
PK_MUST_CHECK enum pk_status pk_table_reserve(struct pk_table *table, size_t count);
/* The most entries for this many slots: five eighths, so that clusters of used slots stay short. */
static inline size_t pk_table_limit(size_t capacity)
{
	return capacity - capacity / 8 * 3;
}

/* Reserves space for one more entry. */
static inline enum pk_status pk_table_reserve_one(struct pk_table *table)
{
	return table->count < pk_table_limit(table->capacity)
		       ? PK_OK
		       : pk_table_reserve(table, table->count + 1);
}

/* Removes the key's first entry if there is one. */
void pk_table_remove(struct pk_table *table, uint64_t key);
/* Removes the first entry with this key and value if there is one. */
void pk_table_remove_entry(struct pk_table *table, uint64_t key, uint64_t value);
/* Removes all entries; values that are pointers are not freed. The time is at most proportional to
 * the number of entries. The slots are freed if less than one of 16 was in use. */
void pk_table_clear(struct pk_table *table);
void pk_table_free(struct pk_table *table);
/* Also frees the values, which must be pointers. */
void pk_table_free_all(struct pk_table *table);

/* Returns the entries one by one in no particular order, and NULL after the last one. *cursor is 0
 * at first. The table must not change meanwhile. */
const struct pk_table_slot *pk_table_next(const struct pk_table *table, size_t *cursor);
/* The same for values that are pointers. */
static inline void *pk_table_next_value(const struct pk_table *table, size_t *cursor)
{
	const struct pk_table_slot *slot = pk_table_next(table, cursor);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* Iterates over the entries of one key. The table must not change meanwhile. */
struct pk_probe {
	const struct pk_table *table;
	uint64_t key;
	size_t at;
};

static inline struct pk_probe pk_table_probe(const struct pk_table *table, uint64_t key)
{
	return (struct pk_probe){table, key, table->capacity ? pk_table_home(table, key) : 0};
}

/* The value of the next entry, 0 after the last. */
static inline uint64_t pk_probe_next(struct pk_probe *probe)
{
	const struct pk_table *table = probe->table;

	if (!table->capacity)
		return 0;
	for (;;) {
		const struct pk_table_slot *slot = &table->slots[probe->at];

		if (!slot->value)
			return 0;
		probe->at = (probe->at + 1) & (table->capacity - 1);
		if (slot->key == probe->key)
			return slot->value;
	}
}

#endif
