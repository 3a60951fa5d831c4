/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-decode/spe.c pk-decode/spe_source.c */
/*
 * Decodes the input as a trace of Arm SPE. The first byte selects the offset of the trace and the
 * size of the pieces. A trace that is decoded in pieces must have the same records as the whole
 * trace.
 */
#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "spe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was decoded. */
struct sums {
	uint64_t records, bad, hash, bytes;
};

static void add(struct sums *sums, const struct spe_record *record)
{
	static const uint64_t midrs[] = {0, 0x413fd0c1, 0xc00fac40, 0x480fd060};

	sums->records++;
	sums->hash = sums->hash * 31 + record->ip + record->address + record->target +
		     record->time + record->latency + record->context + record->events;
	for (size_t i = 0; i < sizeof(midrs) / sizeof(midrs[0]); i++) {
		const uint64_t source = spe_data_source(record, midrs[i], record->time);

		/* Only operations of memory have a source. It is a load or a store. */
		check_that((source != 0) == (record->class == SPE_MEMORY));
		check_that(!source || (source & 31) == (record->store ? 4 : 2));
		sums->hash = sums->hash * 31 + source;
	}
}

/* Decodes the bytes. Returns the number of bytes that were decoded. The others are the start of a
 * packet. */
static size_t decode(struct spe_decoder *decoder, const uint8_t *data, size_t size,
		     struct sums *sums)
{
	/* A copy, so that a sanitizer reports a read after its end. */
	uint8_t *copy = malloc(size + !size);
	size_t at = 0, used;
	enum spe_step step;

	check_that(copy != NULL);
	memcpy(copy, data, size);
	while ((step = spe_decode(decoder, copy + at, size - at, &used)) != SPE_STEP_SHORT) {
		check_that(used > 0 && used <= size - at);
		at += used;
		sums->bad += step == SPE_STEP_BAD;
		if (step == SPE_STEP_RECORD)
			add(sums, &decoder->record);
	}
	check_that(used == 0 && size - at < 16);
	free(copy);
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spe_decoder whole = {0}, pieces = {0};
	struct sums a = {0}, b = {0};
	size_t at = 0, end = 0, piece;

	if (!size)
		return 0;
	whole.offset = pieces.offset = data[0] & 15;
	piece = 1 + (data[0] >> 4);
	a.bytes = decode(&whole, data + 1, size - 1, &a);
	while (end < size - 1) {
		end = end + piece < size - 1 ? end + piece : size - 1;
		at += decode(&pieces, data + 1 + at, end - at, &b);
	}
	b.bytes = at;
	check_that(!memcmp(&a, &b, sizeof(a)));
	check_that(spe_drop(&whole) == spe_drop(&pieces));
	return 0;
}
