/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FEATURE_RECORDS_H
#define FEATURE_RECORDS_H

/* Features split into several records (SPEC 9.13). */

#include "pkstream.h"

#define PK_FEATURE_SIZE_MAX ((uint64_t)64 << 20)
#define PK_FEATURE_ID_MAX   31 /* the largest id that perf 6.1 accepts as a feature */
#define PK_PART_SIZE_MAX    (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_feature_part))

/* A feature of which some parts have been read. */
struct pk_join {
	uint32_t id, byte_order;
	uint64_t size; /* bytes of the whole feature; have: bytes read so far */
	uint8_t *data;
	size_t have, capacity;
};

/* Adds the bytes of a FEATURE_PART record. Returns PK_CORRUPT if the part does not follow the
 * previous one, is too short, or the feature is larger than PK_FEATURE_SIZE_MAX. */
enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record);
/* Writes a HEADER_FEATURE of feature_size bytes, which can be more than a record has, as
 * FEATURE_PARTs. byte_order is that of its content: 1 little-endian, 2 big-endian. */
enum pk_status pk_parts_write(struct pk_writer *writer,
			      const struct perf_record_header_feature *feature, size_t feature_size,
			      uint32_t byte_order);

#endif
