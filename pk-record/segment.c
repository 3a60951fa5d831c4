// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf_loaded.h"
#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "segment.h"
#include "stream_head.h"
#include "synthesize.h"

#define STATUS_BROKEN_PIPE 141 /* a shell's status for a program that SIGPIPE has ended */

int segment_open_output(struct segment *segment, bool corked)
{
	const struct options *options = segment->options;
	const struct output_options output = {.buffer = options->buffer,
					      .patience = options->patience,
					      .compress = options->compress,
					      .level = options->level,
					      .signals = segment->signals};
	int fd;

	if (options->rotate) {
		segment->rotation.pattern = options->output;
		segment->rotation.keep = options->keep;
		fd = rotation_open(&segment->rotation);
	} else {
		fd = pk_output_open(options->output, "pk-symbolize", PK_CREATE_LIVE);
	}
	if (fd < 0)
		return -fd;
	segment->open = true;
	if (output_init(&segment->output, &output, fd, corked))
		return PK_EXIT_OK;
	pk_no_memory();
	return PK_EXIT_FAILED;
}

static bool make_writer(struct segment *segment)
{
	const struct pk_writer_options writer = {.write = output_write, .arg = &segment->output};
	const struct pk_stage_options stage = {.program = pk_cli_program(),
					       .argc = segment->options->argc,
					       .argv = segment->options->argv,
					       .session = pk_procfs_session_info(pk_lookups())};

	pk_stage_free(segment->stage);
	pk_writer_free(segment->writer);
	segment->stage = NULL;
	segment->writer = NULL;
	if (pk_writer_new(&writer, &segment->writer) == PK_OK &&
	    pk_stage_new(segment->writer, &stage, &segment->stage) == PK_OK)
		return true;
	pk_no_memory();
	return false;
}

bool segment_start(struct segment *segment, struct process_set *later)
{
	const struct event_list *events = segment->events;
	const struct targets *targets = segment->targets;
	const struct perf_attr *attr = &events->items[0].attr;
	struct pk_writer *writer;

	if (!make_writer(segment))
		return false;
	writer = segment->writer;
	pk_writer_header(writer);
	write_attrs(events, targets, writer);
	pk_stage_start(segment->stage);
	write_labels(segment->options, writer);
	write_features(segment->options, writer);
	write_groups(events, targets, writer);
	if (!tracing_data_write(events, writer))
		return false;
	write_id_index(events, targets, writer);
	write_kernel_maps(attr, writer);
	write_bpf_programs(events, writer);
	write_names(events, targets, writer);
	write_arguments(events, targets, writer);
	write_targets(targets, writer);
	if (segment->options->track_flags & PERF_ATTR_CGROUP)
		write_cgroups(attr, writer);
	write_tasks(attr, targets, segment->options->track_flags & PERF_ATTR_MMAP_DATA, later,
		    writer);
	write_mark(PERF_RECORD_FINISHED_INIT, writer);
	return true;
}

void segment_end(struct segment *segment)
{
	segment->lost += write_lost_samples(segment->events, segment->targets, segment->writer);
	write_mark(PERF_RECORD_FINISHED_ROUND, segment->writer);
	pk_stage_end(segment->stage, true);
	pk_writer_flush(segment->writer);
}

static int explain_failure(const struct segment *segment, int error)
{
	const char *name = segment->options->output ? segment->options->output : "stdout";

	switch (error) {
	case EPIPE: return STATUS_BROKEN_PIPE;
	case ETIMEDOUT:
		pk_error("%s: the reader does not read any more: the recording is not complete: "
			 "--block waits longer",
			 name);
		break;
	case ECANCELED:
		pk_error("%s: stopped while the reader did not read: the recording is not "
			 "complete",
			 name);
		break;
	default:
		pk_error("%s: cannot write: %s: the recording is not complete", name,
			 strerror(error));
		break;
	}
	return PK_EXIT_FAILED;
}

int segment_close(struct segment *segment)
{
	struct output *output = &segment->output;
	int status = PK_EXIT_OK, fd;

	if (segment->writer && pk_writer_status(segment->writer) && !output->error)
		output->error = pk_writer_errno(segment->writer) ? pk_writer_errno(segment->writer)
								 : ENOMEM;
	if (!output_finish(output))
		status = explain_failure(segment, output->error);
	if (!segment->options->rotate) {
		fd = output->fd;
		output->fd = -1;
		if (close(fd) < 0 && !status) {
			pk_error("%s: %s",
				 segment->options->output ? segment->options->output : "stdout",
				 strerror(errno));
			status = PK_EXIT_FAILED;
		}
	} else if (status) {
		rotation_abort(&segment->rotation);
	} else if (!rotation_commit(&segment->rotation, output->fd)) {
		status = PK_EXIT_FAILED;
	}
	output_free(output);
	segment->open = false;
	if (!status)
		return pk_outputs_keep(PK_EXIT_OK);
	pk_outputs_drop();
	return status;
}

void segment_free(struct segment *segment)
{
	if (segment->open) {
		rotation_abort(&segment->rotation);
		output_free(&segment->output);
		pk_outputs_drop();
	}
	pk_stage_free(segment->stage);
	pk_writer_free(segment->writer);
}
