// SPDX-License-Identifier: BSD-2-Clause
/* Programs whose allocations are known. heap_sites MODE [N]:
 *
 *     sites      each function of the C library allocates memory at a place of its own
 *     many N     20 functions allocate N blocks in turn, of sizes that differ by function, and
 *                release them; 10 of the functions keep each hundredth block
 *     threads N  N threads allocate at the same time, each in a function of its own depth
 *     forks N    N times, a child allocates and exits, or executes `heap_sites sites`
 *     contexts N N times, two threads allocate on stacks of their own, with a page after each stack
 *                that cannot be read, and release the stacks
 *     signals N  a timer interrupts allocations
 *     long N     allocates until it is ended, and writes a byte to stdout at each Nth allocation
 *
 * At the end, many and threads print their numbers of blocks and bytes. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static void *volatile kept;

/* ---- Each function once ---- */

NOINLINE static void plain_site(void)
{
	kept = malloc(1000001);
	kept = realloc(kept, 3000005);
	kept = reallocarray(kept, 2000003, 2);
	free(kept);
	kept = calloc(1000003, 8);
}

NOINLINE static void aligned_site(void)
{
	void *block = NULL;

	free(memalign(64, 1000009));
	free(aligned_alloc(64, 1000064));
	if (!posix_memalign(&block, 64, 1000011))
		free(block);
	free(valloc(1000013));
	free(pvalloc(1000015));
}

/* ---- Many blocks ---- */

static unsigned long blocks, bytes;

#define SITE(n)                                                                                    \
	NOINLINE static void *site_##n(void)                                                       \
	{                                                                                          \
		void *block = malloc(16 + (n) * (n)*24);                                           \
                                                                                                   \
		__asm__ volatile("" ::"r"(block) : "memory");                                      \
		return block;                                                                      \
	}
#define SITES(f)                                                                                   \
	f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)      \
		f(16) f(17) f(18) f(19)
SITES(SITE)
#define NAME(n) site_##n,
static void *(*const sites[])(void) = {SITES(NAME)};
#define COUNT (sizeof(sites) / sizeof(sites[0]))

NOINLINE static void run_many(unsigned long n)
{
	static void *last[COUNT];

	for (unsigned long i = 0; i < n; i++)
		for (size_t site = 0; site < COUNT; site++) {
			void *block = sites[site]();

			free(last[site]);
			last[site] = site < 10 && i % 100 == 99 ? NULL : block;
			blocks++;
			bytes += 16 + site * site * 24;
		}
	for (size_t site = 0; site < COUNT; site++)
		free(last[site]);
}

/* ---- Threads, processes, signals ---- */

NOINLINE static void descend(long depth)
{
	if (depth)
		descend(depth - 1);
	else
		for (int i = 0; i < 1000; i++)
			free(malloc(1000 + (size_t)i));
	__asm__ volatile("" ::: "memory");
}

static void *run_thread(void *depth)
{
	descend((long)depth);
	return NULL;
}

static void run_threads(long n)
{
	pthread_t threads[256];

	for (long i = 0; i < n && i < 256; i++)
		if (pthread_create(&threads[i], NULL, run_thread, (void *)i))
			abort();
	for (long i = 0; i < n && i < 256; i++)
		pthread_join(threads[i], NULL);
	blocks = (unsigned long)n * 1000;
	bytes = (unsigned long)n * 1499500;
}

NOINLINE static void run_here(void)
{
	descend(2);
	__asm__ volatile("" ::: "memory");
}

static void *run_contexts(void *n)
{
	enum { STACK = 16384, PAGE = 4096 };

	for (long i = 0; i < (long)n; i++) {
		char *stack =
			mmap(NULL, STACK + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ucontext_t here, there;

		if (stack == MAP_FAILED || mprotect(stack, STACK, PROT_READ | PROT_WRITE) ||
		    getcontext(&there))
			abort();
		there.uc_stack.ss_sp = stack;
		there.uc_stack.ss_size = STACK;
		there.uc_link = &here;
		makecontext(&there, run_here, 0);
		if (swapcontext(&here, &there) || munmap(stack, STACK + PAGE))
			abort();
		descend(2);
	}
	return NULL;
}

static void run_two_contexts(long n)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_contexts, (void *)n))
		abort();
	run_contexts((void *)n);
	pthread_join(thread, NULL);
	blocks = 4 * (unsigned long)n * 1000;
	bytes = 4 * (unsigned long)n * 1499500;
}

static void run_forks(long n, char *program)
{
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();

		if (!pid) {
			descend(3);
			if (i % 2)
				execl(program, program, "sites", NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static volatile sig_atomic_t alarms;

static void on_alarm(int signal)
{
	(void)signal;
	alarms++;
}

static void run_signals(long n)
{
	const struct itimerval often = {{0, 100}, {0, 100}};

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (alarms < n)
		descend(1);
}

static void run_long(long n)
{
	for (long i = 1;; i++) {
		free(sites[19]());
		if (i % n == 0 && write(1, ".", 1) != 1)
			_exit(1);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	const long n = argc > 2 ? atol(argv[2]) : 1;

	if (!strcmp(mode, "sites")) {
		plain_site();
		aligned_site();
	} else if (!strcmp(mode, "many")) {
		run_many((unsigned long)n);
	} else if (!strcmp(mode, "threads")) {
		run_threads(n);
	} else if (!strcmp(mode, "contexts")) {
		run_two_contexts(n);
	} else if (!strcmp(mode, "forks")) {
		run_forks(n, argv[0]);
	} else if (!strcmp(mode, "signals")) {
		run_signals(n);
	} else if (!strcmp(mode, "long")) {
		run_long(n);
	} else {
		return 2;
	}
	if (blocks)
		printf("%lu %lu\n", blocks, bytes);
	return 0;
}
