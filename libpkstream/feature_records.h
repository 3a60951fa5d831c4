/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FEATURE_RECORDS_H
#define FEATURE_RECORDS_H

/* Features that are split into several records (SPEC 9.13). */

#include "pkstream.h"

#define PK_FEATURE_SIZE_MAX ((uint64_t)64 << 20)
#define PK_FEATURE_ID_MAX   31 /* the largest id that perf 6.1 accepts in a HEADER_FEATURE */
#define PK_PART_SIZE_MAX    (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_feature_part))

/* A feature that is being joined from its FEATURE_PART records. */
struct pk_join {
	uint32_t id, byte_order;
	uint64_t size; /* size of the whole feature in bytes; `have` is the number of bytes read so
			* far */
	uint8_t *data;
	size_t have, capacity;
};

/* Adds the bytes of a FEATURE_PART record. Returns PK_CORRUPT if the part does not follow the
 * previous part or is too short, or if the feature is larger than PK_FEATURE_SIZE_MAX. */
enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record);
/* Writes a HEADER_FEATURE as FEATURE_PART records. feature_size is its size in bytes with the
 * header, and can be larger than the largest record. byte_order is the byte order of the content: 1
 * means little-endian, 2 means big-endian. */
enum pk_status pk_parts_write(struct pk_writer *writer,
			      const struct perf_record_header_feature *feature, size_t feature_size,
			      uint32_t byte_order);

#endif
