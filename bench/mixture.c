// SPDX-License-Identifier: BSD-2-Clause
/* mixture SECONDS THREADS: runs threads that walk through a graph of 12 levels with 8 functions
 * each. At each level, a random number selects the next function or the end of the walk, and
 * prefers some of the functions. At the end of the walk, there are calculations or a system call. A
 * recording has some thousand frequent stacks and many rare ones, like recordings of real programs.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* The state of a thread. */
struct walker {
	uint64_t state; /* state of the random numbers */
	int zero, pipe[2];
};

typedef uint64_t step_fn(struct walker *walker, uint64_t value);

static time_t deadline;

static NOINLINE uint64_t chance(struct walker *walker)
{
	walker->state ^= walker->state << 13;
	walker->state ^= walker->state >> 7;
	walker->state ^= walker->state << 17;
	return walker->state;
}

/* Returns a number from 0 to 7. Small numbers are far more frequent. */
static unsigned prefer(struct walker *walker)
{
	uint64_t bits = chance(walker);
	unsigned n = 0;

	while (n < 7 && (bits >> (3 * n) & 7) == 0)
		n++;
	return n;
}

static NOINLINE uint64_t hash_some(struct walker *walker, uint64_t value)
{
	for (unsigned i = 0; i < 200; i++)
		value = (value ^ chance(walker)) * UINT64_C(0x100000001b3);
	return value;
}

static NOINLINE uint64_t sum_some(struct walker *walker, uint64_t value)
{
	uint64_t numbers[64];

	for (unsigned i = 0; i < 64; i++)
		numbers[i] = value * i + walker->state;
	for (unsigned round = 0; round < 8; round++)
		for (unsigned i = 0; i < 64; i++)
			numbers[i] += numbers[(i + 7) % 64] ^ round;
	return numbers[value % 64];
}

static NOINLINE uint64_t read_zeros(struct walker *walker, uint64_t value)
{
	char buffer[4096];

	if (read(walker->zero, buffer, sizeof(buffer)) != sizeof(buffer))
		err(EXIT_FAILURE, "/dev/zero");
	return value + (uint64_t)buffer[0];
}

static NOINLINE uint64_t through_pipe(struct walker *walker, uint64_t value)
{
	if (write(walker->pipe[1], &value, sizeof(value)) != sizeof(value) ||
	    read(walker->pipe[0], &value, sizeof(value)) != sizeof(value))
		err(EXIT_FAILURE, "pipe");
	return value;
}

static NOINLINE uint64_t finish(struct walker *walker, uint64_t value)
{
	switch (chance(walker) % 16) {
	case 0: return read_zeros(walker, value);
	case 1: return through_pipe(walker, value);
	case 2:
	case 3:
	case 4: return sum_some(walker, value);
	default: return hash_some(walker, value);
	}
}

/* The + 1 prevents a tail call, which would have no frame. */
#define STEP(level, n, next)                                                                       \
	static NOINLINE uint64_t level##_step_##n(struct walker *walker, uint64_t value)           \
	{                                                                                          \
		if (chance(walker) % 16 < 5)                                                       \
			return finish(walker, value + n) + 1;                                      \
		return next[prefer(walker)](walker, value ^ n) + 1;                                \
	}

#define LEVEL(level, next)                                                                         \
	STEP(level, 0, next)                                                                       \
	STEP(level, 1, next)                                                                       \
	STEP(level, 2, next)                                                                       \
	STEP(level, 3, next)                                                                       \
	STEP(level, 4, next)                                                                       \
	STEP(level, 5, next)                                                                       \
	STEP(level, 6, next)                                                                       \
	STEP(level, 7, next)                                                                       \
	static step_fn *const level[8] = {level##_step_0, level##_step_1, level##_step_2,          \
					  level##_step_3, level##_step_4, level##_step_5,          \
					  level##_step_6, level##_step_7};

static step_fn *const ends[8] = {finish,     hash_some, finish,	   sum_some,
				 read_zeros, finish,	hash_some, through_pipe};
LEVEL(driver, ends)
LEVEL(device, driver)
LEVEL(block, device)
LEVEL(page, block)
LEVEL(btree, page)
LEVEL(table, btree)
LEVEL(planner, table)
LEVEL(parser, planner)
LEVEL(query, parser)
LEVEL(handler, query)
LEVEL(router, handler)
LEVEL(server, router)

static void *walk(void *argument)
{
	struct walker walker = {.state = UINT64_C(88172645463325252) + (uintptr_t)argument};
	char name[16];
	uint64_t sum = 0;

	snprintf(name, sizeof(name), "walker-%u", (unsigned)(uintptr_t)argument);
	pthread_setname_np(pthread_self(), name);
	walker.zero = open("/dev/zero", O_RDONLY);
	if (walker.zero < 0 || pipe(walker.pipe))
		err(EXIT_FAILURE, "/dev/zero, pipe");
	while (time(NULL) < deadline)
		for (unsigned i = 0; i < 1000; i++)
			sum += server[prefer(&walker)](&walker, sum);
	return (void *)(uintptr_t)(sum | 1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3)
		errx(2, "usage: mixture SECONDS THREADS");
	deadline = time(NULL) + strtol(argv[1], NULL, 10);
	for (long i = strtol(argv[2], NULL, 10); i > 1; i--)
		if (pthread_create(&thread, NULL, walk, (void *)(uintptr_t)i))
			errx(EXIT_FAILURE, "no more threads");
	return walk((void *)(uintptr_t)1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
