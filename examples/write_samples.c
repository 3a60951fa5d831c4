// SPDX-License-Identifier: BSD-2-Clause
/* write_samples >OUT: writes a recording of a thread with ten samples of one event. pk-script and
 * perf script -i - can read it.
 *
 *     cc write_samples.c $(pkg-config --cflags --libs pkstream) */
#include <pkstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TID = 4711, EVENT_ID = 1, PERIOD = 1000000 };

/* A SAMPLE record. Its fields are those of sample_type in write_event(), in this order. */
struct PERF_RECORD_TYPE sample {
	struct perf_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time, period;
};

static void write_event(struct pk_writer *writer)
{
	const uint64_t id = EVENT_ID;
	struct perf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			   PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	pk_writer_attr(writer, &attr, &id, 1);
}

static void write_task(struct pk_writer *writer)
{
	static const char name[8] = "example";
	struct perf_record_comm *comm = (struct perf_record_comm *)pk_writer_append(
		writer, PERF_RECORD_COMM, 0, sizeof(*comm) + sizeof(name));

	if (!comm)
		return; /* pk_writer_flush() returns the error */
	comm->pid = comm->tid = TID;
	memcpy(comm + 1, name, sizeof(name));
}

static void write_sample(struct pk_writer *writer, uint64_t time)
{
	struct sample *sample = (struct sample *)pk_writer_append(
		writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(*sample));

	if (!sample)
		return;
	sample->id = EVENT_ID;
	sample->ip = 0x401000;
	sample->pid = sample->tid = TID;
	sample->time = time;
	sample->period = PERIOD;
}

int main(void)
{
	struct pk_writer_options options;
	struct pk_writer *writer;
	enum pk_status status;

	memset(&options, 0, sizeof(options));
	options.fd = STDOUT_FILENO;
	if (pk_writer_new(&options, &writer) != PK_OK) {
		fprintf(stderr, "write_samples: out of memory\n");
		return EXIT_FAILURE;
	}
	pk_writer_header(writer);
	write_event(writer);
	write_task(writer);
	for (uint64_t i = 0; i < 10; i++)
		write_sample(writer, 1000000000 + i * PERIOD);
	status = pk_writer_flush(writer);
	if (status)
		fprintf(stderr, "write_samples: %s\n", pk_writer_error(writer));
	pk_writer_free(writer);
	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
