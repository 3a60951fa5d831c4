// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkprivate.h"

/* The largest payload, in bytes, that is read completely before its record is written. A larger
 * payload is copied in parts. */
#define PAYLOAD_KEPT ((uint64_t)16 << 20)

static enum pk_status copy_small(struct pk_writer *writer, struct pk_reader *reader,
				 const struct pk_record *record)
{
	size_t all = (size_t)record->payload_size, size, at = 0;
	uint8_t *kept = malloc(record->size + all);
	enum pk_status status = kept ? PK_OK : PK_NOMEM;
	const uint8_t *data;

	if (kept)
		memcpy(kept, record->data, record->size);
	for (; !status && at < all; at += size) {
		status = pk_reader_payload(reader, &data, &size);
		if (!status)
			memcpy(kept + record->size + at, data, size);
	}
	if (!status) {
		pk_writer_record(writer, kept, record->size);
		status = pk_writer_bytes(writer, kept + record->size, all, 0, 0);
	}
	free(kept);
	return status;
}

/* If the input ends within the payload, the writer fails. More output would be useless, because no
 * reader could find a record after an incomplete payload. */
static enum pk_status copy_large(struct pk_writer *writer, struct pk_reader *reader,
				 const struct pk_record *record)
{
	enum pk_status status;
	const uint8_t *data;
	size_t size;

	pk_writer_record(writer, record->data, record->size);
	do {
		status = pk_reader_payload(reader, &data, &size);
		if (!status)
			pk_writer_bytes(writer, data, size, 0, 0);
	} while (!status && size);
	if (!status)
		return pk_writer_status(writer);
	return pk_writer_fail(writer, status,
			      "a large payload is cut: nothing more can be written");
}

enum pk_status pk_writer_copy(struct pk_writer *writer, struct pk_reader *reader,
			      const struct pk_record *record)
{
	if (!record->payload_size)
		return pk_writer_record(writer, record->data, record->size);
	return record->payload_size <= PAYLOAD_KEPT ? copy_small(writer, reader, record)
						    : copy_large(writer, reader, record);
}
