// SPDX-License-Identifier: BSD-2-Clause
/* measure FILE COMMAND [ARG...]: runs a command, and appends "WALL CPU RSS START FAULTS" to FILE.
 * WALL is the wall clock time in seconds. CPU is the CPU time (user and system) in seconds. RSS is
 * the largest resident set in KiB. They include the command and the children that it has waited
 * for. START is the time of its start, in seconds of the clock MONOTONIC. FAULTS is the number of
 * page faults. Returns the command's status. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start, end;
	FILE *file;
	int status;
	pid_t pid;

	if (argc < 3)
		errx(2, "usage: measure FILE COMMAND [ARG...]");
	file = fopen(argv[1], "ae");
	if (!file)
		err(EXIT_FAILURE, "%s", argv[1]);
	start = now();
	pid = fork();
	if (pid < 0)
		err(EXIT_FAILURE, "fork");
	if (!pid) {
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		err(EXIT_FAILURE, "wait4");
	end = now();
	fprintf(file, "%.4f %.4f %ld %.6f %ld\n", end - start,
		seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss, start,
		usage.ru_minflt + usage.ru_majflt);
	if (fclose(file))
		err(EXIT_FAILURE, "%s", argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
