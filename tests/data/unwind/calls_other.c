/* SPDX-License-Identifier: BSD-2-Clause */
#include "calls.h"

volatile unsigned long sink;

NOINLINE void burn(int n)
{
	unsigned long value = (unsigned long)n;

	for (int i = 0; i < 20000; i++)
		value = value * 1103515245 + 12345;
	sink += value;
}

NOINLINE void with_callback(int n, void (*callback)(int))
{
	callback(n);
	sink++;
}

/* The compiler does not know the size of this function's frame. Therefore the function uses a frame
 * pointer. */
NOINLINE void with_frame(int n)
{
	volatile char room[8 + (n & 63)];

	room[n & 7] = (char)n;
	burn(n);
	sink += (unsigned long)room[n & 7];
}

/* Keeps numbers in floating-point registers that a called function must save. On Arm, these
 * registers are d8 and the following registers. */
NOINLINE void with_numbers(int n)
{
	double a = n, b = 1.5, c = 0.5, d = 2.5;

	for (int i = 0; i < 3; i++) {
		burn(n);
		a = a * b + c;
		b = b * c + d;
		d = d * 0.5 + a;
	}
	sink += (unsigned long)(a + b + d);
}
