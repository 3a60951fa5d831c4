// SPDX-License-Identifier: BSD-2-Clause
/* The critical path of a thread. */
#include <stdlib.h>

#include "critical.h"
#include "stream_builder.h"

enum { MAIN = 10, WORKER, OTHER, LAST };

static struct pk_critical critical;
static struct pk_critical_path path;

static void start(void)
{
	critical = (struct pk_critical){.most = 1000000};
	path = (struct pk_critical_path){0};
}

static void end(void)
{
	pk_critical_free(&critical);
	free(path.items);
}

static void run(uint64_t time, uint32_t tid)
{
	ck_assert_int_eq(pk_critical_switch(&critical, time, 0, tid, 0, PK_WAIT_CPU), PK_OK);
}

static void stop(uint64_t time, uint32_t tid, uint32_t stack, enum pk_wait_kind kind)
{
	ck_assert_int_eq(pk_critical_switch(&critical, time, tid, 0, stack, kind), PK_OK);
}

static void wake(uint64_t time, uint32_t tid, uint32_t waker, enum pk_wait_kind kind)
{
	ck_assert_int_eq(pk_critical_wake(&critical, time, tid, waker, 99, kind), PK_OK);
}

static void find(uint32_t tid, uint64_t start, uint64_t end)
{
	uint64_t at = start;

	ck_assert_int_eq(pk_critical_path(&critical, tid, start, end, &path), PK_OK);
	for (size_t i = 0; i < path.count; i++) {
		ck_assert_uint_eq(path.items[i].start, at);
		ck_assert_uint_gt(path.items[i].end, at);
		at = path.items[i].end;
	}
	ck_assert_uint_eq(at, end);
}

static void expect(size_t i, uint64_t start, uint32_t tid, uint32_t stack, enum pk_wait_kind kind)
{
	ck_assert_uint_lt(i, path.count);
	ck_assert_uint_eq(path.items[i].start, start);
	ck_assert_uint_eq(path.items[i].tid, tid);
	ck_assert_uint_eq(path.items[i].stack, stack);
	ck_assert_int_eq(path.items[i].kind, kind);
}

/* MAIN waits for WORKER, which waits for OTHER. */
START_TEST(pipeline)
{
	start();
	run(100, MAIN);
	stop(110, MAIN, 1, PK_WAIT_FUTEX);
	run(105, WORKER);
	stop(120, WORKER, 2, PK_WAIT_PIPE);
	run(100, OTHER);
	wake(150, WORKER, OTHER, PK_WAIT_UNKNOWN);
	stop(155, OTHER, 3, PK_WAIT_TIMER);
	run(153, WORKER);
	wake(180, MAIN, WORKER, PK_WAIT_UNKNOWN);
	stop(185, WORKER, 4, PK_WAIT_TIMER);
	run(182, MAIN);
	stop(200, MAIN, 5, PK_WAIT_ENDED);
	find(MAIN, 100, 200);
	ck_assert_uint_eq(path.count, 7);
	expect(0, 100, MAIN, 1, PK_WAIT_NONE);
	expect(1, 110, WORKER, 2, PK_WAIT_NONE);
	expect(2, 120, OTHER, 3, PK_WAIT_NONE);
	expect(3, 150, WORKER, 2, PK_WAIT_CPU);
	expect(4, 153, WORKER, 4, PK_WAIT_NONE);
	expect(5, 180, MAIN, 1, PK_WAIT_CPU);
	expect(6, 182, MAIN, 5, PK_WAIT_NONE);
	ck_assert_uint_eq(path.items[2].depth, 2);
	end();
}
END_TEST

/* An interrupt ends a block: the time belongs to the sleeper. */
START_TEST(interrupts)
{
	start();
	run(100, MAIN);
	stop(110, MAIN, 1, PK_WAIT_POLL);
	wake(160, MAIN, 0, PK_WAIT_TIMER);
	run(165, MAIN);
	stop(170, MAIN, 2, PK_WAIT_DISK);
	wake(180, MAIN, 0, PK_WAIT_UNKNOWN);
	run(181, MAIN);
	find(MAIN, 100, 190);
	ck_assert_uint_eq(path.count, 7);
	expect(1, 110, MAIN, 1, PK_WAIT_TIMER);
	expect(2, 160, MAIN, 1, PK_WAIT_CPU);
	expect(4, 170, MAIN, 2, PK_WAIT_DISK);
	expect(6, 181, MAIN, 0, PK_WAIT_NONE);
	end();
}
END_TEST

/* Samples divide the time of a run: the stack of a sample has the time before it. The last stack
 * also has the time after it. Only a run without samples has the stack of its end. */
START_TEST(samples)
{
	start();
	run(100, MAIN);
	ck_assert_int_eq(pk_critical_sample(&critical, 110, MAIN, 7), PK_OK);
	ck_assert_int_eq(pk_critical_sample(&critical, 130, MAIN, 8), PK_OK);
	stop(150, MAIN, 9, PK_WAIT_CPU);
	run(170, MAIN);
	stop(175, MAIN, 9, PK_WAIT_ENDED);
	find(MAIN, 100, 180);
	expect(0, 100, MAIN, 7, PK_WAIT_NONE);
	expect(1, 110, MAIN, 8, PK_WAIT_NONE);
	expect(2, 150, MAIN, 9, PK_WAIT_CPU);
	expect(3, 170, MAIN, 9, PK_WAIT_NONE);
	expect(4, 175, MAIN, 9, PK_WAIT_ENDED);
	end();
}
END_TEST

/* A thread of the kernel does the work of an interrupt. While it waits for the interrupt, the time
 * belongs to the thread that it wakes. */
START_TEST(work)
{
	start();
	run(100, MAIN);
	stop(110, MAIN, 1, PK_WAIT_DISK);
	stop(105, WORKER, 2, PK_WAIT_WORK);
	wake(150, WORKER, 0, PK_WAIT_UNKNOWN);
	run(160, WORKER);
	wake(180, MAIN, WORKER, PK_WAIT_UNKNOWN);
	stop(190, WORKER, 2, PK_WAIT_WORK);
	run(185, MAIN);
	find(MAIN, 100, 185);
	ck_assert_uint_eq(path.count, 5);
	expect(1, 110, MAIN, 1, PK_WAIT_DISK);
	ck_assert_uint_eq(path.items[1].depth, 0);
	expect(2, 150, WORKER, 2, PK_WAIT_CPU);
	expect(3, 160, WORKER, 2, PK_WAIT_NONE);
	free(path.items);
	path = (struct pk_critical_path){0};
	find(WORKER, 105, 160); /* its own path */
	expect(0, 105, WORKER, 2, PK_WAIT_WORK);
	end();
}
END_TEST

/* Before a thread is started, the time belongs to the thread that starts it. */
START_TEST(starts)
{
	start();
	run(100, MAIN);
	ck_assert_int_eq(pk_critical_start(&critical, 120, WORKER, MAIN, 4), PK_OK);
	stop(125, MAIN, 1, PK_WAIT_CHILD);
	run(130, WORKER);
	wake(190, MAIN, WORKER, PK_WAIT_UNKNOWN);
	stop(195, WORKER, 2, PK_WAIT_ENDED);
	run(192, MAIN);
	find(MAIN, 100, 200);
	expect(0, 100, MAIN, 1, PK_WAIT_NONE);
	expect(1, 125, WORKER, 4, PK_WAIT_CPU);
	expect(2, 130, WORKER, 2, PK_WAIT_NONE);
	expect(3, 190, MAIN, 1, PK_WAIT_CPU);
	free(path.items);
	path = (struct pk_critical_path){0};
	find(WORKER, 100, 195);
	expect(0, 100, MAIN, 1, PK_WAIT_NONE);
	expect(1, 120, WORKER, 4, PK_WAIT_CPU);
	end();
}
END_TEST

/* What is not known is a piece, too, and a wakeup of a running task has no effect. */
START_TEST(unknown)
{
	start();
	find(MAIN, 100, 120);
	expect(0, 100, MAIN, 0, PK_WAIT_UNKNOWN);
	free(path.items);
	path = (struct pk_critical_path){0};
	run(130, MAIN);
	wake(140, MAIN, WORKER, PK_WAIT_UNKNOWN);
	find(MAIN, 100, 150);
	ck_assert_uint_eq(path.count, 2);
	expect(1, 130, MAIN, 0, PK_WAIT_NONE);
	stop(160, OTHER, 5, PK_WAIT_CPU);
	free(path.items);
	path = (struct pk_critical_path){0};
	find(OTHER, 100, 160); /* it was running before it stopped */
	expect(0, 100, OTHER, 5, PK_WAIT_NONE);
	end();
}
END_TEST

/* Any events in the order of time give a path without gaps. find() checks this. */
START_TEST(any_events)
{
	uint64_t random = 1, time = 1000;

	start();
	for (int i = 0; i < 30000; i++) {
		uint32_t tid, other;

		random = random * UINT64_C(6364136223846793005) + 1;
		time += random >> 62;
		tid = MAIN + (uint32_t)(random >> 40) % 4;
		other = (uint32_t)(random >> 44) % 5;
		other = other ? MAIN + other - 1 : 0;
		switch (random >> 50 & 3) {
		case 0: run(time, tid); break;
		case 1:
			stop(time, tid, (uint32_t)i, (enum pk_wait_kind)(1 + (random >> 33) % 13));
			break;
		case 2: wake(time, tid, other, PK_WAIT_UNKNOWN); break;
		default: ck_assert_int_eq(pk_critical_start(&critical, time, tid, other, 0), PK_OK);
		}
	}
	find(MAIN, 990, time + 10);
	end();
}
END_TEST

RUN_TESTS("critical", pipeline, interrupts, samples, work, starts, unknown, any_events)
