// SPDX-License-Identifier: BSD-2-Clause
/* waiters: threads that wait in functions whose names tell what they wait for. It prints its pid
 * when all threads wait. If a call returns EINTR, it prints the name of the function. */
#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, free_one = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile unsigned long turns;
static int ends[2];

#define APART __attribute__((noinline))

static void *failed(const char *name)
{
	if (errno == EINTR) {
		printf("EINTR in %s\n", name);
		fflush(stdout);
	}
	return NULL;
}

static APART void *wait_for_mutex(void *arg)
{
	pthread_mutex_lock(&held);
	turns++;
	return arg;
}

static APART void *wait_for_condition(void *arg)
{
	pthread_mutex_lock(&free_one);
	pthread_cond_wait(&condition, &free_one);
	turns++;
	return arg;
}

static APART void *wait_for_epoll(void *arg)
{
	struct epoll_event event;
	volatile char *room = alloca(4096 + ((size_t)arg & 15));
	const int fd = epoll_create1(0);

	room[0] = 1;
	epoll_wait(fd, &event, 1, -1);
	turns += (unsigned long)room[0];
	return failed("wait_for_epoll");
}

static APART void *wait_for_pipe(void *arg)
{
	char byte;

	if (read(ends[0], &byte, 1) < 0)
		failed("wait_for_pipe");
	turns++;
	return arg;
}

static APART void *wait_for_time(void *arg)
{
	const struct timespec hour = {.tv_sec = 3600};

	nanosleep(&hour, NULL);
	failed("wait_for_time");
	return arg;
}

static APART void *wait_for_child(void *arg)
{
	const pid_t pid = fork();

	if (!pid) {
		for (;;)
			pause();
	}
	waitpid(pid, NULL, 0);
	failed("wait_for_child");
	return arg;
}

static APART void *run(void *arg)
{
	for (;;)
		turns++;
	return arg;
}

static APART void on_signal(int number)
{
	(void)number;
	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

/* The caller of the function that has the signal. */
static APART void wait_in_handler(int depth)
{
	if (depth)
		wait_in_handler(depth - 1);
	else
		raise(SIGUSR1);
	turns++;
}

int main(void)
{
	void *(*const functions[])(void *) = {wait_for_mutex,
					      wait_for_condition,
					      wait_for_epoll,
					      wait_for_pipe,
					      wait_for_time,
					      wait_for_child,
					      run};
	pthread_t thread;

	if (pipe(ends) < 0)
		return 1;
	pthread_mutex_lock(&held);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (pthread_create(&thread, NULL, functions[i], NULL))
			return 1;
	signal(SIGUSR1, on_signal);
	wait_in_handler(3);
	return 0;
}
