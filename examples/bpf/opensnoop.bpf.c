/* SPDX-License-Identifier: BSD-2-Clause */
/* Records files that programs open, and the result: pk-record --bpf opensnoop.bpf.c >opens.pk
 *
 * To record only one process: --bpf opensnoop.bpf.c:only_pid=1234 */
#include "system_calls.h"

/* The fields of the event bpf:opens. */
struct opens_event {
	__u64 ts;
	__u32 pid, tid;
	__u32 cpu;
	__s32 result; /* a descriptor, or a negative errno */
	__u32 flags;
	char comm[16];
	char filename[256];
};
const struct opens_event *opens_type
	__attribute__((unused)); /* makes the compiler write the type into the BTF */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} opens SEC(".maps");

__u64 opens_lost; /* number of records for which the ring buffer had no room */

const volatile __u32 only_pid; /* 0 stands for all processes */

struct call {
	const char *filename;
	__u32 flags;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, __u32);
	__type(value, struct call);
} calls SEC(".maps");

static int note(const char *filename, __u32 flags)
{
	const __u32 tid = current_tid();
	const struct call call = {filename, flags};

	if (!only_pid || only_pid == current_pid())
		bpf_map_update_elem(&calls, &tid, &call, BPF_ANY);
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_openat")
int enter_openat(struct enter *context)
{
	return note((const char *)context->args[1], (__u32)context->args[2]);
}

SEC("tracepoint/syscalls/sys_enter_openat2")
int enter_openat2(struct enter *context)
{
	__u64 flags = 0;

	bpf_probe_read_user(&flags, sizeof(flags), (const void *)context->args[2]);
	return note((const char *)context->args[1], (__u32)flags);
}

/* Called at the end of the call. The kernel has read the name by then, so the name is in memory. */
static int report(const struct leave *context)
{
	const __u32 tid = current_tid();
	const struct call *call = bpf_map_lookup_elem(&calls, &tid);
	struct opens_event *event;

	if (!call)
		return 0;
	event = bpf_ringbuf_reserve(&opens, sizeof(*event), 0);
	if (event) {
		event->ts = bpf_ktime_get_ns();
		event->pid = current_pid();
		event->tid = tid;
		event->cpu = bpf_get_smp_processor_id();
		event->result = (__s32)context->result;
		event->flags = call->flags;
		bpf_get_current_comm(event->comm, sizeof(event->comm));
		if (bpf_probe_read_user_str(event->filename, sizeof(event->filename),
					    call->filename) < 0)
			event->filename[0] = 0;
		bpf_ringbuf_submit(event, 0);
	} else {
		__sync_fetch_and_add(&opens_lost, 1);
	}
	bpf_map_delete_elem(&calls, &tid);
	return 0;
}

SEC("tracepoint/syscalls/sys_exit_openat")
int leave_openat(struct leave *context)
{
	return report(context);
}

SEC("tracepoint/syscalls/sys_exit_openat2")
int leave_openat2(struct leave *context)
{
	return report(context);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
