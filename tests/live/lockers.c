// SPDX-License-Identifier: BSD-2-Clause
/* lockers: threads that hold locks. At the end, it prints for each function how long it has held
 * its lock, and how long it has waited for it, in ns, as the function measures it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define APART __attribute__((noinline))
#define TURNS 40

pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER, queue_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static int queue;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void rest(long us)
{
	const struct timespec time = {.tv_nsec = us * 1000};

	nanosleep(&time, NULL);
}

struct times {
	uint64_t held, waited;
};

static APART struct times slow_holder(void)
{
	uint64_t before, start, end;

	before = now();
	pthread_mutex_lock(&big_lock);
	start = now();
	rest(5000);
	end = now();
	pthread_mutex_unlock(&big_lock);
	return (struct times){.held = end - start, .waited = start - before};
}

static APART struct times quick_holder(void)
{
	uint64_t before, start, end;

	rest(200);
	before = now();
	pthread_mutex_lock(&big_lock);
	start = now();
	rest(100);
	end = now();
	pthread_mutex_unlock(&big_lock);
	return (struct times){.held = end - start, .waited = start - before};
}

static APART struct times table_writer(void)
{
	uint64_t before, start, end;

	before = now();
	pthread_rwlock_wrlock(&table_lock);
	start = now();
	rest(3000);
	end = now();
	pthread_rwlock_unlock(&table_lock);
	return (struct times){.held = end - start, .waited = start - before};
}

static APART struct times table_reader(void)
{
	uint64_t before, start, end;

	rest(200);
	before = now();
	pthread_rwlock_rdlock(&table_lock);
	start = now();
	rest(100);
	end = now();
	pthread_rwlock_unlock(&table_lock);
	return (struct times){.held = end - start, .waited = start - before};
}

static APART struct times producer(void)
{
	rest(2000);
	pthread_mutex_lock(&queue_lock);
	queue++;
	pthread_cond_signal(&queue_filled);
	pthread_mutex_unlock(&queue_lock);
	return (struct times){0};
}

static APART struct times consumer(void)
{
	pthread_mutex_lock(&queue_lock);
	while (!queue)
		pthread_cond_wait(&queue_filled, &queue_lock);
	queue--;
	pthread_mutex_unlock(&queue_lock);
	return (struct times){0};
}

struct job {
	const char *name;
	struct times (*function)(void);
	struct times sum;
	pthread_t thread;
};

static void *run(void *arg)
{
	struct job *job = arg;

	for (int i = 0; i < TURNS; i++) {
		const struct times times = job->function();

		job->sum.held += times.held;
		job->sum.waited += times.waited;
	}
	return NULL;
}

int main(void)
{
	struct job jobs[] = {{.name = "slow_holder", .function = slow_holder},
			     {.name = "quick_holder", .function = quick_holder},
			     {.name = "table_writer", .function = table_writer},
			     {.name = "table_reader", .function = table_reader},
			     {.name = "producer", .function = producer},
			     {.name = "consumer", .function = consumer}};
	const size_t count = sizeof(jobs) / sizeof(jobs[0]);

	for (size_t i = 0; i < count; i++)
		if (pthread_create(&jobs[i].thread, NULL, run, &jobs[i]))
			return 1;
	for (size_t i = 0; i < count; i++)
		pthread_join(jobs[i].thread, NULL);
	for (size_t i = 0; i < count; i++)
		printf("%s %llu %llu\n", jobs[i].name, (unsigned long long)jobs[i].sum.held,
		       (unsigned long long)jobs[i].sum.waited);
	return 0;
}
