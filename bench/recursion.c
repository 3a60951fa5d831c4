// SPDX-License-Identifier: BSD-2-Clause
/* recursion SECONDS THREADS: runs threads with deep stacks. Compilers have such stacks, and
 * interpreters that call themselves for each node of a tree. Eight functions call each other
 * through a table. A walk has a first part and a second part. The first part is one of 256
 * sequences of 90 calls. The second part is one of 4096 sequences of up to 40 calls, and some of
 * these sequences are far more frequent than others. At the end of the walk, there are calculations
 * or a system call. */
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

#define TRUNK  90
#define TWIG   40
#define TRUNKS 256
#define TWIGS  4096

struct walker {
	uint64_t state; /* state of the random numbers */
	uint64_t path;	/* determines which functions are still to be called */
	int zero;
};

typedef uint64_t visit_fn(struct walker *walker, unsigned depth, uint64_t value);

static time_t deadline;

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static NOINLINE uint64_t calculate(struct walker *walker, uint64_t value)
{
	for (unsigned i = 0; i < 4000; i++)
		value = (value ^ next(&walker->state)) * UINT64_C(0x100000001b3);
	return value;
}

static NOINLINE uint64_t read_zeros(struct walker *walker, uint64_t value)
{
	char buffer[4096];

	if (read(walker->zero, buffer, sizeof(buffer)) != sizeof(buffer))
		err(EXIT_FAILURE, "/dev/zero");
	return value + (uint64_t)buffer[0];
}

static NOINLINE uint64_t descend(struct walker *walker, unsigned depth, uint64_t value);

/* The + 1 prevents a tail call, which would have no frame. */
#define VISIT(name)                                                                                \
	static NOINLINE uint64_t visit_##name(struct walker *walker, unsigned depth,               \
					      uint64_t value)                                      \
	{                                                                                          \
		return descend(walker, depth + 1, value) + 1;                                      \
	}

VISIT(module)
VISIT(function)
VISIT(statement)
VISIT(condition)
VISIT(expression)
VISIT(operand)
VISIT(call)
VISIT(literal)

static visit_fn *const visits[8] = {visit_module,    visit_function,   visit_statement,
				    visit_condition, visit_expression, visit_operand,
				    visit_call,	     visit_literal};

static uint64_t path_of(uint64_t number)
{
	return (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the product of two random numbers. So small numbers are far more frequent. */
static uint64_t choose_twig(struct walker *walker)
{
	uint64_t bits = next(&walker->state);

	return path_of(TRUNKS + (bits % TWIGS) * (bits / TWIGS % TWIGS) / TWIGS);
}

/* Each level has two frames: the frame of this function, and the frame of a visit. */
static NOINLINE uint64_t descend(struct walker *walker, unsigned depth, uint64_t value)
{
	uint64_t which;

	if (depth == TRUNK / 2)
		walker->path = choose_twig(walker);
	which = next(&walker->path) >> 20;
	if (depth >= (TRUNK + TWIG) / 2 || (depth >= TRUNK / 2 && which / 8 % 20 == 0))
		return next(&walker->state) % 4 ? calculate(walker, value)
						: read_zeros(walker, value);
	return visits[which % 8](walker, depth, value) + 1;
}

static void *walk(void *argument)
{
	struct walker walker = {.state = UINT64_C(88172645463325252) + (uintptr_t)argument};
	uint64_t sum = 0;

	walker.zero = open("/dev/zero", O_RDONLY);
	if (walker.zero < 0)
		err(EXIT_FAILURE, "/dev/zero");
	while (time(NULL) < deadline)
		for (unsigned i = 0; i < 1000; i++) {
			walker.path = path_of(next(&walker.state) % TRUNKS);
			sum += descend(&walker, 0, sum);
		}
	return (void *)(uintptr_t)(sum | 1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3)
		errx(2, "usage: recursion SECONDS THREADS");
	deadline = time(NULL) + strtol(argv[1], NULL, 10);
	for (long i = strtol(argv[2], NULL, 10); i > 1; i--)
		if (pthread_create(&thread, NULL, walk, (void *)(uintptr_t)i))
			errx(EXIT_FAILURE, "no more threads");
	return walk((void *)(uintptr_t)1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
