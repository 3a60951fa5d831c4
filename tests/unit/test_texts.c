// SPDX-License-Identifier: BSD-2-Clause
/* Stored texts are numbered in their order, their addresses do not change, and they can contain any
 * bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "stream_builder.h"
#include "texts.h"
#include "vector.h"

static uint32_t add(struct pk_texts *texts, const char *text)
{
	return pk_texts_add(texts, text, strlen(text));
}

START_TEST(numbers_follow_the_order_of_adding)
{
	struct pk_texts texts = {0};
	const char *first;
	char text[32];
	size_t size;

	ck_assert_uint_eq(pk_texts_find(&texts, "a", 1), 0);
	ck_assert_ptr_null(pk_texts_get(&texts, 1, NULL));
	ck_assert_uint_eq(add(&texts, "first"), 1);
	first = pk_texts_get(&texts, 1, &size);
	for (uint32_t i = 2; i < 20000; i++) {
		snprintf(text, sizeof(text), "text %u", i);
		ck_assert_uint_eq(add(&texts, text), i);
	}
	ck_assert_uint_eq(add(&texts, "text 777"), 777);
	ck_assert_uint_eq(pk_texts_find(&texts, "text 19999", 10), 19999);
	ck_assert_uint_eq(pk_texts_find(&texts, "text 20000", 10), 0);
	ck_assert_ptr_eq(pk_texts_get(&texts, 1, &size), first);
	ck_assert_str_eq(first, "first");
	ck_assert_uint_eq(size, 5);
	ck_assert_ptr_null(pk_texts_get(&texts, 0, NULL));
	ck_assert_ptr_null(pk_texts_get(&texts, 20000, NULL));
	pk_texts_clear(&texts);
	ck_assert_uint_eq(pk_texts_find(&texts, "first", 5), 0);
	ck_assert_uint_eq(add(&texts, "other"), 1);
	pk_texts_free(&texts);
}
END_TEST

START_TEST(keys_may_be_of_any_bytes_and_sizes)
{
	struct pk_texts texts = {0};
	static char large[1 << 20];

	ck_assert_uint_eq(pk_texts_add(&texts, "", 0), 1);
	ck_assert_uint_eq(pk_texts_add(&texts, "a\0b", 3), 2);
	ck_assert_uint_eq(pk_texts_add(&texts, "a\0c", 3), 3);
	ck_assert_uint_eq(pk_texts_add(&texts, "a", 1), 4);
	ck_assert_uint_eq(pk_texts_add(&texts, large, sizeof(large)), 5);
	ck_assert_uint_eq(pk_texts_add(&texts, "a\0c", 3), 3);
	ck_assert_mem_eq(pk_texts_get(&texts, 3, NULL), "a\0c", 4);
	for (uint32_t i = 1; i <= 5; i++)
		ck_assert_uint_eq((uintptr_t)pk_texts_get(&texts, i, NULL) % 8, 0);
	pk_texts_free(&texts);
}
END_TEST

START_TEST(extended_arrays_are_zero_where_nothing_was_set)
{
	size_t count = 0;
	uint32_t *items = NULL;

	ck_assert(pk_extend(&items, &count, 3) == PK_OK);
	items[3] = 3;
	ck_assert(pk_extend(&items, &count, 5000) == PK_OK);
	ck_assert_uint_gt(count, 5000);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(items[i], i == 3 ? 3 : 0);
	ck_assert(pk_extend(&items, &count, SIZE_MAX) != PK_OK);
	ck_assert(pk_extend(&items, &count, SIZE_MAX / 2) != PK_OK);
	ck_assert_uint_eq(items[3], 3);
	free(items);
}
END_TEST

RUN_TESTS("texts", numbers_follow_the_order_of_adding, keys_may_be_of_any_bytes_and_sizes,
	  extended_arrays_are_zero_where_nothing_was_set)
