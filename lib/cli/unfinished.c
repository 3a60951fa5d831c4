// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"
#include "status.h"
#include "unfinished.h"

struct file {
	struct file *next;
	char path[];
};

static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
			     SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};
#define DEADLY_COUNT (sizeof(deadly) / sizeof(deadly[0]))

struct registered {
	struct registered *next;
	const struct keeper *keeper;
};

/* These variables change only while the signals are blocked. */
static struct file *files;
static struct registered *keepers;
static bool handled;
static sigset_t before;

static void remove_files(int signal)
{
	for (const struct file *file = files; file; file = file->next)
		unlink(file->path);
	/* All channels are closed before the first wait, because a keeper that was just forked can
	 * still have open copies of the channels of other keepers. */
	for (const struct registered *entry = keepers; entry; entry = entry->next)
		close(entry->keeper->channel);
	for (const struct registered *entry = keepers; entry; entry = entry->next)
		while (waitpid(entry->keeper->pid, NULL, 0) < 0 && errno == EINTR)
			;
	raise(signal); /* SA_RESETHAND has restored the default action. The signal ends the program
			* after this handler returns. */
}

static void handle_signals(void)
{
	const struct sigaction action = {.sa_handler = remove_files, .sa_flags = (int)SA_RESETHAND};

	if (handled)
		return;
	handled = true;
	for (size_t i = 0; i < DEADLY_COUNT; i++)
		pk_signals_before_end(deadly[i], &action);
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

enum pk_status pk_unfinished_add(const char *path)
{
	const size_t size = strlen(path) + 1;
	struct file *file = malloc(sizeof(*file) + size);

	if (file) {
		handle_signals();
		memcpy(file->path, path, size);
		file->next = files;
		files = file;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return file ? PK_OK : PK_NOMEM;
}

enum pk_status pk_unfinished_keeper(const struct keeper *keeper)
{
	struct registered *entry = malloc(sizeof(*entry));

	if (!entry)
		return PK_NOMEM;
	handle_signals();
	*entry = (struct registered){keepers, keeper};
	keepers = entry;
	return PK_OK;
}

void pk_unfinished_forget_keeper(const struct keeper *keeper)
{
	struct registered **at = &keepers, *entry;

	block();
	while (*at && (*at)->keeper != keeper)
		at = &(*at)->next;
	entry = *at;
	if (entry)
		*at = entry->next;
	free(entry);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void pk_keeper_end(struct keeper *keeper)
{
	close(keeper->channel);
	while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
		;
	keeper->pid = 0;
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
