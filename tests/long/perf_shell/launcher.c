// SPDX-License-Identifier: BSD-2-Clause
//
// The program "perf" of tests/long/perf_shell.sh. "perf test -w NAME" runs a workload of the
// sources of the kernel, which are compiled into this program. "perf bench" generates load. All
// other command lines are passed to the script perf.bash. The workloads are in this program, as
// tests look for its functions in recordings of it.
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests.h"

#define W(name) extern struct test_workload workload__##name;
WORKLOADS
#undef W

static struct test_workload *workloads[] = {
#define W(name) &workload__##name,
	WORKLOADS};

/* Tests of some versions give a part of a second. The workloads of these versions read it as 0,
 * and then never end. */
static void round_up(const char **duration)
{
	if (!strncmp(*duration, "0.", 2)) {
		*duration = "1";
	}
}

static int run_workload(int argc, const char **argv)
{
	if (argc > 1) {
		round_up(&argv[1]);
	}
	for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
		if (!strcmp(workloads[i]->name, argv[0])) {
			return workloads[i]->func(argc - 1, argv + 1);
		}
	}
	fprintf(stderr, "there is no workload '%s'\n", argv[0]);
	return 1;
}

// Pairs of processes send bytes to each other, as "perf bench sched messaging" does.
static int exchange_messages(void)
{
	enum { PAIRS = 100, ROUNDS = 200 };

	for (int i = 0; i < PAIRS; i++) {
		int there[2], back[2];
		char byte = 0;

		if (pipe(there) || pipe(back)) {
			return 1;
		}
		pid_t child = fork();
		for (int k = 0; child == 0 && k < ROUNDS; k++) {
			if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1) {
				_exit(1);
			}
		}
		if (child == 0) {
			_exit(0);
		}
		if (fork() == 0) {
			for (int k = 0; k < ROUNDS; k++) {
				if (write(there[1], &byte, 1) != 1 ||
				    read(back[0], &byte, 1) != 1) {
					_exit(1);
				}
			}
			_exit(0);
		}
		close(there[0]), close(there[1]), close(back[0]), close(back[1]);
	}
	while (wait(NULL) > 0) {
	}
	return 0;
}

static int make_system_calls(int count)
{
	while (count-- > 0) {
		getppid();
	}
	return 0;
}

static int bench(int argc, char **argv)
{
	if (argc > 0 && !strcmp(argv[0], "syscall")) {
		return make_system_calls(argc > 3 && !strcmp(argv[2], "--loop") ? atoi(argv[3])
										: 1000000);
	}
	return exchange_messages();
}

int main(int argc, char **argv)
{
	char self[PATH_MAX], script[PATH_MAX + 16];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (argc > 3 && !strcmp(argv[1], "test") && !strcmp(argv[2], "-w")) {
		return run_workload(argc - 3, (const char **)argv + 3);
	}
	if (argc > 2 && !strcmp(argv[1], "bench")) {
		return bench(argc - 2, argv + 2);
	}
	if (n < 0) {
		return 1;
	}
	self[n] = 0;
	snprintf(script, sizeof script, "%s/perf.bash", dirname(self));
	argv[0] = script;
	execv(script, argv);
	perror(script);
	return 127;
}
