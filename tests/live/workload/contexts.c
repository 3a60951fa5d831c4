// SPDX-License-Identifier: BSD-2-Clause
/* contexts MILLISECONDS uses CPU time with deep stacks and with stacks in other memory: coroutines
 * of makecontext() that call each other, signal handlers on an alternate stack that interrupt any
 * code, and recursion through a function of the C library. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "burn.h"

#define COROUTINES 4
#define STACK_SIZE 65536

static ucontext_t contexts[COROUTINES + 1];
static volatile unsigned long sink;
static long long end;

static NOINLINE void work(int n)
{
	static char a[8192], b[8192];

	for (int i = 0; i < 20; i++) {
		memmove(a, b, sizeof(a));
		sink += (unsigned long)memcmp(a, b, sizeof(a) - (size_t)n);
	}
}

static NOINLINE void nested(int n)
{
	volatile char room[200];

	room[n] = (char)n;
	if (n)
		nested(n - 1);
	else
		work(n);
	sink += (unsigned char)room[n];
}

/* Each coroutine switches to the next coroutine. The last coroutine switches to the main program.
 */
static void coroutine(int number)
{
	for (;;) {
		nested(number * 5);
		swapcontext(&contexts[number], &contexts[number + 1]);
		sink++;
	}
}

static NOINLINE void run_coroutines(void)
{
	swapcontext(&contexts[COROUTINES], &contexts[0]);
	sink++;
}

static void handler(int number)
{
	(void)number;
	nested(3);
	sink++;
}

static int compare(const void *a, const void *b);

/* Recursive, because qsort() calls compare(), and compare() calls sort(). */
static NOINLINE void sort(int depth)
{
	int numbers[3] = {depth, 1, 2};

	qsort(numbers, depth ? 2 : 3, sizeof(numbers[0]), compare);
	sink += (unsigned long)numbers[0];
}

static int compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	if (*x > 3)
		sort(*x - 1);
	else
		nested(2);
	return *x - *y;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART};
	stack_t stack = {.ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE};
	struct itimerval often = {{0, 3000}, {0, 3000}};

	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = malloc(STACK_SIZE);
		contexts[i].uc_stack.ss_size = STACK_SIZE;
		makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
	}
	sigaltstack(&stack, NULL);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	end = cpu_time() + (argc > 1 ? atoll(argv[1]) : 100) * 1000000;
	while (cpu_time() < end) {
		run_coroutines();
		sort(60);
	}
	return 0;
}
