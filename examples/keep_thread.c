// SPDX-License-Identifier: BSD-2-Clause
/* keep_thread TID <IN >OUT: a filter that keeps the samples of one thread and drops other samples.
 * All other records pass unchanged, in the order of the input.
 *
 *     cc keep_thread.c $(pkg-config --cflags --libs pkstream) */
#include <pkstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns true if the record is a sample of another thread. */
static bool is_other(struct pk_reader *reader, const struct pk_record *record, uint32_t tid)
{
	const struct pk_event *event;
	struct pk_sample sample;

	if (record->type != PERF_RECORD_SAMPLE)
		return false;
	event = pk_reader_event_of(reader, record);
	return !event || pk_sample_decode(event, record, &sample) != PK_OK || sample.tid != tid;
}

static enum pk_status filter(struct pk_reader *reader, struct pk_writer *writer,
			     struct pk_stage *stage, uint32_t tid)
{
	struct pk_record record;
	enum pk_status status;
	bool began = false;

	while (!(status = pk_reader_next(reader, &record))) {
		if (record.type == PK_RECORD_BEGIN && began)
			pk_stage_end(stage, true);
		began = true;
		if (pk_stage_record(stage, &record, pk_reader_swapped(reader)))
			continue;
		if (!is_other(reader, &record, tid)) {
			status = pk_writer_copy(writer, reader, &record);
			if (status)
				break;
		}
	}
	pk_stage_end(stage, status == PK_END);
	return status;
}

int main(int argc, char **argv)
{
	struct pk_reader_options input;
	struct pk_writer_options output;
	struct pk_stage_options options;
	struct pk_reader *reader = NULL;
	struct pk_writer *writer = NULL;
	struct pk_stage *stage = NULL;
	enum pk_status status = PK_NOMEM;

	if (argc != 2) {
		fprintf(stderr, "usage: keep_thread TID\n");
		return 2;
	}
	memset(&input, 0, sizeof(input));
	memset(&output, 0, sizeof(output));
	memset(&options, 0, sizeof(options));
	input.fd = STDIN_FILENO;
	output.fd = STDOUT_FILENO;
	options.program = "keep_thread";
	options.argc = argc;
	options.argv = argv;
	if (pk_reader_new(&input, &reader) == PK_OK && pk_writer_new(&output, &writer) == PK_OK &&
	    pk_stage_new(writer, &options, &stage) == PK_OK)
		status = filter(reader, writer, stage, (uint32_t)strtoul(argv[1], NULL, 10));
	if (status != PK_END)
		fprintf(stderr, "keep_thread: %s\n",
			reader && *pk_reader_error(reader) ? pk_reader_error(reader)
							   : pk_status_text(status));
	if (writer && pk_writer_flush(writer) != PK_OK) {
		fprintf(stderr, "keep_thread: %s\n", pk_writer_error(writer));
		status = PK_IO;
	}
	pk_stage_free(stage);
	pk_writer_free(writer);
	pk_reader_free(reader);
	return status == PK_END ? EXIT_SUCCESS : EXIT_FAILURE;
}
