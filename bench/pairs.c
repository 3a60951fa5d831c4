// SPDX-License-Identifier: BSD-2-Clause
/* pairs N: calls malloc() and free() N times each, with 1,024 blocks of 16 to 271 bytes. Prints the
 * CPU time of the thread for one pair of calls, in ns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCKS 1024

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	static void *volatile blocks[BLOCKS];
	const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000000;
	uint32_t random = 1;
	double start = now();

	for (unsigned long i = 0; i < n; i++) {
		random = random * 1103515245 + 12345;
		free(blocks[i % BLOCKS]);
		blocks[i % BLOCKS] = malloc(16 + (random >> 24));
	}
	printf("%.2f\n", (now() - start) / (double)n);
	return 0;
}
