// SPDX-License-Identifier: BSD-2-Clause
/* critical_cases CASE: a program whose critical path is known. Almost all of its wall-clock time is
 * spent in one function of one thread at a time, or in waits of one kind. It prints the name of the
 * function or kind, and its own wall-clock time in ns. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define MS    UINT64_C(1000000)
#define ITEMS 30

static volatile unsigned long turns;

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

/* Runs for this time on a processor. */
static APART void burn(uint64_t ns)
{
	const uint64_t end = clock_now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_now(CLOCK_THREAD_CPUTIME_ID) < end)
		turns++;
}

static void must(int result)
{
	if (result < 0)
		_exit(1);
}

static pthread_t start(void *(*function)(void *), void *arg)
{
	pthread_t thread;

	must(-pthread_create(&thread, NULL, function, arg));
	return thread;
}

/* ---- A pipeline of threads: the second stage is the slowest ---- */

static int first[2], second[2];

static APART void first_stage(void)
{
	burn(MS / 5);
	turns++;
}

static APART void slow_stage(void)
{
	burn(4 * MS);
	turns++;
}

static void *run_first(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		first_stage();
		must((int)write(first[1], "x", 1));
	}
	return arg;
}

static void *run_second(void *arg)
{
	char byte;

	for (int i = 0; i < ITEMS; i++) {
		must((int)read(first[0], &byte, 1));
		slow_stage();
		must((int)write(second[1], "x", 1));
	}
	return arg;
}

static const char *pipeline(void)
{
	pthread_t threads[2];
	char byte;

	must(pipe(first));
	must(pipe(second));
	threads[0] = start(run_first, NULL);
	threads[1] = start(run_second, NULL);
	for (int i = 0; i < ITEMS; i++)
		must((int)read(second[0], &byte, 1));
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return "slow_stage";
}

/* ---- A lock convoy ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static APART void hold_lock(void)
{
	burn(2 * MS);
	turns++;
}

static void *run_convoy(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&lock);
		hold_lock();
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static const char *convoy(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		threads[i] = start(run_convoy, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return "hold_lock";
}

/* ---- A client and a server ---- */

static int ends[2];

static APART void serve(void)
{
	burn(4 * MS);
	turns++;
}

static void run_server(void)
{
	char byte;

	while (read(ends[1], &byte, 1) == 1) {
		serve();
		must((int)write(ends[1], "x", 1));
	}
	_exit(0);
}

static const char *client(void)
{
	char byte;
	pid_t pid;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	pid = fork();
	must(pid);
	if (!pid) {
		close(ends[0]);
		run_server();
	}
	close(ends[1]);
	for (int i = 0; i < ITEMS; i++) {
		must((int)write(ends[0], "x", 1));
		must((int)read(ends[0], &byte, 1));
	}
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return "serve";
}

/* ---- Timers ---- */

static const char *timers(void)
{
	const struct timespec ten = {.tv_nsec = 10 * (long)MS};

	for (int i = 0; i < 15; i++)
		nanosleep(&ten, NULL);
	return "timer";
}

/* ---- A child ---- */

static APART void child_work(void)
{
	burn(120 * MS);
	turns++;
}

static const char *child(void)
{
	const pid_t pid = fork();

	must(pid);
	if (!pid) {
		child_work();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return "child_work";
}

/* ---- A condition variable ---- */

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int made, used;

static APART void produce(void)
{
	burn(4 * MS);
	turns++;
}

static void *run_producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		produce();
		pthread_mutex_lock(&lock);
		made++;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static const char *conditions(void)
{
	const pthread_t thread = start(run_producer, NULL);

	while (used < ITEMS) {
		pthread_mutex_lock(&lock);
		while (made == used)
			pthread_cond_wait(&condition, &lock);
		used++;
		pthread_mutex_unlock(&lock);
	}
	pthread_join(thread, NULL);
	return "produce";
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		const char *(*run)(void);
	} cases[] = {{"pipeline", pipeline}, {"convoy", convoy}, {"client", client},
		     {"timers", timers},     {"child", child},	 {"conditions", conditions}};
	const uint64_t begin = clock_now(CLOCK_MONOTONIC);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && argc > 1; i++) {
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
		printf("%s ", cases[i].run());
		printf("%llu\n", (unsigned long long)(clock_now(CLOCK_MONOTONIC) - begin));
		return 0;
	}
	return 2;
}
