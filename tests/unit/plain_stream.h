/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLAIN_STREAM_H
#define PLAIN_STREAM_H

/* Builds a stream of one event and some samples, for tests of streams and records. */

#include "stream_builder.h"

static const struct perf_attr plain = {.type = PERF_TYPE_SOFTWARE,
				       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID};

static inline void put_sample(struct built *b, uint64_t ip)
{
	RECORD(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "844", ip, 100, 101);
}

static inline void put_stream(struct built *b, unsigned int samples)
{
	put_header(b);
	put_attr(b, &plain, 1, 1);
	for (unsigned int i = 0; i < samples; i++)
		put_sample(b, 0x1000 + i);
}

static struct built built;

static inline void both_orders(void (*test)(void))
{
	for (int swap = 0; swap < 2; swap++) {
		built.swap = swap;
		test();
		built_clear(&built);
	}
}

static inline void expect_samples(struct source *source, unsigned int samples, enum pk_status end)
{
	struct pk_reader *reader = read_source(source);

	expect_record(reader, PK_RECORD_BEGIN);
	expect_record(reader, PERF_RECORD_HEADER_ATTR);
	for (unsigned int i = 0; i < samples; i++)
		ck_assert_uint_eq(pk_load_u64(expect_record(reader, PERF_RECORD_SAMPLE).data + 8),
				  0x1000 + i);
	expect_end(reader, end);
	pk_reader_free(reader);
}

/* Reads to the end. Counts the records, and the records that the reader skipped. Returns the last
 * status. */
static inline enum pk_status read_to_end(const struct built *b, unsigned int *records,
					 uint64_t *bad)
{
	struct source source = source_of(b);
	struct pk_reader *reader = read_source(&source);
	struct pk_record record;
	enum pk_status status;

	*records = 0;
	while (!(status = pk_reader_next(reader, &record)))
		++*records;
	ck_assert_int_eq(*pk_reader_error(reader) != '\0', status != PK_END);
	*bad = pk_reader_bad_records(reader);
	pk_reader_free(reader);
	return status;
}

#endif
