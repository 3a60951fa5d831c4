// SPDX-License-Identifier: BSD-2-Clause
/*
 * A library to preload. With it, perf_event_open behaves as on another machine, which PK_KERNEL
 * selects: 5.4      has no build-ids, and no counts of lost samples 3.10     also has no BPF, no
 * MMAP2, and no limits of stacks 7.0      accepts deferred callchains, but does not defer
 * callchains no-pmu   has no hardware counters
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf_abi.h"

#define SINCE_5_12 (PERF_ATTR_BUILD_ID | PERF_ATTR_DEFER_CALLCHAIN | PERF_ATTR_DEFER_OUTPUT)
#define SINCE_3_16 (PERF_ATTR_KSYMBOL | PERF_ATTR_BPF_EVENT | PERF_ATTR_MMAP2 | PERF_ATTR_COMM_EXEC)

static bool kernel_is(const char *name)
{
	const char *kernel = getenv("PK_KERNEL");

	return kernel && !strcmp(kernel, name);
}

/* Returns the errno with which the selected kernel refuses the attr, or 0 if it accepts the attr.
 * Can change the attr. */
static int look_at(struct perf_attr *attr)
{
	const bool very_old = kernel_is("3.10");

	if ((very_old || kernel_is("5.4")) &&
	    ((attr->flags & SINCE_5_12) || (attr->read_format & PERF_FORMAT_LOST)))
		return EINVAL;
	if (very_old && ((attr->flags & SINCE_3_16) || attr->sample_max_stack))
		return EINVAL;
	if (kernel_is("7.0"))
		attr->flags &= ~(PERF_ATTR_DEFER_CALLCHAIN | PERF_ATTR_DEFER_OUTPUT);
	if (kernel_is("no-pmu") && attr->type == PERF_TYPE_HARDWARE)
		return ENOENT;
	return 0;
}

long syscall(long number, ...)
{
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	struct perf_attr attr;
	long arguments[6];
	va_list list;
	int error;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open) {
		memcpy(&attr, (const void *)arguments[0], sizeof(attr));
		error = look_at(&attr);
		if (error) {
			errno = error;
			return -1;
		}
		arguments[0] = (long)&attr;
	}
	return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
		    arguments[5]);
}
