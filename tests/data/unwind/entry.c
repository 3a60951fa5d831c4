// SPDX-License-Identifier: BSD-2-Clause
/* This program is compiled with gcc -O2 -fno-omit-frame-pointer -fasynchronous-unwind-tables
 * -static -nostdlib -Wl,-e,start. The first instructions of add() do not set the frame pointer. */
static volatile long sum;

__attribute__((noinline)) static void add(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

__attribute__((noinline)) static void twice(void)
{
	add(3);
	add(2);
	sum++;
}

void start(void)
{
	twice();
	__builtin_trap();
}
