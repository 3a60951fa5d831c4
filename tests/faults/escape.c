// SPDX-License-Identifier: BSD-2-Clause
/* Preloaded: when the program reads the input on stdin, tries what a program that was taken over
 * could try, and prints one line "WHAT: RESULT" on stderr for each. The files `victim` and
 * `folder/victim` must exist. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(const char *what, long result)
{
	dprintf(STDERR_FILENO, "%s: %s\n", what, result < 0 ? strerror(errno) : "succeeded");
}

/* Paths that do not exist: without a sandbox, the error is another one. */
static void try_programs(void)
{
	static char *const none[] = {NULL};

	tell("execve", execve("/nonexistent", none, none));
	tell("execveat", syscall(SYS_execveat, -1, "x", none, none, 0));
	tell("fork", syscall(SYS_clone, CLONE_FS | CLONE_NEWNS, 0, 0, 0, 0));
	tell("clone3", syscall(SYS_clone3, NULL, 0));
	tell("ptrace", ptrace(PTRACE_PEEKDATA, getppid(), 0, 0));
	tell("process_vm_writev", syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0));
	tell("kill", kill(getppid(), 0));
	tell("tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0));
	tell("kill itself", kill(getpid(), 0));
}

static void try_sockets(void)
{
	tell("socket", socket(AF_INET, SOCK_STREAM, 0));
	tell("socket of Unix", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("connect", connect(STDERR_FILENO, NULL, 0));
	tell("bind", bind(STDERR_FILENO, NULL, 0));
}

static void try_files(void)
{
	tell("open for reading", open("victim", O_RDONLY));
	tell("open for writing", open("victim", O_WRONLY));
	tell("open for reading and writing", open("victim", O_RDWR));
	tell("open and empty", open("victim", O_RDONLY | O_TRUNC));
	tell("create", open("new", O_WRONLY | O_CREAT, 0600));
	tell("openat2", syscall(SYS_openat2, AT_FDCWD, "new", NULL, 0));
	tell("mkdir", mkdir("new.folder", 0700));
	tell("symlink", symlink("victim", "new.symlink"));
	tell("link", link("victim", "new.link"));
	tell("rename", rename("victim", "renamed"));
	tell("unlink", unlink("victim"));
	tell("truncate", truncate("victim", 0));
	tell("chmod", chmod("victim", 0666));
	tell("create in folder", open("folder/new", O_WRONLY | O_CREAT, 0600));
	tell("unlink in folder", unlink("folder/victim"));
}

static void try_system(void)
{
	tell("mount", mount("none", "/nonexistent", "tmpfs", 0, NULL));
	tell("unshare", unshare(CLONE_NEWNS));
	tell("bpf", syscall(SYS_bpf, -1, NULL, 0));
	tell("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
	tell("io_uring_setup", syscall(SYS_io_uring_setup, 0, NULL));
	tell("type into the terminal", ioctl(STDERR_FILENO, TIOCSTI, ""));
}

ssize_t read(int fd, void *buffer, size_t size)
{
	static bool tried;

	if (fd == STDIN_FILENO && !tried) {
		tried = true;
		try_programs();
		try_sockets();
		try_files();
		try_system();
	}
	return syscall(SYS_read, fd, buffer, size);
}
