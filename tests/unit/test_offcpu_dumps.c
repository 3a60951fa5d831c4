// SPDX-License-Identifier: BSD-2-Clause
/* Tests blocks (times that a thread is blocked) whose user stack is a dump. */
#include <string.h>

#include "offcpu_dumps.h"
#include "stream_builder.h"

static struct unwind_half half;

/* Replaces the unwinder. Each stack has two addresses. */
static void unwind(void *arg, struct unwind_half *of)
{
	(void)arg;
	of->addresses[0] = of->dump.pc;
	of->addresses[1] = of->dump.sp;
	of->count = 2;
	of->end = PK_UNWIND_COMPLETE;
}

static struct unwind_joins joins = {.unwind = unwind};

static enum pk_status add_dump(struct offcpu_dumps *dumps, uint32_t tid, uint64_t start)
{
	uint8_t data[offsetof(struct unwind_half, dump.stack) + 8 + 4];

	half = (struct unwind_half){.ip = start, .tid = tid, .end = UNWIND_DUMP, .count = 8};
	half.dump.pc = 0x1000 + tid;
	half.dump.sp = start;
	memcpy(data + 1, &half, sizeof(data) - 1);
	return offcpu_dumps_add(dumps, &joins, data + 1, sizeof(data) - 1);
}

/* Returns a block of the thread. Its callchain has one address of the kernel. */
static const struct offcpu_block *block_of(uint32_t tid, uint64_t start)
{
	static uint64_t memory[sizeof(struct offcpu_block) / 8 + 1];
	const struct offcpu_block block = {.time = 5, .dump = start, .ids = tid, .kernel = 8};

	memcpy(memory, &block, sizeof(block));
	memory[sizeof(block) / 8] = 0xffff;
	return (const void *)memory;
}

START_TEST(joined_by_thread_and_start)
{
	struct offcpu_dumps dumps = {0};
	const struct offcpu_block *joined;
	size_t size;

	ck_assert_int_eq(add_dump(&dumps, 7, 100), PK_OK);
	ck_assert_int_eq(add_dump(&dumps, 8, 200), PK_OK);
	joined = offcpu_dumps_join(&dumps, block_of(7, 100), &size);
	ck_assert_uint_eq(size, sizeof(*joined) + 24);
	ck_assert_uint_eq(joined->user, 16);
	ck_assert_uint_eq(joined->kernel, 8);
	ck_assert_uint_eq(joined->dump, 0);
	ck_assert_uint_eq(joined->time, 5);
	ck_assert_uint_eq(joined->end, PK_UNWIND_COMPLETE);
	ck_assert_uint_eq(joined->addresses[0], 0x1007);
	ck_assert_uint_eq(joined->addresses[1], 100);
	ck_assert_uint_eq(joined->addresses[2], 0xffff);
	/* A dump is used only once. Another block of the thread has another dump. */
	ck_assert_int_eq(add_dump(&dumps, 7, 300), PK_OK);
	joined = offcpu_dumps_join(&dumps, block_of(7, 100), &size);
	ck_assert_uint_eq(joined->user, 0);
	ck_assert_uint_eq(joined->end, PK_UNWIND_NOT_LOADED);
	ck_assert_uint_eq(joined->addresses[0], 0xffff);
	ck_assert_uint_eq(size, sizeof(*joined) + 8);
	joined = offcpu_dumps_join(&dumps, block_of(7, 300), &size);
	ck_assert_uint_eq(joined->addresses[1], 300);
	ck_assert_uint_eq(dumps.starts.count, 1);
	offcpu_dumps_free(&dumps);
}
END_TEST

static void count(void *arg, const struct offcpu_block *block, size_t size, uint64_t time,
		  uint32_t cpu)
{
	ck_assert_uint_eq(size, sizeof(*block) + 8);
	ck_assert_uint_eq(block->ids, time);
	ck_assert_uint_eq(cpu, 3);
	++*(size_t *)arg;
}

START_TEST(blocks_wait)
{
	const size_t size = sizeof(struct offcpu_block) + 8;
	struct offcpu_dumps dumps = {0};
	size_t before, found = 0;

	for (uint32_t tid = 1; tid <= 3; tid++)
		ck_assert_int_eq(
			offcpu_dumps_wait(&dumps, (const void *)block_of(tid, 1), size, tid, 3),
			PK_OK);
	before = dumps.waiting.size;
	ck_assert_int_eq(offcpu_dumps_wait(&dumps, (const void *)block_of(4, 1), size, 4, 3),
			 PK_OK);
	offcpu_dumps_each(&dumps, before, count, &found);
	ck_assert_uint_eq(found, 3);
	offcpu_dumps_each(&dumps, dumps.waiting.size, count, &found);
	ck_assert_uint_eq(found, 4);
	ck_assert_uint_eq(dumps.waiting.size, 0);
	offcpu_dumps_free(&dumps);
}
END_TEST

START_TEST(what_is_no_dump)
{
	struct offcpu_dumps dumps = {0};

	half = (struct unwind_half){.ip = 1, .tid = 7, .count = 1};
	ck_assert_int_eq(offcpu_dumps_add(&dumps, &joins, (const void *)&half, sizeof(half)),
			 PK_CORRUPT);
	half.end = UNWIND_DUMP;
	half.count = UNWIND_STACK_MAX + 1;
	ck_assert_int_eq(offcpu_dumps_add(&dumps, &joins, (const void *)&half, sizeof(half)),
			 PK_CORRUPT);
	ck_assert_int_eq(offcpu_dumps_add(&dumps, &joins, (const void *)&half, 12), PK_CORRUPT);
	ck_assert_uint_eq(dumps.starts.count, 0);
	offcpu_dumps_free(&dumps);
}
END_TEST

START_TEST(dumps_are_bounded)
{
	struct offcpu_dumps dumps = {0};

	for (uint32_t tid = 1; tid <= 2 * OFFCPU_DUMPS_MAX + 1; tid++)
		ck_assert_int_eq(add_dump(&dumps, tid, tid), PK_OK);
	ck_assert_uint_le(dumps.starts.count, OFFCPU_DUMPS_MAX);
	offcpu_dumps_free(&dumps);
}
END_TEST

RUN_TESTS("offcpu_dumps", joined_by_thread_and_start, blocks_wait, what_is_no_dump,
	  dumps_are_bounded)
