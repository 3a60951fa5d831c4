// SPDX-License-Identifier: BSD-2-Clause
/* A library to preload. With PK_FAULT=memory=N, allocation number N fails. With memory=N+, all
 * later allocations also fail. Allocations are counted from the constructor on. The count is also
 * written to the file PK_FAULT_COUNT. With PK_FAULT_TRACE, the failing allocation prints a
 * backtrace. SIGRTMAX also prints a backtrace; drive_sweep sends this signal when it lets a system
 * call fail. With PK_FAULT_CLOCK, the time of day is constant, so that outputs can be compared. The
 * library is not preloaded into programs that the program executes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t count, size_t size);
EXPORT void *realloc(void *old, size_t size);
EXPORT void *reallocarray(void *old, size_t count, size_t size);
EXPORT void *aligned_alloc(size_t alignment, size_t size);
EXPORT void *memalign(size_t alignment, size_t size);
EXPORT int posix_memalign(void **p, size_t alignment, size_t size);
EXPORT void free(void *p);
EXPORT int clock_gettime(clockid_t clock, struct timespec *t);
EXPORT int gettimeofday(struct timeval *t, void *zone);

/* Memory for dlsym(), which can call malloc() before the next malloc() is known. This memory is
 * never freed. */
static _Alignas(16) char early[65536];
static size_t early_used;

static struct {
	bool counting, all_after, trace, clock_stands;
	unsigned long n;
	uint64_t *count;
} fault;

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static void *early_alloc(size_t size)
{
	char *p = early + early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? p : NULL;
}

/* Returns the next definition of the function `name`. Returns NULL while dlsym() is searching for
 * it. */
static void *next(void **slot, const char *name)
{
	static bool looking;

	if (!*slot && !looking) {
		looking = true;
		*slot = dlsym(RTLD_NEXT, name);
		looking = false;
	}
	return *slot;
}

static void print_backtrace(int signal_number)
{
	void *frames[32];
	int error = errno, depth;

	(void)signal_number;
	depth = backtrace(frames, 32);
	backtrace_symbols_fd(frames + 2, depth > 2 ? depth - 2 : 0, STDERR_FILENO);
	errno = error;
}

static bool is_due(void)
{
	static unsigned long local;
	unsigned long number;

	if (!fault.counting)
		return false;
	number = ++local;
	if (fault.count && *fault.count < number)
		*fault.count = number;
	if (number != fault.n && !(fault.all_after && fault.n && number > fault.n))
		return false;
	if (fault.trace && number == fault.n) {
		fault.counting = false;
		print_backtrace(0);
		fault.counting = true;
	}
	errno = ENOMEM;
	return true;
}

static void map_count(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *p =
		fd >= 0 ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;

	if (p != MAP_FAILED)
		fault.count = p;
	if (fd >= 0)
		close(fd);
}

__attribute__((constructor)) static void start(void)
{
	const char *value = getenv("PK_FAULT"), *path = getenv("PK_FAULT_COUNT");
	void *frame;
	char *end;

	if (getenv("PK_FAULT_TRACE")) {
		fault.trace = backtrace(&frame, 1) == 1; /* loads libgcc, which allocates */
		signal(SIGRTMAX, print_backtrace);
	}
	if (path)
		map_count(path);
	fault.clock_stands = getenv("PK_FAULT_CLOCK") != NULL;
	unsetenv("LD_PRELOAD");
	if (!value || strncmp(value, "memory=", 7))
		return;
	fault.n = strtoul(value + 7, &end, 10);
	fault.all_after = *end == '+';
	fault.counting = true;
}

EXPORT void *malloc(size_t size)
{
	static void *slot;
	void *(*real)(size_t) = (void *(*)(size_t))next(&slot, "malloc");

	if (is_due())
		return NULL;
	return real ? real(size) : early_alloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	static void *slot;
	void *(*real)(size_t, size_t) = (void *(*)(size_t, size_t))next(&slot, "calloc");

	if (is_due())
		return NULL;
	return real ? real(count, size) : early_alloc(count * size);
}

EXPORT void *realloc(void *old, size_t size)
{
	static void *slot;
	void *(*real)(void *, size_t) = (void *(*)(void *, size_t))next(&slot, "realloc");

	if (is_due())
		return NULL;
	return real ? real(is_early(old) ? NULL : old, size) : early_alloc(size);
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
	size_t product;

	if (__builtin_mul_overflow(count, size, &product)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, product);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	static void *slot;
	void *(*real)(size_t, size_t) = (void *(*)(size_t, size_t))next(&slot, "memalign");

	return is_due() || !real ? NULL : real(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

EXPORT int posix_memalign(void **p, size_t alignment, size_t size)
{
	void *result = memalign(alignment, size);

	if (!result)
		return ENOMEM;
	*p = result;
	return 0;
}

EXPORT void free(void *p)
{
	static void *slot;
	void (*real)(void *) = (void (*)(void *))next(&slot, "free");

	if (real && !is_early(p))
		real(p);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (!fault.clock_stands || clock != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, clock, t);
	*t = (struct timespec){.tv_sec = 1700000000};
	return 0;
}

/* SQLite asks for the time of day by this function. */
EXPORT int gettimeofday(struct timeval *t, void *zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
	return 0;
}
