// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "child.h"
#include "cli.h"
#include "data_lines.h"
#include "glibc_macros.h"
#include "lookups.h"
#include "pipeline.h"
#include "safe_text.h"
#include "signals.h"
#include "vector.h"

/* ---- Words ---- */

/* Returns true if a word needs no quotes in a shell. An equals sign needs quotes, except in
 * options, because NAME=VALUE could be an assignment. */
static bool is_plain(const char *word)
{
	static const char plain[] =
		"=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+@%:,./";

	return *word && !word[strspn(word, *word == '-' ? plain : plain + 1)];
}

/* Returns the size of the first character in bytes. Sets *harmful. */
static size_t character(const char *p, size_t left, bool *harmful)
{
	size_t size = pk_utf8_size(p, left);

	size = size ? size : 1;
	*harmful = pk_is_harmful(p, size);
	return size;
}

static bool has_harmful(const char *word)
{
	const char *end = word + strlen(word);
	bool harmful = false;

	while (word < end && !harmful)
		word += character(word, (size_t)(end - word), &harmful);
	return harmful;
}

static void add_octal(struct buffer *text, unsigned char byte)
{
	buffer_char(text, '\\');
	buffer_char(text, (char)('0' + (byte >> 6)));
	buffer_char(text, (char)('0' + (byte >> 3 & 7)));
	buffer_char(text, (char)('0' + (byte & 7)));
}

static void add_escaped(struct buffer *text, const char *word)
{
	const char *end = word + strlen(word);
	size_t size;
	bool harmful;

	buffer_text(text, "$'");
	for (; word < end; word += size) {
		size = character(word, (size_t)(end - word), &harmful);
		if (harmful || *word == '\'' || *word == '\\')
			for (size_t i = 0; i < size; i++)
				add_octal(text, (unsigned char)word[i]);
		else
			buffer_add(text, word, size);
	}
	buffer_char(text, '\'');
}

static void add_quoted(struct buffer *text, const char *word)
{
	buffer_char(text, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buffer_text(text, "'\\''");
		else
			buffer_char(text, *word);
	buffer_char(text, '\'');
}

/* Adds a word in the form in which a shell reads it, with quotes where they are needed. Bytes that
 * could harm a terminal are written as $'\033'. The shells bash, zsh and ksh, and POSIX.1-2024,
 * understand this form. */
static void shell_word(struct buffer *text, const char *word)
{
	if (has_harmful(word))
		add_escaped(text, word);
	else if (is_plain(word))
		buffer_text(text, word);
	else
		add_quoted(text, word);
}

/* ---- Pipelines ---- */

/* The values that replace the placeholders of a line, such as $@. */
struct values {
	const struct pipeline_words *words;
	size_t program; /* number of the current program */
	bool skips;	/* The first program is being skipped, because recordings replace it. */
	bool arguments_used, output_used, files_used;
};

static enum pk_status add_words(struct pipeline *pipeline, char *const *words, size_t count)
{
	PK_TRY(pk_reserve(&pipeline->words, &pipeline->words_capacity, pipeline->words_count, count,
			  sizeof(*pipeline->words)));
	if (count)
		memcpy(pipeline->words + pipeline->words_count, words, count * sizeof(*words));
	pipeline->words_count += count;
	return PK_OK;
}

static enum pk_status add_word(struct pipeline *pipeline, const char *word)
{
	char *copy = (char *)word;

	return add_words(pipeline, &copy, 1);
}

/* Returns true if the word is $NAME or ${NAME:-DEFAULT}. Sets *otherwise to DEFAULT, for which
 * `word` is changed, or to NULL. */
static bool is_place(char *word, const char *name, const char **otherwise)
{
	const size_t size = strlen(name);
	char *end = word + strlen(word) - 1;

	*otherwise = NULL;
	if (*word++ != '$')
		return false;
	if (!strcmp(word, name))
		return true;
	if (*word != '{' || strncmp(word + 1, name, size) != 0 ||
	    strncmp(word + 1 + size, ":-", 2) != 0 || *end != '}')
		return false;
	*end = '\0';
	*otherwise = word + size + 3;
	return true;
}

/* The last word before the placeholder can be an option whose value is the first argument. Then the
 * options among the arguments come before this word. */
static enum pk_status add_arguments(struct pipeline *pipeline, struct values *values)
{
	const struct pipeline_words *words = values->words;
	char *last = pipeline->words_count ? pipeline->words[pipeline->words_count - 1] : NULL;
	const bool waits = last && *last == '-';

	values->arguments_used = true;
	pipeline->words_count -= waits;
	PK_TRY(add_words(pipeline, words->arguments, words->leading));
	if (waits)
		PK_TRY(add_word(pipeline, last));
	return add_words(pipeline, words->arguments + words->leading,
			 words->count - words->leading);
}

/* Ends the words of a program. The first program that is not skipped gets the files. */
static enum pk_status end_stage(struct pipeline *pipeline, struct values *values)
{
	const struct pipeline_words *words = values->words;
	const size_t count = values->files_used ? 0 : words->files_count;

	values->files_used = true;
	for (size_t i = 0; i < words->options_count; i++)
		if (words->options[i].program == values->program)
			PK_TRY(add_word(pipeline, words->options[i].word));
	values->program++;
	PK_TRY(add_words(pipeline, words->files, count));
	return add_word(pipeline, NULL);
}

/* Adds a word of the line. If it is a placeholder, adds its value. */
static enum pk_status expand(struct pipeline *pipeline, char *word, struct values *values)
{
	const char *otherwise;

	if (values->skips) {
		values->skips = strcmp(word, "|") != 0;
		values->program += !values->skips;
		return PK_OK;
	}
	if (!strcmp(word, "|"))
		return end_stage(pipeline, values);
	if (is_place(word, "@", &otherwise)) {
		pipeline->arguments_at = values->program;
		if (values->words->count || !otherwise)
			return add_arguments(pipeline, values);
		return add_word(pipeline, otherwise);
	}
	if (is_place(word, "open", &otherwise))
		pipeline->opens = true;
	else if (!is_place(word, "output", &otherwise))
		return add_word(pipeline, word);
	values->output_used = true;
	pipeline->output = values->words->output ? values->words->output : otherwise;
	return add_word(pipeline, pipeline->output ? pipeline->output : "-");
}

/* Adds values without a placeholder to the last program. These are the output and, if there are
 * files, the arguments. */
static enum pk_status add_rest(struct pipeline *pipeline, struct values *values)
{
	const struct pipeline_words *words = values->words;

	if (words->files_count && !values->arguments_used)
		PK_TRY(add_words(pipeline, words->arguments, words->count));
	if (!words->output || values->output_used)
		return PK_OK;
	pipeline->output = words->output;
	PK_TRY(add_word(pipeline, "-o"));
	return add_word(pipeline, words->output);
}

static enum pk_status expand_line(struct pipeline *pipeline, const char *line,
				  struct values *values)
{
	int count;

	pipeline->text = strdup(line);
	pipeline->line_words = calloc(pk_data_words_most(line), sizeof(*pipeline->line_words));
	if (!pipeline->text || !pipeline->line_words)
		return PK_NOMEM;
	count = pk_data_words_split(pipeline->text, pipeline->line_words);
	for (int i = 0; i < count; i++)
		PK_TRY(expand(pipeline, pipeline->line_words[i], values));
	PK_TRY(add_rest(pipeline, values));
	return end_stage(pipeline, values);
}

/* Sets the stages of the pipeline. In the array of all words, each stage ends at a NULL. */
static enum pk_status split_stages(struct pipeline *pipeline)
{
	char **start = pipeline->words;

	pipeline->stages = calloc(pipeline->words_count, sizeof(*pipeline->stages));
	for (size_t i = 0; pipeline->stages && i < pipeline->words_count; i++) {
		if (pipeline->words[i])
			continue;
		pipeline->stages[pipeline->count++].words = start;
		start = pipeline->words + i + 1;
	}
	return pipeline->stages ? PK_OK : PK_NOMEM;
}

int pipeline_make(struct pipeline *pipeline, const struct data_line *line,
		  const struct pipeline_words *words)
{
	struct values values = {.words = words, .skips = words->files_count};

	if (expand_line(pipeline, line->text, &values) != PK_OK || split_stages(pipeline) != PK_OK)
		return pk_no_memory();
	for (size_t i = 0; i < pipeline->count; i++) {
		const char *program = pipeline->stages[i].words[0];

		if (program && *program)
			continue;
		pk_error("%s: a program is missing in the pipeline", line->name);
		return PK_EXIT_USAGE;
	}
	if (pipeline->output && !strcmp(pipeline->output, "-"))
		pipeline->output = NULL;
	return PK_EXIT_OK;
}

void pipeline_text(const struct pipeline *pipeline, struct buffer *text)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		if (i)
			buffer_text(text, " | ");
		for (char *const *word = pipeline->stages[i].words; *word; word++) {
			if (word != pipeline->stages[i].words)
				buffer_char(text, ' ');
			shell_word(text, *word);
		}
	}
}

void pipeline_free(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++)
		free(pipeline->stages[i].path);
	free(pipeline->stages);
	free(pipeline->words);
	free(pipeline->line_words);
	free(pipeline->text);
	*pipeline = (struct pipeline){0};
}

/* ---- Running ---- */

enum { NOT_RUN = 126, NOT_FOUND = 127 }; /* exit statuses of shells */

/* Ends programs that ignore SIGTERM. */
#define END_SIGNAL SIGUSR1

/* Signals of one process within this time, in seconds, are one request. */
#define REPEATED_WITHIN 0.5

/*
 * A process that ends closes its files before its parent can wait for it. So the last program may
 * be found to have ended first. The first program is asked to end only if it still runs after this
 * time.
 */
static const struct timespec END_TIME = {.tv_nsec = 500000000};

struct running {
	struct pipeline *pipeline;
	struct stage *first, *last;
	struct signals signals;
	unsigned int stops; /* number of signals that requested the end */
	pid_t stopper;	    /* the process that sent the last of these signals, and its time */
	double stopped_at;
	bool ended_first; /* the first program was ended, because the last program had ended */
};

/* ---- Start ---- */

/* Returns 0, or prints a message and returns the exit status. */
static int find_programs(struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		struct stage *stage = &pipeline->stages[i];

		stage->path = pk_find_program(stage->words[0]);
		if (stage->path)
			continue;
		if (errno == ENOMEM)
			return pk_no_memory();
		if (pk_lookups()->count)
			return PK_EXIT_FAILED; /* the message is printed at the end */
		if (errno != ENOENT) {
			pk_error("%s: %s", stage->words[0], strerror(errno));
			return NOT_RUN;
		}
		pk_error("%s: no such program%s", stage->words[0],
			 strcmp(stage->words[0], "pk-top")
				 ? ""
				 : ": the tarball of static programs has none; pk report "
				   "--live=2s prints tables instead");
		return NOT_FOUND;
	}
	return PK_EXIT_OK;
}

/* Runs in the forked process of a program. Replaces the process by the program. If `in` or `out` is
 * -1, the program uses stdin or stdout of pk. */
static void become(const struct running *running, const struct stage *stage, int in, int out)
{
	pk_signals_restore(&running->signals);
	if (stage != running->first) {
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN); /* timeout(1) sends it to all programs */
		setenv(PK_PIPELINE_VARIABLE, "1", true);
	}
	if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && (out < 0 || dup2(out, STDOUT_FILENO) >= 0))
		execv(stage->path, stage->words);
	pk_error("%s: %s", stage->path, strerror(errno));
	_exit(NOT_RUN);
}

static void close_end(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Starts a program that reads *in. Sets *in to the descriptor that the next program reads. If it
 * fails, returns PK_IO and sets errno. */
static enum pk_status start(struct running *running, struct stage *stage, int *in)
{
	int ends[2] = {-1, -1};

	if (stage != running->last && pipe2(ends, O_CLOEXEC) < 0)
		return PK_IO;
	stage->pid = fork();
	if (!stage->pid)
		become(running, stage, *in, ends[1]);
	close_end(ends[1]);
	close_end(*in);
	*in = ends[0];
	if (stage->pid > 0)
		return PK_OK;
	stage->pid = 0;
	return PK_IO;
}

static void signal_all(const struct running *running, int signal)
{
	for (size_t i = 0; i < running->pipeline->count; i++)
		if (running->pipeline->stages[i].pid)
			kill(running->pipeline->stages[i].pid, signal);
}

static enum pk_status start_all(struct running *running)
{
	int in = -1;
	enum pk_status status = PK_OK;

	for (size_t i = 0; status == PK_OK && i < running->pipeline->count; i++)
		status = start(running, &running->pipeline->stages[i], &in);
	if (status != PK_OK) {
		pk_error("the pipeline cannot be started: %s", strerror(errno));
		signal_all(running, SIGTERM);
	}
	close_end(in);
	return status;
}

/* ---- End ---- */

/* Notes which programs have ended. Returns true if at least one program is still running. */
static bool reap(struct running *running)
{
	bool runs = false;
	pid_t ended;

	for (size_t i = 0; i < running->pipeline->count; i++) {
		struct stage *stage = &running->pipeline->stages[i];

		if (!stage->pid)
			continue;
		ended = TEMP_FAILURE_RETRY(waitpid(stage->pid, &stage->status, WNOHANG));
		if (ended < 0) {
			pk_failed(pk_lookups(), "exit status of a program", errno);
			stage->status = W_EXITCODE(PK_EXIT_FAILED, 0);
		}
		if (ended)
			stage->pid = 0;
		runs |= stage->pid;
	}
	return runs;
}

/* Returns true if the process that sent the signal has just sent another one. timeout(1) sends its
 * signal to pk, and then to the process group of pk. */
static bool is_repeated(struct running *running, const siginfo_t *info)
{
	struct timespec time;
	double now, last = running->stopped_at;

	clock_gettime(CLOCK_MONOTONIC, &time);
	now = running->stopped_at = (double)time.tv_sec + (double)time.tv_nsec / 1e9;
	if (info->si_code == SI_KERNEL)
		return false;
	if (running->stops && info->si_pid == running->stopper && now - last < REPEATED_WITHIN)
		return true;
	running->stopper = info->si_pid;
	return false;
}

/* Handles a signal that requests the end. The terminal has already sent Ctrl-C to all programs.
 * Signals of kill(2) are passed on. At the second request, all programs end. They ignore SIGTERM,
 * unless they handle it. */
static void stop(struct running *running, const siginfo_t *info)
{
	if (is_repeated(running, info))
		return;
	if (info->si_code != SI_KERNEL && running->first->pid)
		kill(running->first->pid, info->si_signo);
	if (running->stops++)
		for (struct stage *stage = running->first + 1; stage <= running->last; stage++)
			if (stage->pid)
				kill(stage->pid, END_SIGNAL);
}

static void wait_all(struct running *running)
{
	struct sigaction hangup;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	while (reap(running)) {
		const bool unread =
			!running->last->pid && running->first->pid && !running->ended_first;
		const int signal =
			TEMP_FAILURE_RETRY(sigtimedwait(&set, &info, unread ? &END_TIME : NULL));

		if (signal > 0 && signal != SIGCHLD)
			stop(running, &info);
		if (signal < 0 && unread) {
			running->ended_first = true;
			kill(running->first->pid, SIGTERM);
		}
	}
}

/* Returns the exit status of a program. If a signal ended the program, prints a message, because
 * the program itself could not. A reader of the output that closes the pipe, such as head, needs no
 * message. */
static int status_of(const struct running *running, const struct stage *stage)
{
	const int signal = WIFSIGNALED(stage->status) ? WTERMSIG(stage->status) : 0;

	if (!signal) {
		pk_info("%s: exit status %d", stage->words[0], WEXITSTATUS(stage->status));
		return WEXITSTATUS(stage->status);
	}
	if (signal == SIGPIPE && stage != running->last)
		return PK_EXIT_OK; /* the programs after it needed no more data */
	if (signal != SIGPIPE && !running->stops &&
	    !(running->ended_first && stage == running->first))
		pk_error("%s: ended by signal %d (%s)", stage->words[0], signal, strsignal(signal));
	return 128 + (running->stops && signal == END_SIGNAL ? SIGTERM : signal);
}

static int status_of_all(const struct running *running)
{
	int result = PK_EXIT_OK, status;

	for (const struct stage *stage = running->first; stage <= running->last; stage++) {
		status = status_of(running, stage);
		/* If the first program was no longer needed, pk ended it. So its status is ignored.
		 */
		if (status && !(running->ended_first && stage == running->first))
			result = status;
	}
	return result;
}

int pipeline_run(struct pipeline *pipeline)
{
	struct running running = {.pipeline = pipeline,
				  .first = pipeline->stages,
				  .last = pipeline->stages + pipeline->count - 1};
	const int result = find_programs(pipeline);
	bool started;

	if (result)
		return result;
	pk_signals_catch(&running.signals);
	started = start_all(&running) == PK_OK;
	wait_all(&running);
	pk_signals_restore(&running.signals);
	return started ? status_of_all(&running) : PK_EXIT_FAILED;
}
