// SPDX-License-Identifier: BSD-2-Clause
/* shares MILLISECONDS FILE uses CPU time: one half in half(), three tenths in three_tenths(), and a
 * fifth in fifth(). It calls these functions in turn. Writes the measured microseconds of each
 * function to FILE. */
#include <stdio.h>
#include <stdlib.h>

#include "burn.h"

static long long used[3];

#define PART(name, index)                                                                          \
	static NOINLINE void name(long long microseconds)                                          \
	{                                                                                          \
		const long long start = cpu_time();                                                \
                                                                                                   \
		burn_until(start + microseconds * 1000);                                           \
		used[index] += cpu_time() - start;                                                 \
	}

PART(half, 0)
PART(three_tenths, 1)
PART(fifth, 2)

int main(int argc, char **argv)
{
	const long long end = cpu_time() + (argc > 1 ? atoi(argv[1]) : 0) * 1000000LL;
	unsigned int random = 1;

	/* The rounds have random lengths, so that they are not synchronous with the sampling. */
	while (cpu_time() < end) {
		const long long unit = 100 + (random = random * 1103515245 + 12345) / 65536 % 256;

		half(5 * unit);
		three_tenths(3 * unit);
		fifth(2 * unit);
	}
	if (argc < 3 || !freopen(argv[2], "w", stdout))
		return 2;
	printf("half %lld\nthree_tenths %lld\nfifth %lld\n", used[0] / 1000, used[1] / 1000,
	       used[2] / 1000);
	return fclose(stdout) != 0;
}
