// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_program.h"
#include "cli.h"
#include "perf_syscall.h"
#include "procfs.h"

/* The kernel allows helpers such as probe_read only in programs with a GPL-compatible licence:
 * these programs are under either licence. */
#define LICENSE "Dual BSD/GPL"

#define LABELS_MAX 128

int bpf_call(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Removes the labels, and replaces them in jumps by offsets. Returns the new number of
 * instructions. */
static size_t place_labels(struct bpf_insn *program, size_t count)
{
	size_t places[LABELS_MAX] = {0}, kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (program[i].code != LABEL_CODE) {
			program[kept++] = program[i];
			continue;
		}
		assert(program[i].off >= 0 && program[i].off < LABELS_MAX);
		places[program[i].off] = kept;
	}
	for (size_t i = 0; i < kept; i++) {
		const uint8_t kind = BPF_CLASS(program[i].code),
			      operation = BPF_OP(program[i].code);

		if (kind == BPF_JMP && operation != BPF_CALL && operation != BPF_EXIT)
			program[i].off = (int16_t)(places[program[i].off] - i - 1);
	}
	return kept;
}

#define LOG_SIZE (1 << 20)

/* Loads the program again to get the log. */
static void print_verifier_log(union bpf_attr *attr)
{
	char *log = calloc(1, LOG_SIZE), *cursor = log, *line;

	if (!log)
		return;
	attr->log_level = 1;
	attr->log_buf = (uint64_t)(uintptr_t)log;
	attr->log_size = LOG_SIZE;
	bpf_call(BPF_PROG_LOAD, attr);
	while ((line = strsep(&cursor, "\n")))
		pk_info("bpf: %s", line);
	free(log);
}

int bpf_load(enum bpf_prog_type type, const char *name, struct bpf_insn *program, size_t count,
	     bool print_log)
{
	union bpf_attr attr = {0};
	int fd, error;

	attr.prog_type = type;
	attr.insn_cnt = (uint32_t)place_labels(program, count);
	attr.insns = (uint64_t)(uintptr_t)program;
	attr.license = (uint64_t)(uintptr_t)LICENSE;
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	fd = bpf_call(BPF_PROG_LOAD, &attr);
	error = errno;
	if (fd < 0 && print_log && pk_cli_verbose() > 0)
		print_verifier_log(&attr);
	errno = error;
	return fd;
}

int bpf_make_map(enum bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t entries,
		 uint32_t flags)
{
	union bpf_attr attr = {0};

	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = entries;
	attr.map_flags = flags;
	return bpf_call(BPF_MAP_CREATE, &attr);
}

int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value)
{
	union bpf_attr attr = {0};

	attr.map_fd = (uint32_t)map;
	attr.key = (uint64_t)(uintptr_t)key;
	attr.value = (uint64_t)(uintptr_t)value; /* or next_key */
	return bpf_call(command, &attr);
}

int bpf_attach(uint64_t tracepoint, int cpu, int program)
{
	/* The event itself stays disabled. */
	const struct perf_attr attr = {.type = PERF_TYPE_TRACEPOINT,
				       .size = sizeof(attr),
				       .config = tracepoint,
				       .sample_period = 1,
				       .flags = PERF_ATTR_DISABLED};
	const int fd = perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	int error;

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int bpf_attach_raw(const char *tracepoint, int program)
{
	union bpf_attr attr = {0};

	attr.raw_tracepoint.name = (uint64_t)(uintptr_t)tracepoint;
	attr.raw_tracepoint.prog_fd = (uint32_t)program;
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

#define FIRST_PID_NAMESPACE 0xEFFFFFFCU /* its inode, in all kernels */

bool bpf_outside_of_namespaces(struct pk_messages *messages, const char *option,
			       const char *instead)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PID_NAMESPACE)
		return true;
	return pk_messages_error(messages,
				 "%s: not supported inside a pid namespace (a container): record "
				 "outside, or record %s",
				 option, instead);
}

uint32_t bpf_possible_cpus(struct pk_failures *lookups)
{
	char line[256];
	unsigned int last = 0;
	const char *end;

	if (!pk_procfs_read_line("/sys/devices/system/cpu/possible", line, sizeof(line), lookups))
		return 0;
	end = line + strlen(line);
	while (end > line && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return sscanf(end, "%u", &last) == 1 && last < 1u << 20 ? last + 1 : 0;
}

void bpf_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void bpf_explain(struct pk_messages *messages, const char *option, const char *instead, int error)
{
	const int64_t forbidden = pk_procfs_read_number(
		"/proc/sys/kernel/unprivileged_bpf_disabled", -1, &messages->failures);

	if (error == ENOSYS)
		pk_messages_error(
			messages,
			"%s: bpf: %s: this kernel is built without it, or a seccomp filter "
			"hides it: record %s instead",
			option, strerror(error), instead);
	else if ((error == EPERM || error == EACCES) && geteuid() != 0)
		pk_messages_error(messages, "%s: bpf: %s: use root, or CAP_BPF and CAP_PERFMON%s",
				  option, strerror(error),
				  forbidden > 0 ? " (kernel.unprivileged_bpf_disabled is set)"
						: "");
	else if (error == EPERM || error == EACCES)
		pk_messages_error(
			messages,
			"%s: bpf: forbidden here: %s: CAP_BPF and CAP_PERFMON are missing, "
			"or a container's seccomp filter, a security module or lockdown forbids "
			"it: record outside, or record %s",
			option, strerror(error), instead);
	else
		pk_messages_error(messages,
				  "%s: bpf: %s: this kernel does not support it (Linux 5.18 does): "
				  "record %s instead",
				  option, strerror(error), instead);
}
