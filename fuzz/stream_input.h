/* SPDX-License-Identifier: BSD-2-Clause */
/* Uses the input of a fuzzer as a stream. The records are read by the reader, or without it. */
#ifndef STREAM_INPUT_H
#define STREAM_INPUT_H

#include "check_that.h"
#include "records.h"
#include "swap.h"

/* ---- For the reader ---- */

struct memory {
	const uint8_t *data;
	size_t size, at;
	size_t piece;	 /* maximum number of bytes of one read; 0 selects random numbers */
	uint64_t random; /* state of the random numbers if piece is 0 */
	uint64_t warnings;
};

static inline ssize_t read_memory(void *arg, void *buf, size_t size)
{
	struct memory *memory = arg;
	size_t piece = memory->piece;

	if (!piece) {
		memory->random =
			memory->random * UINT64_C(6364136223846793005) + 1442695040888963407;
		piece = 1 + (memory->random >> 33) % 97;
	}
	if (size > piece)
		size = piece;
	if (size > memory->size - memory->at)
		size = memory->size - memory->at;
	if (size)
		memcpy(buf, memory->data + memory->at, size);
	memory->at += size;
	return (ssize_t)size;
}

static inline void note_warning(void *arg, const struct pk_warning *warning)
{
	struct memory *memory = arg;

	check_that(warning->text && *warning->text);
	memory->warnings++;
}

static inline struct pk_reader *open_memory(struct memory *memory)
{
	struct pk_reader_options options = {
		.read = read_memory, .fd = -1, .warn = note_warning, .arg = memory};
	struct pk_reader *reader;

	check_that(pk_reader_new(&options, &reader) == PK_OK);
	return reader;
}

/* The bytes that a writer wrote. */
struct output {
	uint8_t *data;
	size_t size, capacity;
};

static inline ssize_t write_output(void *arg, const void *buf, size_t size)
{
	struct output *output = arg;

	if (output->capacity - output->size < size) {
		output->capacity = 2 * (output->size + size);
		output->data = realloc(output->data, output->capacity);
		check_that(output->data != NULL);
	}
	memcpy(output->data + output->size, buf, size);
	output->size += size;
	return (ssize_t)size;
}

static inline struct pk_writer *open_output(struct output *output)
{
	struct pk_writer_options options = {.write = write_output, .arg = output, .fd = -1};
	struct pk_writer *writer;

	check_that(pk_writer_new(&options, &writer) == PK_OK);
	return writer;
}

/* ---- Record by record ---- */

/* Walks over the records of a stream that has the byte order of this machine. If `swapped` is set,
 * the stream has the other byte order. The records are as a reader returns them: they are complete,
 * they have at least the size for their type, and their header is in the byte order of this
 * machine. Each record is a separate copy, so that a sanitizer reports a read after its end.
 * Payloads are not recognized, and are treated as records. */
struct walk_records {
	const uint8_t *data;
	size_t size;
	bool swapped;
	uint8_t *copy;
};

/* Returns true if the input starts like a stream. Then *walk is at the first record. */
static inline bool walk_begin(struct walk_records *walk, const uint8_t *data, size_t size,
			      bool swapped)
{
	uint64_t magic = swapped ? __builtin_bswap64(PERF_MAGIC2) : PERF_MAGIC2;

	if (size < PERF_PIPE_HEADER_SIZE || pk_load_u64(data) != magic)
		return false;
	*walk = (struct walk_records){data + PERF_PIPE_HEADER_SIZE, size - PERF_PIPE_HEADER_SIZE,
				      swapped, NULL};
	return true;
}

/* Sets *record to the next record. It is valid until the next call, which frees it. Returns false
 * after the last record. */
static inline bool walk_next(struct walk_records *walk, struct pk_record *record)
{
	uint8_t header[8];

	do {
		free(walk->copy);
		walk->copy = NULL;
		if (walk->size < sizeof(header))
			return false;
		memcpy(header, walk->data, sizeof(header));
		if (walk->swapped) {
			pk_swap_u32(header);
			pk_swap_u16(header + 4);
			pk_swap_u16(header + 6);
		}
		*record = (struct pk_record){.type = pk_load_u32(header),
					     .misc = pk_load_u16(header + 4),
					     .size = pk_load_u16(header + 6),
					     .time = PK_NO_TIME};
		if (record->size < sizeof(header) || record->size > walk->size)
			return false;
		walk->copy = malloc(record->size);
		check_that(walk->copy != NULL);
		memcpy(walk->copy, walk->data, record->size);
		memcpy(walk->copy, header, sizeof(header));
		record->data = walk->copy;
		walk->data += record->size;
		walk->size -= record->size;
	} while (!record->type || record->size < pk_record_size_min(record->type));
	return true;
}

#endif
