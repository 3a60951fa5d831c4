/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RECORDS_H
#define RECORDS_H

/* Records of any type: what the library itself needs of their layouts, and writes. */

#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"

/* The least size that a record of this type can have; 8 for unknown types. */
uint16_t pk_record_size_min(uint32_t type);
/* Types whose bytes, in one order or the other, begin a stream or a zstd frame (SPEC 10.2): written
 * again, the record would be taken for that. */
bool pk_record_type_reserved(uint32_t type);

void *pk_definition_write(struct pk_writer *writer, enum pk_definition kind, size_t size);

/* Begins a definition of size bytes, head included, which are padded to a multiple of 8 with zeros.
 * Its head is filled in. NULL without writer or on error. */
static inline void *pk_definition_append(struct pk_writer *writer, enum pk_definition kind,
					 size_t size)
{
	return writer ? pk_definition_write(writer, kind, size) : NULL;
}

/* pk_sample_check, at the least cost: whether a sample that can be decoded holds all its fields. */
static inline bool pk_sample_is_whole(const struct pk_event *event, const struct pk_record *record)
{
	const struct pk_layout *layout = &event->layout;

	if (pk_unlikely(!layout->plain))
		return pk_sample_check(event, record) != PK_CORRUPT;
	return record->size >= layout->least &&
	       (!layout->callchain || pk_load_u64(record->data + layout->callchain) <=
					      (record->size - layout->least) / 8u);
}

#endif
