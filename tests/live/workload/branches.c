// SPDX-License-Identifier: BSD-2-Clause
/* branches MILLISECONDS uses CPU time in functions with several callers, in recursive functions,
 * and in functions that call other functions. No two functions use the same share of the time. */
#include <stdlib.h>

#include "burn.h"

static volatile unsigned int unit;

static NOINLINE void spin(unsigned int parts)
{
	burn_until(cpu_time() + parts * unit * 1000LL);
	__asm__ volatile("");
}

static NOINLINE void leaf(unsigned int parts)
{
	spin(parts);
	burn_until(cpu_time() + unit * 500LL);
	__asm__ volatile("");
}

static NOINLINE void recurse(unsigned int depth)
{
	if (depth)
		recurse(depth - 1);
	if (depth & 1)
		leaf(depth);
	burn_until(cpu_time() + unit * 300LL);
	__asm__ volatile("");
}

static NOINLINE void wide(void)
{
	leaf(7);
	spin(3);
	recurse(3);
	__asm__ volatile("");
}

static NOINLINE void narrow(void)
{
	recurse(1);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	const long long end = cpu_time() + (argc > 1 ? atoi(argv[1]) : 0) * 1000000LL;
	unsigned int random = 1;

	while (cpu_time() < end) {
		unit = 50 + (random = random * 1103515245 + 12345) / 65536 % 128;
		wide();
		narrow();
		spin(1);
	}
	return 0;
}
