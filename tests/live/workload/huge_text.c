// SPDX-License-Identifier: BSD-2-Clause
/* Copies its most used code to anonymous memory at the same addresses. Programs do so to have this
 * code in huge pages. Prints the address of the code. Uses CPU time for a quarter of a second. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "burn.h"

#define HOT NOINLINE __attribute__((aligned(4096), section(".hot")))

volatile unsigned long sink;

HOT unsigned long hot(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum += i * sink;
	return sum;
}

HOT unsigned long hot_end(void)
{
	return sink;
}

int main(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *start = (char *)((uintptr_t)hot & ~4095ul);
	const size_t size = ((uintptr_t)hot_end - (uintptr_t)start + 4095) & ~4095ul;
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);

	memcpy(copy, start, size);
	if (mmap(start, size, PROT_READ | PROT_WRITE | PROT_EXEC, flags | MAP_FIXED, -1, 0) !=
	    start)
		return 1;
	memcpy(start, copy, size);
	__builtin___clear_cache(start, start + size);
	printf("%lx\n", (unsigned long)hot);
	while (cpu_time() < 250000000)
		hot(300000);
	return 0;
}
