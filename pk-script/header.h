/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef HEADER_H
#define HEADER_H

/* --header: what is known of a recording before its first sample, in the lines of perf script. */

#include "script.h"

/* What is left of a feature. */
struct cursor {
	const uint8_t *at, *end;
};

/* A number of 4 or 8 bytes; 0 behind the end. */
uint64_t header_take(struct cursor *cursor, size_t size);
/* The next string, made harmless. */
void header_take_string(struct buffer *out, struct cursor *cursor);

/* "# event : ..." */
void header_event(struct buffer *out, const struct pk_event *event);
/* The lines of a feature; none if it is not told of. */
void header_feature(struct buffer *out, uint32_t id, struct cursor cursor,
		    const struct pk_events *events);
/* Its name in capitals; NULL: unknown. */
const char *header_feature_name(uint32_t id);

#endif
