// SPDX-License-Identifier: BSD-2-Clause
/* spinner [SECONDS [STATUS [THREADS]]] uses CPU time (default: 0.2 s) in spin_inner(), which
 * spin_outer() calls, and exits with STATUS. With THREADS, that many further threads with the name
 * "spin-thread" do the same. SECONDS is the CPU time of each thread. Therefore the number of
 * samples does not depend on the load of other programs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long spun;
static void *volatile frame;
static double seconds;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The function reads its frame address. Therefore the compiler keeps a frame pointer in it. */
__attribute__((noinline)) static void spin_inner(void)
{
	frame = __builtin_frame_address(0);
	for (int i = 0; i < 100000; i++)
		spun += (unsigned long)i;
}

__attribute__((noinline)) static void spin_outer(double until)
{
	frame = __builtin_frame_address(0);
	while (now() < until)
		spin_inner();
	spun++;
}

static void *spin_thread(void *arg)
{
	pthread_setname_np(pthread_self(), "spin-thread");
	spin_outer(now() + seconds);
	return arg;
}

int main(int argc, char **argv)
{
	const int threads = argc > 3 ? atoi(argv[3]) : 0;
	pthread_t thread[16];

	seconds = argc > 1 ? atof(argv[1]) : 0.2;
	for (int i = 0; i < threads && i < 16; i++)
		pthread_create(&thread[i], NULL, spin_thread, NULL);
	spin_outer(now() + seconds);
	for (int i = 0; i < threads && i < 16; i++)
		pthread_join(thread[i], NULL);
	return argc > 2 ? atoi(argv[2]) : 0;
}
