/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SLIM_H
#define PK_FILTER_SLIM_H

/* Events whose samples have fewer fields than they were recorded with. */

#include <stdbool.h>

#include "pkstream.h"

/* PERF_SAMPLE_* of a field that can be dropped, by the name --drop has for it; 0: none. */
uint64_t slim_field(const char *name, size_t size);
/* All those names, for messages. */
extern const char slim_names[];
/* A HEADER_ATTR record without the fields; size bytes of it are in data. */
void slim_attr(uint8_t *data, size_t size, uint64_t drop);
struct slim {
	uint64_t drop;	   /* PERF_SAMPLE_* */
	bool strip;	   /* trailers, */
	uint32_t trailers; /* of which the session's samples have these */
};

/* A SAMPLE without what it is to lose, into out, which has room for it as it was. PK_CORRUPT: it is
 * malformed. */
enum pk_status slim_sample(const struct slim *slim, const struct pk_record *record, uint8_t *out,
			   uint16_t *size);

#endif
