// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "heap.h"
#include "lookups.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "run.h"
#include "sandbox.h"
#include "signals.h"

#define PIPE_SIZE (1 << 20)

static bool is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

/* Starts to forward bytes from pipe to pipe. The caller has set forward->out. Returns false if the
 * input or the output is not a pipe, or if no pipe can be created. In this case, the caller must
 * not call forward_end(). */
static bool forward_start(struct pk_forward *forward, int in)
{
	int size;

	*forward = (struct pk_forward){.in = in, .out = forward->out, .verbatim = true};
	if (!is_pipe(in) || !is_pipe(forward->out) || pipe2(forward->look, O_CLOEXEC))
		return false;
	fcntl(in, F_SETPIPE_SZ, PIPE_SIZE);
	size = fcntl(in, F_GETPIPE_SZ);
	if (size > 0)
		fcntl(forward->look[1], F_SETPIPE_SZ, size);
	return true;
}

/* Returns true if a failed call must be repeated. After EAGAIN, waits until fd is ready. EAGAIN is
 * possible because another process can make the shared descriptor non-blocking. */
static bool again(int fd, short events)
{
	struct pollfd ready = {.fd = fd, .events = events};

	if (errno == EAGAIN)
		poll(&ready, 1, -1);
	else if (errno != EINTR)
		return false;
	return true;
}

static void throw_away(struct pk_forward *forward, size_t size)
{
	uint8_t bytes[16384];

	forward->left -= size;
	if (forward->at)
		forward->at += size;
	while (size) {
		ssize_t n = read(forward->in, bytes, size < sizeof(bytes) ? size : sizeof(bytes));

		if (n > 0)
			size -= (size_t)n;
		else if (!n || !again(forward->in, POLLIN))
			return;
	}
}

/* Drops the bytes that were read and are still in the input pipe. The program has either written
 * these bytes itself, or does not want to write them. Returns true if the next read will block. */
static bool forward_drop(struct pk_forward *forward)
{
	struct pollfd ready = {.fd = forward->in, .events = POLLIN};

	throw_away(forward, forward->left);
	return poll(&ready, 1, 0) <= 0; /* also true if a signal interrupts poll() */
}

static void forward_end(struct pk_forward *forward)
{
	throw_away(forward, forward->left);
	close(forward->look[0]);
	close(forward->look[1]);
}

/* Declares whether the caller keeps the bytes in its buffer as they were read. Before the first
 * call, `verbatim` is true. The caller passes false if it swaps the byte order in its buffer.
 * forward_write() then writes the bytes of the buffer. */
static void forward_verbatim(struct pk_forward *forward, bool verbatim)
{
	forward->verbatim = verbatim;
	if (!verbatim)
		forward->at = NULL;
}

/* Like read(2) from the input pipe. Call it after forward_drop(). */
static ssize_t forward_read(struct pk_forward *forward, void *buffer, size_t size)
{
	uint8_t *data = buffer;
	ssize_t all, n;

	do
		all = tee(forward->in, forward->look[1], size, 0);
	while (all < 0 && again(forward->in, POLLIN));
	if (all <= 0)
		return all;
	for (size_t have = 0; have < (size_t)all; have += (size_t)n) {
		do
			n = read(forward->look[0], data + have, (size_t)all - have);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			return -1;
	}
	forward->at = forward->verbatim ? data : NULL;
	forward->left = (size_t)all;
	return all;
}

/* Moves the first `size` bytes of the input pipe to the output pipe. */
static bool move_on(struct pk_forward *forward, size_t size)
{
	while (size) {
		ssize_t n = splice(forward->in, NULL, forward->out, NULL, size, 0);

		if (n < 0 && !again(forward->out, POLLOUT))
			return false;
		if (n > 0) {
			forward->at += n;
			forward->left -= (size_t)n;
			size -= (size_t)n;
		}
	}
	return true;
}

/* Writes bytes to the output pipe. If the bytes of `data` are still in the input pipe, moves them
 * from there. Bytes in the input pipe before these bytes are dropped. Returns PK_IO and sets errno
 * if it fails. */
static enum pk_status forward_write(struct pk_forward *forward, const uint8_t *data, size_t size)
{
	uintptr_t from = (uintptr_t)data, to = from + size, at = (uintptr_t)forward->at;
	size_t before = 0;

	if (!at || to <= at || to > at + forward->left)
		return pk_write_all(forward->out, data, size);
	if (from > at)
		throw_away(forward, from - at);
	else
		before = at - from;
	if (before)
		PK_TRY(pk_write_all(forward->out, data, before));
	return move_on(forward, size - before) ? PK_OK : PK_IO;
}

/* ---- Progress ---- */

#define LOOK_EVERY 20000 /* the number of records between two reads of the clock */
#define SECOND	   UINT64_C(1000000000)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static void progress_start(struct pk_progress *progress, const char *name, int fd)
{
	struct stat st;

	*progress = (struct pk_progress){.name = name};
	if (!isatty(STDERR_FILENO) || pk_cli_verbose() < 0 || fstat(fd, &st) ||
	    !S_ISREG(st.st_mode) || st.st_size <= 0)
		return;
	progress->wanted = true;
	progress->size = (uint64_t)st.st_size;
	progress->start = now();
	progress->next = progress->start + SECOND;
	progress->countdown = LOOK_EVERY;
}

void pk_progress_show(struct pk_progress *progress, uint64_t offset)
{
	uint64_t time = now(), spent = time - progress->start;
	double rate, done;
	char line[256];

	progress->countdown = LOOK_EVERY;
	/* `offset` counts decompressed bytes. If it is greater than the size of the file, the file
	 * is compressed, and the progress is unknown. */
	if (time < progress->next || offset > progress->size)
		return;
	progress->next = time + SECOND / 5;
	progress->shown = true;
	rate = (double)offset / ((double)spent / (double)SECOND);
	done = (double)offset / (double)progress->size;
	snprintf(line, sizeof(line), "%s: %s: %.0f%%, %.0f of %.0f MB, %.0f MB/s, %.0f s left",
		 pk_cli_program(), progress->name, 100 * done, (double)offset / 1e6,
		 (double)progress->size / 1e6, rate / 1e6,
		 ((double)progress->size - (double)offset) / (rate + 1));
	pk_harmless(line);
	fprintf(stderr, "\r%s\033[K", line);
}

/* Removes the progress line from the terminal. */
static void progress_end(struct pk_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = progress->wanted = false;
}

/* ---- The first bytes ---- */

/* Reads the first bytes of fd. The result has fewer than PK_INPUT_HEAD bytes only if the input
 * ends, or if reading fails. In these cases the next read also returns no bytes. */
static void input_head_read(struct pk_input_head *head, int fd)
{
	ssize_t size;

	head->fd = fd;
	head->size = head->taken = 0;
	while (head->size < sizeof(head->data)) {
		size = read(fd, head->data + head->size, sizeof(head->data) - head->size);
		if (size > 0)
			head->size += (size_t)size;
		else if (size == 0 || errno != EINTR)
			return;
	}
}

/* Reads the whole input like read(2): first the bytes in the head, then the rest from fd. This is a
 * callback for pk_reader_options. `arg` is the head. */
static ssize_t input_head_then(void *arg, void *buffer, size_t size)
{
	struct pk_input_head *head = arg;
	const size_t left = head->size - head->taken;

	if (!left)
		return read(head->fd, buffer, size);
	if (size > left)
		size = left;
	memcpy(buffer, head->data + head->taken, size);
	head->taken += size;
	return (ssize_t)size;
}

/* ---- The loop ---- */

#define UNKNOWN_MAX  1000 /* the most unknown types of records that -v reports */
#define WARNINGS_MAX 5 /* the most warnings that are printed; further warnings are only counted */

void pk_run_lose(struct pk_run *run, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	pk_losses_add(&run->losses, cause, count, total);
	pk_losses_add(&run->own, cause, count, total);
	if (run->stage)
		pk_stage_lose(run->stage, cause, count, total);
}

void pk_run_forget_losses(struct pk_run *run)
{
	run->losses = run->own = run->loop.reported = (struct pk_losses){0};
}

static void print_messages(struct pk_run *run)
{
	if (pk_likely(!run->messages.text.size && !run->messages.no_memory))
		return;
	run->input.damaged |= run->messages.no_memory;
	pk_print_messages(&run->messages);
}

static void warn(struct pk_run *run, uint64_t offset, uint32_t type, const char *text)
{
	print_messages(run);
	if (run->loop.warnings++ < WARNINGS_MAX || pk_cli_verbose() > 0)
		pk_error("%s: offset %llu, record type %u: %s", run->input.name,
			 (unsigned long long)offset, type, text);
}

static void warned(void *arg, const struct pk_warning *warning)
{
	warn(arg, warning->offset, warning->type, warning->text);
}

void pk_run_complain(struct pk_run *run, const struct pk_record *record, const char *text)
{
	run->input.damaged = true;
	warn(run, record->offset, record->type, text);
}

static void complain(void *run, const struct pk_record *record, const char *text)
{
	pk_run_complain(run, record, text);
}

static void lose(void *run, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	pk_run_lose(run, cause, count, total);
}

void pk_run_connect(struct pk_run *run, struct pk_context *context)
{
	context->complain = complain;
	context->lose = lose;
	context->arg = run;
}

static void idle(void *arg)
{
	struct pk_run *run = arg;

	if (run->idle)
		run->idle(run);
	else if (run->writer)
		pk_writer_flush(run->writer);
}

static ssize_t read_head(void *arg, void *buffer, size_t size)
{
	return input_head_then(&((struct pk_run *)arg)->input.head, buffer, size);
}

static void expire(void *arg)
{
	struct pk_run *run = arg;

	if (run->writer)
		pk_writer_settle(run->writer);
}

/* ---- run->passes: bytes move from pipe to pipe ---- */

static ssize_t read_forward(void *arg, void *buffer, size_t size)
{
	struct pk_run *run = arg;

	expire(run);
	if (forward_drop(&run->loop.forward))
		idle(run);
	return forward_read(&run->loop.forward, buffer, size);
}

static enum pk_status write_lent(void *arg, const void *data, size_t size)
{
	struct pk_run *run = arg;

	return forward_write(&run->loop.forward, data, size);
}

/* Called for a new session. The writer can still refer to bytes of the previous session, which are
 * in the buffer of the reader. So these bytes are written first. */
static void start_forward(struct pk_run *run)
{
	expire(run);
	forward_verbatim(&run->loop.forward, pk_reader_verbatim(run->reader));
}

static void end_session(struct pk_run *run, bool complete)
{
	if (!run->input.in_session)
		return;
	run->input.in_session = false;
	run->input.complete = complete;
	if (run->session_end)
		run->session_end(run);
	print_messages(run);
	if (run->stage && run->enough)
		pk_stage_enough(run->stage);
	if (run->stage)
		pk_stage_end(run->stage, complete);
}

/* Returns true if the STAGE record is from pk-record. The first string of a STAGE record is the
 * name of the program. */
static bool is_recorder(const struct pk_record *record)
{
	static const char name[] = "pk-record";
	const struct pk_record_stage *stage = (const void *)record->data;

	return record->size >= sizeof(*stage) + sizeof(name) &&
	       !memcmp(stage + 1, name, sizeof(name));
}

/* Returns true if the program of a STAGE record ran with -q. It then has an argument "-q", "-qv" or
 * "--quiet" before "--". */
static bool is_quiet(const struct pk_record *record)
{
	const char *at = (const char *)record->data + sizeof(struct pk_record_stage);
	const char *const end = (const char *)record->data + record->size, *nul;
	unsigned int index = 0;

	for (; at < end && (nul = memchr(at, '\0', (size_t)(end - at))); at = nul + 1, index++) {
		if (index <= 3) /* skips the strings for the program, version, host and argv[0] */
			continue;
		if (!strcmp(at, "--"))
			return false;
		if (!strncmp(at, "-q", 2) || !strncmp(at, "--q", 3))
			return true;
	}
	return false;
}

/* Returns the bit of a stage in quiet_stages. All stages with ids from 63 on use the same bit. */
static uint64_t stage_bit(uint32_t id)
{
	return UINT64_C(1) << (id < 63 ? id : 63);
}

static void note_stage(struct pk_run *run, const struct pk_record *record)
{
	const struct pk_record_stage *stage = (const void *)record->data;

	if (record->size < sizeof(*stage))
		return;
	if (!is_quiet(record))
		run->loop.recorder_reports |= is_recorder(record);
	else
		run->loop.quiet_stages |= stage_bit(stage->id);
}

/* Counts the losses that earlier programs of the pipeline have already printed. A program without
 * -q has printed its LOSS records. If pk-record ran without -q, it has also printed the LOST
 * records. */
static void note_reported(struct pk_run *run, const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);
	struct pk_loss loss;

	if (record->type == PK_RECORD_BEGIN) {
		run->loop.recorder_reports = false;
		run->loop.quiet_stages = 0;
	} else if (kind == PK_STAGE) {
		note_stage(run, record);
	} else if (kind == PK_LOSS) {
		if (pk_loss_decode(record, &loss) == PK_OK &&
		    !(run->loop.quiet_stages & stage_bit(loss.stage)))
			pk_losses_record(&run->loop.reported, record);
	} else if (run->loop.recorder_reports) {
		pk_losses_record(&run->loop.reported, record);
	}
}

/* SPEC 10.2 requires that a filter with -v reports each unknown type once. It does not report
 * features and updates of unknown kinds. */
static void report_unknown(struct pk_run *run, const struct pk_record *record)
{
	if (record->type == PK_RECORD_BEGIN || pk_record_layout(record->type, record->misc) ||
	    run->loop.unknown.count >= UNKNOWN_MAX ||
	    pk_table_get(&run->loop.unknown, record->type))
		return;
	if (pk_table_set(&run->loop.unknown, record->type, run) != PK_OK)
		return;
	pk_info("%s: offset %llu: unknown record type %u", run->input.name,
		(unsigned long long)record->offset, record->type);
}

static enum pk_status dispatch(struct pk_run *run, const struct pk_record *record)
{
	bool done;

	run->input.readable = true;
	if (record->type == PK_RECORD_BEGIN) {
		end_session(run, true);
		if (run->input.forwards)
			start_forward(run);
		run->input.swapped = pk_reader_swapped(run->reader);
	}
	run->input.in_session = true;
	pk_losses_record(&run->losses, record);
	if (record->type != PERF_RECORD_SAMPLE) {
		pk_traces_record(&run->traces, record);
		if (run->input.piped)
			note_reported(run, record);
	}
	if (pk_unlikely(run->stage && pk_cli_verbose() > 0))
		report_unknown(run, record);
	done = run->stage && pk_stage_record(run->stage, record, run->input.swapped);
	if (!done || record->type == PK_RECORD_BEGIN)
		return run->record(run, record);
	return run->writer ? pk_writer_status(run->writer) : PK_OK;
}

/* A sample that cannot be decoded is dropped, because other programs stop at it (SPEC 12). */
bool pk_run_good_sample(struct pk_run *run, const struct pk_record *record)
{
	const struct pk_event *event =
		record->event ? record->event : pk_reader_event_of(run->reader, record);

	if (event && pk_sample_check(event, record) != PK_CORRUPT)
		return true;
	pk_run_complain(run, record,
			event ? "sample shorter than its fields, dropped"
			      : "sample of an unknown event, dropped");
	pk_run_lose(run, PK_LOSS_RECORDS_BAD, 1, 0);
	return false;
}

/* Returns true if pk_run_pass() may write the following records together with this record. After a
 * record of another kind, the stage may have to write records of its own first. */
static bool is_in_bunches(const struct pk_record *record)
{
	unsigned int kind = pk_definition_of(record);

	return record->type == PERF_RECORD_SAMPLE || (kind >= PK_STRING && kind <= PK_STACK);
}

enum pk_status pk_run_pass(struct pk_run *run, const struct pk_record *record)
{
	bool sample = record->type == PERF_RECORD_SAMPLE, bunches = is_in_bunches(record);
	struct pk_bunch bunch;

	if (record->payload_size)
		return pk_writer_copy(run->writer, run->reader, record);
	if (!sample || pk_run_good_sample(run, record))
		pk_writer_lend(run->writer, record->data, record->size, 1, sample);
	if (!bunches)
		return pk_writer_status(run->writer);
	pk_reader_next_bunch(run->reader, &bunch);
	run->losses.samples += bunch.samples;
	return bunch.records ? pk_writer_lend(run->writer, bunch.data, bunch.size, bunch.records,
					      bunch.samples)
			     : pk_writer_status(run->writer);
}

#define ROUND_SIZE ((uint64_t)1 << 20)

enum pk_status pk_run_round(struct pk_run *run)
{
	if (pk_likely(pk_writer_size(run->writer) - run->input.round < ROUND_SIZE))
		return PK_OK;
	pk_writer_append(run->writer, PERF_RECORD_FINISHED_ROUND, 0, sizeof(struct perf_header));
	run->input.round = pk_writer_size(run->writer);
	return pk_writer_status(run->writer);
}

/* ---- run->tee: records in the order of reading, and sorted ---- */

static void pass_as_read(void *arg, const struct pk_record *record)
{
	struct pk_run *run = arg;

	if (record->type == PK_RECORD_BEGIN)
		run->input.swapped = pk_reader_swapped(run->reader);
	if (pk_stage_record(run->stage, record, run->input.swapped))
		return;
	if (record->type != PERF_RECORD_SAMPLE || pk_run_good_sample(run, record))
		pk_writer_copy(run->writer, run->reader, record);
	if (run->passed)
		run->passed(run, record);
}

static enum pk_status dispatch_in_order(struct pk_run *run, const struct pk_record *record)
{
	enum pk_status status;

	run->input.readable = true;
	if (record->type == PK_RECORD_BEGIN)
		end_session(run, true);
	run->input.in_session = true;
	pk_losses_record(&run->losses, record);
	status = run->record(run, record);
	return status ?: pk_writer_status(run->writer);
}

static enum pk_status read_records(struct pk_run *run)
{
	struct pk_order_stats stats;
	struct pk_record record;
	enum pk_status status;

	if (run->ordered && pk_order_new(run->reader, &run->order) != PK_OK)
		return PK_NOMEM;
	if (run->tee)
		pk_order_tee(run->order, pass_as_read, run);
	do {
		status = run->ordered ? pk_order_next(run->order, &record)
				      : pk_reader_next(run->reader, &record);
		if (!status) {
			pk_progress_tick(&run->loop.progress, record.offset);
			status =
				run->tee ? dispatch_in_order(run, &record) : dispatch(run, &record);
			print_messages(run);
		}
	} while (!status);
	progress_end(&run->loop.progress);
	if (run->order) {
		pk_order_stats(run->order, &stats);
		/* With tee, a record that arrives too late to be sorted here is not lost, because
		 * the next program gets it, and can still sort it. */
		pk_run_lose(run, PK_LOSS_RECORDS_LATE, run->tee ? 0 : stats.late, 0);
	}
	pk_order_free(run->order);
	run->order = NULL;
	return status;
}

/* Reports errors of the input. Errors of the output are reported later, at the end. */
static void report_end(struct pk_run *run, enum pk_status status)
{
	uint64_t bad = pk_reader_bad_records(run->reader);

	pk_run_lose(run, PK_LOSS_RECORDS_UNSWAPPED, pk_reader_unswapped_records(run->reader), 0);
	if (bad) {
		pk_run_lose(run, PK_LOSS_RECORDS_BAD, bad, 0);
		run->input.damaged = true;
	}
	if (status == PK_END || (run->writer && pk_writer_status(run->writer) != PK_OK))
		return;
	run->input.damaged = true;
	if (status == PK_FAILED)
		return;
	if (status == PK_TRUNCATED && is_pipe(run->input.fd) && pk_reader_is_empty(run->reader)) {
		/* An earlier program of the pipeline has failed, and has reported its error. Only
		 * the last program of the pipeline also reports the empty input, but not if pk has
		 * started all of them. */
		if (!run->stage && !getenv(PK_PIPELINE_VARIABLE))
			pk_error("%s: the input is empty: the programs before this one wrote "
				 "nothing",
				 run->input.name);
		return;
	}
	pk_error("%s: %s", run->input.name,
		 *pk_reader_error(run->reader) ? pk_reader_error(run->reader)
					       : pk_status_text(status));
}

/* Returns true if the input was text. An empty input is text, but not in a pipeline of pk, whose
 * programs write streams. The callback run->text has then read the text. Otherwise the bytes
 * in run->input.head were already read. If the input is a pipe, the reader must get these bytes
 * first. */
static bool was_text(struct pk_run *run)
{
	bool failed = false;

	if (!run->text)
		return false;
	input_head_read(&run->input.head, run->input.fd);
	if ((run->input.head.size || !getenv(PK_PIPELINE_VARIABLE)) &&
	    run->text(run, &run->input.head, &failed)) {
		run->input.damaged |= failed;
		run->input.readable |= !failed || run->input.head.size;
		return true;
	}
	if (!run->input.piped && lseek(run->input.fd, 0, SEEK_SET) == 0)
		run->input.head.taken = run->input.head.size;
	return false;
}

static void read_stream(struct pk_run *run)
{
	struct pk_reader_options options = {
		.fd = run->input.fd, .idle = idle, .warn = warned, .arg = run};
	enum pk_status status;

	run->input.forwards = run->passes && forward_start(&run->loop.forward, options.fd);
	if (run->input.forwards)
		options.read = read_forward;
	else if (run->input.head.taken < run->input.head.size)
		options.read = read_head;
	status = pk_reader_new(&options, &run->reader);
	if (status) {
		pk_error("%s: %s", run->input.name, pk_status_text(status));
		run->input.damaged = true;
	} else {
		pk_reader_on_expire(run->reader, expire);
		if (run->maps) {
			pk_signals_catch_shrinking(pk_cli_program());
			pk_reader_map(run->reader);
		}
		status = read_records(run);
		if (!run->refused) {
			report_end(run, status);
			end_session(run, status == PK_END);
		}
	}
	expire(run); /* The writer can still refer to bytes in the buffer of the reader. They must
		      * be written before pk_reader_free() frees the buffer. */
	if (run->input.forwards)
		forward_end(&run->loop.forward);
	pk_reader_free(run->reader);
	run->reader = NULL;
}

static void read_input(struct pk_run *run, const char *path)
{
	struct stat st;

	run->input.name = strcmp(path, "-") ? path : "stdin";
	run->input.fd = pk_input_open(path);
	if (run->input.fd < 0) {
		run->input.damaged = true;
		return;
	}
	run->input.piped =
		!fstat(run->input.fd, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
	progress_start(&run->loop.progress, run->input.name, run->input.fd);
	posix_fadvise(run->input.fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	if (!was_text(run))
		read_stream(run);
	if (run->input.fd != STDIN_FILENO)
		close(run->input.fd);
}

/* Flushes the output. Returns false after a message if a write has failed. */
static bool finish_output(struct pk_run *run)
{
	if (!run->writer || pk_writer_flush(run->writer) == PK_OK)
		return true;
	pk_error("%s", pk_writer_error(run->writer));
	return false;
}

/* Returns the losses to report. A stage reports only its own losses. The last program of a pipeline
 * reports the losses that no earlier program has printed. With -v, or if the last program reads a
 * file, it reports all losses. */
static struct pk_losses losses_to_report(const struct pk_run *run)
{
	struct pk_losses losses = run->losses;

	if (run->stage || run->within)
		return run->own;
	if (pk_cli_verbose() > 0)
		return losses;
	losses.lost_records -= run->loop.reported.lost_records;
	losses.lost_samples -= run->loop.reported.lost_samples;
	for (int cause = 0; cause < PK_LOSS_CAUSE_MAX; cause++) {
		losses.causes[cause].count -= run->loop.reported.causes[cause].count;
		losses.causes[cause].total -= run->loop.reported.causes[cause].total;
	}
	return losses;
}

enum pk_status pk_run_refuse(struct pk_run *run)
{
	run->refused = true;
	return PK_END;
}

static int end_refused(struct pk_run *run)
{
	pk_table_free(&run->loop.unknown);
	pk_outputs_drop();
	run->nothing = true;
	return PK_EXIT_USAGE;
}

int pk_run(struct pk_run *run)
{
	static char *const standard_input[] = {(char *)"-"};
	char *const *files = run->files_count ? run->files : standard_input;
	int count = run->files_count ? run->files_count : 1;
	struct pk_losses losses;
	bool written, lossy;
	char text[512];

	pk_heap_prepare();
	pk_sandbox_enter();
	for (int i = 0; i < count; i++) {
		run->input.number = i;
		read_input(run, files[i]);
		if (run->refused)
			return end_refused(run);
		if (run->enough || (run->writer && pk_writer_status(run->writer) != PK_OK))
			break;
	}
	print_messages(run);
	written = finish_output(run);
	if (run->loop.warnings > WARNINGS_MAX && pk_cli_verbose() < 1)
		pk_error("%llu more messages like these (-v shows them)",
			 (unsigned long long)run->loop.warnings - WARNINGS_MAX);
	losses = losses_to_report(run);
	lossy = pk_losses_exceed(&run->losses, &run->fail_on);
	if (lossy && !pk_losses_exceed(&losses, &run->fail_on))
		/* The exit status shows a loss that an earlier program has already printed. So all
		 * losses are printed, as the reason for the exit status. */
		losses = run->losses;
	if (pk_losses_text(&losses, text, sizeof(text)))
		(lossy ? pk_error : pk_warn)("%s", text);
	if (run->tail)
		pk_report_traces(run);
	if (run->report)
		run->report(run);
	pk_table_free(&run->loop.unknown);
	/* The program writes everything that it could read from a damaged input. If it could read
	 * nothing, no file is replaced. */
	run->nothing = run->input.damaged && !run->input.readable;
	if (!written || run->nothing)
		pk_outputs_drop();
	return !written || run->input.damaged || lossy ? PK_EXIT_FAILED : PK_EXIT_OK;
}

int pk_run_stage(struct pk_run *run, const struct pk_stage_options *options, const char *output,
		 const char *next_stage)
{
	struct pk_writer_options writer = {.arg = run};
	int result = PK_EXIT_FAILED;

	pk_protect_inputs(run->files, run->files_count);
	writer.fd = pk_output_open(output, next_stage, PK_CREATE_REPLACE);
	if (writer.fd < 0)
		return -writer.fd;
	run->loop.forward.out = writer.fd;
	if (pk_writer_new(&writer, &run->writer) != PK_OK ||
	    (options && pk_stage_new(run->writer, options, &run->stage) != PK_OK))
		pk_error("%s", pk_status_text(PK_NOMEM));
	else {
		if (run->passes)
			pk_writer_on_lent(run->writer, write_lent);
		result = pk_run(run);
	}
	/* Some file systems report a full disk only when the file is closed. */
	if (close(writer.fd) && result == PK_EXIT_OK) {
		pk_error("%s: %s", output ? output : "stdout", strerror(errno));
		pk_outputs_drop();
		result = PK_EXIT_FAILED;
	}
	pk_stage_free(run->stage);
	pk_writer_free(run->writer);
	return pk_outputs_keep(result);
}
