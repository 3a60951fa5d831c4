// SPDX-License-Identifier: BSD-2-Clause
/* count_samples [FILE]: prints the number of samples of each event.
 *
 *     cc count_samples.c $(pkg-config --cflags --libs pkstream)
 */
#include <fcntl.h>
#include <pkstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EVENTS_MAX = 1000 };

static uint64_t samples[EVENTS_MAX];

/* Prints the numbers of the session that has ended, and sets them to 0. */
static void print_session(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events) && i < EVENTS_MAX; i++) {
		printf("%llu %s\n", (unsigned long long)samples[i], pk_events_at(events, i)->name);
		samples[i] = 0;
	}
}

static enum pk_status count(struct pk_reader *reader)
{
	const struct pk_event *event;
	struct pk_record record;
	enum pk_status status;

	while (!(status = pk_reader_next(reader, &record))) {
		/* The events of the previous session are still known. */
		if (record.type == PK_RECORD_BEGIN)
			print_session(pk_reader_events(reader));
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		event = pk_reader_event_of(reader, &record);
		if (event && event->index < EVENTS_MAX)
			samples[event->index]++;
	}
	print_session(pk_reader_events(reader));
	return status;
}

int main(int argc, char **argv)
{
	struct pk_reader_options options;
	struct pk_reader *reader;
	enum pk_status status;

	memset(&options, 0, sizeof(options));
	options.fd = argc > 1 ? open(argv[1], O_RDONLY) : STDIN_FILENO;
	if (options.fd < 0) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	status = pk_reader_new(&options, &reader);
	if (status) {
		fprintf(stderr, "count_samples: %s\n", pk_status_text(status));
		return EXIT_FAILURE;
	}
	status = count(reader);
	if (status != PK_END)
		fprintf(stderr, "count_samples: %s\n", pk_reader_error(reader));
	if (pk_reader_bad_records(reader))
		fprintf(stderr, "count_samples: %llu malformed records were skipped\n",
			(unsigned long long)pk_reader_bad_records(reader));
	pk_reader_free(reader);
	return status == PK_END ? EXIT_SUCCESS : EXIT_FAILURE;
}
