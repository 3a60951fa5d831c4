// SPDX-License-Identifier: BSD-2-Clause
/* requests: a server with three threads. Markers (USDT) with the number of the request are at the
 * start of each request, in the main thread, and at its end, in the thread that has served it.
 * Requests of three kinds take their time in three ways: they run in compute(), they wait in
 * await_timer(), or they wait for a lock whose holder runs in hold_lock(). The main thread waits
 * until a thread is idle. For each request, the program prints the number, the name of the
 * function, and the duration in ns between the markers. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define APART	 __attribute__((noinline))
#define MS	 UINT64_C(1000000)
#define REQUESTS 30
#define THREADS	 3

/* A marker with one argument of 4 bytes in a register. */
#define MARK(name, value)                                                                          \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"                  \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n992: .balign 4\n"                               \
			 "993: .8byte 990b\n.8byte 0\n.8byte 0\n.asciz \"server\"\n"               \
			 ".asciz \"" name "\"\n.asciz \"4@%0\"\n994: .balign 4\n.popsection\n"     \
			 :                                                                         \
			 : "r"(value))

static struct {
	uint64_t start, end;
} times[REQUESTS];

static const char *const names[THREADS] = {"compute", "await_timer", "hold_lock"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, queue_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t queued, idle, held;
static volatile unsigned long turns;
static int next;

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

static void burn(uint64_t ns)
{
	const uint64_t end = clock_now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_now(CLOCK_THREAD_CPUTIME_ID) < end)
		turns++;
}

static APART void compute(void)
{
	burn(10 * MS);
	turns++;
}

static APART void await_timer(void)
{
	usleep(40000);
	turns++;
}

static APART void *hold_lock(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	sem_post(&held);
	burn(20 * MS);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static APART void await_lock(void)
{
	pthread_t holder;

	pthread_create(&holder, NULL, hold_lock, NULL);
	sem_wait(&held);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(holder, NULL);
}

static void *serve(void *arg)
{
	int id;

	(void)arg;
	for (;;) {
		sem_wait(&queued);
		pthread_mutex_lock(&queue_lock);
		id = next++;
		pthread_mutex_unlock(&queue_lock);
		if (id >= REQUESTS)
			return NULL;
		if (id % THREADS == 0)
			compute();
		else if (id % THREADS == 1)
			await_timer();
		else
			await_lock();
		MARK("end", id);
		times[id].end = clock_now(CLOCK_MONOTONIC);
		sem_post(&idle);
	}
}

int main(void)
{
	pthread_t threads[THREADS];

	sem_init(&queued, 0, 0);
	sem_init(&idle, 0, THREADS);
	sem_init(&held, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int id = 0; id < REQUESTS; id++) {
		sem_wait(&idle);
		times[id].start = clock_now(CLOCK_MONOTONIC);
		MARK("begin", id);
		sem_post(&queued);
	}
	for (int i = 0; i < THREADS; i++)
		sem_post(&queued);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int id = 0; id < REQUESTS; id++)
		printf("%d %s %llu\n", id, names[id % THREADS],
		       (unsigned long long)(times[id].end - times[id].start));
	return 0;
}
