// SPDX-License-Identifier: BSD-2-Clause
/* growth_cost COMMAND [ARG...] runs the command, reads its standard output, and prints "TIME MEMORY
 * OUTPUT": microseconds of CPU time in user mode, KiB of the largest resident set, and bytes of
 * output. Exits with the status of the command. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads the descriptor to its end. Returns the number of bytes. */
static unsigned long long drain(int fd)
{
	static char block[1 << 16];
	unsigned long long bytes = 0;
	ssize_t got;

	while ((got = read(fd, block, sizeof(block))) > 0)
		bytes += (unsigned long long)got;
	if (got < 0)
		err(EXIT_FAILURE, "read");
	return bytes;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	unsigned long long bytes;
	int ends[2], status;
	pid_t pid;

	if (argc < 2)
		errx(2, "usage: growth_cost COMMAND [ARG...]");
	if (pipe(ends))
		err(EXIT_FAILURE, "pipe");
	pid = fork();
	if (pid < 0)
		err(EXIT_FAILURE, "fork");
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	close(ends[1]);
	bytes = drain(ends[0]);
	if (wait4(pid, &status, 0, &usage) != pid)
		err(EXIT_FAILURE, "wait4");
	printf("%lld %ld %llu\n",
	       (long long)usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec, usage.ru_maxrss,
	       bytes);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
