// SPDX-License-Identifier: BSD-2-Clause
/* trace_check whole|snapshot|samples[=SIZE] FILE
 *
 * Checks the bytes of a trace that known_trace.c has written. Each word of 8 bytes must have its
 * position in the trace, divided by 8. */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf_abi.h"

#define RINGS_MAX    64
#define AUX_FULL     1
#define HEADER_BYTES 16

/* The pieces of a ring that were checked. */
static struct ring {
	uint64_t pieces, bytes, next; /* `next` is the position after the last byte */
} rings[RINGS_MAX];

static uint8_t record[UINT16_MAX];
static uint64_t aux_records, aux_bytes, full, samples, itrace, infos, overlaps;

static void get(FILE *file, void *data, size_t size)
{
	if (fread(data, 1, size, file) != size)
		errx(EXIT_FAILURE, "the stream is cut");
}

static uint8_t byte_of(uint64_t position)
{
	return (uint8_t)(position >> 3 >> 8 * (position & 7));
}

static uint64_t word_of(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static void check_bytes(const uint8_t *bytes, size_t size, uint64_t position)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != byte_of(position + i))
			errx(EXIT_FAILURE, "position %llu: wrong byte",
			     (unsigned long long)(position + i));
}

/* Without an overwritten area, the position is the offset of the record. The bytes of the next
 * record follow. So bytes for padding are found only when the next record comes. */
static void check_whole(const struct perf_record_auxtrace *trace, const uint8_t *bytes)
{
	struct ring *ring = &rings[trace->idx % RINGS_MAX];
	const uint64_t padding = ring->next - trace->offset;

	if (padding >= 8)
		errx(EXIT_FAILURE, "ring %u: offset %llu after %llu", trace->idx,
		     (unsigned long long)trace->offset, (unsigned long long)ring->next);
	ring->bytes += trace->size - padding;
	ring->next = trace->offset + trace->size;
	check_bytes(bytes, trace->size > 8 ? trace->size - 8 : 0, trace->offset);
}

static void check_snapshot(const struct perf_record_auxtrace *trace, const uint8_t *bytes)
{
	struct ring *ring = &rings[trace->idx % RINGS_MAX];
	const uint64_t start = word_of(bytes) << 3;

	check_bytes(bytes, trace->size, start);
	overlaps += start < ring->next;
	ring->bytes += trace->size;
	ring->next = start + trace->size;
}

static void check_trace(FILE *file, const char *mode)
{
	const struct perf_record_auxtrace *trace = (const void *)record;
	uint8_t *bytes = malloc(trace->size);

	if (!bytes || trace->size % 8)
		errx(EXIT_FAILURE, "%llu bytes", (unsigned long long)trace->size);
	get(file, bytes, trace->size);
	rings[trace->idx % RINGS_MAX].pieces++;
	if (strcmp(mode, "whole"))
		check_snapshot(trace, bytes);
	else
		check_whole(trace, bytes);
	free(bytes);
}

/* The part of the trace is the last field of the sample. */
static void check_sample(const struct perf_header *header, size_t size)
{
	const uint8_t *part = record + header->size - size;

	if (header->size < size + 16 || word_of(part - 8) != size)
		return;
	samples++;
	/* The area has zeros where no byte was written yet. */
	for (; size > 8 && !word_of(part); part += 8)
		size -= 8;
	check_bytes(part, size, word_of(part) << 3);
}

static void check_record(FILE *file, const char *mode)
{
	const struct perf_record_aux *aux = (const void *)record;

	switch (aux->header.type) {
	case PERF_RECORD_AUX:
		aux_records++;
		aux_bytes += aux->aux_size;
		full += aux->flags & AUX_FULL;
		break;
	case PERF_RECORD_ITRACE_START: itrace++; break;
	case PERF_RECORD_AUXTRACE_INFO: infos++; break;
	case PERF_RECORD_AUXTRACE: check_trace(file, mode); break;
	case PERF_RECORD_SAMPLE:
		if (!strncmp(mode, "samples=", 8))
			check_sample(&aux->header, strtoul(mode + 8, NULL, 10));
		break;
	default: break;
	}
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
	struct perf_header *header = (void *)record;

	if (!file)
		err(EXIT_FAILURE, "trace_check whole|snapshot|samples=SIZE FILE");
	get(file, record, HEADER_BYTES);
	while (fread(record, 1, sizeof(*header), file) == sizeof(*header)) {
		if (word_of(record) == PERF_MAGIC2) { /* the next stream in this file */
			get(file, record, HEADER_BYTES - sizeof(*header));
			continue;
		}
		if (header->size < sizeof(*header))
			errx(EXIT_FAILURE, "a record of %u bytes", header->size);
		get(file, record + sizeof(*header), header->size - sizeof(*header));
		check_record(file, argv[1]);
	}
	for (size_t i = 0; i < RINGS_MAX; i++)
		if (rings[i].pieces)
			printf("ring %zu: %llu bytes, %llu pieces\n", i,
			       (unsigned long long)rings[i].bytes,
			       (unsigned long long)rings[i].pieces);
	printf("AUX %llu, bytes %llu, full %llu, ITRACE_START %llu, info %llu, samples %llu, "
	       "overlaps %llu\n",
	       (unsigned long long)aux_records, (unsigned long long)aux_bytes,
	       (unsigned long long)full, (unsigned long long)itrace, (unsigned long long)infos,
	       (unsigned long long)samples, (unsigned long long)overlaps);
	return EXIT_SUCCESS;
}
