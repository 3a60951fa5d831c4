// SPDX-License-Identifier: BSD-2-Clause
/* Lets system calls fail, with a seccomp listener. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sweep_calls.h"

#define CALLS (sizeof(kinds[0].calls) / sizeof(kinds[0].calls[0]))

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCH AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#elif defined(__riscv)
#define ARCH AUDIT_ARCH_RISCV64
#endif
/* System calls that newer architectures do not have. On such an architecture, OLD() is empty. */
#ifdef SYS_open
#define OLD(name) SYS_##name,
#else
#define OLD(name)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#ifndef SYS_renameat /* not on riscv64 */
#define SYS_renameat SYS_renameat2
#endif
/* 32-bit architectures have other names for some system calls. */
#ifdef SYS_newfstatat
#define FSTATAT SYS_newfstatat
#else
#define FSTATAT SYS_fstatat64
#endif
#ifdef SYS_mmap
#define MMAP SYS_mmap
#else
#define MMAP SYS_mmap2
#endif

const struct kind kinds[] = {
	{"memory", 0, {0}},
	{"read", EIO, {SYS_read, SYS_pread64, SYS_readv, SYS_preadv}},
	{"open", EMFILE, {SYS_openat, OLD(open) OLD(creat) SYS_memfd_create}},
	{"look",
	 EIO,
	 {FSTATAT, SYS_fstat, SYS_statx,
	  OLD(stat) OLD(lstat) OLD(readlink) OLD(access) SYS_readlinkat, SYS_faccessat,
	  SYS_faccessat2, SYS_lseek, SYS_getdents64, SYS_getcwd}},
	{"map", ENOMEM, {MMAP}},
	{"write",
	 ENOSPC,
	 {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_ftruncate, SYS_splice, SYS_tee,
	  SYS_vmsplice, SYS_mkdirat, SYS_renameat, SYS_renameat2, OLD(mkdir) OLD(rename)}},
	{"close", EIO, {SYS_close}},
	{"event", ENOMEM, {SYS_perf_event_open, SYS_ioctl, SYS_bpf}},
	{"process",
	 ENOMEM,
	 {SYS_clone, SYS_pipe2, SYS_dup, SYS_dup3, SYS_fcntl, SYS_ppoll, SYS_socket, SYS_wait4,
	  SYS_waitid, SYS_pidfd_open, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
	  SYS_timerfd_create, SYS_timerfd_settime, SYS_signalfd4, SYS_eventfd2,
	  OLD(poll) OLD(pipe) OLD(dup2)}},
};
const size_t kind_count = sizeof(kinds) / sizeof(kinds[0]);

const struct kind *kind_named(const char *name)
{
	for (size_t i = 0; i < kind_count; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

static void add_call(struct sock_filter *program, unsigned short *length, int call)
{
	program[(*length)++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
	program[(*length)++] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
}

int listen_to(const struct kind *kind)
{
	struct sock_filter program[2 * 2 * CALLS + 8] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog filter = {.filter = program, .len = 4};
	const struct kind *writes = kind_named("write");

	for (size_t i = 0; i < CALLS && (!i || kind->calls[i]); i++)
		add_call(program, &filter.len, kind->calls[i]);
	for (size_t i = 0; !strcmp(kind->name, "close") && writes->calls[i]; i++)
		add_call(program, &filter.len, writes->calls[i]);
	program[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(
		SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &filter);
}

/* Returns true if the address is in the dynamic loader or in a sanitizer, whose calls are not
 * counted. */
static bool is_skipped_code(struct calls *calls, uint64_t address)
{
	char path[40], line[512];
	FILE *maps;

	for (size_t i = 0; i < calls->range_count; i++)
		if (address >= calls->ranges[i].start && address < calls->ranges[i].end)
			return calls->ranges[i].skipped;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)calls->pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long long start, end;

		if (sscanf(line, "%llx-%llx", &start, &end) != 2 || address < start ||
		    address >= end)
			continue;
		fclose(maps);
		if (calls->range_count < 64)
			calls->ranges[calls->range_count++] = (struct range){
				start, end,
				strstr(line, "/ld-") || strstr(line, "/fail_memory.so") ||
					strstr(line, "/libasan.") || strstr(line, "/libubsan.")};
		return calls->ranges[calls->range_count - 1].skipped;
	}
	if (maps)
		fclose(maps);
	return true;
}

/* Returns true if the process is the program itself or, with -a, a child that has not executed
 * another program. */
static bool is_ours(const struct calls *calls, pid_t pid)
{
	char path[64], mine[PATH_MAX], other[PATH_MAX];
	ssize_t m, o;

	if (pid == calls->pid || !calls->children)
		return pid == calls->pid;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)calls->pid);
	m = readlink(path, mine, sizeof(mine));
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	o = readlink(path, other, sizeof(other));
	return m > 0 && m == o && !memcmp(mine, other, (size_t)m);
}

static bool is_call_of(const struct kind *kind, int call)
{
	for (size_t i = 0; i < CALLS && (!i || kind->calls[i]); i++)
		if (kind->calls[i] == call)
			return true;
	return false;
}

/* Returns true if the call counts as a call that can fail. */
static bool is_counted(struct calls *calls, const struct seccomp_notif *call)
{
	uint64_t fd = call->data.args[0];
	bool writes = is_call_of(kind_named("write"), call->data.nr), was_written;

	if (!is_ours(calls, (pid_t)call->pid) ||
	    is_skipped_code(calls, call->data.instruction_pointer))
		return false;
	if (!strcmp(calls->fault.kind->name, "close")) {
		was_written = fd < 256 && calls->written[fd] && !writes;
		if (fd < 256)
			calls->written[fd] = writes;
		return was_written && fd != STDERR_FILENO;
	}
	return !(writes && call->data.nr != SYS_ftruncate && fd == STDERR_FILENO);
}

void answer_call(struct calls *calls)
{
	struct seccomp_notif call = {0};
	struct seccomp_notif_resp answer = {0};

	if (ioctl(calls->listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return;
	answer.id = call.id;
	answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (is_counted(calls, &call) && ++calls->count >= calls->fault.n && calls->fault.n &&
	    (calls->fault.all_after || calls->count == calls->fault.n)) {
		if (calls->count == calls->fault.n)
			calls->last_call = call.data.nr;
		if (calls->fault.trace && calls->count == calls->fault.n)
			syscall(SYS_tgkill, calls->pid, call.pid, SIGRTMAX);
		if (call.data.nr == SYS_close) {
			/* A close() that fails still closes the descriptor. The listener cannot
			 * close a descriptor of the program. It replaces the descriptor by a
			 * descriptor of /dev/null instead. */
			struct seccomp_notif_addfd other = {.id = call.id,
							    .flags = SECCOMP_ADDFD_FLAG_SETFD,
							    .srcfd = (uint32_t)calls->null,
							    .newfd = (uint32_t)call.data.args[0],
							    .newfd_flags = O_CLOEXEC};

			ioctl(calls->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &other);
		}
		answer.flags = 0;
		answer.error = -calls->fault.kind->error;
	}
	ioctl(calls->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
