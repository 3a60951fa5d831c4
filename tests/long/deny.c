// SPDX-License-Identifier: BSD-2-Clause
/*
 * deny WHAT COMMAND... runs a command without a feature of the kernel. A seccomp filter denies the
 * system calls. WHAT is
 *
 *   userns      no new user namespaces (EPERM), as with user.max_user_namespaces=0
 *   namespaces  no new namespaces and no mounts (EPERM), as in a container
 *   ipv6        no IPv6 sockets (EAFNOSUPPORT), as in a kernel that was built without IPv6
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALL_NAMESPACES                                                                             \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
	 CLONE_NEWCGROUP)

static struct sock_filter filter[32];
static unsigned short used;

static void add(uint16_t code, uint32_t value, uint8_t jump_false)
{
	filter[used++] = (struct sock_filter)BPF_JUMP(code, value, 0, jump_false);
}

static void load(size_t offset)
{
	add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0);
}

static void fail(uint32_t error)
{
	add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error, 0);
}

/* Adds instructions to the filter: the call fails, for all arguments. */
static void deny(uint32_t call, uint32_t error)
{
	load(offsetof(struct seccomp_data, nr));
	add(BPF_JMP | BPF_JEQ | BPF_K, call, 1);
	fail(error);
}

/* Adds instructions to the filter: the call fails if `test` is true for its first argument and
 * `value`. */
static void deny_if(uint32_t call, uint16_t test, uint32_t value, uint32_t error)
{
	load(offsetof(struct seccomp_data, nr));
	add(BPF_JMP | BPF_JEQ | BPF_K, call, 3);
	load(offsetof(struct seccomp_data, args));
	add(BPF_JMP | test | BPF_K, value, 1);
	fail(error);
}

/* The flags of clone3 are in memory, which a filter cannot read. If clone3 fails with ENOSYS, libc
 * calls clone. */
static void deny_namespaces(uint32_t flags)
{
	deny_if(SYS_unshare, BPF_JSET, flags, EPERM);
	deny_if(SYS_clone, BPF_JSET, flags, EPERM);
	deny(SYS_clone3, ENOSYS);
}

int main(int argc, char **argv)
{
	struct sock_fprog program = {.filter = filter};

	if (argc < 3)
		errx(2, "usage: deny userns|namespaces|ipv6 COMMAND...");
	if (!strcmp(argv[1], "userns")) {
		deny_namespaces(CLONE_NEWUSER);
	} else if (!strcmp(argv[1], "namespaces")) {
		deny_namespaces(ALL_NAMESPACES);
		deny(SYS_mount, EPERM);
	} else if (!strcmp(argv[1], "ipv6")) {
		deny_if(SYS_socket, BPF_JEQ, AF_INET6, EAFNOSUPPORT);
	} else {
		errx(2, "%s: not known", argv[1]);
	}
	add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0);
	program.len = used;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		err(77, "seccomp");
	execvp(argv[2], argv + 2);
	err(127, "%s", argv[2]);
}
