// SPDX-License-Identifier: BSD-2-Clause
/* critical_cases CASE: a program whose critical path is known. Almost all of its wall-clock time is
 * spent in one function of one thread at a time, or in waits of this function. It prints the name
 * of the function, and its own wall-clock time in ns. Where functions of the C library have no
 * frame pointer, their callers are missing in callchains, so it is the function that calls the
 * caller. It exits with status 77 if the machine lacks what the case needs. critical_cases setup:
 * writes the file "data", which some cases read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
	return "main";
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

/* ---- The file ---- */

#define BLOCK	  ((size_t)4 << 20)
#define FILE_SIZE (ITEMS * BLOCK)

static void skip(const char *why)
{
	printf("%s\n", why);
	fflush(stdout);
	_exit(77);
}

static int open_data(int flags)
{
	const int fd = open("data", O_RDONLY | flags);

	if (fd < 0)
		skip("the file system has no O_DIRECT");
	return fd;
}

/* Writes the file. None of its pages stays in memory. */
static int write_data(void)
{
	const int fd = open("data", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char *block = malloc(BLOCK);

	must(fd);
	must(block ? 0 : -1);
	memset(block, 'x', BLOCK);
	for (int i = 0; i < ITEMS; i++)
		must(write(fd, block, BLOCK) == (ssize_t)BLOCK ? 0 : -1);
	must(fsync(fd));
	must(-posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	free(block);
	return close(fd);
}

/* ---- A pool of threads with a slow disk ---- */

static int data;
static atomic_int next_block;

static APART void read_block(char *buffer, int i)
{
	if (pread(data, buffer, BLOCK, (off_t)(i * BLOCK)) != (ssize_t)BLOCK)
		skip("the file cannot be read with O_DIRECT");
	turns++;
}

static void *run_reader(void *arg)
{
	char *buffer = aligned_alloc(4096, BLOCK);
	int i;

	must(buffer ? 0 : -1);
	while ((i = next_block++) < ITEMS)
		read_block(buffer, i);
	free(buffer);
	return arg;
}

static const char *disk(void)
{
	pthread_t threads[3];

	data = open_data(O_DIRECT);
	for (int i = 0; i < 3; i++)
		threads[i] = start(run_reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return "run_reader";
}

/* ---- Page faults of a file that is not in memory ---- */

static APART void touch_pages(const volatile char *map)
{
	for (size_t i = 0; i < FILE_SIZE; i += 4096)
		turns += (unsigned long)map[i];
	turns++;
}

static const char *faults(void)
{
	const int fd = open_data(0);
	char *map = mmap(NULL, FILE_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);

	must(map == MAP_FAILED ? -1 : 0);
	touch_pages(map);
	return "touch_pages";
}

/* ---- Threads that are more important use the processor ---- */

static atomic_bool stopped;

static APART void hog(void)
{
	while (!stopped)
		turns++;
}

static void *run_hog(void *arg)
{
	must(setpriority(PRIO_PROCESS, (id_t)gettid(), 0));
	hog();
	return arg;
}

static void use_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	must(sched_setaffinity(0, sizeof(set), &set));
}

static APART void starved_work(void)
{
	must(setpriority(PRIO_PROCESS, 0, 19));
	burn(5 * MS);
	stopped = true;
}

static const char *starvation(void)
{
	use_one_processor();
	for (int i = 0; i < 2; i++)
		start(run_hog, NULL);
	starved_work();
	return "starvation";
}

/* ---- An inversion of priorities: an important thread waits for the lock of an unimportant one
 * ---- */

static APART void hold_long(void)
{
	must((int)write(first[1], "x", 1));
	burn(5 * MS);
	stopped = true;
}

static void *run_unimportant(void *arg)
{
	must(setpriority(PRIO_PROCESS, (id_t)gettid(), 19));
	pthread_mutex_lock(&lock);
	hold_long();
	pthread_mutex_unlock(&lock);
	return arg;
}

static const char *inversion(void)
{
	char byte;

	use_one_processor();
	must(pipe(first));
	start(run_unimportant, NULL);
	must((int)read(first[0], &byte, 1));
	for (int i = 0; i < 2; i++)
		start(run_hog, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return "run_unimportant";
}

/* ---- io_uring ---- */

static struct {
	int fd;
	char *rings;
	struct io_uring_sqe *sqes;
	struct io_uring_params params;
} uring;

static void open_uring(void)
{
	size_t size;

	uring.fd = (int)syscall(SYS_io_uring_setup, 4, &uring.params);
	if (uring.fd < 0 || !(uring.params.features & IORING_FEAT_SINGLE_MMAP))
		skip("no io_uring here");
	size = uring.params.cq_off.cqes + uring.params.cq_entries * sizeof(struct io_uring_cqe) +
	       4096;
	uring.rings = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, uring.fd,
			   IORING_OFF_SQ_RING);
	uring.sqes =
		mmap(NULL, uring.params.sq_entries * sizeof(*uring.sqes), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_POPULATE, uring.fd, IORING_OFF_SQES);
	must(uring.rings == MAP_FAILED || uring.sqes == MAP_FAILED ? -1 : 0);
}

/* Reads with io_uring, and waits until it is done. Returns the result. */
static APART int read_uring(int fd, void *buffer, size_t size, uint64_t offset)
{
	const struct io_sqring_offsets *sq = &uring.params.sq_off;
	const struct io_cqring_offsets *cq = &uring.params.cq_off;
	_Atomic uint32_t *sq_tail = (void *)(uring.rings + sq->tail);
	_Atomic uint32_t *cq_head = (void *)(uring.rings + cq->head);
	const struct io_uring_cqe *cqes = (void *)(uring.rings + cq->cqes);
	uint32_t *array = (void *)(uring.rings + sq->array);
	int result;

	uring.sqes[0] = (struct io_uring_sqe){.opcode = IORING_OP_READ,
					      .fd = fd,
					      .addr = (uintptr_t)buffer,
					      .len = (uint32_t)size,
					      .off = offset};
	array[*sq_tail & (uring.params.sq_entries - 1)] = 0;
	++*sq_tail;
	must((int)syscall(SYS_io_uring_enter, uring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0));
	result = cqes[*cq_head & (uring.params.cq_entries - 1)].res;
	++*cq_head;
	return result;
}

static APART void feed(void)
{
	burn(4 * MS);
	turns++;
}

static void *run_feeder(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		feed();
		must((int)write(first[1], "x", 1));
	}
	return arg;
}

static const char *uring_pipe(void)
{
	pthread_t thread;
	char byte;

	open_uring();
	must(pipe(first));
	thread = start(run_feeder, NULL);
	for (int i = 0; i < ITEMS; i++)
		must(read_uring(first[0], &byte, 1, 0) == 1 ? 0 : -1);
	pthread_join(thread, NULL);
	return "feed";
}

static const char *uring_disk(void)
{
	char *buffer = aligned_alloc(4096, BLOCK);

	must(buffer ? 0 : -1);
	open_uring();
	data = open_data(O_DIRECT);
	for (uint64_t i = 0; i < ITEMS; i++)
		must(read_uring(data, buffer, BLOCK, i * BLOCK) == (int)BLOCK ? 0 : -1);
	free(buffer);
	return "uring_disk";
}

/* ---- Signals ---- */

static pthread_t waiter;

static APART void signal_work(void)
{
	burn(4 * MS);
	turns++;
}

static void *run_signals(void *arg)
{
	char byte;

	for (int i = 0; i < ITEMS; i++) {
		signal_work();
		must(-pthread_kill(waiter, SIGUSR1));
		must((int)read(first[0], &byte, 1)); /* signals that wait are joined */
	}
	return arg;
}

static const char *signals(void)
{
	pthread_t thread;
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	waiter = pthread_self();
	must(pipe(first));
	thread = start(run_signals, NULL);
	for (int i = 0; i < ITEMS; i++) {
		must(-sigwait(&set, &signal));
		must((int)write(first[1], "x", 1));
	}
	pthread_join(thread, NULL);
	return "signal_work";
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		const char *(*run)(void);
	} cases[] = {
		{"pipeline", pipeline},	  {"convoy", convoy},	      {"client", client},
		{"timers", timers},	  {"child", child},	      {"conditions", conditions},
		{"disk", disk},		  {"faults", faults},	      {"starvation", starvation},
		{"inversion", inversion}, {"uring_pipe", uring_pipe}, {"uring_disk", uring_disk},
		{"signals", signals}};
	const uint64_t begin = clock_now(CLOCK_MONOTONIC);

	if (argc > 1 && !strcmp(argv[1], "setup"))
		return write_data();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && argc > 1; i++) {
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
		printf("%s ", cases[i].run());
		printf("%llu\n", (unsigned long long)(clock_now(CLOCK_MONOTONIC) - begin));
		return 0;
	}
	return 2;
}
