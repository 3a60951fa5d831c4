/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program for arm64 that needs no library: recursion, indirect calls, a table of jumps, loops and
 * system calls. It is executed by qemu-aarch64.
 */
typedef unsigned int (*function)(unsigned int);

static volatile unsigned int sink;

static __attribute__((noinline)) unsigned int fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static __attribute__((noinline)) unsigned int twice(unsigned int n)
{
	return 2 * n;
}

static __attribute__((noinline)) unsigned int bits(unsigned int n)
{
	unsigned int count = 0;

	for (; n; n &= n - 1)
		count++;
	return count;
}

static function volatile functions[] = {fibonacci, twice, bits};

static long call_system(long number, long first)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = first;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8) : "memory");
	return x0;
}

void _start(void)
{
	enum { EXIT = 93, GETPPID = 173 };

	for (unsigned int round = 0; round < 60; round++) {
		switch (round % 7) {
		case 0: sink += bits(round); break;
		case 1: sink ^= 5; break;
		case 2: sink *= 3; break;
		case 3: sink += fibonacci(7); break;
		case 4: sink -= 1; break;
		case 5: sink += (unsigned int)call_system(GETPPID, 0); break;
		default: sink = ~sink; break;
		}
		sink += functions[round % 3](round % 11);
	}
	call_system(EXIT, 0);
	for (;;)
		;
}
