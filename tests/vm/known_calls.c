/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that the virtual machine records. It makes system calls in functions with known names,
 * in two threads. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static NOINLINE long known_leaf(int fd)
{
	static char buffer[1 << 20];
	register long offset __asm__("r10") = 0;
	long result;

	/* pread() of the C library is not called, because it has no frame pointer. */
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_pread64), "D"(fd), "S"(buffer), "d"(sizeof(buffer)), "r"(offset)
			 : "rcx", "r11", "memory");
	return result + 1;
}

static NOINLINE long known_middle(int fd)
{
	return known_leaf(fd) + 1;
}

static NOINLINE long known_outer(double end)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	long sum = 0;

	while (used() < end)
		sum += known_middle(fd);
	close(fd);
	return sum;
}

static void *known_thread(void *arg)
{
	(void)arg;
	return (void *)known_outer(1.5);
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, known_thread, NULL))
		return 1;
	if (known_outer(1.5) < 0)
		return 1;
	return pthread_join(thread, NULL) != 0;
}
