// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf_source.h"
#include "buffer.h"
#include "glibc_macros.h"
#include "procfs.h"

extern char **environ;

#define OBJECT_MAX (64 << 20)

/* What bpf_tracing.h of libbpf asks for, and where Debian has the headers of this machine. */
#if defined(__x86_64__)
#define ARCHITECTURE "-D__TARGET_ARCH_x86"
#define HEADERS	     "-I/usr/include/x86_64-linux-gnu"
#elif defined(__aarch64__)
#define ARCHITECTURE "-D__TARGET_ARCH_arm64"
#define HEADERS	     "-I/usr/include/aarch64-linux-gnu"
#elif defined(__riscv)
#define ARCHITECTURE "-D__TARGET_ARCH_riscv"
#define HEADERS	     "-I/usr/include/riscv64-linux-gnu"
#elif defined(__s390x__)
#define ARCHITECTURE "-D__TARGET_ARCH_s390"
#define HEADERS	     "-I/usr/include/s390x-linux-gnu"
#elif defined(__powerpc64__)
#define ARCHITECTURE "-D__TARGET_ARCH_powerpc"
#define HEADERS	     "-I/usr/include/powerpc64le-linux-gnu"
#else
#define ARCHITECTURE "-D__TARGET_ARCH_none"
#define HEADERS	     "-I/usr/local/include"
#endif

/* Starts clang, which writes the object to the descriptor. Returns an errno. */
static int start_clang(const char *path, int output, pid_t *pid)
{
	const char *const arguments[] = {"clang", "-O2",	"-g",	 "-Wall", "-target",
					 "bpf",	  ARCHITECTURE, HEADERS, "-c",	  "-o",
					 "-",	  path,		NULL};
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(pid, "clang", &actions, NULL, (char *const *)arguments,
				     environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static bool read_all(int fd, struct buffer *text)
{
	ssize_t n = 1;

	while (n > 0 && text->size < OBJECT_MAX) {
		char *room = buffer_room(text, 64 << 10);

		n = room ? TEMP_FAILURE_RETRY(read(fd, room, 64 << 10)) : -1;
		if (n > 0)
			text->size += (size_t)n;
	}
	return n == 0;
}

static char *compile(const char *path, size_t *size, struct pk_messages *messages)
{
	struct buffer text = {0};
	int ends[2], error, status = 0;
	bool complete;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		pk_messages_error(messages, "--bpf %s: pipe: %s", path, strerror(errno));
		return NULL;
	}
	error = start_clang(path, ends[1], &pid);
	close(ends[1]);
	complete = !error && read_all(ends[0], &text);
	close(ends[0]);
	if (error == ENOENT)
		pk_messages_error(messages,
				  "--bpf %s: clang is not installed: install it, or give an object "
				  "that clang -O2 -g -target bpf -c has made elsewhere",
				  path);
	else if (error)
		pk_messages_error(messages, "--bpf %s: clang: %s", path, strerror(error));
	else if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0 || status)
		pk_messages_error(messages, "--bpf %s: clang cannot compile it", path);
	else if (complete && !text.failed) {
		*size = text.size;
		return text.data;
	} else {
		pk_messages_error(messages, "--bpf %s: the object of clang cannot be read", path);
	}
	free(text.data);
	return NULL;
}

char *bpf_source_read(const char *path, size_t *size, struct pk_messages *messages)
{
	const size_t length = strlen(path);
	char *data;

	if (access(path, R_OK) < 0) {
		pk_messages_error(messages, "--bpf %s: %s", path, strerror(errno));
		return NULL;
	}
	if (length > 2 && !strcmp(path + length - 2, ".c"))
		return compile(path, size, messages);
	data = pk_procfs_read_file(path, OBJECT_MAX, size, &messages->failures);
	if (!data)
		pk_messages_error(messages, "--bpf %s: %s", path, strerror(errno));
	return data;
}
