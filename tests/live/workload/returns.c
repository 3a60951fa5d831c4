// SPDX-License-Identifier: BSD-2-Clause
/* Nested calls of functions that can have return probes. */
#include <stdlib.h>
#include <string.h>
static volatile unsigned long sink;
__attribute__((noinline)) static void burn(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}
__attribute__((noinline)) void inner(int n)
{
	burn(n);
	sink++;
}
__attribute__((noinline)) void middle(int n, int depth)
{
	if (depth)
		middle(n, depth - 1);
	else
		inner(n);
	sink++;
}
__attribute__((noinline)) void outer(int n)
{
	char *p = malloc(100);
	memset(p, 1, 100);
	middle(n, 3);
	sink += p[3];
	free(p);
	sink++;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 300; i++)
		outer(100000);
	(void)argv;
	return argc == 9;
}
