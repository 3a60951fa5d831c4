/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SLIM_H
#define PK_FILTER_SLIM_H

/* Removes fields from samples. */

#include <stdbool.h>

#include "pkstream.h"

/* Returns the PERF_SAMPLE_* of a field that can be removed. name is its name in --drop. Returns 0
 * if there is no such field. */
uint64_t slim_field(const char *name, size_t size);
/* All names that slim_field() knows, for messages. */
extern const char slim_names[];
/* Removes fields from a HEADER_ATTR record. data is a copy of the record of the last event, and has
 * size bytes. */
void slim_attr(const struct pk_events *events, uint64_t drop, uint8_t *data, size_t size);
/* Which fields are removed from samples. */
struct slim {
	uint64_t drop;	   /* PERF_SAMPLE_* bits of the fields to remove */
	bool strip;	   /* remove all bytes after the known fields, including pk's trailers */
	uint32_t trailers; /* PK_TRAILER_* bits of the trailers that samples of the session have */
};

/* Copies a SAMPLE to out without the removed fields. out must have room for the original sample.
 * *size is set to the new size. Fields that cannot be decoded are kept. Returns PK_CORRUPT if the
 * sample is malformed, or if its new size is not a multiple of 8. */
enum pk_status slim_sample(const struct slim *slim, const struct pk_record *record, uint8_t *out,
			   uint16_t *size);

#endif
