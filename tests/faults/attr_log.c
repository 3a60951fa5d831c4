// SPDX-License-Identifier: BSD-2-Clause
/* A library to preload. It writes the attr of each event that a program opens and whose id the
 * program requests to the file $PK_ATTRS. Each attr is a line of "NAME=VALUE ...". If consecutive
 * attrs are equal, only one line is written. If this machine cannot open an event (such as a
 * hardware counter), the library opens a dummy event instead, so that the program continues. The
 * program always reads MAX_RATE as the highest sampling rate, because the kernel changes the real
 * rate under load. The AUX area of an event is memory that stays empty. Filters of events that the
 * machine does not have are written as lines of "filter TEXT". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FDS	       1024
#define WORDS	       (144 / 8)
#define IOC_ID	       0x80082407UL
#define IOC_SET_FILTER 0x40082406UL

#define RATE_FILE "/proc/sys/kernel/perf_event_max_sample_rate"
#define MAX_RATE  "7250\n"

static uint64_t attrs[FDS][WORDS];
static int leads[FDS]; /* 1 for a leader or a single event, 2 for a member, 0 for no event */
static char last[2048];

static void replace(uint64_t *attr, int error)
{
	uint32_t *type = (uint32_t *)attr;

	(void)error;
	type[0] = 1; /* PERF_TYPE_SOFTWARE */
	attr[1] = 9; /* PERF_COUNT_SW_DUMMY */
	attr[2] = 1; /* sampling frequency in Hz; all kernels allow this value */
	attr[5] &= ~(UINT64_C(3) << 15); /* clears precise_ip */
	attr[5] &= ~(UINT64_C(1) << 31); /* clears aux_output */
	attr[7] = attr[8] = 0;
	attr[9] = 0;					     /* branch_sample_type */
	attr[3] &= ~(UINT64_C(1) << 11 | UINT64_C(1) << 20); /* branch stacks and traces */
	attr[14] = 0;					     /* aux_sample_size and aux_action */
	((uint32_t *)attr)[13] = 0;			     /* bp_type */
}

static long open_event(long (*next)(long, ...), uint64_t *attr, long pid, long cpu, long group,
		       long flags)
{
	uint64_t copy[WORDS] = {0};
	const uint32_t size = ((uint32_t *)attr)[1];
	long fd = next(SYS_perf_event_open, attr, pid, cpu, group, flags);

	memcpy(copy, attr, size < sizeof(copy) ? size : sizeof(copy));
	if (fd < 0 && (errno == ENOENT || errno == EOPNOTSUPP || errno == EINVAL ||
		       errno == ENODEV || errno == EACCES || errno == EFAULT)) {
		uint64_t other[WORDS];

		memcpy(other, copy, sizeof(other));
		replace(other, errno);
		if (((uint32_t *)attr)[0] != 1 || getenv("PK_REPLACE_ALL"))
			fd = next(SYS_perf_event_open, other, pid, cpu, group, flags);
	}
	if (fd >= 0 && fd < FDS) {
		memcpy(attrs[fd], copy, sizeof(copy));
		leads[fd] = group < 0 ? 1 : 2;
	}
	return fd;
}

long syscall(long number, ...)
{
	static long (*next)(long, ...);
	long args[6];
	va_list list;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_perf_event_open)
		return next(number, args[0], args[1], args[2], args[3], args[4], args[5]);
	return open_event(next, (uint64_t *)args[0], (int)args[1], (int)args[2], (int)args[3],
			  args[4]);
}

static void note(int fd)
{
	static const char *const names[WORDS] = {
		NULL,	     "config",	  "period",  "sample_type", "read_format", "flags",
		"wakeup",    "config1",	  "config2", "branches",    "user_regs",   "stack",
		"intr_regs", "max_stack", "aux",     "sig_data",    "config3",	   "config4"};
	const char *path = getenv("PK_ATTRS");
	const uint64_t *attr = attrs[fd];
	char text[2048];
	size_t used;
	FILE *file;

	used = (size_t)snprintf(text, sizeof(text), "%s type=%#x",
				leads[fd] == 1 ? "leader" : "member", (uint32_t)attr[0]);
	for (int i = 1; i < WORDS; i++)
		if (attr[i])
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %s=%#llx",
						 names[i], (unsigned long long)attr[i]);
	if (!path || !strcmp(text, last))
		return;
	snprintf(last, sizeof(last), "%s", text);
	file = fopen(path, "a");
	if (!file)
		return;
	fprintf(file, "%s\n", text);
	fclose(file);
}

static int note_filter(const char *text)
{
	const char *path = getenv("PK_ATTRS");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (!file)
		return 0;
	fprintf(file, "filter %s\n", text);
	fclose(file);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	va_list list;
	void *argument;
	int result;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "ioctl");
	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == IOC_ID && fd >= 0 && fd < FDS && leads[fd])
		note(fd);
	result = next(fd, request, argument);
	if (result < 0 && request == IOC_SET_FILTER && fd >= 0 && fd < FDS && leads[fd])
		return note_filter(argument);
	return result;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	static void *(*next)(void *, size_t, int, int, int, off_t);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "mmap");
	if (fd >= 0 && fd < FDS && leads[fd] && offset)
		return next(address, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return next(address, size, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));

static int open_rate(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (write(ends[1], MAX_RATE, strlen(MAX_RATE)) < 0)
		abort();
	close(ends[1]);
	return ends[0];
}

int open(const char *path, int flags, ...)
{
	static int (*next)(const char *, int, ...);
	va_list list;
	int mode;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "open");
	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	return strcmp(path, RATE_FILE) ? next(path, flags, mode) : open_rate();
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
