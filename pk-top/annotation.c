// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotation.h"
#include "buffer.h"
#include "cli.h"
#include "glibc_macros.h"
#include "outline_text.h"
#include "terminal.h"
#include "vector.h"

/* ---- The process ---- */

#define OUTPUT_MAX ((size_t)64 << 20) /* bytes; a longer output is cut */
#define PART	   ((size_t)64 << 10)

/* Returns the path of a program in the directory of this program. Returns NULL if this directory is
 * unknown. */
static char *find_program(const char *name)
{
	char path[4096], *slash, *program = NULL;
	const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size > 0) {
		path[size] = '\0';
		slash = strrchr(path, '/');
		if (slash && asprintf(&program, "%.*s/%s", (int)(slash - path), path, name) < 0)
			return NULL;
	}
	if (program && !access(program, X_OK))
		return program;
	free(program);
	return strdup(name);
}

/* Appends a text, so that none of its characters is special in a glob. */
static void add_plain(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("*?[]\\", *text))
			buffer_char(out, '\\');
		buffer_char(out, *text);
	}
}

/* Returns NULL if memory is exhausted. */
static char *make_function(const char *dso, const char *symbol)
{
	struct buffer text = {0};

	buffer_text(&text, "--function=");
	if (dso && !strchr(dso, ':')) {
		add_plain(&text, dso);
		buffer_char(&text, ':');
	}
	add_plain(&text, symbol);
	return buffer_take(&text);
}

/* Runs the program. `input` becomes its stdin, and is closed here. Sets *output to a descriptor
 * that reads its stdout. Returns the process. If it fails, sets errno and returns -1. */
static pid_t start(char **words, int input, int *output)
{
	char *program = find_program(words[0]);
	int ends[2];
	pid_t pid = -1;

	errno = ENOMEM;
	if (program && input >= 0 && !pipe2(ends, O_CLOEXEC)) {
		pid = fork();
		if (!pid) {
			if (dup2(input, STDIN_FILENO) >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0)
				execvp(program, words);
			pk_error("%s: %s", program, strerror(errno));
			_exit(127);
		}
		close(ends[1]);
		*output = ends[0];
		if (pid < 0)
			close(ends[0]);
	}
	free(program);
	if (input >= 0)
		close(input);
	return pid;
}

/* Reads the whole output. Returns false if it was cancelled. */
static bool read_output(int fd, bool (*cancel)(void *arg), void *arg, struct buffer *out)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	ssize_t count = 1;
	char *room;

	while (count > 0) {
		if (cancel(arg))
			return false;
		if (poll(&ready, 1, 100) <= 0)
			continue;
		room = out->size < OUTPUT_MAX ? buffer_room(out, PART) : NULL;
		if (!room)
			break;
		count = TEMP_FAILURE_RETRY(read(fd, room, PART));
		if (count > 0)
			out->size += (size_t)count;
	}
	return true;
}

/* Returns NULL if memory is exhausted. */
static char **new_words(const struct annotate_command *command, const char *program, size_t *count)
{
	char **words = calloc((size_t)command->files_count + (size_t)command->options_count +
				      2 * (size_t)command->events_count + 8,
			      sizeof(*words));

	if (!words)
		return NULL;
	words[(*count)++] = (char *)program;
	words[(*count)++] = (char *)"-q";
	for (int i = 0; i < command->options_count; i++)
		words[(*count)++] = (char *)command->options[i];
	return words;
}

static void add_files(const struct annotate_command *command, char **words, size_t *count)
{
	words[(*count)++] = (char *)"--";
	for (int i = 0; i < command->files_count; i++)
		words[(*count)++] = command->files[i];
}

/* Makes the words of the command pk-annotate. It reads the output of pk-symbolize, or the files.
 * Returns NULL if memory is exhausted. */
static char **make_words(const struct annotate_command *command, char *function)
{
	size_t count = 0;
	char **words = new_words(command, "pk-annotate", &count);

	if (!words)
		return NULL;
	words[count++] = (char *)"--arrows=no";
	if (command->source)
		words[count++] = (char *)"--source";
	for (int i = 0; i < command->events_count; i++) {
		words[count++] = (char *)"-e";
		words[count++] = (char *)command->events[i];
	}
	words[count++] = function;
	if (!command->symbolize)
		add_files(command, words, &count);
	return words;
}

/* Starts pk-symbolize. Returns the process. If it fails, sets errno and returns -1. */
static pid_t symbolize(const struct annotate_command *command, int *output)
{
	size_t count = 0;
	char **words = new_words(command, "pk-symbolize", &count);
	pid_t pid;

	errno = ENOMEM;
	if (!words)
		return -1;
	add_files(command, words, &count);
	pid = start(words, open("/dev/null", O_RDONLY | O_CLOEXEC), output);
	free(words);
	return pid;
}

static void end(pid_t pid, bool stop)
{
	if (pid < 0)
		return;
	if (stop)
		kill(pid, SIGTERM);
	TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
}

enum pk_status annotate_run(const struct annotate_command *command, const char *dso,
			    const char *symbol, bool (*cancel)(void *arg), void *arg,
			    struct buffer *out)
{
	char *function = make_function(dso, symbol);
	char **words = function ? make_words(command, function) : NULL;
	pid_t pid = -1, before = -1;
	int input = -1, output = -1;
	bool done = false;

	errno = ENOMEM;
	if (words && command->symbolize)
		before = symbolize(command, &input);
	else if (words)
		input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (input >= 0)
		pid = start(words, input, &output);
	if (pid < 0) {
		pk_error("pk-annotate: %s", strerror(errno));
	} else {
		done = read_output(output, cancel, arg, out);
		close(output);
	}
	end(pid, !done);
	end(before, !done);
	if (done && !out->size) {
		pk_error("%s: no code found", symbol);
		done = false;
	}
	free(words);
	free(function);
	if (!done)
		return PK_FAILED;
	return out->failed ? PK_FAILED : PK_OK;
}

/* ---- The listing ---- */

/* Returns the share in a line such as " 33.33 : 400113: ...", or 0 if the line has no share. */
static double share_of(const char *text, size_t size)
{
	char number[16] = {0}, *end;
	const size_t length = size < sizeof(number) - 1 ? size : sizeof(number) - 1;
	double share;

	memcpy(number, text, length);
	share = strtod(number, &end);
	return end > number && (*end == ' ' || !*end) ? share : 0;
}

static void scroll(struct annotation *a)
{
	if (a->selected >= a->count)
		a->selected = a->count ? a->count - 1 : 0;
	if (a->selected < a->top)
		a->top = a->selected;
	if (a->height && a->selected >= a->top + a->height)
		a->top = a->selected - a->height + 1;
}

void annotation_select(struct annotation *a, size_t line)
{
	a->selected = line;
	scroll(a);
}

void annotation_move(struct annotation *a, long lines)
{
	const size_t back = lines < 0 ? (size_t)-lines : 0;

	annotation_select(a, back > a->selected ? 0 : a->selected + (size_t)lines);
}

/* Selects a line, and scrolls so that it is in the middle of the visible lines. */
static void show(struct annotation *a, size_t line)
{
	a->selected = line;
	a->top = line > a->height / 2 ? line - a->height / 2 : 0;
	scroll(a);
}

void annotation_hottest(struct annotation *a)
{
	size_t best = 0;

	for (size_t i = 1; i < a->count; i++)
		if (a->lines[i].share > a->lines[best].share)
			best = i;
	if (a->count)
		show(a, best);
}

/* Returns true if line a comes before line b in the order of shares. Line a has a larger share, or
 * the same share and is above line b. */
static bool precedes(const struct annotation *annotation, size_t a, size_t b)
{
	const double left = annotation->lines[a].share, right = annotation->lines[b].share;

	return left > right || (!(left < right) && a < b);
}

void annotation_next(struct annotation *a, int step)
{
	const size_t from = a->selected;
	size_t next = a->count, last = a->count;

	for (size_t i = 0; i < a->count; i++) {
		const bool after = precedes(a, from, i) == (step > 0);

		if (a->lines[i].share < PK_SHARE_WARM || i == from)
			continue;
		/* `last` is the line at the other end of the order. It is selected if there is no
		 * next line in this direction. */
		if (last == a->count || precedes(a, i, last) == (step > 0))
			last = i;
		if (after && (next == a->count || precedes(a, i, next) == (step > 0)))
			next = i;
	}
	next = next < a->count ? next : last;
	if (next < a->count)
		show(a, next);
}

bool annotation_search(struct annotation *a, const char *text, int step)
{
	const size_t size = strlen(text);

	for (size_t i = 0; i < a->count; i++) {
		const size_t line = search_line(a->selected, a->count, step, i);
		const struct annotation_line *at = &a->lines[line];

		for (size_t from = 0; from + size <= at->size; from++)
			if (!strncasecmp(at->text + from, text, size)) {
				show(a, line);
				return true;
			}
	}
	return false;
}

/* Replaces tabs by blanks. */
static enum pk_status expand(struct annotation *a, const char *text, size_t size)
{
	struct buffer out = {0};
	size_t column = 0;

	for (size_t i = 0; i < size; i++, column++) {
		if (text[i] != '\t') {
			buffer_char(&out, text[i]);
			column = text[i] == '\n' ? SIZE_MAX : column;
			continue;
		}
		for (; column % 8 != 7; column++)
			buffer_char(&out, ' ');
		buffer_char(&out, ' ');
	}
	free(a->text);
	a->text = out.data;
	a->size = out.size;
	return out.failed ? PK_NOMEM : PK_OK;
}

enum pk_status annotation_set(struct annotation *a, const char *text, size_t size)
{
	enum pk_status status = expand(a, text, size);
	size_t end;

	a->count = a->selected = a->top = 0;
	for (size_t at = 0; status == PK_OK && at < a->size; at = end + 1) {
		const char *line = a->text + at;
		const char *newline = memchr(line, '\n', a->size - at);

		end = newline ? (size_t)(newline - a->text) : a->size;
		status = pk_reserve(&a->lines, &a->capacity, a->count, 1, sizeof(*a->lines));
		if (status == PK_OK)
			a->lines[a->count++] =
				(struct annotation_line){line, end - at, share_of(line, end - at)};
	}
	annotation_hottest(a);
	return status;
}

void annotation_free(struct annotation *a)
{
	free(a->lines);
	free(a->text);
	*a = (struct annotation){.height = a->height};
}
