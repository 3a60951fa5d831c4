/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACING_PAYLOAD_H
#define PK_TRACING_PAYLOAD_H

/* Writes the payload of TRACING_DATA records (SPEC 6.3). It is for programs that add a format to
 * the formats of their input. */

#include "buffer.h"
#include "pkstream.h"

/* Finds the byte order of a payload. Returns false if the payload is malformed. */
bool pk_tracing_data_order(const struct pk_bytes *payload, bool *big_endian);

/* A format. Its text is like a file tracing/events/SYSTEM/NAME/format. */
struct pk_tracing_format {
	const char *system;
	const char *text;
	size_t size;
	uint32_t id; /* the ID in the text of the format */
};

/* Replaces the content of *out by the payload with one more format. The new format is in a separate
 * system at the end of the list. The size of the result is a multiple of 8. If a format of the
 * payload has the same ID, it is left out, because no event uses it. If a format is damaged, this
 * format and all formats after it are left out. If the payload is empty, or malformed before its
 * systems, *out contains only the new format, in the byte order big_endian. Returns PK_CORRUPT if
 * the payload is damaged. In this case, *out can be used. Returns PK_NOMEM if memory is exhausted.
 * In this case, *out cannot be used. */
PK_MUST_CHECK enum pk_status pk_tracing_data_add(struct buffer *out, const struct pk_bytes *payload,
						 const struct pk_tracing_format *format,
						 bool big_endian);

#endif
