/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BURN_H
#define BURN_H

/* Uses CPU time and measures this time, so that a test can compare it with a recording. Reads the
 * clock without libc, because the functions of libc have no frame pointers, and samples in these
 * functions would lack their caller. */

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

#if defined(__x86_64__)
static inline __attribute__((always_inline)) long raw_syscall(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__i386__)
static inline __attribute__((always_inline)) long raw_syscall(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("xchgl %%ebx, %1\n\tint $0x80\n\txchgl %%ebx, %1"
			 : "=a"(result), "+S"(a)
			 : "0"(number), "c"(b), "d"(c)
			 : "memory");
	return result;
}
#elif defined(__aarch64__)
static inline __attribute__((always_inline)) long raw_syscall(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
			 x2 __asm__("x2") = c;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}
#else
#define raw_syscall(number, a, b, c) syscall(number, a, b, c)
#endif

/* Returns the CPU time that this thread has used, in nanoseconds. */
static inline __attribute__((always_inline)) long long cpu_time(void)
{
	struct timespec now;

	raw_syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&now, 0);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static volatile unsigned long burnt;

static inline __attribute__((always_inline)) void burn_until(long long end)
{
	do {
		for (unsigned long i = 0; i < 20000; i++)
			burnt += i;
	} while (cpu_time() < end);
}

static __attribute__((unused)) NOINLINE void burn(int milliseconds)
{
	burn_until(cpu_time() + milliseconds * 1000000LL);
}

#endif
