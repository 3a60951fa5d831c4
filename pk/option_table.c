// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "glibc_macros.h"
#include "lookups.h"
#include "option_table.h"

/* ---- Reading ---- */

/* Returns true if the first argument of the program selects the options that the program has. */
static bool has_subcommands(char *const *words)
{
	return words[1] && *words[1] != '-' &&
	       (!strcmp(words[0], "pk-plot") || !strcmp(words[0], "pk-export"));
}

static void become(char *path, char *const *program, int out)
{
	const bool subcommand = has_subcommands(program);
	char option[] = "--list-options";
	char *const words[] = {path, subcommand ? program[1] : option, subcommand ? option : NULL,
			       NULL};

	if (dup2(out, STDOUT_FILENO) >= 0)
		execv(path, words);
	_exit(127);
}

/* Reads what the program prints. If this fails, returns PK_IO and sets errno. */
static enum pk_status read_output(int fd, struct buffer *text)
{
	ssize_t n = 1;

	while (n > 0) {
		char *at = buffer_room(text, 4096);

		errno = ENOMEM;
		n = at ? TEMP_FAILURE_RETRY(read(fd, at, 4096)) : -1;
		if (n > 0)
			buffer_end(text, at + n);
	}
	return n ? PK_IO : PK_OK;
}

/* Runs the program and reads its output. If this fails, returns PK_IO and sets errno. */
static enum pk_status run(char *path, char *const *words, struct buffer *text)
{
	int ends[2], status = 0, error;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return PK_IO;
	pid = fork();
	if (!pid)
		become(path, words, ends[1]);
	error = pid < 0 ? errno : 0;
	close(ends[1]);
	if (!error && read_output(ends[0], text) != PK_OK)
		error = errno;
	close(ends[0]);
	if (pid > 0 && TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0 && !error)
		error = errno;
	if (!error && status)
		error = EIO;
	errno = error;
	return error ? PK_IO : PK_OK;
}

int option_table_read(struct option_table *table, char *const *words)
{
	const char *program = words[0];
	char *path;
	bool done;

	if (strncmp(program, "pk-", 3) != 0)
		return PK_EXIT_OK;
	path = pk_find_program(program);
	if (!path) /* the pipeline will report that it cannot run */
		return errno == ENOMEM ? pk_no_memory() : PK_EXIT_OK;
	done = run(path, words, &table->text) == PK_OK;
	if (!done)
		pk_error("%s --list-options: %s", program, strerror(errno));
	free(path);
	buffer_char(&table->text, '\0');
	return done && !table->text.failed ? PK_EXIT_OK : PK_EXIT_FAILED;
}

/* ---- Looking up ---- */

/* A line of the table has -LETTER, --NAME and ARGUMENT, separated by tabs. -LETTER or --NAME can be
 * empty. */
struct line {
	const char *letter, *name, *argument;
	size_t name_size;
};

static const char *next_line(const char *at, struct line *line)
{
	const char *name = strchr(at, '\t'), *argument = name ? strchr(name + 1, '\t') : NULL;
	const char *end = argument ? strchr(argument, '\n') : NULL;

	if (!end)
		return NULL;
	*line = (struct line){at, name + 1, argument + 1, (size_t)(argument - name - 1)};
	return end + 1;
}

/* Finds an option by its name. The name can be shortened, as in getopt_long(3). */
static enum option_kind kind_of_name(const char *at, const char *word)
{
	const size_t size = strcspn(word, "=");
	enum option_kind kind = OPTION_UNKNOWN;
	struct line line;

	while ((at = next_line(at, &line))) {
		if (line.name_size < size || memcmp(line.name, word, size) != 0)
			continue;
		kind = *line.argument == 'r' && !word[size] ? OPTION_BEFORE_VALUE : OPTION_ALONE;
		if (line.name_size == size)
			break;
	}
	return kind;
}

static const char *argument_of_letter(const char *at, char letter)
{
	struct line line;

	while ((at = next_line(at, &line)))
		if (line.letter[0] == '-' && line.letter[1] == letter)
			return line.argument;
	return "";
}

static enum option_kind kind_of_letters(const char *at, const char *letters)
{
	for (; *letters; letters++) {
		const char *argument = argument_of_letter(at, *letters);

		if (*argument == 'r')
			return letters[1] ? OPTION_ALONE : OPTION_BEFORE_VALUE;
		if (*argument != 'n')
			return *argument ? OPTION_ALONE : OPTION_UNKNOWN;
	}
	return OPTION_ALONE;
}

enum option_kind option_table_kind(const struct option_table *table, const char *word)
{
	if (!table->text.size)
		return OPTION_UNKNOWN;
	return word[1] == '-' ? kind_of_name(table->text.data, word)
			      : kind_of_letters(table->text.data, word + 1);
}
