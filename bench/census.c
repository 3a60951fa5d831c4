// SPDX-License-Identifier: BSD-2-Clause
/*
 * census [--read] FILE: prints the content of a recording as one line of "key=value" words:
 *     bytes, records, samples
 *     chains  distinct call chains: pid, comm excluded, and all addresses of the chain
 *     depth   entries of a chain on average, including markers
 *     rounds  FINISHED_ROUND records
 *     strings, objects, frames, stacks
 *             definitions of pk-symbolize: STRING, DSO, FRAME, STACK
 *     first   the earliest time of a sample, in ns; 0 if no sample has a time
 *     lost    records that did not fit into a ring: the larger sum of LOST and LOST_SAMPLES,
 *             which can count the same record
 *
 * With --read, it only counts records, so that the time for reading can be measured.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pkstream.h"
#include "pkutil.h"

struct census {
	uint64_t bytes, records, samples, rounds, entries, lost, lost_samples;
	uint64_t definitions[PK_STACK + 1], first_time;
	uint64_t *hashes; /* hashes of the chains; 0 marks a free slot */
	size_t capacity, count;
};

static void add_hash(struct census *census, uint64_t hash)
{
	size_t mask, i;

	if (2 * (census->count + 1) > census->capacity) {
		uint64_t *old = census->hashes;
		size_t old_capacity = census->capacity;

		census->capacity = old_capacity ? 2 * old_capacity : 4096;
		census->hashes = calloc(census->capacity, sizeof(*census->hashes));
		if (!census->hashes)
			err(EXIT_FAILURE, "census");
		census->count = 0;
		for (i = 0; i < old_capacity; i++)
			if (old[i])
				add_hash(census, old[i]);
		free(old);
	}
	mask = census->capacity - 1;
	for (i = hash & mask; census->hashes[i] && census->hashes[i] != hash; i = (i + 1) & mask)
		;
	census->count += !census->hashes[i];
	census->hashes[i] = hash;
}

static void add_sample(struct census *census, const struct pk_event *event,
		       const struct pk_record *record)
{
	struct pk_u64s chain;
	uint32_t pid = 0;

	if (event && event->layout.time) {
		uint64_t time = pk_load_u64(record->data + event->layout.time);

		if (!census->first_time || time < census->first_time)
			census->first_time = time;
	}
	if (!event || pk_sample_callchain(event, record, &chain) != PK_OK)
		return;
	if (event->layout.tid)
		pid = pk_load_u32(record->data + event->layout.tid);
	census->entries += chain.count;
	add_hash(census, pk_hash(chain.data, 8 * chain.count, pid) | 1);
}

static void add(struct census *census, struct pk_reader *reader, const struct pk_record *record)
{
	unsigned int kind = pk_definition_of(record);

	switch (record->type) {
	case PERF_RECORD_EVENT_UPDATE:
		if (kind <= PK_STACK)
			census->definitions[kind]++;
		break;
	case PERF_RECORD_SAMPLE:
		census->samples++;
		add_sample(census, pk_reader_event_of(reader, record), record);
		break;
	case PERF_RECORD_FINISHED_ROUND: census->rounds++; break;
	case PERF_RECORD_LOST: census->lost += pk_load_u64(record->data + 16); break;
	case PERF_RECORD_LOST_SAMPLES: census->lost_samples += pk_load_u64(record->data + 8); break;
	default: break;
	}
}

static void print_count(const char *name, uint64_t count)
{
	printf("%s=%llu ", name, (unsigned long long)count);
}

static void print_census(const struct census *census)
{
	print_count("samples", census->samples);
	print_count("chains", census->count);
	printf("depth=%.1f ",
	       (double)census->entries / (double)(census->samples ? census->samples : 1));
	print_count("rounds", census->rounds);
	print_count("lost",
		    census->lost > census->lost_samples ? census->lost : census->lost_samples);
	print_count("strings", census->definitions[PK_STRING]);
	print_count("objects", census->definitions[PK_DSO]);
	print_count("frames", census->definitions[PK_FRAME]);
	print_count("stacks", census->definitions[PK_STACK]);
	print_count("first", census->first_time);
}

int main(int argc, char **argv)
{
	bool only_read = argc == 3 && !strcmp(argv[1], "--read");
	struct census census = {0};
	struct pk_reader *reader;
	struct pk_record record;
	enum pk_status status;
	int fd;

	if (argc != 2 + only_read)
		errx(2, "usage: census [--read] FILE");
	fd = open(argv[argc - 1], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(EXIT_FAILURE, "%s", argv[argc - 1]);
	if (pk_reader_new(&(struct pk_reader_options){.fd = fd}, &reader) != PK_OK)
		errx(EXIT_FAILURE, "out of memory");
	while (!(status = pk_reader_next(reader, &record))) {
		census.records++;
		census.bytes = record.offset + record.size;
		if (!only_read)
			add(&census, reader, &record);
	}
	if (status != PK_END)
		warnx("%s: %s", argv[argc - 1], pk_reader_error(reader));
	print_count("bytes", census.bytes);
	print_count("records", census.records);
	if (!only_read)
		print_census(&census);
	putchar('\n');
	pk_reader_free(reader);
	free(census.hashes);
	return status == PK_END ? EXIT_SUCCESS : EXIT_FAILURE;
}
