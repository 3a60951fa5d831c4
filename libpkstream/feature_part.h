/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FEATURE_PART_H
#define FEATURE_PART_H

/* Features in pieces (SPEC 9.13). */

#include "pkstream.h"

#define PK_FEATURE_SIZE_MAX ((uint64_t)64 << 20)
#define PK_FEATURE_ID_MAX   31 /* of what perf 6.1 takes for a feature */
#define PK_PART_SIZE_MAX    (PERF_RECORD_SIZE_MAX - sizeof(struct pk_record_feature_part))

/* A feature that is being put together. */
struct pk_join {
	uint32_t id, byte_order;
	uint64_t size; /* of the whole, of which have bytes are there */
	uint8_t *data;
	size_t have, capacity;
};

/* Takes the bytes of a FEATURE_PART record. PK_CORRUPT: it does not continue what is there. */
enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record);
/* Writes a HEADER_FEATURE as parts. byte_order: of its content, as in SESSION. */
enum pk_status pk_parts_write(struct pk_writer *writer, const struct pk_record *record,
			      uint32_t byte_order);

#endif
