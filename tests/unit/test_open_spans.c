// SPDX-License-Identifier: BSD-2-Clause
/* Tests open spans: which end belongs to which start, and which spans are dropped. fuzz_span.c
 * tests random operations. */
#include "open_spans.h"
#include "stream_builder.h"

static struct pk_open_pool pool;
static struct pk_open_spans spans;

/* Returns NULL if memory is exhausted, or if the start is not used. */
static struct pk_open_span *open_span(const void *key, uint32_t key_size, uint32_t size)
{
	struct pk_open_span *span;

	return pk_open_spans_start(&spans, key, key_size, 0, size, &span) == PK_OK ? span : NULL;
}

static void set_up(size_t count_max)
{
	pool = (struct pk_open_pool){.count_max = count_max, .memory_max = SIZE_MAX};
	spans = (struct pk_open_spans){.pool = &pool};
}

/* Starts a span with this key. The content of the span is a number. */
static void start(uint64_t key, uint64_t number)
{
	struct pk_open_span *span = open_span(&key, sizeof(key), sizeof(number));

	ck_assert_ptr_nonnull(span);
	memcpy(pk_open_span_data(span), &number, sizeof(number));
}

/* Ends a span with this key. Returns the number of the span, or 0 if no span ends. */
static uint64_t end(uint64_t key)
{
	struct pk_open_span *span = pk_open_spans_end(&spans, &key, sizeof(key));
	uint64_t number;

	if (!span)
		return 0;
	memcpy(&number, pk_open_span_data(span), sizeof(number));
	pk_open_spans_release(&spans, span);
	return number;
}

START_TEST(by_key)
{
	set_up(100);
	start(1, 10);
	start(2, 20);
	start(0, 30);
	ck_assert_uint_eq(end(2), 20);
	ck_assert_uint_eq(end(2), 0);
	ck_assert_uint_eq(end(0), 30);
	ck_assert_uint_eq(end(1), 10);
	ck_assert_uint_eq(end(3), 0);
	ck_assert_uint_eq(spans.starts, 3);
	ck_assert_uint_eq(spans.ended, 3);
	ck_assert_uint_eq(spans.unmatched, 2);
	ck_assert_uint_eq(pool.memory, 0);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

/* Keys that differ only in their size are different. */
START_TEST(long_keys)
{
	static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	set_up(100);
	for (uint32_t size = 0; size < sizeof(text); size++) {
		struct pk_open_span *span = open_span(text, size, sizeof(size));

		memcpy(pk_open_span_data(span), &size, sizeof(size));
	}
	for (uint32_t size = 0, found; size < sizeof(text); size++) {
		struct pk_open_span *span = pk_open_spans_end(&spans, text, size);

		ck_assert_ptr_nonnull(span);
		memcpy(&found, pk_open_span_data(span), sizeof(found));
		ck_assert_uint_eq(found, size);
		pk_open_spans_release(&spans, span);
	}
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

START_TEST(second_start)
{
	set_up(100);
	start(1, 10);
	start(1, 11);
	ck_assert_uint_eq(end(1), 11);
	ck_assert_uint_eq(end(1), 0);
	ck_assert_uint_eq(spans.replaced, 1);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

START_TEST(nested)
{
	set_up(100);
	spans.again = PK_AGAIN_NEST;
	for (uint64_t i = 1; i <= 5; i++) {
		start(1, i);
		start(2, 10 * i);
	}
	for (uint64_t i = 5; i >= 1; i--)
		ck_assert_uint_eq(end(1), i);
	ck_assert_uint_eq(end(1), 0);
	ck_assert_uint_eq(end(2), 50);
	ck_assert_uint_eq(spans.count, 4);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

/* If there are too many spans, the oldest spans are dropped, in the order of their starts. */
START_TEST(too_many)
{
	set_up(3);
	for (uint64_t i = 1; i <= 5; i++)
		start(i, i);
	ck_assert_uint_eq(end(1), 0);
	ck_assert_uint_eq(end(2), 0);
	ck_assert_uint_eq(end(3), 3);
	ck_assert_uint_eq(spans.dropped, 2);
	start(6, 6);
	start(7, 7);
	ck_assert_uint_eq(end(4), 0);
	ck_assert_uint_eq(end(5), 5);
	ck_assert_uint_eq(spans.dropped, 3);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

/* Of nested spans, the outermost span is the oldest. */
START_TEST(too_many_nested)
{
	set_up(3);
	spans.again = PK_AGAIN_NEST;
	for (uint64_t i = 1; i <= 5; i++)
		start(1, i);
	for (uint64_t i = 5; i >= 3; i--)
		ck_assert_uint_eq(end(1), i);
	ck_assert_uint_eq(end(1), 0);
	pool.count_max = 1;
	start(1, 6);
	start(1, 7);
	ck_assert_uint_eq(end(1), 7);
	ck_assert_uint_eq(end(1), 0);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

/* If a start replaces a span with the same key, no other span is dropped. */
START_TEST(full_but_replaced)
{
	set_up(2);
	start(1, 1);
	start(2, 2);
	start(2, 3);
	ck_assert_uint_eq(spans.dropped, 0);
	ck_assert_uint_eq(end(1), 1);
	ck_assert_uint_eq(end(2), 3);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

START_TEST(too_large)
{
	uint64_t key = 0;

	set_up(1000);
	pool.memory_max = 100000;
	for (; key < 100; key++)
		ck_assert_ptr_nonnull(open_span(&key, sizeof(key), 10000));
	ck_assert_uint_ge(spans.count, 8);
	ck_assert_uint_le(pool.memory, pool.memory_max);
	ck_assert_uint_eq(spans.dropped + spans.count, 100);
	/* A span that is larger than the limit remains, and all other spans are dropped. */
	ck_assert_ptr_nonnull(open_span(&key, sizeof(key), 200000));
	ck_assert_uint_eq(spans.count, 1);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

/* 100,000 open spans of a usual size need less than 64 MB. */
START_TEST(memory)
{
	set_up(100000);
	for (uint64_t key = 0; key < 100000; key++)
		ck_assert_ptr_nonnull(open_span(&key, sizeof(key), 400));
	ck_assert_uint_eq(spans.count, 100000);
	ck_assert_uint_lt(pool.memory, 64000000);
	pk_open_spans_free(&spans);
	pk_open_pool_free(&pool);
}
END_TEST

RUN_TESTS("open_spans", by_key, long_keys, second_start, nested, too_many, too_many_nested,
	  full_but_replaced, too_large, memory)
