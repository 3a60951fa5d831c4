/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints new programs with their arguments, and the result: pk-record --bpf execsnoop.bpf.c
 * >execs.pk */
#include "system_calls.h"

#define ARGUMENTS     20  /* maximum number of arguments */
#define ARGUMENT_SIZE 64  /* maximum size of an argument in bytes, with its NUL */
#define ARGS_SIZE     256 /* every argument starts before this offset; a power of two */

/* The fields of the event bpf:execs. */
struct execs_event {
	__u64 ts;
	__u32 pid, tid;
	__u32 cpu;
	__s32 result;	 /* 0, or a negative errno */
	char caller[16]; /* comm of the thread before the call */
	char filename[128];
	char args[ARGS_SIZE + ARGUMENT_SIZE]; /* arguments separated by blanks */
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} execs SEC(".maps");

__u64 execs_lost; /* number of records for which the ring buffer had no room */

/* The records of threads that are in the system call now. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct execs_event);
} calls SEC(".maps");

static const struct execs_event blank;

/* Prevents the compiler from removing the masks in the functions below. The kernel needs the masks
 * to prove that an index is valid. */
#define forget(number) asm volatile("" : "+r"(number))

static void read_arguments(struct execs_event *event, const __u64 *argv)
{
	__u64 argument;
	__u32 at = 0;
	long size;

	for (int i = 0; i < ARGUMENTS; i++) {
		if (at >= ARGS_SIZE ||
		    bpf_probe_read_user(&argument, sizeof(argument), &argv[i]) < 0 || !argument)
			break;
		forget(at);
		size = bpf_probe_read_user_str(&event->args[at & (ARGS_SIZE - 1)], ARGUMENT_SIZE,
					       (const void *)argument);
		if (size <= 0)
			break;
		if (at)
			event->args[(at - 1) & (ARGS_SIZE - 1)] = ' ';
		at += (__u32)size;
	}
}

static int start(const char *filename, const __u64 *argv)
{
	const __u32 tid = current_tid();
	struct execs_event *event;

	bpf_map_update_elem(&calls, &tid, &blank, BPF_ANY);
	event = bpf_map_lookup_elem(&calls, &tid);
	if (!event)
		return 0;
	event->pid = current_pid();
	event->tid = tid;
	bpf_get_current_comm(event->caller, sizeof(event->caller));
	bpf_probe_read_user_str(event->filename, sizeof(event->filename), filename);
	read_arguments(event, argv);
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_execve")
int enter_execve(struct enter *context)
{
	return start((const char *)context->args[0], (const __u64 *)context->args[1]);
}

SEC("tracepoint/syscalls/sys_enter_execveat")
int enter_execveat(struct enter *context)
{
	return start((const char *)context->args[1], (const __u64 *)context->args[2]);
}

static int report(const struct leave *context)
{
	const __u32 tid = current_tid();
	struct execs_event *event = bpf_map_lookup_elem(&calls, &tid);

	if (!event)
		return 0;
	event->ts = bpf_ktime_get_ns();
	event->cpu = bpf_get_smp_processor_id();
	event->result = (__s32)context->result;
	if (bpf_ringbuf_output(&execs, event, sizeof(*event), 0) < 0)
		__sync_fetch_and_add(&execs_lost, 1);
	bpf_map_delete_elem(&calls, &tid);
	return 0;
}

SEC("tracepoint/syscalls/sys_exit_execve")
int leave_execve(struct leave *context)
{
	return report(context);
}

SEC("tracepoint/syscalls/sys_exit_execveat")
int leave_execveat(struct leave *context)
{
	return report(context);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
