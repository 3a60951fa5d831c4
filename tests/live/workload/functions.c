/* SPDX-License-Identifier: BSD-2-Clause */
/* functions MILLISECONDS [NUMBER OF FUNCTIONS] calls many functions of different sizes in turn,
 * until it has used this CPU time. Some functions are called much more often than other functions.
 * Compiled with FEW, the program has 100 functions instead of 400. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TABLE = 1024 };

static uint32_t table[TABLE];

static inline uint32_t mix(uint32_t x, uint32_t k)
{
	x ^= x >> 15;
	x *= 0x2c1b3c6du + k;
	return x ^ x >> 12;
}

/* Each function has a loop, a branch that is taken about every second time, and code whose size
 * depends on the number of the function. */
#define FUNCTION(n)                                                                                \
	__attribute__((noinline)) static uint32_t function_##n(uint32_t x)                         \
	{                                                                                          \
		for (uint32_t i = 0; i < 8 + n % 23; i++) {                                        \
			x = mix(x + i, n);                                                         \
			if (x & 1)                                                                 \
				table[x % TABLE] += n;                                             \
			else                                                                       \
				x += table[(x >> 3) % TABLE];                                      \
			if (n % 2)                                                                 \
				x = mix(x, 2 * n) / (1 + n % 7);                                   \
			if (n % 3)                                                                 \
				x = mix(x ^ table[i], 3 * n) + mix(x, n + 1);                      \
			if (n % 5)                                                                 \
				table[(x + n) % TABLE] = mix(x, 5 * n) % (n + 3);                  \
		}                                                                                  \
		return x;                                                                          \
	}

#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define HUNDRED(f, n)                                                                              \
	TEN(f, n##0)                                                                               \
	TEN(f, n##1)                                                                               \
	TEN(f, n##2)                                                                               \
	TEN(f, n##3)                                                                               \
	TEN(f, n##4)                                                                               \
	TEN(f, n##5)                                                                               \
	TEN(f, n##6)                                                                               \
	TEN(f, n##7)                                                                               \
	TEN(f, n##8)                                                                               \
	TEN(f, n##9)

#ifdef FEW
#define ALL(f) HUNDRED(f, 1)
#else
#define ALL(f) HUNDRED(f, 1) HUNDRED(f, 2) HUNDRED(f, 3) HUNDRED(f, 4)
#endif

ALL(FUNCTION)

#define ENTRY(n) function_##n,

static uint32_t (*const functions[])(uint32_t) = {ALL(ENTRY)};

int main(int argc, char **argv)
{
	const clock_t end = argc > 1 ? (clock_t)atol(argv[1]) * (CLOCKS_PER_SEC / 1000) : 0;
	const uint32_t all = sizeof(functions) / sizeof(functions[0]);
	const uint32_t count = argc > 2 ? (uint32_t)atol(argv[2]) % all : all;
	uint32_t x = 1;

	do
		for (uint32_t i = 0; i < 100 * all; i++)
			x = functions[i % 4 ? i % count : i * 7 % 64 % count](x);
	while (clock() < end);
	printf("%u\n", x);
	return 0;
}
