// SPDX-License-Identifier: BSD-2-Clause
// What programs of C do: callbacks of qsort, printf, strtod, malloc, recursion. The argument is a
// number of rounds.
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 40000 };

static int numbers[NUMBERS];
static char text[1 << 20];

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

__attribute__((noinline)) static int sort(void)
{
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = i * 7919 % 40009;
	qsort(numbers, NUMBERS, sizeof(*numbers), compare);
	return numbers[NUMBERS / 2];
}

__attribute__((noinline)) static void print(void)
{
	char *at = text;

	for (int i = 0; i < 20000; i++)
		at += sprintf(at, "%d %g,", i, i * .37);
}

__attribute__((noinline)) static double parse(void)
{
	double sum = 0;
	char *at = text, *end;

	while (*at) {
		sum += strtod(at, &end);
		at = *end ? end + 1 : end;
	}
	return sum;
}

__attribute__((noinline)) static double fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) * 1.0;
}

__attribute__((noinline)) static void allocate(void)
{
	for (size_t i = 0; i < 1000; i++)
		free(malloc(i));
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;

	for (int round = 0; round < rounds; round++) {
		sum += sort();
		print();
		sum += parse() + fibonacci(20);
		allocate();
	}
	return sum > 0 ? 0 : 1;
}
