/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes histograms of the time of system calls, by number of the call:
 *
 * pk-record -a --bpf syscall_latency.bpf.c -- sleep 10 | pk-report --by syscall_nr,low
 *
 * To record only one call of one process: --bpf syscall_latency.bpf.c:only_nr=0,only_pid=1234 */
#include "system_calls.h"

#define SLOTS 40

const volatile __s32 only_nr = -1; /* -1 stands for all calls */
const volatile __u32 only_pid;	   /* 0 stands for all processes */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32); /* tid */
	__type(value, __u64);
} starts SEC(".maps");

struct call {
	__s32 syscall_nr; /* because of this name, pk-record shows names of calls */
};

/* Slot i counts the calls that took from 2^i ns to less than 2^(i+1) ns. Slot 0 also counts calls
 * that took 0 ns. */
struct histogram {
	__u64 slots[SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct call);
	__type(value, struct histogram);
} latency_hist SEC(".maps");

static const struct histogram blank;

SEC("tracepoint/raw_syscalls/sys_enter")
int enter(struct enter *context)
{
	const __u64 now = bpf_ktime_get_ns();
	const __u32 tid = current_tid();

	if ((only_nr < 0 || only_nr == context->number) && (!only_pid || only_pid == current_pid()))
		bpf_map_update_elem(&starts, &tid, &now, BPF_ANY);
	return 0;
}

static __u32 log2_of(__u64 value)
{
	__u32 log = 0;

	for (int bits = 32; bits; bits /= 2) {
		if (value >> bits) {
			value >>= bits;
			log += bits;
		}
	}
	return log;
}

SEC("tracepoint/raw_syscalls/sys_exit")
int leave(struct leave *context)
{
	const __u32 tid = current_tid();
	const __u64 *start = bpf_map_lookup_elem(&starts, &tid);
	const struct call call = {(__s32)context->number};
	struct histogram *histogram;
	__u32 slot;

	if (!start)
		return 0;
	slot = log2_of(bpf_ktime_get_ns() - *start);
	bpf_map_delete_elem(&starts, &tid);
	histogram = bpf_map_lookup_elem(&latency_hist, &call);
	if (!histogram) {
		bpf_map_update_elem(&latency_hist, &call, &blank, BPF_NOEXIST);
		histogram = bpf_map_lookup_elem(&latency_hist, &call);
	}
	if (histogram)
		__sync_fetch_and_add(&histogram->slots[slot < SLOTS ? slot : SLOTS - 1], 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
