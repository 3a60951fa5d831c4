/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RECORDS_H
#define RECORDS_H

/* Functions for the library itself that check and write records. */

#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"

/* Returns the least size in bytes of a record of this type. For an unknown type, returns the size
 * of a header. */
uint16_t pk_record_size_min(uint32_t type);
/* Returns true if a stream or a zstd frame can start with the bytes of the type, in either byte
 * order (SPEC 10.2). If a filter wrote a record of such a type, the next reader would think that a
 * new stream starts there. */
bool pk_record_type_reserved(uint32_t type);

void *pk_definition_write(struct pk_writer *writer, enum pk_definition kind, size_t size);

/* Appends a definition of size bytes, including its struct pk_definition_head, which is filled in.
 * The definition is padded with zeros to a multiple of 8 bytes. Returns NULL if there is no writer,
 * or after an error. */
static inline void *pk_definition_append(struct pk_writer *writer, enum pk_definition kind,
					 size_t size)
{
	return writer ? pk_definition_write(writer, kind, size) : NULL;
}

/* Returns false if pk_sample_check() would return PK_CORRUPT. Costs less time than
 * pk_sample_check(). */
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
