/* SPDX-License-Identifier: BSD-2-Clause */
/* The program that `make demo` records. It has two threads that sort, hash and multiply for about
 * two seconds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { NUMBERS = 20000, SIDE = 96 };

static NOINLINE uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static NOINLINE void fill_numbers(uint64_t *numbers, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		numbers[i] = next_random(state);
}

/* This program has its own sort function, because libc is compiled without frame pointers. */
static NOINLINE void sift_down(uint64_t *heap, size_t root, size_t count)
{
	uint64_t value = heap[root];
	size_t child;

	for (; (child = 2 * root + 1) < count; root = child) {
		if (child + 1 < count && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= value)
			break;
		heap[root] = heap[child];
	}
	heap[root] = value;
}

static NOINLINE void sort_numbers(uint64_t *numbers, size_t count)
{
	for (size_t root = count / 2; root-- > 0;)
		sift_down(numbers, root, count);
	while (count-- > 1) {
		uint64_t largest = numbers[0];

		numbers[0] = numbers[count];
		numbers[count] = largest;
		sift_down(numbers, 0, count);
	}
}

static NOINLINE uint64_t hash_numbers(const uint64_t *numbers, size_t count)
{
	uint64_t hash = 0;

	for (int round = 0; round < 20; round++)
		for (size_t i = 0; i < count; i++)
			hash = (hash ^ numbers[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Calls itself. In a flame graph, this recursion is a high, narrow column. */
static NOINLINE uint64_t climb(unsigned height, uint64_t value)
{
	if (height == 0)
		return hash_numbers(&value, 1);
	return climb(height - 1, value + height) + 1;
}

static NOINLINE uint64_t sort_and_hash(uint64_t *state)
{
	static _Thread_local uint64_t numbers[NUMBERS];
	uint64_t sum;

	fill_numbers(numbers, NUMBERS, state);
	sort_numbers(numbers, NUMBERS);
	assert(numbers[0] <= numbers[NUMBERS / 2] && numbers[NUMBERS / 2] <= numbers[NUMBERS - 1]);
	sum = hash_numbers(numbers, NUMBERS);
	for (int i = 0; i < 2000; i++)
		sum += climb(12, sum);
	return sum;
}

static NOINLINE uint64_t multiply_matrices(uint64_t *state)
{
	static _Thread_local uint64_t a[SIDE][SIDE], b[SIDE][SIDE];
	uint64_t sum = 0;

	fill_numbers(&a[0][0], SIDE * SIDE, state);
	fill_numbers(&b[0][0], SIDE * SIDE, state);
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			for (int k = 0; k < SIDE; k++)
				sum += a[i][k] * b[k][j];
	return sum;
}

static NOINLINE uint64_t work_for_two_seconds(uint64_t (*step)(uint64_t *))
{
	struct timespec start, now;
	uint64_t state = 88172645463325252, sum = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		sum += step(&state);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < start.tv_sec + 2 ||
		 (now.tv_sec == start.tv_sec + 2 && now.tv_nsec < start.tv_nsec));
	return sum;
}

static void *multiplier(void *result)
{
	pthread_setname_np(pthread_self(), "multiplier");
	*(uint64_t *)result = work_for_two_seconds(multiply_matrices);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	uint64_t product = 0, sum;

	if (pthread_create(&thread, NULL, multiplier, &product) != 0)
		return EXIT_FAILURE;
	sum = work_for_two_seconds(sort_and_hash);
	pthread_join(thread, NULL);
	/* The result must be used, or the compiler removes the calculation. */
	return sum == product ? EXIT_FAILURE : EXIT_SUCCESS;
}
