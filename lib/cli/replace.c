// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "glibc_macros.h"
#include "replace.h"
#include "sandbox.h"
#include "unfinished.h"

#define NUMBERS_MAX 1000 /* limit for files beside with the same name, except for a number */

struct unfinished {
	struct unfinished *next;
	int folder;
	char *base, *name;
	char part[NAME_MAX + 1]; /* the name that it has now; empty: its own */
	bool filled, live;
	struct keeper keeper;
};

/* Requests to the keeper. If the channel ends without one, it removes the file. */
enum { KEEP = 'k', REMOVE = 'r' };

static struct unfinished *outputs;
static bool at_exit;

/* ---- The process that gives the name ---- */

static const char *current_name(const struct unfinished *output)
{
	return *output->part ? output->part : output->base;
}

static bool is_empty(const struct unfinished *output)
{
	struct stat st;

	return !fstatat(output->folder, current_name(output), &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(st.st_mode) && !st.st_size;
}

/* 0, or errno. */
static int give_name(const struct unfinished *output)
{
	return renameat(output->folder, output->part, output->folder, output->base) ? errno : 0;
}

static _Noreturn void keep_or_remove(const struct unfinished *output, int channel)
{
	sigset_t all;
	char wish = REMOVE;
	bool asked;
	int error = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* The other ends of pipes must see when the program ends. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	for (const struct unfinished *other = outputs; other; other = other->next)
		if (other->keeper.pid)
			close(other->keeper.channel);
	asked = TEMP_FAILURE_RETRY(read(channel, &wish, 1)) == 1;
	if (wish == KEEP)
		error = give_name(output);
	if ((wish == REMOVE || error) && (!output->live || is_empty(output)))
		unlinkat(output->folder, output->part, 0);
	if (asked && TEMP_FAILURE_RETRY(write(channel, &error, sizeof(error))) < 0)
		_exit(1);
	_exit(0);
}

/* False with errno. */
static bool start_keeper(struct unfinished *output)
{
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return false;
	output->keeper.pid = fork();
	if (!output->keeper.pid) {
		close(ends[0]);
		keep_or_remove(output, ends[1]);
	}
	error = errno;
	close(ends[1]);
	if (output->keeper.pid > 0) {
		output->keeper.channel = ends[0];
		return true;
	}
	output->keeper.pid = 0;
	close(ends[0]);
	errno = error;
	return false;
}

/* 0, or errno. */
static int ask_keeper(struct unfinished *output, char wish)
{
	int error = EIO;

	if (TEMP_FAILURE_RETRY(write(output->keeper.channel, &wish, 1)) != 1 ||
	    TEMP_FAILURE_RETRY(read(output->keeper.channel, &error, sizeof(error))) !=
		    (ssize_t)sizeof(error))
		error = error ? error : EIO;
	return error;
}

/* ---- The list ---- */

static void release(struct unfinished *output)
{
	if (output->folder != AT_FDCWD && output->folder >= 0)
		close(output->folder);
	free(output->base);
	free(output->name);
	free(output);
}

static struct unfinished *new_output(const struct replace_options *options)
{
	struct unfinished *output = calloc(1, sizeof(*output));

	if (!output)
		return NULL;
	output->folder = options->folder == AT_FDCWD
				 ? AT_FDCWD
				 : fcntl(options->folder, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	output->base = strdup(options->base);
	output->name = strdup(options->name);
	output->filled = options->filled;
	output->live = options->live;
	if (output->base && output->name && (output->folder >= 0 || output->folder == AT_FDCWD))
		return output;
	release(output);
	return NULL;
}

static void add(struct unfinished *output)
{
	output->next = outputs;
	outputs = output;
	if (!at_exit)
		atexit(pk_outputs_drop);
	at_exit = true;
}

static int create_part(struct unfinished *output)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
	int fd = -1;

	for (unsigned int number = 0; number < NUMBERS_MAX; number++) {
		char digits[16] = "";

		if (number)
			snprintf(digits, sizeof(digits), "-%u", number);
		snprintf(output->part, sizeof(output->part), ".%.*s%s.part", NAME_MAX - 32,
			 output->base, digits);
		fd = openat(output->folder, output->part, flags, 0600);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

/* Within the sandbox, no process can be started, and programs that create files there may rename
 * them. Without a sandbox, a live output needs nobody who removes it. */
static bool wants_keeper(const struct unfinished *output)
{
	return !pk_sandbox_entered() && (!output->live || pk_sandbox_wanted());
}

int pk_replace_beside(const struct replace_options *options)
{
	struct unfinished *output = new_output(options);
	int fd, error;

	if (!output)
		return -1;
	pk_unfinished_block();
	fd = create_part(output);
	if (fd >= 0 && wants_keeper(output) &&
	    (!start_keeper(output) || !pk_unfinished_keeper(&output->keeper))) {
		error = errno;
		unlinkat(output->folder, output->part, 0);
		close(fd);
		fd = -1;
		errno = error;
	}
	pk_unfinished_cancel();
	if (fd >= 0) {
		add(output);
		return fd;
	}
	error = errno;
	release(output);
	errno = error;
	return -1;
}

bool pk_replace_created(const struct replace_options *options)
{
	struct unfinished *output = new_output(options);

	if (output)
		add(output);
	return output;
}

/* ---- The end ---- */

static void end_keeper(struct unfinished *output)
{
	pk_unfinished_forget_keeper(&output->keeper);
	pk_keeper_end(&output->keeper);
}

/* Removes the file, unless it is live and has content: then it keeps the name that it has. */
static void drop(struct unfinished *output)
{
	const bool stays = (output->live || !*output->part) && !is_empty(output);

	if (stays && *output->part)
		pk_warn("%s: it was not replaced; what was written is in %s beside it",
			output->name, output->part);
	if (output->keeper.pid) {
		ask_keeper(output, REMOVE);
		end_keeper(output);
	} else if (!stays) {
		unlinkat(output->folder, current_name(output), 0);
	}
}

/* False after a message. */
static bool keep(struct unfinished *output)
{
	int error;

	if (!*output->part)
		return true;
	if (output->filled && is_empty(output)) {
		pk_error("%s: there was nothing to write: it was not replaced", output->name);
		drop(output);
		return false;
	}
	if (output->keeper.pid) {
		error = ask_keeper(output, KEEP);
		end_keeper(output);
	} else {
		error = give_name(output);
	}
	if (!error)
		return true;
	pk_error("%s: %s", output->name, strerror(error));
	drop(output);
	return false;
}

int pk_outputs_keep(int status)
{
	struct unfinished *output;

	if (status == PK_EXIT_USAGE)
		pk_outputs_drop();
	while ((output = outputs)) {
		outputs = output->next;
		if (status && is_empty(output))
			drop(output);
		else if (!keep(output) && !status)
			status = PK_EXIT_FAILED;
		release(output);
	}
	return status;
}

void pk_outputs_drop(void)
{
	struct unfinished *output;

	while ((output = outputs)) {
		outputs = output->next;
		drop(output);
		release(output);
	}
}
