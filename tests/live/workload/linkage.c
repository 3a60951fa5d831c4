// SPDX-License-Identifier: BSD-2-Clause
/* linkage MILLISECONDS [DEPTH] calls many short functions of libraries through their entries in the
 * procedure linkage table. If DEPTH is greater than 0, the program then starts itself four times
 * with DEPTH - 1, by fork and exec or by posix_spawn. Therefore the dynamic linker binds entries
 * during the whole run. */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "burn.h"

static volatile double sum;
static volatile long sink;

static NOINLINE void strings(int n)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %.3f", n, n * 0.1);
	sink += (long)strlen(text) + atoi(text) + toupper(*text) + strcasecmp(text, "1") + ffs(n);
	sink += strchr(text, ' ') != NULL;
	sink += labs(strtol(text, NULL, 10));
	free(strdup(text));
}

static NOINLINE void numbers(int n)
{
	sum += sin(n) + cos(n) + exp(n % 3) + floor(n * 0.3) + ceil(n * 0.3) + fabs(-n) +
	       fmod(n, 3) + pow(n, 0.3);
}

static NOINLINE void call_all(long long milliseconds)
{
	const long long end = cpu_time() + milliseconds * 1000000;

	for (int n = 1; cpu_time() < end; n++)
		for (int i = 0; i < 20; i++) {
			strings(n);
			numbers(n);
		}
}

static NOINLINE void start_others(char **argv, int depth)
{
	char less[16], *words[] = {argv[0], argv[1], less, NULL}, *none[] = {NULL};

	snprintf(less, sizeof(less), "%d", depth - 1);
	for (int i = 0; i < 4; i++) {
		pid_t pid = -1;

		if (i % 2 ? posix_spawn(&pid, argv[0], NULL, NULL, words, none) != 0
			  : (pid = fork()) < 0)
			continue;
		if (!pid) {
			execv(argv[0], words);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	const int depth = argc > 2 ? atoi(argv[2]) : 0;

	call_all(argc > 1 ? atoll(argv[1]) : 100);
	if (depth > 0)
		start_others(argv, depth);
	return 0;
}
