// SPDX-License-Identifier: BSD-2-Clause
/*
 * drive_damage CASE[:STRIDE] STREAM PROGRAM [OPTION...] runs the program many times with the stream
 * on stdin, two runs at a time. Each run has a different damage. Reports each run in which the
 * program does not do what it must do. With STRIDE, makes only each STRIDE-th damage. CASE is
 *
 *     cut      the stream ends after each of its bytes
 *     flip     each byte is inverted, and each bit is inverted
 *     full     stdout accepts a number of bytes, and then the disk is full
 *     pipe     stdout has no reader, once with the default action of SIGPIPE and once with SIGPIPE
 * ignored
 *
 * The stream must have the byte order of the host, one event, and only complete samples.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pkstream.h"

#define WORKERS	   2
#define COMPLAINTS 8
#define SECONDS	   30 /* in seconds; a longer run is a failure */
#define NO_LIMIT   RLIM_INFINITY

static struct {
	uint8_t stream[1 << 16];
	size_t size;
	uint64_t samples;
	bool ours; /* the stream has SESSION and END */
	char **argv;
	long stride;
} given;

/* Describes how to run the program, and contains the results of the run. */
static struct {
	int in, out;
	rlim_t limit;
	bool closed_pipe, ignore_pipe;
	int status; /* status of waitpid() */
	uint8_t data[1 << 20];
	size_t size;
	char messages[1 << 16];
	int lines; /* number of lines in `messages` */
} run;

static char usual_messages[sizeof(run.messages)];
static int complaints;

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
	char text[256];
	va_list args;

	if (complaints++ >= COMPLAINTS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	printf("%s: %s; status 0x%x, %zu bytes, messages:\n%.1500s", given.argv[0], text,
	       run.status, run.size, run.messages);
	fflush(stdout);
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(2);
}

/* ---- One run ---- */

static void become_program(int err)
{
	int ends[2];

	if (run.closed_pipe) {
		must(!pipe(ends), "pipe");
		close(ends[0]);
		dup2(ends[1], STDOUT_FILENO);
		close(ends[1]);
		signal(SIGPIPE, run.ignore_pipe ? SIG_IGN : SIG_DFL);
	} else {
		dup2(run.out, STDOUT_FILENO);
	}
	if (run.limit != NO_LIMIT) {
		signal(SIGXFSZ, SIG_IGN);
		must(!setrlimit(RLIMIT_FSIZE, &(struct rlimit){run.limit, run.limit}), "setrlimit");
	}
	dup2(run.in, STDIN_FILENO);
	dup2(err, STDERR_FILENO);
	alarm(SECONDS);
	execvp(given.argv[0], given.argv);
	_exit(127);
}

static void read_messages(int fd)
{
	size_t size = 0;
	ssize_t n;

	while ((n = read(fd, run.messages + size, sizeof(run.messages) - 1 - size)) > 0)
		size += (size_t)n;
	run.messages[size] = '\0';
	run.lines = 0;
	for (size_t i = 0; i < size; i++)
		run.lines += run.messages[i] == '\n';
}

static void run_program(const uint8_t *input, size_t size)
{
	int err[2];
	pid_t pid;
	off_t end;

	must(!ftruncate(run.in, 0) && pwrite(run.in, input, size, 0) == (ssize_t)size, "stdin");
	must(!ftruncate(run.out, 0), "stdout");
	lseek(run.in, 0, SEEK_SET);
	lseek(run.out, 0, SEEK_SET);
	must(!pipe2(err, O_CLOEXEC), "pipe");
	pid = fork();
	must(pid >= 0, "fork");
	if (!pid)
		become_program(err[1]);
	close(err[1]);
	read_messages(err[0]);
	close(err[0]);
	must(waitpid(pid, &run.status, 0) == pid, "waitpid");
	end = lseek(run.out, 0, SEEK_END);
	run.size = end < (off_t)sizeof(run.data) ? (size_t)end : sizeof(run.data) - 1;
	must(pread(run.out, run.data, run.size, 0) == (ssize_t)run.size, "stdout");
	run.data[run.size] = '\0';
}

static bool exited_with(int status)
{
	return WIFEXITED(run.status) && WEXITSTATUS(run.status) == status;
}

/* Returns true if there is one message, and it begins with the name of the program. */
static bool one_message(void)
{
	size_t length = strlen(given.argv[0]);

	return run.lines == 1 && !strncmp(run.messages, given.argv[0], length) &&
	       run.messages[length] == ':';
}

/* ---- Samples ---- */

struct memory {
	const uint8_t *data;
	size_t size;
};

static ssize_t read_memory(void *arg, void *buf, size_t size)
{
	struct memory *memory = arg;

	if (size > memory->size)
		size = memory->size;
	memcpy(buf, memory->data, size);
	memory->data += size;
	memory->size -= size;
	return (ssize_t)size;
}

static uint64_t count_in_stream(const uint8_t *data, size_t size)
{
	struct memory memory = {data, size};
	struct pk_reader_options options = {.read = read_memory, .arg = &memory, .fd = -1};
	struct pk_reader *reader;
	struct pk_record record;
	uint64_t samples = 0;

	must(pk_reader_new(&options, &reader) == PK_OK, "pk_reader_new");
	while (pk_reader_next(reader, &record) == PK_OK)
		samples += record.type == PERF_RECORD_SAMPLE;
	pk_reader_free(reader);
	return samples;
}

static uint64_t count_lines(const char *text, const char *word)
{
	uint64_t count = 0;

	while ((text = strstr(text, word))) {
		count++;
		text += strlen(word);
	}
	return count;
}

/* Returns the number of samples in the output of `pk-fold --weight=samples`: the sum of the last
 * words of all lines. */
static uint64_t count_weights(const char *text)
{
	uint64_t sum = 0;
	const char *end;

	for (; (end = strchr(text, '\n')); text = end + 1) {
		const char *space = memrchr(text, ' ', (size_t)(end - text));

		sum += space ? strtoull(space, NULL, 10) : 0;
	}
	return sum;
}

/* Returns the number of samples in the output of pk-annotate. At the start of each function, the
 * output has a line "EVENT: N samples, ...". */
static uint64_t count_heads(const char *text)
{
	uint64_t sum = 0;

	for (; (text = strstr(text, " samples, ")); text++) {
		const char *number = text;

		while (number[-1] != ' ')
			number--;
		sum += strtoull(number, NULL, 10);
	}
	return sum;
}

static uint64_t count_output(void)
{
	if (!strcmp(given.argv[0], "pk-annotate"))
		return count_heads((const char *)run.data);
	if (!strcmp(given.argv[0], "pk-fold"))
		return count_weights((const char *)run.data);
	if (!strcmp(given.argv[0], "pk-script"))
		return count_lines((const char *)run.data, " SAMPLE type=9 ");
	return count_in_stream(run.data, run.size);
}

/* ---- The cases. Each function makes the damage with this number, and reports what is wrong ----
 */

/* Describes the complete records in the first n bytes of the stream. It is calculated without the
 * library. */
struct whole {
	uint64_t samples;
	bool boundary, ours;
};

static struct whole look_at_cut(size_t n)
{
	struct whole whole = {.boundary = n >= 16};
	size_t at = 16, next;

	for (; at + 8 <= n; at = next) {
		struct pk_record record = {.data = given.stream + at,
					   .type = pk_load_u32(given.stream + at),
					   .size = pk_load_u16(given.stream + at + 6)};

		next = at + record.size;
		if (next > n)
			break;
		whole.samples += record.type == PERF_RECORD_SAMPLE;
		whole.ours |= pk_definition_of(&record) == PK_SESSION;
	}
	whole.boundary &= at == n;
	return whole;
}

static void check_cut(size_t n)
{
	struct whole whole = look_at_cut(n);
	bool complete = whole.boundary && (!whole.ours || n == given.size);
	uint64_t samples;

	run_program(given.stream, n);
	samples = count_output();
	if (!exited_with(!complete))
		complain("cut at %zu: not status %d", n, !complete);
	else if (complete ? run.lines : !one_message())
		complain("cut at %zu: not %d message", n, !complete);
	else if (samples != whole.samples)
		complain("cut at %zu: %llu samples, not %llu", n, (unsigned long long)samples,
			 (unsigned long long)whole.samples);
}

static void check_flip(size_t number)
{
	static uint8_t stream[sizeof(given.stream)];
	size_t at = number / 9, bit = number % 9;
	uint64_t expected;

	memcpy(stream, given.stream, given.size);
	stream[at] ^= (uint8_t)(bit < 8 ? 1u << bit : 0xff);
	run_program(stream, given.size);
	if (!exited_with(0) && !exited_with(1)) {
		complain("byte %zu is %#x: it crashed", at, stream[at]);
		return;
	}
	if (exited_with(1) && !run.lines)
		complain("byte %zu is %#x: failed without a word", at, stream[at]);
	if (exited_with(1) || (run.lines && strcmp(run.messages, usual_messages)))
		return;
	/* If the program printed no message, no sample may be missing. */
	expected = given.ours ? given.samples : count_in_stream(stream, given.size);
	if (count_output() < expected)
		complain("byte %zu is %#x: %llu samples, not %llu", at, stream[at],
			 (unsigned long long)count_output(), (unsigned long long)expected);
}

static void check_full(size_t n)
{
	run.limit = n;
	run_program(given.stream, given.size);
	if (!exited_with(1))
		complain("full after %zu bytes: not status 1", n);
	else if (!one_message() || !strstr(run.messages, "File too large"))
		complain("full after %zu bytes: it should say so", n);
	else if (run.size != n)
		complain("full after %zu bytes: wrote %zu", n, run.size);
}

static void check_pipe(size_t number)
{
	run.closed_pipe = true;
	run.ignore_pipe = number;
	run_program(given.stream, given.size);
	if (number ? !exited_with(1) : !WIFSIGNALED(run.status) || WTERMSIG(run.status) != SIGPIPE)
		complain("closed pipe, SIGPIPE %s", number ? "ignored" : "as usual");
	else if (run.lines > (int)number)
		complain("closed pipe: too many words");
}

/* ---- All damages of a case ---- */

struct damage {
	const char *name;
	void (*check)(size_t number);
	size_t count;
};

static int work(const struct damage *damage, size_t first)
{
	size_t step = WORKERS * (size_t)given.stride;

	complaints = 0;
	run.in = memfd_create("stdin", MFD_CLOEXEC);
	run.out = memfd_create("stdout", MFD_CLOEXEC);
	must(run.in >= 0 && run.out >= 0, "memfd_create");
	for (size_t i = first; i < damage->count; i += step)
		damage->check(i);
	if (complaints > COMPLAINTS)
		printf("%s: %s: and %d more\n", given.argv[0], damage->name,
		       complaints - COMPLAINTS);
	return complaints > 0;
}

static int run_all(const struct damage *damage)
{
	int failed = 0, status;

	for (size_t i = 0; i < WORKERS; i++) {
		pid_t pid = fork();

		must(pid >= 0, "fork");
		if (!pid)
			exit(work(damage, i * (size_t)given.stride));
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}

static void load(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct whole whole;

	must(file != NULL, path);
	given.size = fread(given.stream, 1, sizeof(given.stream), file);
	must(given.size < sizeof(given.stream) && !ferror(file), path);
	fclose(file);
	whole = look_at_cut(given.size);
	given.samples = whole.samples;
	given.ours = whole.ours;
	must(whole.boundary && whole.samples, "samples");
}

static void run_undamaged(void)
{
	run.limit = NO_LIMIT;
	run.in = memfd_create("stdin", MFD_CLOEXEC);
	run.out = memfd_create("stdout", MFD_CLOEXEC);
	must(run.in >= 0 && run.out >= 0, "memfd_create");
	run_program(given.stream, given.size);
	memcpy(usual_messages, run.messages, sizeof(usual_messages));
	if (!exited_with(0) || count_output() != given.samples)
		complain("undamaged: %llu samples, not %llu", (unsigned long long)count_output(),
			 (unsigned long long)given.samples);
}

int main(int argc, char **argv)
{
	char *stride = argc > 3 ? strchr(argv[1], ':') : NULL;

	must(argc > 3, "usage: drive_damage CASE STREAM PROGRAM [OPTION...]");
	load(argv[2]);
	given.argv = argv + 3;
	given.stride = stride ? strtol(stride + 1, NULL, 10) : 1;
	if (stride)
		*stride = '\0';
	run_undamaged();
	if (complaints)
		return 1;

	const struct damage all[] = {{"cut", check_cut, given.size},
				     {"flip", check_flip, 9 * given.size},
				     {"full", check_full, run.size},
				     {"pipe", check_pipe, 2}};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i].name, argv[1]))
			return run_all(&all[i]);
	must(false, argv[1]);
}
