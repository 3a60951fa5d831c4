// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "stream_builder.h"
#include "table.h"
#include "vector.h"

/* A model to which the table is compared: an array with the values of a few keys. */
enum { KEYS = 512 };

static uint64_t random_state = 42;

static uint64_t next_random(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return random_state >> 33;
}

START_TEST(sets_gets_and_removes_like_an_array)
{
	struct pk_table table = {0};
	uint64_t model[KEYS] = {0};
	size_t count = 0;

	for (int step = 0; step < 200000; step++) {
		const uint64_t key = next_random() % KEYS, value = next_random() + 1;

		switch (next_random() % 3) {
		case 0:
		case 1:
			ck_assert(pk_table_set_u64(&table, key, value) == PK_OK);
			count += !model[key];
			model[key] = value;
			break;
		default:
			pk_table_remove(&table, key);
			count -= model[key] != 0;
			model[key] = 0;
		}
		ck_assert_uint_eq(table.count, count);
		ck_assert_uint_eq(pk_table_get_u64(&table, key), model[key]);
	}
	for (uint64_t key = 0; key < KEYS; key++)
		ck_assert_uint_eq(pk_table_get_u64(&table, key), model[key]);
	pk_table_free(&table);
	ck_assert_uint_eq(pk_table_get_u64(&table, 1), 0);
}
END_TEST

START_TEST(keeps_entries_of_equal_keys_apart)
{
	struct pk_table table = {0};
	struct pk_probe probe;
	uint64_t value, sum = 0;

	for (uint64_t i = 1; i <= 100; i++)
		ck_assert(pk_table_add(&table, 7, i) == PK_OK &&
			  pk_table_add(&table, 1000 + i, i) == PK_OK);
	pk_table_remove_entry(&table, 7, 40);
	for (probe = pk_table_probe(&table, 7); (value = pk_probe_next(&probe));) {
		ck_assert_uint_ne(value, 40);
		sum += value;
	}
	ck_assert_uint_eq(sum, 5050 - 40);
	probe = pk_table_probe(&table, 8);
	ck_assert_uint_eq(pk_probe_next(&probe), 0);
	pk_table_free(&table);
}
END_TEST

START_TEST(walks_all_entries_and_clears)
{
	struct pk_table table = {0};
	const struct pk_table_slot *slot;
	size_t cursor = 0;
	uint64_t sum = 0, secret;

	for (uint64_t i = 1; i <= 1000; i++)
		ck_assert(pk_table_set_u64(&table, i << 20, i) == PK_OK);
	secret = pk_table_secret(&table);
	while ((slot = pk_table_next(&table, &cursor))) {
		ck_assert_uint_eq(slot->key, slot->value << 20);
		sum += slot->value;
	}
	ck_assert_uint_eq(sum, 500500);
	for (uint64_t i = 3; i <= 1000; i++)
		pk_table_remove(&table, i << 20);
	pk_table_clear(&table); /* frees the memory; the secret does not change */
	ck_assert_uint_eq(table.capacity, 0);
	ck_assert_uint_eq(pk_table_secret(&table), secret);
	ck_assert(pk_table_reserve(&table, 20) == PK_OK && table.capacity >= 32);
	for (uint64_t i = 1; i <= 20; i++)
		ck_assert(pk_table_set_u64(&table, i, i) == PK_OK);
	pk_table_clear(&table);
	ck_assert_uint_eq(table.count, 0);
	ck_assert_uint_eq(pk_table_get_u64(&table, 1), 0);
	pk_table_free(&table);
}
END_TEST

/* Two tables store the same key at different positions. Therefore the author of a stream cannot
 * choose keys with the same position. */
START_TEST(secrets_differ)
{
	struct pk_table tables[2] = {{0}};

	for (int i = 0; i < 2; i++)
		for (uint64_t key = 1; key <= 1000; key++)
			ck_assert(pk_table_add(&tables[i], key, key) == PK_OK);
	ck_assert_uint_ne(tables[0].secret, tables[1].secret);
	pk_table_free(&tables[0]);
	pk_table_free(&tables[1]);
}
END_TEST

START_TEST(vectors_grow_and_refuse_what_overflows)
{
	struct {
		uint32_t *items;
		size_t count, capacity;
	} v = {0};
	size_t capacity;

	for (uint32_t i = 0; i < 10000; i++) {
		ck_assert(pk_vector_reserve(&v, 1) == PK_OK);
		v.items[v.count++] = i;
	}
	ck_assert(v.capacity >= 10000 && v.capacity < 40000);
	for (uint32_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(v.items[i], i);
	capacity = v.capacity;
	ck_assert(pk_vector_reserve(&v, SIZE_MAX / 2) != PK_OK);
	ck_assert(pk_vector_reserve(&v, SIZE_MAX) != PK_OK);
	ck_assert_uint_eq(v.capacity, capacity);
	ck_assert_uint_eq(v.items[9999], 9999);
	free(v.items);
}
END_TEST

RUN_TESTS("table", sets_gets_and_removes_like_an_array, keeps_entries_of_equal_keys_apart,
	  walks_all_entries_and_clears, secrets_differ, vectors_grow_and_refuse_what_overflows)
