// SPDX-License-Identifier: BSD-2-Clause
/* work WHAT... runs each of these for about 50 ms of CPU time: calls, recursion, cxx, kernel, fork,
 * exec, threads. A recording must show the names of the functions that use this time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "burn.h"

enum { MILLISECONDS = 50 };

/* The linker's name of the function is the name of outer::inner<int>::run(int) in C++. */
void cxx_run(int milliseconds) __asm__("_ZN5outer5innerIiE3runEi");

static volatile int depth;

static NOINLINE void innermost(void)
{
	burn(MILLISECONDS);
	depth++;
}

static NOINLINE void middle(void)
{
	innermost();
	depth++;
}

static NOINLINE void outermost(void)
{
	middle();
	depth++;
}

static NOINLINE void recurse(int levels)
{
	if (levels > 1)
		recurse(levels - 1);
	else
		burn(MILLISECONDS);
	depth++;
}

NOINLINE void cxx_run(int milliseconds)
{
	burn(milliseconds);
	depth++;
}

/* Uses time in the kernel, which fills memory with zeros. */
static NOINLINE void read_zeros(void)
{
	static char buffer[1 << 20];
	const long long end = cpu_time() + MILLISECONDS * 1000000LL;
	const int fd = open("/dev/zero", O_RDONLY);

	while (cpu_time() < end)
		raw_syscall(SYS_read, fd, (long)buffer, sizeof(buffer));
	close(fd);
}

static NOINLINE void forked(void)
{
	burn(MILLISECONDS);
	depth++;
}

static NOINLINE void executed(void)
{
	prctl(PR_SET_NAME, "renamed", 0, 0, 0);
	burn(MILLISECONDS);
	depth++;
}

static NOINLINE void fork_and_wait(const char *program)
{
	const pid_t pid = fork();

	if (pid == 0) {
		if (program)
			execl(program, program, "executed", NULL);
		else
			forked();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static NOINLINE void *run_one(void *arg)
{
	pthread_setname_np(pthread_self(), "thread one");
	burn(MILLISECONDS);
	return arg;
}

static NOINLINE void *run_two(void *arg)
{
	pthread_setname_np(pthread_self(), "thread;two");
	burn(MILLISECONDS);
	return arg;
}

static void run_threads(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, run_one, NULL);
	pthread_create(&two, NULL, run_two, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "calls"))
			outermost();
		else if (!strcmp(argv[i], "recursion"))
			recurse(10);
		else if (!strcmp(argv[i], "cxx"))
			cxx_run(MILLISECONDS);
		else if (!strcmp(argv[i], "kernel"))
			read_zeros();
		else if (!strcmp(argv[i], "fork"))
			fork_and_wait(NULL);
		else if (!strcmp(argv[i], "exec"))
			fork_and_wait(argv[0]);
		else if (!strcmp(argv[i], "executed"))
			executed();
		else if (!strcmp(argv[i], "threads"))
			run_threads();
		else
			return 2;
	}
	return 0;
}
