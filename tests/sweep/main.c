// SPDX-License-Identifier: BSD-2-Clause
/*
 * sweep [OPTION...] PROGRAM [ARGUMENT...] runs the program many times, two runs at a time. In each
 * run, one further call fails. Each call fails twice: in one run only this call fails, and in
 * another run all later calls of this kind fail, too. There are two permitted results. If the
 * status is 0, then stdout, the files in the working directory and the messages must be the same as
 * in a run without faults. Otherwise, the status must be 1, and there must be a message. It is a
 * violation if the program crashes or hangs, if a sanitizer reports an error, or if a file remains
 * in TMPDIR or with a name that begins with a dot.
 *
 *     -i FILE   stdin (default: /dev/null)
 *     -k KIND   only this kind of calls; may be repeated
 *     -n N      only the call with this number
 *     -m MAX    at most about MAX calls of a kind, evenly spread; with several -m, the least counts
 *     -c CMD    the output varies from run to run: status 0 is right if CMD succeeds. $STDOUT is
 *               the file that was stdout. Messages are compared without their numbers.
 *     -w WORDS  messages that contain WORDS are optional
 *     -a        faults also in children of the program, until they execute another program
 *     -b        prints the backtrace of each call that caused a violation
 *
 * Each run starts in an empty directory, with an empty HOME and an empty TMPDIR. System calls are
 * counted, and fail, through a seccomp listener. Therefore calls of libc and libelf are included.
 * Calls of the dynamic loader, calls of sanitizers, and writes to stderr never fail. For each kind,
 * sweep prints one line on stdout: "PROGRAM KIND: R runs, V violations: ARGUMENTS". Exits with 77
 * if there can be no seccomp listener.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep_run.h"

#define WORKERS	   2
#define COMPLAINTS 1000

static struct {
	const char *input, *check, *optional;
	char shim[PATH_MAX];
	char **argv;
	char words[256]; /* the program and its arguments, for messages */
	bool wanted[32], children, trace;
	long only, max;
} given;

/* Counts of all workers together, one for each kind. */
static struct {
	uint64_t runs, violations;
} * totals;

static struct worker worker;
static struct output usual; /* the results of a run without a fault */
static int complaints;

static const char *next_char(const char *text)
{
	if (given.check)
		text += strspn(text, "0123456789.");
	return text;
}

/* Skips lines that contain the words of -w. `text` is the start of a line. Returns the start of the
 * next line that is not skipped. */
static const char *next_line(const char *text)
{
	const char *words = given.optional ? strstr(text, given.optional) : NULL;

	while (words && words < strchrnul(text, '\n')) {
		text = strchrnul(text, '\n');
		text += *text != 0;
		words = strstr(text, given.optional);
	}
	return text;
}

static bool same_messages(const char *a, const char *b)
{
	bool start = true;

	for (;; a++, b++) {
		a = next_char(start ? next_line(a) : a);
		b = next_char(start ? next_line(b) : b);
		start = *a == '\n';
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static bool passes_check(void)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "cd %s/work && export STDOUT=/proc/%d/fd/%d && { %s\n} >&2", worker.base,
		 (int)getpid(), worker.out, given.check);
	return system(command) == 0;
}

static bool is_empty(const char *name)
{
	char path[128];

	/* The size of a directory does not show whether it is empty. rmdir() succeeds only if it is
	 * empty. */
	snprintf(path, sizeof(path), "%s/%s", worker.base, name);
	return !rmdir(path);
}

/* Returns a text that describes the violation of the last run, or NULL if there was no violation.
 */
static const char *judge(void)
{
	const struct output *now = &worker.now;

	if (now->hangs)
		return "it hangs";
	if (WIFSIGNALED(now->status))
		return strsignal(WTERMSIG(now->status));
	if (strstr(now->messages, "Sanitizer") || strstr(now->messages, "runtime error:"))
		return "a sanitizer reports";
	if (given.children && WEXITSTATUS(now->status) == 126) /* could not execute */
		return now->messages[0] ? NULL : "status 126 without a message";
	if (WEXITSTATUS(now->status) > 1)
		return "neither status 0 nor 1";
	if (now->hidden || !is_empty("tmp"))
		return "it leaves a temporary file";
	if (WEXITSTATUS(now->status) == 1)
		return now->messages[0] ? NULL : "status 1 without a message";
	if (given.check ? !passes_check() : now->digest != usual.digest)
		return "status 0 with other output";
	if (!same_messages(now->messages, usual.messages))
		return "status 0 with other messages";
	return NULL;
}

static void complain(struct fault fault, const char *what)
{
	char call[40] = "";

	if (complaints++ >= COMPLAINTS)
		return;
	if (worker.calls.last_call || fault.kind->error)
		snprintf(call, sizeof(call), " (system call %d)", worker.calls.last_call);
	printf("%s\n  %s %llu%s%s: %s, status 0x%x; messages:\n%.1000s", given.words,
	       fault.kind->name, (unsigned long long)fault.n, fault.all_after ? "+" : "", call,
	       what, (unsigned)worker.now.status, worker.now.messages);
	if (given.trace) {
		fault.trace = true;
		run_program(&worker, fault);
		printf("  backtrace:\n%.4000s", worker.now.messages);
	}
	fflush(stdout);
}

static void try_fault(struct fault fault)
{
	size_t kind = (size_t)(fault.kind - kinds);
	const char *what;

	run_program(&worker, fault);
	__atomic_add_fetch(&totals[kind].runs, 1, __ATOMIC_RELAXED);
	if ((what = judge())) {
		__atomic_add_fetch(&totals[kind].violations, 1, __ATOMIC_RELAXED);
		complain(fault, what);
	}
}

static void sweep(const struct kind *kind, uint64_t first)
{
	uint64_t count, step = 1;

	complaints = 0;
	run_program(&worker, (struct fault){.kind = kind});
	usual = worker.now;
	count = worker.calls.count;
	if (worker.now.status || (given.check && !passes_check())) {
		printf("%s: status 0x%x without a fault (%s): %s\n", given.words,
		       (unsigned)worker.now.status, kind->name, worker.now.messages);
		exit(2);
	}
	if (given.max && count > (uint64_t)given.max)
		step = (count + (uint64_t)given.max - 1) / (uint64_t)given.max;
	for (uint64_t n = 1 + first * step; n <= count; n += WORKERS * step) {
		if (given.only && n != (uint64_t)given.only)
			continue;
		try_fault((struct fault){.kind = kind, .n = n});
		try_fault((struct fault){.kind = kind, .n = n, .all_after = true});
	}
}

static int work(const char *folder, uint64_t first)
{
	char base[64];

	snprintf(base, sizeof(base), "%s/%d", folder, (int)first);
	worker.input = given.input;
	worker.shim = given.shim;
	worker.argv = given.argv;
	worker.children = given.children;
	worker.clock_runs = given.check != NULL;
	worker_start(&worker, base);
	for (size_t i = 0; i < kind_count; i++)
		if (given.wanted[i])
			sweep(&kinds[i], first);
	return 0;
}

static int run_workers(void)
{
	char base[] = "/tmp/sweep-XXXXXX"; /* same length in all runs; in no message */
	int failed = 0, status;

	must(mkdtemp(base) != NULL, base);
	for (uint64_t i = 0; i < WORKERS; i++) {
		pid_t pid = fork();

		must(pid >= 0, "fork");
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			exit(work(base, i));
		}
	}
	while (wait(&status) > 0)
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			failed = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
	nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	rmdir(base);
	return failed;
}

/* Returns the smaller of two limits. A limit of 0 is no limit. */
static long smaller(long a, long b)
{
	return !a || (b && b < a) ? b : a;
}

static void parse(int argc, char **argv)
{
	bool some = false;
	int option;

	char *slash;

	must(readlink("/proc/self/exe", given.shim, sizeof(given.shim) - 40) > 0, "/proc/self/exe");
	slash = strrchr(given.shim, '/');
	strcpy(slash + 1, "../faults/fail_memory.so");
	given.input = "/dev/null";
	while ((option = getopt(argc, argv, "+i:k:n:m:c:w:ab")) != -1) {
		switch (option) {
		case 'i': given.input = optarg; break;
		case 'k':
			must(kind_named(optarg) != NULL, optarg);
			some = given.wanted[kind_named(optarg) - kinds] = true;
			break;
		case 'n': given.only = strtol(optarg, NULL, 10); break;
		case 'm': given.max = smaller(given.max, strtol(optarg, NULL, 10)); break;
		case 'c': given.check = optarg; break;
		case 'w': given.optional = optarg; break;
		case 'a': given.children = true; break;
		case 'b': given.trace = true; break;
		default: exit(2);
		}
	}
	must(optind < argc, "usage: drive_sweep [OPTION...] PROGRAM [ARGUMENT...]");
	given.argv = argv + optind;
	for (size_t i = 0; i < kind_count; i++)
		given.wanted[i] |= !some;
	for (char **word = given.argv; *word; word++) {
		size_t used = strlen(given.words);

		snprintf(given.words + used, sizeof(given.words) - used, "%s%s", used ? " " : "",
			 *word);
	}
}

int main(int argc, char **argv)
{
	uint64_t violations = 0;
	int failed;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* kills the worker if sweep ends */
	parse(argc, argv);
	totals = shared_page(NULL);
	failed = run_workers();
	for (size_t i = 0; i < kind_count; i++) {
		violations += totals[i].violations;
		if (totals[i].runs)
			printf("%s %s: %llu runs, %llu violations: %s\n", given.argv[0],
			       kinds[i].name, (unsigned long long)totals[i].runs,
			       (unsigned long long)totals[i].violations, given.words);
	}
	return failed ? failed : violations > 0;
}
