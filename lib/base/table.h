/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TABLE_H
#define PK_TABLE_H

/*
 * A hash table with open addressing and linear probing. A key is a 64-bit number. Its value is a
 * 64-bit number that is not 0, or a pointer that is not NULL. A table of all zero bytes is empty
 * and valid.
 *
 * Use a number directly as the key. If the key is longer than 64 bits, use its hash. The value is
 * then the index of the entry plus one, or the pointer to the entry. The caller compares the real
 * keys:
 *
 *     for (struct pk_probe probe = pk_table_probe(&table, hash); (value = pk_probe_next(&probe));)
 *             if (is_equal(&entries[value - 1], key))
 *                     return value;
 *     pk_table_add(&table, hash, count + 1);
 *
 * The positions of the slots depend on a secret, which each table has. So the author of a stream
 * cannot choose keys that collide. For the same reason, pass pk_table_secret() to the function that
 * hashes bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "status.h"

/* A slot of a table. It has an entry, or is free. */
struct pk_table_slot {
	uint64_t key, value; /* value is 0 if the slot is free */
};

struct pk_table {
	struct pk_table_slot *slots;
	size_t capacity, count; /* capacity: the number of slots, 0 or a power of two; count: the
				 * number of used slots */
	uint64_t secret; /* A random number that becomes a part of the hash of each key. It is 0
			  * until it is first needed. */
};

/* Sets and returns the secret. Called by pk_table_secret(). */
uint64_t pk_table_make_secret(struct pk_table *table);
/* Returns the secret to pass to pk_hash() for the keys of this table. */
static inline uint64_t pk_table_secret(struct pk_table *table)
{
	return table->secret ? table->secret : pk_table_make_secret(table);
}

static inline size_t pk_table_home(const struct pk_table *table, uint64_t key)
{
	return pk_mix64(key ^ table->secret, UINT64_C(0xe7037ed1a0b428db)) & (table->capacity - 1);
}

/* Returns the value of the key, or 0 if the key has no value. If pk_table_add() has added several
 * entries for the key, returns the value of the first entry. */
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

static inline void pk_table_prefetch(const struct pk_table *table, uint64_t key)
{
	if (table->capacity)
		__builtin_prefetch(&table->slots[pk_table_home(table, key)]);
}

/* Sets the value of the key. If the key has entries already, replaces the value of the first entry.
 * If memory is exhausted, returns PK_NOMEM and changes nothing. */
enum pk_status pk_table_set_u64(struct pk_table *table, uint64_t key, uint64_t value);
enum pk_status pk_table_set(struct pk_table *table, uint64_t key, void *value);
/* Returns the value of the key, which is a pointer. If the key has no value, allocates `size` zero
 * bytes with calloc(), and sets the value to them. Returns NULL if memory is exhausted. */
void *pk_table_get_or_add(struct pk_table *table, uint64_t key, size_t size);
/* Adds an entry, even if the key has other entries. If memory is exhausted, returns PK_NOMEM and
 * changes nothing. */
enum pk_status pk_table_add(struct pk_table *table, uint64_t key, uint64_t value);
/* Reserves space for `count` entries in total. Until the table has `count` entries or is cleared,
 * adding an entry cannot fail. */
PK_MUST_CHECK enum pk_status pk_table_reserve(struct pk_table *table, size_t count);
/* Returns the most entries for this number of slots. It is five eighths of the slots, so that
 * clusters of used slots stay short. */
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

/* Removes the first entry of the key if there is one. */
void pk_table_remove(struct pk_table *table, uint64_t key);
/* Removes the first entry with this key and value if there is one. */
void pk_table_remove_entry(struct pk_table *table, uint64_t key, uint64_t value);
/* Removes all entries. Values that are pointers are not freed. The time is at most proportional to
 * the number of entries: if less than 1/16 of the slots are used, the slots are freed and not
 * cleared. */
void pk_table_clear(struct pk_table *table);
void pk_table_free(struct pk_table *table);
/* Frees the table, and also the values, which must be pointers. */
void pk_table_free_all(struct pk_table *table);

/* Returns the entries one by one in no particular order, and NULL after the last entry. Before the
 * first call, *cursor is 0. The table must not change between the calls. */
const struct pk_table_slot *pk_table_next(const struct pk_table *table, size_t *cursor);
/* Like pk_table_next(), but returns the value of the entry, which must be a pointer. */
static inline void *pk_table_next_value(const struct pk_table *table, size_t *cursor)
{
	const struct pk_table_slot *slot = pk_table_next(table, cursor);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* Iterates over the entries of one key. The table must not change during the iteration. */
struct pk_probe {
	const struct pk_table *table;
	uint64_t key;
	size_t at;
};

static inline struct pk_probe pk_table_probe(const struct pk_table *table, uint64_t key)
{
	return (struct pk_probe){table, key, table->capacity ? pk_table_home(table, key) : 0};
}

/* Returns the value of the next entry, or 0 after the last entry. */
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
