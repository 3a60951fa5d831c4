// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

__thread struct heap_thread heap_thread __attribute__((tls_model("initial-exec"))) = {.left = -1};

/* ---- Random numbers ---- */

/* The generator is xorshift64*. */
static uint64_t next_random(struct heap_thread *thread)
{
	uint64_t x = thread->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	thread->random = x;
	return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* Returns the natural logarithm of a number from 2^-64 to 1. The error is less than 1e-5. libm is
 * not used, because it would be loaded into each program. */
static double logarithm(uint64_t numerator)
{
	const int shift = __builtin_clzll(numerator);
	const double m = (double)(numerator << shift) * 0x1p-63; /* 1 <= m < 2 */
	const double z = (m - 1) / (m + 1), zz = z * z;
	const double of_m = 2 * z * (1 + zz * (1.0 / 3 + zz * (1.0 / 5 + zz * (1.0 / 7 + zz / 9))));

	return of_m - (shift + 1) * 0.693147180559945309;
}

/* Sets the number of bytes until the next sample. It has an exponential distribution, so that the
 * probability that an allocation is sampled depends on its size only. */
void thread_draw(struct heap_thread *thread, uint64_t mean)
{
	if (mean <= 1)
		thread->left = -1;
	else
		thread->left = (int64_t)(-logarithm(next_random(thread) | 1) * (double)mean);
}

void thread_start(struct heap_thread *thread, uint64_t mean)
{
	thread->random = ((uint64_t)(uintptr_t)thread ^ heap_now() << 20 ^
			  (uint64_t)thread_id(thread) << 40) |
			 1;
	for (int i = 0; i < 8; i++)
		next_random(thread);
	thread_draw(thread, mean);
}

uint32_t thread_id(struct heap_thread *thread)
{
	if (!thread->tid)
		thread->tid = (uint32_t)syscall(SYS_gettid);
	return thread->tid;
}

uint64_t heap_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
