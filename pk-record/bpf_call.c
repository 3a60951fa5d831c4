// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf_call.h"
#include "procfs.h"

int bpf_call(enum bpf_cmd command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value)
{
	union bpf_attr attr = {0};

	attr.map_fd = (uint32_t)map;
	attr.key = (uint64_t)(uintptr_t)key;
	attr.value = (uint64_t)(uintptr_t)value; /* this member shares its memory with next_key */
	return bpf_call(command, &attr);
}

#define FIRST_PID_NAMESPACE 0xEFFFFFFCU /* inode of the initial pid namespace in all kernels */

enum pk_status bpf_outside_of_namespaces(struct pk_messages *messages, const char *option,
					 const char *instead)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_PID_NAMESPACE)
		return PK_OK;
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
