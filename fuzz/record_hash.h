/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash of the records that were read. It is used to compare two ways of reading. */
#ifndef RECORD_HASH_H
#define RECORD_HASH_H

#include "stream_input.h"

/* The maximum number of records. It is needed because a few bytes can stand for very many records.
 * The rest of the input is ignored. */
#define OUTCOME_RECORDS_MAX 20000

struct outcome {
	enum pk_status status;
	uint64_t records, bad, bytes;
	uint64_t hash; /* hash of all records and payloads in order, except PK_RECORD_BEGIN */
};

static inline void outcome_payload(struct outcome *outcome, struct pk_reader *reader)
{
	const uint8_t *data;
	size_t size;

	while (!(outcome->status = pk_reader_payload(reader, &data, &size)) && size) {
		outcome->bytes += size;
		for (size_t i = 0; i < size; i++)
			outcome->hash =
				pk_mix64(outcome->hash + data[i] + 1, UINT64_C(0xa0761d6478bd642f));
	}
}

/* Reads to the end, and frees the reader. */
static inline struct outcome outcome_of(struct pk_reader *reader)
{
	struct outcome outcome = {0};
	struct pk_record record;

	while (!outcome.status && outcome.records < OUTCOME_RECORDS_MAX) {
		outcome.status = pk_reader_next(reader, &record);
		if (outcome.status)
			break;
		if (record.type == PK_RECORD_BEGIN)
			continue;
		check_that(record.size >= pk_record_size_min(record.type));
		check_that(pk_load_u32(record.data) == record.type);
		check_that(pk_load_u16(record.data + 6) == record.size);
		(void)pk_reader_event_of(reader, &record);
		outcome.records++;
		outcome.bytes += record.size;
		outcome.hash = pk_hash(record.data, record.size, outcome.hash);
		if (record.payload_size)
			outcome_payload(&outcome, reader);
	}
	if (outcome.status)
		check_that(pk_reader_next(reader, &record) == outcome.status);
	check_that(outcome.status >= 0 || *pk_reader_error(reader));
	outcome.bad = pk_reader_bad_records(reader);
	pk_reader_free(reader);
	return outcome;
}

static inline void check_same_outcome(const struct outcome *a, const struct outcome *b)
{
	check_that(a->status == b->status && a->records == b->records && a->bad == b->bad);
	check_that(a->bytes == b->bytes && a->hash == b->hash);
}

#endif
