/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RECORDS_H
#define RECORDS_H

/* Checks and writers of records for the library itself. */

#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"

/* The least size in bytes of a record of this type. For unknown types, it is that of a header. */
uint16_t pk_record_size_min(uint32_t type);
/* True if the type's bytes, in either byte order, are the start of a stream or of a zstd frame
 * (SPEC 10.2). If a filter wrote such a record, the next reader would see a new stream there. */
bool pk_record_type_reserved(uint32_t type);

void *pk_definition_write(struct pk_writer *writer, enum pk_definition kind, size_t size);

/* Appends a definition of size bytes, head included, padded with zeros to a multiple of 8. Fills in
 * the head. Returns NULL if there is no writer, or after an error. */
static inline void *pk_definition_append(struct pk_writer *writer, enum pk_definition kind,
					 size_t size)
{
	return writer ? pk_definition_write(writer, kind, size) : NULL;
}

/* A cheaper pk_sample_check(): false if it would return PK_CORRUPT. */
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
