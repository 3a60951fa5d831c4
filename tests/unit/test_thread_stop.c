// SPDX-License-Identifier: BSD-2-Clause
/* Tests how threads of another process are stopped and released. */
#define _GNU_SOURCE
#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "thread_stop.h"

static void *wait_for_signal(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Starts a process with two threads. */
static pid_t start(void)
{
	const pid_t pid = fork();
	pthread_t thread;

	ck_assert_int_ge(pid, 0);
	if (pid)
		return pid;
	if (pthread_create(&thread, NULL, wait_for_signal, NULL))
		abort();
	wait_for_signal(NULL);
	return 0;
}

/* Waits until the process has its second thread. */
static pid_t second_thread(pid_t pid)
{
	char path[64];
	pid_t tid = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	while (!tid) {
		DIR *tasks = opendir(path);
		struct dirent *entry;

		ck_assert_ptr_nonnull(tasks);
		while ((entry = readdir(tasks)))
			if (*entry->d_name != '.' && atoi(entry->d_name) != pid)
				tid = atoi(entry->d_name);
		closedir(tasks);
	}
	return tid;
}

static void kill_it(void *arg, pid_t pid, const struct thread_stack *stack)
{
	(void)arg;
	(void)stack;
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
}

/* A process is only complete when the status of all its traced threads was read. */
START_TEST(killed_while_stopped)
{
	static uint8_t dump[4096];
	struct thread_stops stops = {.look = kill_it};
	struct thread_stack stack = {.dump = dump, .limit = sizeof(dump)};
	const pid_t pid = start(), tid = second_thread(pid);
	uint64_t pause_time;
	int status;

	if (!thread_stop_possible()) {
		kill(pid, SIGKILL);
		return;
	}
	ck_assert_int_eq(thread_stop_read(&stops, pid, tid, &stack, &pause_time), THREAD_STOPPED);
	while (stops.late_count)
		thread_stops_release(&stops);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
END_TEST

/* A process of another parent: the parent gets its status, although this program traces it. */
START_TEST(killed_grandchild)
{
	static uint8_t dump[4096];
	struct thread_stops stops = {.look = kill_it};
	struct thread_stack stack = {.dump = dump, .limit = sizeof(dump)};
	uint64_t pause_time;
	pid_t pid, grandchild;
	int ends[2], status;

	if (!thread_stop_possible())
		return;
	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		grandchild = fork();
		while (!grandchild)
			pause();
		if (write(ends[1], &grandchild, sizeof(grandchild)) != sizeof(grandchild) ||
		    waitpid(grandchild, &status, 0) != grandchild)
			_exit(1);
		_exit(WIFSIGNALED(status) ? 7 : 2);
	}
	ck_assert_int_eq(read(ends[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	ck_assert_int_eq(thread_stop_read(&stops, grandchild, grandchild, &stack, &pause_time),
			 THREAD_STOPPED);
	while (stops.late_count)
		thread_stops_release(&stops);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("threads");
	Suite *suite = suite_create("thread_stop");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tests, killed_while_stopped);
	tcase_add_test(tests, killed_grandchild);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
