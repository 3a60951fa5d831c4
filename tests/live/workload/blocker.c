/* SPDX-License-Identifier: BSD-2-Clause */
/* blocker NAME... sleeps, waits, and lets others wait in functions with known names, one function
 * after another. Prints the duration of each function in nanoseconds. The system call that blocks
 * is two calls below the named function, because the functions of the C library for system calls
 * have no frame. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define STAY	 __asm__ volatile("")

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void tell(const char *name, int64_t since)
{
	pthread_mutex_lock(&printing);
	printf("%s %d %lld\n", name, (int)syscall(SYS_gettid), (long long)(now() - since));
	fflush(stdout);
	pthread_mutex_unlock(&printing);
}

static NOINLINE void doze(long ns)
{
	const struct timespec time = {0, ns};

	nanosleep(&time, NULL);
	STAY;
}

/* Blocks for 200 ms in total. */
static NOINLINE void sleep_often(void)
{
	for (int i = 0; i < 20; i++)
		doze(10000000);
	STAY;
}

/* Blocks for 100 ms in total. */
static NOINLINE void sleep_less(void)
{
	for (int i = 0; i < 10; i++)
		doze(10000000);
	STAY;
}

/* Blocks for 300 ms in total. */
static NOINLINE void sleep_shortly(void)
{
	for (int i = 0; i < 300; i++)
		doze(1000000);
	STAY;
}

static NOINLINE void futex_for(long ns)
{
	static uint32_t word;
	const struct timespec time = {0, ns};

	syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0);
	STAY;
}

/* Blocks for 150 ms. */
static NOINLINE void wait_for_futex(void)
{
	futex_for(150000000);
	STAY;
}

static NOINLINE void read_one(int fd)
{
	char byte;

	if (read(fd, &byte, 1) < 0)
		_exit(1);
	STAY;
}

/* Blocks until stdin is readable or its input ends. */
static NOINLINE void wait_for_input(void)
{
	read_one(0);
	STAY;
}

static NOINLINE void wait_for_ever(void)
{
	int fds[2];

	if (pipe(fds))
		_exit(1);
	read_one(fds[0]);
	STAY;
}

static const struct {
	const char *name;
	void (*call)(void);
} waits[] = {
	{"sleep_often", sleep_often},	    {"sleep_less", sleep_less},
	{"sleep_shortly", sleep_shortly},   {"wait_for_futex", wait_for_futex},
	{"wait_for_input", wait_for_input}, {"wait_for_ever", wait_for_ever},
};

static void do_wait(const char *name)
{
	const int64_t since = now();

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (!strcmp(name, waits[i].name))
			waits[i].call();
	tell(name, since);
}

static void *thread_wait(void *name)
{
	do_wait(name);
	return NULL;
}

/* Each argument is one of these: NAME for a function that the main thread calls, thread:NAME for a
 * function of a new thread, join to wait for the last new thread, or child:NAME for a function of a
 * child process. */
int main(int argc, char **argv)
{
	pthread_t thread = 0;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "thread:", 7))
			pthread_create(&thread, NULL, thread_wait, argv[i] + 7);
		else if (!strcmp(argv[i], "join"))
			pthread_join(thread, NULL);
		else if (strncmp(argv[i], "child:", 6))
			do_wait(argv[i]);
		else if (fork() == 0)
			return do_wait(argv[i] + 6), 0;
		else
			wait(NULL);
	}
	return 0;
}
