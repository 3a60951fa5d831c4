// SPDX-License-Identifier: BSD-2-Clause
/* unwinding CASE... uses CPU time for each case, in a function that is called in an unusual way. It
 * must be compiled without frame pointers. */
#define _GNU_SOURCE
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "burn.h"

#define MS 50

static volatile int sink;

static NOINLINE void inner(int n)
{
	burn(n);
	sink++;
}

static NOINLINE void middle(int n)
{
	volatile char room[300];

	room[0] = (char)n;
	inner(n + room[0] - room[0]);
	sink++;
}

static NOINLINE void calls(void)
{
	middle(MS);
	sink++;
}

/* The function has a frame of dynamic size. */
static NOINLINE void dynamic_frame(int n)
{
	volatile char *room = alloca((size_t)n * 16);

	room[n] = 1;
	inner(n);
	sink += room[n];
}

static NOINLINE void dynamic(void)
{
	dynamic_frame(MS);
	sink++;
}

/* The caller is a function of the C library. */
static int compare(const void *a, const void *b)
{
	inner(MS / 5);
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void sorts(void)
{
	int v[] = {5, 4, 3, 2};

	qsort(v, 4, sizeof(v[0]), compare);
	sink++;
}

/* leaves() uses CPU time in functions of the C library, and clocks() in the vDSO. */
static NOINLINE void leaves(void)
{
	const long long end = cpu_time() + MS * 1000000LL;
	static char a[4096], b[4096];

	while (cpu_time() < end)
		for (int i = 0; i < 100; i++) {
			memmove(a, b, sizeof(a));
			sink += memcmp(a, b, sizeof(a));
		}
}

static NOINLINE void clocks(void)
{
	const long long end = cpu_time() + MS * 1000000LL;
	struct timespec now;

	while (cpu_time() < end)
		for (int i = 0; i < 1000; i++)
			clock_gettime(CLOCK_MONOTONIC, &now);
	sink++;
}

/* With 1000 calls, the stack is larger than any stack dump. */
static NOINLINE int descend(int n)
{
	volatile char room[100];

	room[n % 100] = 1;
	if (n)
		return descend(n - 1) + room[n % 100];
	inner(MS);
	return room[0];
}

static NOINLINE void deep(void)
{
	sink += descend(1000);
}

static NOINLINE void shallow(void)
{
	sink += descend(20);
}

/* ends_with_a_call() ends with a call of a function that does not return. */
static jmp_buf back;

static NOINLINE __attribute__((noreturn)) void leaves_for_good(void)
{
	inner(MS);
	longjmp(back, 1);
}

static NOINLINE __attribute__((noreturn)) void ends_with_a_call(void)
{
	sink++;
	leaves_for_good();
}

static NOINLINE void never_returns(void)
{
	if (!setjmp(back))
		ends_with_a_call();
	sink++;
}

/* The signal handler runs on the stack of the program and on an alternate stack. */
static void handler(int number)
{
	(void)number;
	inner(MS);
	sink++;
}

static NOINLINE void interrupted(void)
{
	signal(SIGUSR1, handler);
	/* raise() would be an additional frame, in the C library. */
	raw_syscall(SYS_tgkill, getpid(), raw_syscall(SYS_gettid, 0, 0, 0), SIGUSR1);
	sink++;
}

static NOINLINE void interrupted_elsewhere(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	raw_syscall(SYS_tgkill, getpid(), raw_syscall(SYS_gettid, 0, 0, 0), SIGUSR2);
	sink++;
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"calls", calls},
	{"dynamic", dynamic},
	{"sorts", sorts},
	{"leaves", leaves},
	{"clocks", clocks},
	{"deep", deep},
	{"shallow", shallow},
	{"never_returns", never_returns},
	{"interrupted", interrupted},
	{"interrupted_elsewhere", interrupted_elsewhere},
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
			if (!strcmp(argv[i], cases[k].name))
				cases[k].run();
	return 0;
}
