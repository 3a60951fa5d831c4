/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACING_PAYLOAD_H
#define PK_TRACING_PAYLOAD_H

/* Writes the payload of TRACING_DATA records (SPEC 6.3): for a program that adds a format to those
 * of its input. */

#include "buffer.h"
#include "pkstream.h"

/* The byte order of a payload. Returns false if the payload is malformed. */
bool pk_tracing_data_order(const struct pk_bytes *payload, bool *big_endian);

/* A format: the text of a file such as tracing/events/SYSTEM/NAME/format. */
struct pk_tracing_format {
	const char *system;
	const char *text;
	size_t size;
	uint32_t id; /* the ID in the text */
};

/* Replaces the content of *out by the payload with one more format, in a system of its own at the
 * end of the list. The size is a multiple of 8. A format of the payload that has the same ID is
 * left out, because no event uses it. Formats from the first damaged one on are left out. If the
 * payload is empty, or malformed before its systems, *out has only the new format, in the byte
 * order big_endian. Returns PK_CORRUPT if the payload is damaged. *out is usable then. With
 * PK_NOMEM, it is not. */
PK_MUST_CHECK enum pk_status pk_tracing_data_add(struct buffer *out, const struct pk_bytes *payload,
						 const struct pk_tracing_format *format,
						 bool big_endian);

#endif
