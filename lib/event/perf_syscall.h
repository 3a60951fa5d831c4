/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PERF_SYSCALL_H
#define PK_PERF_SYSCALL_H

/* The kernel's interface of perf_event_open(2): the system call, its ioctls, and the first page of
 * a ring buffer. The layouts of records and attrs are in perf_abi.h. */

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "pkstream.h"

#define PERF_FLAG_PID_CGROUP (1UL << 2)
#define PERF_FLAG_FD_CLOEXEC (1UL << 3)

#define PERF_EVENT_IOC_ENABLE	    _IO('$', 0)
#define PERF_EVENT_IOC_DISABLE	    _IO('$', 1)
#define PERF_EVENT_IOC_RESET	    _IO('$', 3)
#define PERF_EVENT_IOC_PERIOD	    _IOW('$', 4, uint64_t)
#define PERF_EVENT_IOC_SET_OUTPUT   _IO('$', 5)
#define PERF_EVENT_IOC_SET_FILTER   _IOW('$', 6, char *)
#define PERF_EVENT_IOC_ID	    _IOR('$', 7, uint64_t *)
#define PERF_EVENT_IOC_SET_BPF	    _IOW('$', 8, uint32_t)
#define PERF_EVENT_IOC_PAUSE_OUTPUT _IOW('$', 9, uint32_t)

/* Bits of perf_ring_page.capabilities. */
#define PERF_CAP_USER_TIME_ZERO	 (UINT64_C(1) << 4)
#define PERF_CAP_USER_TIME_SHORT (UINT64_C(1) << 5)

/* The page before the data of a ring buffer. The kernel writes data_head, which only grows. If the
 * ring buffer is written backward, data_head only shrinks. The reader writes data_tail. The
 * same applies to the AUX area, whose place and size the reader writes before it maps the area. If
 * the AUX area is overwritten, aux_head is a position that can be less than before. */
struct perf_ring_page {
	uint32_t version, compat_version;
	uint32_t lock; /* changes while the kernel changes the fields up to time_mask */
	uint32_t index;
	int64_t offset;
	uint64_t time_enabled, time_running, capabilities;
	uint16_t pmc_width;
	/* The times of records, from the counter of the processor. */
	uint16_t time_shift;
	uint32_t time_mult;
	uint64_t time_offset, time_zero;
	uint32_t size, reserved;
	uint64_t time_cycles, time_mask;
	uint8_t unused[1024 - 96];
	uint64_t data_head;
	uint64_t data_tail;
	uint64_t data_offset;
	uint64_t data_size;
	uint64_t aux_head, aux_tail, aux_offset, aux_size;
};

_Static_assert(offsetof(struct perf_ring_page, time_zero) == 64, "time_zero");
_Static_assert(offsetof(struct perf_ring_page, data_head) == 1024, "data_head");

/* Returns the size of an attr in bytes. It is the size that perf 6.1 and kernels of that time use,
 * or a larger size if config3 or config4 is used. */
static inline uint32_t perf_attr_size(const struct perf_attr *attr)
{
	return attr->config3 || attr->config4 ? PERF_ATTR_SIZE_VER9 : PERF_ATTR_SIZE_VER7;
}

static inline int perf_event_open(const struct perf_attr *attr, pid_t tid, int cpu, int group,
				  unsigned long flags)
{
	struct perf_attr native = *attr;

	native.size = perf_attr_size(attr);
	native.flags = pk_attr_written_flags(attr->flags);
	return (int)syscall(SYS_perf_event_open, &native, tid, cpu, group, flags);
}

#endif
