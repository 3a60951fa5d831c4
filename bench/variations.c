// SPDX-License-Identifier: BSD-2-Clause
/*
 * A program whose functions have known shares, for tests of comparisons.
 *
 *     variations KIND UNITS [FUNCTION PERCENT]
 *
 * KIND is one of steady, threads (8 threads), bursty (phases of random length), phases (the same
 * phases in each run), skewed (100 functions of very different shares) and system (with system
 * calls). UNITS is the amount of work. FUNCTION is the number of a function that takes PERCENT more
 * time.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS 100
#define THREADS	  8

static unsigned int extra_of = FUNCTIONS, extra;

/* Each call runs `rounds` rounds of a loop that needs no memory. */
#define WORK(number)                                                                               \
	__attribute__((noinline)) static uint64_t work_##number(uint64_t rounds)                   \
	{                                                                                          \
		uint64_t value = number + 1;                                                       \
                                                                                                   \
		for (; rounds; rounds--) {                                                         \
			value = value * UINT64_C(6364136223846793005) + 1442695040888963407;       \
			__asm__ volatile("" : "+r"(value));                                        \
		}                                                                                  \
		return value;                                                                      \
	}
#define TEN(a)                                                                                     \
	WORK(a##0)                                                                                 \
	WORK(a##1)                                                                                 \
	WORK(a##2) WORK(a##3) WORK(a##4) WORK(a##5) WORK(a##6) WORK(a##7) WORK(a##8) WORK(a##9)
#define NAMES(a)                                                                                   \
	work_##a##0, work_##a##1, work_##a##2, work_##a##3, work_##a##4, work_##a##5, work_##a##6, \
		work_##a##7, work_##a##8, work_##a##9

WORK(0)
WORK(1)
WORK(2)
WORK(3)
WORK(4)
WORK(5)
WORK(6)
WORK(7)
WORK(8)
WORK(9)
TEN(1)
TEN(2)
TEN(3)
TEN(4)
TEN(5)
TEN(6)
TEN(7)
TEN(8)
TEN(9)

typedef uint64_t work(uint64_t rounds);
static work *const all[FUNCTIONS] = {work_0,   work_1,	 work_2,   work_3,   work_4,
				     work_5,   work_6,	 work_7,   work_8,   work_9,
				     NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5),
				     NAMES(6), NAMES(7), NAMES(8), NAMES(9)};

static volatile uint64_t sink;

static void run(unsigned int function, uint64_t rounds)
{
	if (function == extra_of)
		rounds += rounds * extra / 100;
	sink += all[function](rounds);
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* A unit is about a millisecond. */
#define ROUNDS UINT64_C(250000)

/* Twelve functions with shares from 30 % to about 1 %. */
static void steady(uint64_t units)
{
	static const unsigned int share[] = {30, 20, 14, 10, 7, 5, 4, 3, 2, 2, 1, 1};

	for (; units; units--)
		for (unsigned int i = 0; i < sizeof(share) / sizeof(share[0]); i++)
			run(i, ROUNDS * share[i] / 100);
}

/* Each phase runs one of five functions, for 1 to 60 units. */
static void phases(uint64_t units, uint64_t state)
{
	while (units) {
		const unsigned int function = (unsigned int)(random_next(&state) % 5);
		uint64_t length = 1 + random_next(&state) % 60;

		for (; length && units; length--, units--) {
			run(function, ROUNDS * 9 / 10);
			run(5, ROUNDS / 10);
		}
	}
}

/* The share of a function is inversely proportional to its number. */
static void skewed(uint64_t units)
{
	for (; units; units--)
		for (unsigned int i = 0; i < FUNCTIONS; i++)
			run(i, ROUNDS / 5 / (i + 1));
}

static void system_calls(uint64_t units)
{
	char text[4096];
	int pipes[2];

	if (pipe(pipes))
		exit(1);
	memset(text, 'x', sizeof(text));
	for (; units; units--) {
		run(0, ROUNDS / 4);
		run(1, ROUNDS / 8);
		for (int i = 0; i < 200; i++)
			if (write(pipes[1], text, sizeof(text)) < 0 ||
			    read(pipes[0], text, sizeof(text)) < 0)
				exit(1);
	}
}

static void *thread(void *arg)
{
	steady(*(uint64_t *)arg);
	return NULL;
}

static void threads(uint64_t units)
{
	pthread_t ids[THREADS];
	uint64_t part = units / THREADS + 1;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&ids[i], NULL, thread, &part))
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
}

static uint64_t seed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_nsec * 2654435761u + (uint64_t)getpid() + 1;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const uint64_t units = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

	if (argc > 4) {
		extra_of = (unsigned int)strtoul(argv[3], NULL, 10);
		extra = (unsigned int)strtoul(argv[4], NULL, 10);
	}
	if (!strcmp(kind, "steady"))
		steady(units);
	else if (!strcmp(kind, "threads"))
		threads(units);
	else if (!strcmp(kind, "bursty"))
		phases(units, seed());
	else if (!strcmp(kind, "phases"))
		phases(units, 88172645463325252u);
	else if (!strcmp(kind, "skewed"))
		skewed(units);
	else if (!strcmp(kind, "system"))
		system_calls(units);
	else
		return 2;
	return 0;
}
