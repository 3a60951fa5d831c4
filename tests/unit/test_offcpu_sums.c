// SPDX-License-Identifier: BSD-2-Clause
/* Tests the sums that pk-record makes of the time that threads are blocked. */
#include <string.h>

#include "offcpu.h"
#include "stream_builder.h"

/* Writes a block with these numbers of user and kernel addresses. All addresses are `value`. `to`
 * may be unaligned. Returns the size of the block. */
static size_t make_block(uint8_t *to, uint64_t thread, uint64_t time, size_t user, size_t kernel,
			 uint64_t value)
{
	const struct offcpu_block block = {.time = time,
					   .ids = thread,
					   .user = (uint32_t)(8 * user),
					   .kernel = (uint32_t)(8 * kernel)};

	memcpy(to, &block, sizeof(block));
	for (size_t i = 0; i < user + kernel; i++)
		memcpy(to + sizeof(block) + 8 * i, &value, 8);
	return sizeof(block) + 8 * (user + kernel);
}

struct found {
	size_t count;
	uint64_t times, last_end;
	uint32_t last_cpu;
};

static void note(void *arg, struct offcpu_sum *sum)
{
	struct found *found = arg;

	found->count++;
	found->times += sum->block.time;
	found->last_end = sum->end;
	found->last_cpu = sum->cpu;
}

START_TEST(same_stacks_are_one)
{
	struct offcpu_sums sums = {0};
	struct found found = {0};
	uint8_t data[256];
	size_t size;

	size = make_block(data + 1, 7, 100, 2, 3, 0x1000);
	ck_assert(offcpu_sums_add(&sums, data + 1, size, 50, 1) == PK_OK);
	/* Padding after a block has no effect. The order of the ring buffers has no effect, either.
	 */
	size = make_block(data + 1, 7, 11, 2, 3, 0x1000);
	ck_assert(offcpu_sums_add(&sums, data + 1, size + 4, 40, 0) == PK_OK);
	offcpu_sums_each(&sums, note, &found);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.times, 111);
	ck_assert_uint_eq(found.last_end, 50);
	ck_assert_uint_eq(found.last_cpu, 1);
	offcpu_sums_free(&sums);
}
END_TEST

START_TEST(others_are_others)
{
	struct offcpu_sums sums = {0};
	struct found found = {0};
	uint8_t data[256];
	size_t size;

	for (uint64_t thread = 0; thread < 3000; thread++) {
		size = make_block(data, thread, 1, 1, 1, 0x1000);
		ck_assert(offcpu_sums_add(&sums, data, size, 1, 0) == PK_OK);
	}
	/* A block has another sum if the numbers of user and kernel addresses differ, or if an
	 * address differs. */
	size = make_block(data, 0, 1, 2, 0, 0x1000);
	ck_assert(offcpu_sums_add(&sums, data, size, 1, 0) == PK_OK);
	size = make_block(data, 0, 1, 1, 1, 0x1001);
	ck_assert(offcpu_sums_add(&sums, data, size, 1, 0) == PK_OK);
	offcpu_sums_each(&sums, note, &found);
	ck_assert_uint_eq(found.count, 3002);
	ck_assert_uint_eq(found.times, 3002);
	offcpu_sums_clear(&sums);
	memset(&found, 0, sizeof(found));
	offcpu_sums_each(&sums, note, &found);
	ck_assert_uint_eq(found.count, 0);
	ck_assert(offcpu_sums_add(&sums, data, size, 1, 0) == PK_OK);
	ck_assert_uint_eq(sums.places.count, 1);
	offcpu_sums_free(&sums);
}
END_TEST

START_TEST(what_is_no_block)
{
	struct offcpu_sums sums = {0};
	struct offcpu_block block = {.user = 4};
	uint8_t data[256];
	const size_t size = make_block(data, 7, 100, 2, 3, 0x1000);

	ck_assert(offcpu_sums_add(&sums, data, size - 1, 1, 0) != PK_OK);
	ck_assert(offcpu_sums_add(&sums, data, sizeof(block) - 1, 1, 0) != PK_OK);
	ck_assert(offcpu_sums_add(&sums, data, 0, 1, 0) != PK_OK);
	ck_assert(offcpu_sums_add(&sums, &block, sizeof(block), 1, 0) != PK_OK);
	block.user = block.kernel = UINT32_MAX - 7;
	ck_assert(offcpu_sums_add(&sums, &block, sizeof(block), 1, 0) != PK_OK);
	ck_assert_uint_eq(sums.places.count, 0);
	offcpu_sums_free(&sums);
}
END_TEST

RUN_TESTS("offcpu_sums", same_stacks_are_one, others_are_others, what_is_no_block)
