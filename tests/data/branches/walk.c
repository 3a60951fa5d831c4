/* SPDX-License-Identifier: BSD-2-Clause */
/* The program of branches.txt: loops, calls, a table of functions. Compiled by
 *     gcc -O1 -g -fno-stack-protector -fcf-protection=none -fno-pie -no-pie -static -nostdlib
 *     -Wl,--build-id=sha1 -o walk walk.c
 */
static volatile unsigned long sink;

static __attribute__((noinline)) unsigned long twice(unsigned long n)
{
	return n * 2;
}

static __attribute__((noinline)) unsigned long half(unsigned long n)
{
	return n / 2;
}

static unsigned long (*const table[])(unsigned long) = {twice, half};

static __attribute__((noinline)) unsigned long collatz(unsigned long n)
{
	unsigned long steps = 0;

	while (n != 1) {
		n = n & 1 ? 3 * n + 1 : n >> 1;
		steps++;
	}
	return steps;
}

static __attribute__((noinline)) unsigned long descend(unsigned long n)
{
	if (!n)
		return 0;
	return descend(n - 1) + table[n & 1](n);
}

static __attribute__((noinline)) void work(void)
{
	for (unsigned long n = 1; n < 10; n++)
		sink += collatz(n) + descend(n & 3);
}

void _start(void)
{
	work();
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
	__builtin_unreachable();
}
