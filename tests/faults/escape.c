// SPDX-License-Identifier: BSD-2-Clause
/* A library to preload. When the program first reads stdin, the library tries what an attacker
 * could try who controls the program. It prints one line "WHAT: RESULT" for each attempt on stderr.
 * The files `victim` and `folder/victim` must exist. With ESCAPE_DESCRIPTOR=N, the attempts start
 * when the program first reads descriptor N, and the library writes the lines to the file `tried`
 * in the folder DEBUGINFOD_CACHE_PATH. With ESCAPE_WITHOUT_LANDLOCK, the library lets the kernel
 * appear to have no Landlock. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lines = STDERR_FILENO;

static void tell(const char *what, long result)
{
	dprintf(lines, "%s: %s\n", what, result < 0 ? strerror(errno) : "succeeded");
}

/* Returns the descriptor whose first read starts the attempts. */
static int trigger(void)
{
	const char *number = getenv("ESCAPE_DESCRIPTOR");

	return number ? atoi(number) : STDIN_FILENO;
}

static void open_lines(void)
{
	const char *folder = getenv("DEBUGINFOD_CACHE_PATH");
	char path[4096];

	if (trigger() == STDIN_FILENO || !folder)
		return;
	snprintf(path, sizeof(path), "%s/tried", folder);
	lines = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

/* The paths do not exist. Without a sandbox, these calls fail with another error. */
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

/* When a descriptor becomes readable, the kernel sends a signal to the owner of the descriptor. A
 * program can choose the signal and the owner. */
static void try_signals_of_descriptors(void)
{
	int ends[2];

	if (pipe(ends)) {
		tell("pipe", -1);
		return;
	}
	tell("F_SETOWN", fcntl(ends[0], F_SETOWN, getppid()));
	tell("F_SETSIG", fcntl(ends[0], F_SETSIG, SIGURG));
	tell("O_ASYNC", fcntl(ends[0], F_SETFL, O_ASYNC));
	close(ends[0]);
	close(ends[1]);
}

/* Tries changes of a file through a descriptor that was opened only for reading. */
static void try_attributes(void)
{
	int fd = open("victim", O_RDONLY);

	tell("fchmod", fchmod(fd, 04777));
	tell("fchmod to 0600", fchmod(fd, 0600));
	tell("fchown", fchown(fd, 65534, 65534));
	tell("futimens", futimens(fd, NULL));
	tell("utimensat", utimensat(AT_FDCWD, "victim", NULL, 0));
	tell("fsetxattr", syscall(SYS_fsetxattr, fd, "user.x", "y", 1, 0));
	close(fd);
}

static void try_sockets(void)
{
	tell("socket", socket(AF_INET, SOCK_STREAM, 0));
	tell("socket of Unix", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("connect", connect(STDERR_FILENO, NULL, 0));
	tell("bind", bind(STDERR_FILENO, NULL, 0));
}

static void try_other_process(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
	tell("environment of another process", open(path, O_RDONLY));
}

static void try_files(void)
{
	tell("open for reading", open("victim", O_RDONLY));
	try_other_process();
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

static void tell_limit(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		dprintf(lines, "largest file: %llu\n", (unsigned long long)limit.rlim_max);
}

__attribute__((constructor)) static void hide_landlock(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = 4, .filter = filter};

	if (getenv("ESCAPE_WITHOUT_LANDLOCK") &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
		perror("seccomp");
}

ssize_t read(int fd, void *buffer, size_t size)
{
	static bool tried;

	if (!tried && fd == trigger()) {
		tried = true;
		open_lines();
		tell_limit();
		try_programs();
		try_signals_of_descriptors();
		try_sockets();
		try_attributes();
		try_files();
		try_system();
	}
	return syscall(SYS_read, fd, buffer, size);
}
