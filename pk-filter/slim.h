/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SLIM_H
#define PK_FILTER_SLIM_H

/* Removes fields from samples. */

#include <stdbool.h>

#include "pkstream.h"

/* PERF_SAMPLE_* of a field that can be removed, by its name in --drop, or 0 if there is none. */
uint64_t slim_field(const char *name, size_t size);
/* All those names, for messages. */
extern const char slim_names[];
/* Removes the fields from the HEADER_ATTR of the last event, of which data has size bytes. */
void slim_attr(const struct pk_events *events, uint64_t drop, uint8_t *data, size_t size);
struct slim {
	uint64_t drop;	   /* PERF_SAMPLE_* */
	bool strip;	   /* remove pk's trailers, and other bytes after known fields */
	uint32_t trailers; /* the trailers in the session's samples */
};

/* Copies a SAMPLE without the removed fields to out, which has room for the original. *size is the
 * new size. The fields that cannot be decoded stay. Returns PK_CORRUPT if the sample is malformed,
 * or the new size is not a multiple of 8. */
enum pk_status slim_sample(const struct slim *slim, const struct pk_record *record, uint8_t *out,
			   uint16_t *size);

#endif
