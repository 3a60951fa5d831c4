// SPDX-License-Identifier: BSD-2-Clause
/* depths DEPTH MILLISECONDS: uses processor time inside DEPTH nested calls of a function. The
 * function has a frame of about 100 bytes. Compile this program without frame pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned long sink;
static long long deadline;

static long long cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static NOINLINE void burn(void)
{
	for (int i = 0; i < 100000; i++)
		sink += (unsigned long)i;
}

/* The code after the call prevents a tail call, which would have no frame. */
static NOINLINE void descend(int depth)
{
	volatile char room[64];

	room[depth % 64] = 1;
	if (depth > 1)
		descend(depth - 1);
	else
		while (cpu_time() < deadline)
			burn();
	sink += (unsigned long)room[depth % 64];
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: depths DEPTH MILLISECONDS\n", stderr);
		return EXIT_FAILURE;
	}
	deadline = cpu_time() + atoll(argv[2]) * 1000000;
	descend(atoi(argv[1]));
	return EXIT_SUCCESS;
}
