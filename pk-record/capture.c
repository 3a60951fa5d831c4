// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "child.h"
#include "cli.h"
#include "configure.h"
#include "machine.h"
#include "event.h"
#include "output.h"
#include "ring.h"
#include "stream_head.h"
#include "synthesize.h"

/* The kernel wakes us when a ring is half full. Slow recordings are shown at least so often. */
#define SHOW_INTERVAL_NS UINT64_C(200000000)

#define STATUS_BROKEN_PIPE 141 /* what a shell says of a program that SIGPIPE has ended */

struct capture {
	const struct options *options;
	struct event_list *events;
	struct targets targets;
	struct ring_list rings;
	struct child child;
	struct signals signals;
	struct output output;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct pollfd *polls; /* one for each CPU and task */
	size_t polls_count, polls_alive;
	uint64_t deadline; /* on the monotonic clock; UINT64_MAX: none */
	struct ring_counts counts;
	bool on_exec; /* the command is what is recorded, and its exec enables the events */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ---- The head ---- */

static bool open_output(struct capture *capture)
{
	const int fd = pk_output_open(capture->options->output, "pk-symbolize");

	if (fd >= 0)
		output_init(&capture->output, fd, capture->options->command != NULL);
	return fd >= 0;
}

static bool begin_output(struct capture *capture)
{
	const struct pk_writer_options writer = {.write = output_write, .arg = &capture->output};
	const struct pk_stage_options stage = {.program = pk_cli_program(),
					       .argc = capture->options->argc,
					       .argv = capture->options->argv,
					       .session = machine_info()};

	if (capture->options->output && !open_output(capture))
		return false;
	if (pk_writer_new(&writer, &capture->writer) ||
	    pk_stage_new(capture->writer, &stage, &capture->stage)) {
		pk_error("out of memory");
		return false;
	}
	return true;
}

static bool write_head(struct capture *capture)
{
	struct pk_writer *writer = capture->writer;
	const struct perf_attr *attr = &capture->events->items[0].attr;

	pk_writer_header(writer);
	write_attrs(capture->events, &capture->targets, writer);
	pk_stage_begin(capture->stage);
	write_features(capture->options, writer);
	if (!tracing_data_write(capture->events, writer))
		return false;
	write_id_index(capture->events, &capture->targets, writer);
	write_kernel_maps(attr, writer);
	write_names(capture->events, &capture->targets, writer);
	write_targets(&capture->targets, writer);
	write_tasks(attr, &capture->targets, writer);
	write_mark(PERF_RECORD_FINISHED_INIT, writer);
	return true;
}

static bool prepare_polls(struct capture *capture)
{
	const struct targets *targets = &capture->targets;
	const struct event *last = &capture->events->items[capture->events->count - 1];

	/* The last event is open wherever any is: it is the dummy, or like all others. */
	capture->polls_count = targets->cpus_count * targets->tids_count;
	capture->polls = calloc(capture->polls_count, sizeof(*capture->polls));
	if (!capture->polls) {
		pk_error("out of memory");
		return false;
	}
	for (size_t i = 0; i < capture->polls_count; i++) {
		capture->polls[i] = (struct pollfd){.fd = last->fds[i], .events = POLLIN};
		capture->polls_alive += last->fds[i] >= 0;
	}
	return true;
}

static bool open_all(struct capture *capture)
{
	const struct options *options = capture->options;
	const struct open_options opening = {.clock_instead = true};
	const bool other_target = options->target.pids || options->target.tids ||
				  options->target.uids || options->target.cpus ||
				  options->target.system_wide;

	if (options->command &&
	    !child_fork(&capture->child, options->command, !options->output, &capture->signals))
		return false;
	capture->on_exec = options->command && !other_target;
	return targets_init(&capture->targets, &options->target, capture->child.pid) &&
	       configure_events(capture->events, options, &capture->targets, capture->on_exec) &&
	       events_open(capture->events, &capture->targets, &opening) &&
	       rings_map(&capture->rings, options, &capture->targets) && prepare_polls(capture) &&
	       begin_output(capture);
}

/* ---- The loop ---- */

static void drain(struct capture *capture)
{
	bool written = false;

	for (size_t i = 0; i < capture->rings.count; i++)
		written |= ring_drain(&capture->rings.items[i], capture->writer, &capture->counts);
	if (written)
		write_mark(PERF_RECORD_FINISHED_ROUND, capture->writer);
	pk_writer_flush(capture->writer);
}

static void wait_for_data(struct capture *capture)
{
	const uint64_t now = now_ns();
	uint64_t wait = capture->deadline > now ? capture->deadline - now : 0;
	struct timespec timeout;

	if (wait > SHOW_INTERVAL_NS)
		wait = SHOW_INTERVAL_NS;
	timeout.tv_sec = 0;
	timeout.tv_nsec = (long)wait;
	if (ppoll(capture->polls, capture->polls_count, &timeout, &capture->signals.mask) <= 0)
		return;
	for (size_t i = 0; i < capture->polls_count; i++) {
		if (capture->polls[i].fd < 0 || !(capture->polls[i].revents & (POLLERR | POLLHUP)))
			continue;
		capture->polls[i].fd = -1; /* its task has ended */
		capture->polls_alive--;
	}
}

static bool is_over(struct capture *capture)
{
	if (capture->options->command && child_ended(&capture->child))
		return true;
	/* A command lives as long as its process, whatever has become of its first thread. */
	if (!capture->polls_alive && !capture->on_exec)
		return true;
	return signals_stops() || now_ns() >= capture->deadline ||
	       pk_writer_status(capture->writer) != PK_OK;
}

static void loop(struct capture *capture)
{
	while (!is_over(capture)) {
		wait_for_data(capture);
		drain(capture);
	}
}

/* ---- The end ---- */

static void tell_losses(const struct capture *capture, uint64_t lost)
{
	const uint64_t samples = capture->counts.samples;
	char lost_text[32], all_text[32];

	if (lost)
		pk_warn("%s of %s samples lost: the rings were full: use a larger -m, a lower -F, "
			"or a faster reader",
			pk_number(lost_text, lost), pk_number(all_text, samples + lost));
	else if (capture->counts.lost_records)
		pk_warn("%s records lost besides %s samples: the rings were full: use a larger -m, "
			"a lower -F, or a faster reader",
			pk_number(lost_text, capture->counts.lost_records),
			pk_number(all_text, samples));
}

static void finish_stream(struct capture *capture)
{
	char records[32], samples[32], bytes[32];
	uint64_t lost;

	events_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_DISABLE);
	drain(capture);
	lost = write_lost_samples(capture->events, &capture->targets, capture->writer);
	write_mark(PERF_RECORD_FINISHED_ROUND, capture->writer);
	pk_stage_end(capture->stage, true);
	pk_writer_flush(capture->writer);
	tell_losses(capture, lost);
	pk_info("%s samples, %s records, %s bytes", pk_number(samples, capture->counts.samples),
		pk_number(records, pk_writer_records(capture->writer)),
		pk_number(bytes, pk_writer_size(capture->writer)));
}

static int close_output(struct capture *capture)
{
	const char *name = capture->options->output ? capture->options->output : "stdout";
	const int failed = capture->writer ? pk_writer_errno(capture->writer) : 0;

	if (close(capture->output.fd) < 0 && !failed) {
		pk_error("%s: %s", name, strerror(errno));
		return PK_EXIT_FAILED;
	}
	if (!failed)
		return PK_EXIT_OK;
	if (failed == EPIPE)
		return STATUS_BROKEN_PIPE;
	pk_error("%s: cannot write: %s: the recording is not complete", name, strerror(failed));
	return PK_EXIT_FAILED;
}

/* A command that outlives the recording is asked to end; another signal to us ends the waiting. */
static int end_command(struct capture *capture)
{
	const int stops = signals_stops();
	const bool asked = !child_ended(&capture->child);

	if (asked)
		kill(capture->child.pid, SIGTERM);
	while (!child_ended(&capture->child) && signals_stops() == stops)
		ppoll(NULL, 0, NULL, &capture->signals.mask);
	if (capture->child.pid)
		return PK_EXIT_FAILED; /* it goes on without us */
	if (asked && !stops && child_exit_status(&capture->child) == 128 + SIGTERM)
		return PK_EXIT_OK; /* that was us */
	return child_exit_status(&capture->child);
}

static int run(struct capture *capture)
{
	const bool early = capture->targets.pids_count != 0;
	int status;

	/* The maps of a process are listed when changes to them are recorded already. */
	if (early)
		events_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_ENABLE);
	if (!write_head(capture)) {
		child_cancel(&capture->child);
		return PK_EXIT_FAILED;
	}
	if (!early && !capture->on_exec)
		events_ioctl(capture->events, &capture->targets, PERF_EVENT_IOC_ENABLE);
	if (capture->options->command) {
		status = child_go(&capture->child, capture->options->command);
		if (status)
			return status;
		pk_writer_flush(capture->writer);
		output_uncork(&capture->output);
	}
	capture->deadline =
		capture->options->duration ? now_ns() + capture->options->duration : UINT64_MAX;
	loop(capture);
	finish_stream(capture);
	status = close_output(capture);
	if (capture->options->command) {
		const int command = end_command(capture);

		status = status ? status : command;
	}
	return status;
}

int capture_run(struct options *options)
{
	struct capture capture = {.options = options, .events = &options->events};
	int status = PK_EXIT_FAILED;

	/* A terminal is refused before anything else; a file is emptied as late as possible. */
	if (!options->output && !open_output(&capture))
		return PK_EXIT_FAILED;
	signals_take(&capture.signals);
	if (open_all(&capture))
		status = run(&capture);
	else
		child_cancel(&capture.child);
	rings_unmap(&capture.rings);
	events_close(capture.events, &capture.targets);
	targets_free(&capture.targets);
	pk_stage_free(capture.stage);
	pk_writer_free(capture.writer);
	output_free(&capture.output);
	free(capture.polls);
	return status;
}
