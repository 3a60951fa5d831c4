// SPDX-License-Identifier: BSD-2-Clause
/* Runs the program with a fault. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sweep_run.h"

#define SECONDS 20 /* in seconds; a longer run is a violation */

void must(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(2);
}

/* ---- Child: becomes the program ---- */

static void set_environment(struct worker *worker)
{
	char path[128], text[40];

	snprintf(path, sizeof(path), "%s/home", worker->base);
	setenv("HOME", path, 1);
	snprintf(path, sizeof(path), "%s/tmp", worker->base);
	setenv("TMPDIR", path, 1);
	setenv("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99", 1);
	setenv("ASAN_OPTIONS", "exitcode=99:verify_asan_link_order=0:allocator_may_return_null=1",
	       1);
	if (worker->calls.fault.trace)
		setenv("PK_FAULT_TRACE", "1", 1);
	if (!worker->clock_runs)
		setenv("PK_FAULT_CLOCK", "1", 1);
	setenv("LD_PRELOAD", worker->shim, 1);
	if (worker->calls.fault.kind->error)
		return;
	snprintf(text, sizeof(text), "memory=%llu%s", (unsigned long long)worker->calls.fault.n,
		 worker->calls.fault.all_after ? "+" : "");
	setenv("PK_FAULT", text, 1);
	setenv("PK_FAULT_COUNT", worker->counter, 1);
}

static void become_program(struct worker *worker, int in, int err)
{
	char path[128];

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(path, sizeof(path), "%s/work", worker->base);
	must(!chdir(path), path);
	dup2(in, STDIN_FILENO);
	dup2(worker->out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	personality(ADDR_NO_RANDOMIZE);
	set_environment(worker);
	if (worker->calls.fault.kind->error) {
		int fd = listen_to(worker->calls.fault.kind);

		/* exec closes the listener. Therefore the child waits until the driver has a copy
		 * of the descriptor. */
		__atomic_store_n(&worker->handshake->listener, fd, __ATOMIC_RELEASE);
		while (!__atomic_load_n(&worker->handshake->taken, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	execvp(worker->argv[0], worker->argv);
	_exit(127);
}

/* ---- Driver ---- */

int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	if (at->level > 0 && remove(path))
		perror(path);
	return 0;
}

static void make_empty(struct worker *worker, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", worker->base, name);
	mkdir(path, 0777);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
	return hash;
}

static uint64_t hash_file(uint64_t hash, int fd)
{
	static uint8_t data[1 << 16];
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, data, sizeof(data), at)) > 0; at += n)
		hash = hash_bytes(hash, data, (size_t)n);
	return hash;
}

static struct output *left; /* for add_file(), because nftw() passes no argument */

/* Adds a file to the digest. The order of the files does not change the digest. */
static int add_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325, path, strlen(path));
	int fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	(void)type;
	if (fd >= 0) {
		hash = hash_file(hash, fd);
		close(fd);
	}
	left->digest += at->level ? hash : 0;
	left->hidden |= path[at->base] == '.';
	return 0;
}

static void take_listener(struct worker *worker, int pidfd)
{
	int fd;

	while (!(fd = __atomic_load_n(&worker->handshake->listener, __ATOMIC_ACQUIRE)))
		sched_yield();
	if (fd < 0) {
		fprintf(stderr, "drive_sweep: no seccomp listener here\n");
		exit(77);
	}
	worker->calls.listener = (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	must(worker->calls.listener >= 0, "pidfd_getfd");
	__atomic_store_n(&worker->handshake->taken, 1, __ATOMIC_RELEASE);
}

static void read_messages(struct worker *worker, int fd)
{
	size_t room = sizeof(worker->now.messages) - 1 - worker->now.size;
	char rest[4096];
	ssize_t n = room ? read(fd, worker->now.messages + worker->now.size, room)
			 : read(fd, rest, sizeof(rest));

	if (n > 0 && room)
		worker->now.size += (size_t)n;
}

static void supervise(struct worker *worker, int pidfd, int err)
{
	time_t end = time(NULL) + SECONDS;
	struct pollfd fds[] = {
		{err, POLLIN, 0}, {worker->calls.listener, POLLIN, 0}, {pidfd, POLLIN, 0}};

	for (;;) {
		if (poll(fds, 3, 1000) < 0)
			continue;
		if (fds[0].revents & POLLIN)
			read_messages(worker, err);
		else if (fds[0].revents)
			fds[0].fd = -1;
		if (fds[1].revents & POLLIN)
			answer_call(&worker->calls);
		else if (fds[1].revents)
			fds[1].fd = -1;
		if (fds[2].revents && !(fds[0].revents & POLLIN))
			break;
		if (time(NULL) > end) {
			worker->now.hangs = true;
			kill(worker->calls.pid, SIGKILL);
			end += SECONDS;
		}
	}
	worker->now.messages[worker->now.size] = '\0';
}

static void start_program(struct worker *worker, int *err)
{
	int in = open(worker->input, O_RDONLY | O_CLOEXEC), ends[2];

	must(in >= 0, worker->input);
	must(!ftruncate(worker->out, 0) && !lseek(worker->out, 0, SEEK_SET), "stdout");
	must(!pipe2(ends, O_CLOEXEC), "pipe");
	memset(worker->handshake, 0, sizeof(*worker->handshake));
	*worker->allocations = 0;
	worker->calls.pid = fork();
	must(worker->calls.pid >= 0, "fork");
	if (!worker->calls.pid)
		become_program(worker, in, ends[1]);
	close(in);
	close(ends[1]);
	*err = ends[0];
}

void run_program(struct worker *worker, struct fault fault)
{
	char path[128];
	int err, pidfd;

	memset(&worker->calls, 0, sizeof(worker->calls));
	memset(&worker->now, 0, sizeof(worker->now));
	worker->calls.fault = fault;
	worker->calls.listener = -1;
	worker->calls.null = worker->null;
	worker->calls.children = worker->children;
	make_empty(worker, "work");
	make_empty(worker, "home");
	make_empty(worker, "tmp");
	start_program(worker, &err);
	pidfd = (int)syscall(SYS_pidfd_open, worker->calls.pid, 0);
	must(pidfd >= 0, "pidfd_open");
	if (fault.kind->error)
		take_listener(worker, pidfd);
	supervise(worker, pidfd, err);
	must(waitpid(worker->calls.pid, &worker->now.status, 0) == worker->calls.pid, "waitpid");
	kill(-worker->calls.pid, SIGKILL); /* also kills a command that the program has started */
	close(err);
	close(pidfd);
	if (worker->calls.listener >= 0)
		close(worker->calls.listener);
	if (!fault.kind->error)
		worker->calls.count = *worker->allocations;
	worker->now.digest = hash_file(0, worker->out);
	snprintf(path, sizeof(path), "%s/work", worker->base);
	left = &worker->now;
	nftw(path, add_file, 16, FTW_PHYS);
}

void *shared_page(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)
		      : memfd_create("shared", MFD_CLOEXEC);
	void *p;

	must(fd >= 0 && !ftruncate(fd, 4096), "shared page");
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(p != MAP_FAILED, "mmap");
	close(fd);
	return p;
}

void worker_start(struct worker *worker, const char *base)
{
	snprintf(worker->base, sizeof(worker->base), "%s", base);
	must(!mkdir(worker->base, 0777), worker->base);
	snprintf(worker->counter, sizeof(worker->counter), "%s/count", base);
	worker->allocations = shared_page(worker->counter);
	worker->handshake = shared_page(NULL);
	worker->out = memfd_create("stdout", MFD_CLOEXEC);
	worker->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	must(worker->out >= 0 && worker->null >= 0, "stdout");
}
