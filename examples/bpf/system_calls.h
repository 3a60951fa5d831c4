/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

/* Declarations that the programs of this folder share. */

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

/* The raw data of tracepoints: raw_syscalls:sys_enter and sys_exit, and the tracepoints of single
 * calls. Both structs correspond to the format files in tracefs. */
struct enter {
	__u64 common;
	__s64 number;
	__u64 args[6];
};

struct leave {
	__u64 common;
	__s64 number;
	__s64 result;
};

static inline __u32 current_pid(void)
{
	return bpf_get_current_pid_tgid() >> 32;
}

static inline __u32 current_tid(void)
{
	return (__u32)bpf_get_current_pid_tgid();
}

#endif
