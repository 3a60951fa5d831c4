// SPDX-License-Identifier: BSD-2-Clause
/* The BPF programs of --strings, see ../strings_bpf.h. They return 1. If they returned 0, other
 * recordings of the same tracepoints would get no samples. */
#include <linux/bpf.h>
#include <linux/errno.h>

#include <bpf/bpf_helpers.h>

#include "license.h"
#include "maps.h"
#include "strings_record.h"

const volatile struct strings_settings settings;

/* The arguments to read for each system call. The index is the number of the call. */
MAP(calls, ARRAY, sizeof(uint32_t), sizeof(struct strings_call), STRINGS_CALLS_MAX);

/* The memory of each CPU for the sample that is being made. pk-record makes the values larger, so
 * that the record has room for all texts. */
MAP(scratch, PERCPU_ARRAY, sizeof(uint32_t), sizeof(struct strings_scratch), 1);

/* The bpf-output event of each CPU. */
MAP(outputs, PERF_EVENT_ARRAY, sizeof(uint32_t), sizeof(uint32_t), 1);

/* The observed tasks. The key is the tid. The value is 1 if system calls of the task are recorded.
 * It is 0 if they will be recorded only after the task has called exec. */
MAP(observed, HASH, sizeof(uint32_t), sizeof(uint32_t), STRINGS_TASKS_MAX);

static struct strings_scratch *get_scratch(void)
{
	const uint32_t first = 0;

	return bpf_map_lookup_elem(&scratch, &first);
}

/* ---- The start of a system call ---- */

struct enter {
	uint64_t common;
	int64_t id;
	uint64_t args[STRINGS_ARGUMENTS];
};

/* Returns the largest offset in `bytes` at which a text may start. The check of this limit is the
 * proof for the verifier of the kernel that the text fits. */
static uint32_t last_start(void)
{
	return (STRINGS_SLOTS + STRINGS_ARGV_MAX) * (settings.size + 2);
}

static void mark_unreadable(struct strings_scratch *s, uint8_t argument)
{
	s->counts.unreadable++;
	s->record.unreadable |= 1u << (argument & 7);
}

static void mark_cut(struct strings_scratch *s, uint8_t argument)
{
	s->counts.cut++;
	s->record.cut |= 1u << (argument & 7);
}

/* Reads a text to the offset `at`. Returns its size in bytes with the NUL, or 0 if the text cannot
 * be read. It tries to read one byte more than the limit. If there is such a byte, the text is too
 * long, and is cut. */
static uint32_t read_text(struct strings_scratch *s, uint8_t argument, uint32_t at, uint64_t from)
{
	const uint32_t size = settings.size;
	long n;

	if (at > last_start())
		return 0;
	n = bpf_probe_read_user_str(s->record.bytes + at, size + 2, (const void *)from);
	if (n <= 0 || n > size + 2) {
		mark_unreadable(s, argument);
		return 0;
	}
	if (n <= size + 1)
		return n;
	mark_cut(s, argument);
	s->record.bytes[at + size] = '\0';
	return size + 1;
}

static uint32_t read_bytes(struct strings_scratch *s, const struct strings_slot *slot, uint32_t at,
			   uint64_t from)
{
	const uint64_t wanted = s->record.args[slot->size & 7];
	const uint32_t size = wanted < settings.size ? wanted : settings.size;

	if (!size || at > last_start())
		return 0;
	if (bpf_probe_read_user(s->record.bytes + at, size, (const void *)from)) {
		mark_unreadable(s, slot->argument);
		return 0;
	}
	if (wanted > size)
		mark_cut(s, slot->argument);
	return size;
}

/* Reads the texts of an argv, one after the other, each with its NUL. Returns their size in bytes.
 */
static uint32_t read_argv(struct strings_scratch *s, uint8_t argument, uint32_t at, uint64_t array)
{
	uint32_t end = at, size;
	uint64_t text;

	for (unsigned int i = 0; i <= STRINGS_ARGV_MAX; i++) {
		if (bpf_probe_read_user(&text, sizeof(text), (const void *)(array + 8 * i))) {
			mark_unreadable(s, argument);
			break;
		}
		if (!text)
			break;
		if (i == STRINGS_ARGV_MAX) {
			mark_cut(s, argument);
			break;
		}
		size = read_text(s, argument, end, text);
		if (!size)
			break;
		end += size;
	}
	return end - at;
}

static uint32_t read_slot(struct strings_scratch *s, const struct strings_slot *slot, uint32_t at)
{
	const uint64_t from = s->record.args[slot->argument & 7];
	uint32_t size;

	if (!from)
		return 0;
	if (slot->target == STRINGS_TEXT)
		size = read_text(s, slot->argument, at, from);
	else if (slot->target == STRINGS_BYTES)
		size = read_bytes(s, slot, at, from);
	else
		size = read_argv(s, slot->argument, at, from);
	if (size)
		s->record.texts[slot->argument & 7] =
			(uint32_t)(__builtin_offsetof(struct strings_record, bytes) + at) |
			size << 16;
	return size;
}

/* Returns the slots of a system call. Returns NULL if the call has no arguments to read, or if a
 * 32-bit program makes the call, because the same number is then another call. */
static const struct strings_call *slots_of(int64_t id)
{
	const uint32_t number = id;
	const struct strings_call *call = bpf_map_lookup_elem(&calls, &number);
	const uint8_t *task = (const uint8_t *)bpf_get_current_task();
	uint32_t bits = 0;

	if (!call || call->slots[0].target == STRINGS_NONE)
		return NULL;
	bpf_probe_read_kernel(&bits, sizeof(bits), task + settings.compat_at);
	return bits & settings.compat_bit ? NULL : call;
}

/* Reads all texts of a system call, and returns their size in bytes. */
static uint32_t read_call(struct strings_scratch *s, const struct strings_call *call)
{
	uint32_t at = 0;

	for (unsigned int i = 0; i < STRINGS_SLOTS; i++) {
		if (call->slots[i].target == STRINGS_NONE)
			break;
		at += read_slot(s, &call->slots[i], at);
	}
	return at;
}

/* Copies the fields that the kernel's sample has, and clears all other fields. */
static void start_record(struct strings_record *record, const struct enter *enter)
{
	__builtin_memset(record, 0, sizeof(*record));
	record->common_type = settings.format;
	record->common_pid = bpf_get_current_pid_tgid();
	record->id = enter->id;
	__builtin_memcpy(record->args, enter->args, sizeof(record->args));
}

static int is_observed(void)
{
	const uint32_t tid = bpf_get_current_pid_tgid();
	const uint32_t *since_exec = bpf_map_lookup_elem(&observed, &tid);

	return since_exec && *since_exec;
}

/* ---- The programs that follow the observed tasks ---- */

/* Starts to observe a task. If the map is full, counts the task in `unobserved`. */
static void observe(uint32_t tid, uint32_t since_exec)
{
	struct strings_scratch *s;

	if (bpf_map_update_elem(&observed, &tid, &since_exec, BPF_ANY) == 0)
		return;
	s = get_scratch();
	if (s)
		s->counts.unobserved++;
}

/* Reads a tid from the data of a tracepoint. A direct access would be refused, because the kernel
 * allows it only at offsets that are constants in the program. */
static uint32_t read_tid(const void *data, uint32_t offset)
{
	uint32_t tid = 0;

	bpf_probe_read_kernel(&tid, sizeof(tid), data + offset);
	return tid;
}

SEC("tp/sched/sched_process_fork")
int pk_strings_fork(const void *data)
{
	const uint32_t parent = bpf_get_current_pid_tgid();
	const uint32_t *since_exec = bpf_map_lookup_elem(&observed, &parent);

	if (since_exec)
		observe(read_tid(data, settings.child_at), *since_exec);
	return 1;
}

/* When a thread calls exec, the kernel ends the other threads of the process, and gives this thread
 * the tid of the first thread. So the entry in `observed` must get the new tid. */
SEC("tp/sched/sched_process_exec")
int pk_strings_exec(const void *data)
{
	const uint32_t old = read_tid(data, settings.old_at);

	if (bpf_map_delete_elem(&observed, &old) == 0)
		observe(bpf_get_current_pid_tgid(), 1);
	return 1;
}

SEC("tp/sched/sched_process_exit")
int pk_strings_exit(const void *data)
{
	const uint32_t tid = bpf_get_current_pid_tgid();

	(void)data;
	bpf_map_delete_elem(&observed, &tid);
	return 1;
}

/* ---- The program at the start of a system call. It is attached last, so that the programs above
 * miss no task. ---- */

SEC("tp/raw_syscalls/sys_enter")
int pk_strings_call(const struct enter *enter)
{
	struct strings_scratch *s = get_scratch();
	const struct strings_call *call;
	uint32_t size = 0;

	if (!s || (!settings.everywhere && !is_observed()))
		return 1;
	start_record(&s->record, enter);
	call = slots_of(enter->id);
	if (call)
		size = read_call(s, call);
	if (size > last_start() + settings.size + 2)
		return 1;
	if (bpf_perf_event_output((void *)enter, &outputs, BPF_F_CURRENT_CPU, &s->record,
				  sizeof(s->record) + size) == -EBUSY)
		s->counts.missed++;
	return 1;
}
