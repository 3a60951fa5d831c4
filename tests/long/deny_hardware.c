// SPDX-License-Identifier: BSD-2-Clause
/*
 * deny_hardware COMMAND... runs a command as on a machine without hardware counters.
 * perf_event_open fails with ENOENT for events of the types HARDWARE, HW_CACHE and RAW, as in most
 * virtual machines. The seccomp filter asks this process about each call, and this process reads
 * the attr from the memory of the caller.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int install(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

/* Runs in the child. Passes the seccomp listener to the parent, waits until the parent has copied
 * it, and then executes the command. */
static void run(char **command, int to_parent, int from_parent)
{
	int listener = install();
	char done;

	if (write(to_parent, &listener, sizeof(listener)) != sizeof(listener) || listener < 0)
		_exit(77);
	if (read(from_parent, &done, 1) != 1)
		_exit(77);
	close(listener);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

static int take_listener(pid_t child, int from_child, int to_child)
{
	int theirs, ours, pidfd;

	if (read(from_child, &theirs, sizeof(theirs)) != sizeof(theirs) || theirs < 0)
		errx(77, "no seccomp listener here");
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	ours = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, theirs, 0);
	if (ours < 0)
		err(77, "pidfd_getfd");
	if (write(to_child, "", 1) != 1)
		err(77, "the command");
	return ours;
}

static void answer(int listener)
{
	struct seccomp_notif call;
	struct seccomp_notif_resp response;
	uint32_t type = 1;
	struct iovec here = {&type, sizeof(type)}, there = {NULL, sizeof(type)};

	memset(&call, 0, sizeof(call));
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return;
	there.iov_base = (void *)(uintptr_t)call.data.args[0];
	memset(&response, 0, sizeof(response));
	response.id = call.id;
	response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (process_vm_readv((pid_t)call.pid, &here, 1, &there, 1, 0) == sizeof(type) &&
	    (type == 0 || type == 3 || type == 4)) {
		response.flags = 0;
		response.error = -ENOENT;
	}
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int main(int argc, char **argv)
{
	int up[2], down[2], listener, status;
	struct pollfd ready;
	pid_t child;

	if (argc < 2)
		errx(2, "usage: deny_hardware COMMAND...");
	if (pipe2(up, O_CLOEXEC) || pipe2(down, O_CLOEXEC) || (child = fork()) < 0)
		err(1, "fork");
	if (!child)
		run(argv + 1, up[1], down[0]);
	listener = take_listener(child, up[0], down[1]);
	ready = (struct pollfd){.fd = listener, .events = POLLIN};
	while (!waitpid(child, &status, WNOHANG))
		if (poll(&ready, 1, 100) > 0 && (ready.revents & POLLIN))
			answer(listener);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
