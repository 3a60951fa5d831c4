// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unfinished.h"

struct file {
	struct file *next;
	char path[];
};

static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
			     SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};
#define DEADLY_COUNT (sizeof(deadly) / sizeof(deadly[0]))

static struct file *files; /* changes only while the signals are blocked */
static sigset_t before;

static void remove_files(int signal)
{
	for (const struct file *file = files; file; file = file->next)
		unlink(file->path);
	raise(signal); /* the default action, after this handler returns: SA_RESETHAND */
}

static void handle_signals(void)
{
	const struct sigaction action = {.sa_handler = remove_files, .sa_flags = (int)SA_RESETHAND};
	struct sigaction old;

	for (size_t i = 0; i < DEADLY_COUNT; i++)
		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
}

static void block(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < DEADLY_COUNT; i++)
		sigaddset(&set, deadly[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
}

void pk_unfinished_block(void)
{
	block();
}

bool pk_unfinished_add(const char *path)
{
	const size_t size = strlen(path) + 1;
	struct file *file = malloc(sizeof(*file) + size);

	if (file) {
		if (!files)
			handle_signals();
		memcpy(file->path, path, size);
		file->next = files;
		files = file;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return file;
}

void pk_unfinished_cancel(void)
{
	const int error = errno;

	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
}

void pk_unfinished_forget(void)
{
	struct file *file;

	block();
	while ((file = files)) {
		files = file->next;
		free(file);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}
