// SPDX-License-Identifier: BSD-2-Clause
/* Tests how pk-unwind puts frames of interpreters to their places. */
#include <check.h>
#include <string.h>

#include "stream_builder.h"
#include "unwind_interpreted.h"

#define NOTE(kind, address) INTERPRETED_NOTE(INTERPRETED_##kind, address)
#define GROUP(anchor)	    NOTE(GROUP, anchor)
#define WORD(n)		    (INTERPRETED_WORD | (n))
#define NATIVE_MAX	    16

static struct unwind_interpreted interpreted;
static uint64_t joined[NATIVE_MAX + INTERPRETED_WORDS_MAX];
static size_t count;

/* Reads the entries, which end with 0, after a marker. */
static bool read_entries(const uint64_t *entries)
{
	uint64_t chain[64] = {PERF_CONTEXT_KERNEL, 1, PERF_CONTEXT_USER};
	size_t n = 3;

	while (*entries)
		chain[n++] = *entries++;
	return unwind_interpreted_read(
		&interpreted, &(struct pk_u64s){.data = (const uint8_t *)chain, .count = n});
}

/* Joins with the native frames 100, 200, ..., which have 16 bytes of stack each, from 0x1000 on. */
static bool joins(const uint64_t *entries, size_t native, bool complete)
{
	if (!read_entries(entries))
		return false;
	for (size_t i = 0; i < native; i++)
		joined[i] = 100 * (i + 1) | interpreted_mark(&interpreted.groups, 100 * (i + 1),
							     0x1000 + 16 * i, 0x1010 + 16 * i);
	count = unwind_interpreted_join(&interpreted, joined, native, COUNT(joined), complete);
	return true;
}

static bool is(const uint64_t *expected)
{
	size_t n = 0;

	while (expected[n])
		n++;
	return n == count && !memcmp(expected, joined, n * sizeof(*expected));
}

#define LIST(...) ((const uint64_t[]){__VA_ARGS__, 0})

START_TEST(nothing_to_join)
{
	const uint64_t kernel[] = {PERF_CONTEXT_KERNEL, 1};

	ck_assert(!read_entries(LIST(0x400000, 0x500000)));
	ck_assert(!unwind_interpreted_read(
		&interpreted, &(struct pk_u64s){.data = (const uint8_t *)kernel, .count = 2}));
}
END_TEST

START_TEST(by_anchor)
{
	ck_assert(joins(LIST(WORD(1), WORD(2), GROUP(0x1018), WORD(3), GROUP(0x1030)), 5, true));
	ck_assert(is(LIST(100, WORD(1), WORD(2), 300, WORD(3), 500)));
	ck_assert(!interpreted.groups.torn);
	ck_assert(joins(LIST(NOTE(BOTH, 0), WORD(1), GROUP(0x1010)), 3, true));
	ck_assert(is(LIST(100, 200, WORD(1), 300)));
	ck_assert(!interpreted.groups.torn);
}
END_TEST

START_TEST(by_address)
{
	const uint64_t *entries = LIST(NOTE(FROM, 200), NOTE(TO, 201), NOTE(INNER_FROM, 100),
				       NOTE(INNER_TO, 101), WORD(1), WORD(2), GROUP(0));

	ck_assert(joins(entries, 3, true));
	ck_assert(is(LIST(WORD(1), WORD(2), 300)));
	ck_assert(!interpreted.groups.torn);
}
END_TEST

START_TEST(missing_frames)
{
	/* the recorder has read no frames */
	ck_assert(joins(LIST(NOTE(TORN, 0)), 2, true));
	ck_assert(is(LIST(100, 200)));
	ck_assert(interpreted.groups.torn);
	/* no native frame contains the anchor */
	ck_assert(joins(LIST(WORD(1), GROUP(0x1008), WORD(2), GROUP(0x9000)), 3, true));
	ck_assert(is(LIST(WORD(1), 200, 300)));
	ck_assert(interpreted.groups.torn);
	/* the native stack is cut before the second group */
	ck_assert(joins(LIST(WORD(1), GROUP(0x1008), WORD(2), GROUP(0x1028)), 2, false));
	ck_assert(is(LIST(WORD(1), 200)));
	ck_assert(!interpreted.groups.torn);
}
END_TEST

/* Whatever the entries are, the result has no marks, and the memory is not exceeded. */
START_TEST(any_entries)
{
	static const uint64_t kinds[] = {WORD(1),
					 GROUP(0x1008),
					 GROUP(0x1028),
					 NOTE(FROM, 150),
					 NOTE(TO, 250),
					 NOTE(INNER_FROM, 50),
					 NOTE(INNER_TO, 150),
					 NOTE(TORN, 0),
					 NOTE(BOTH, 0),
					 0x400000,
					 UINT64_MAX,
					 UINT64_C(0xff) << 56};
	const uint32_t n = COUNT(kinds);

	for (uint32_t i = 0; i < n * n * n * n * n; i++) {
		uint64_t entries[6] = {0};
		uint32_t rest = i;

		for (int at = 0; at < 5; at++, rest /= n)
			entries[at] = kinds[rest % n];
		if (!joins(entries, 4, i % 2))
			continue;
		ck_assert_uint_le(count, 9);
		for (size_t at = 0; at < count; at++)
			ck_assert(joined[at] == WORD(1) || joined[at] <= 400);
	}
}
END_TEST

START_TEST(many_entries)
{
	static uint64_t chain[3 * INTERPRETED_WORDS_MAX] = {PERF_CONTEXT_USER};

	for (uint64_t groups = 0; groups < 2; groups++) {
		for (size_t i = 1; i < COUNT(chain); i++)
			chain[i] = groups ? GROUP(0x1000 + 16 * i) : WORD(i);
		chain[COUNT(chain) - 1] = GROUP(0x1008);
		ck_assert(unwind_interpreted_read(
			&interpreted,
			&(struct pk_u64s){.data = (const uint8_t *)chain, .count = COUNT(chain)}));
		joined[0] = 100 | interpreted_mark(&interpreted.groups, 100, 0x1000, 0x1010);
		count = unwind_interpreted_join(&interpreted, joined, 1, COUNT(joined), true);
		ck_assert_uint_le(count, COUNT(joined));
	}
	ck_assert(interpreted.groups.torn);
}
END_TEST

RUN_TESTS("unwind_interpreted", nothing_to_join, by_anchor, by_address, missing_frames, any_entries,
	  many_entries)
