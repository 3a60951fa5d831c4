// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "dictionary_internal.h"

/* Memory grows with what was read, not with what a record says. */
static bool grow(struct pk_join *join, size_t size)
{
	size_t capacity = join->capacity ? join->capacity : PERF_RECORD_SIZE_MAX;
	uint8_t *data;

	if (size <= join->capacity)
		return true;
	while (capacity < size)
		capacity *= 2;
	data = realloc(join->data, capacity);
	if (!data)
		return false;
	join->data = data;
	join->capacity = capacity;
	return true;
}

enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record)
{
	const uint8_t *data = record->data;
	uint64_t size, offset, bytes;

	if (record->size < PK_PART_HEAD)
		return PK_CORRUPT;
	size = pk_load_u64(data + 32);
	offset = pk_load_u64(data + 40);
	if (offset > size || size > PK_FEATURE_SIZE_MAX)
		return PK_CORRUPT;
	if (!offset) {
		join->id = pk_load_u32(data + 24);
		join->byte_order = pk_load_u32(data + 28);
		join->size = size;
		join->have = 0;
	}
	if (pk_load_u32(data + 24) != join->id || size != join->size || offset != join->have) {
		join->size = join->have = join->id = 0;
		return PK_CORRUPT;
	}
	bytes = size - offset;
	if (bytes > record->size - (uint64_t)PK_PART_HEAD)
		bytes = record->size - (uint64_t)PK_PART_HEAD;
	if (!grow(join, join->have + bytes))
		return PK_NOMEM;
	if (bytes)
		memcpy(join->data + join->have, data + PK_PART_HEAD, bytes);
	join->have += bytes;
	return PK_OK;
}

enum pk_status pk_parts_write(struct pk_writer *writer, const struct pk_record *record,
			      uint32_t byte_order)
{
	size_t size = record->size - 16u, offset = 0;

	do {
		size_t now = size - offset < PK_PART_SIZE_MAX ? size - offset : PK_PART_SIZE_MAX;
		uint8_t *body = pk_definition_begin(writer, PK_FEATURE_PART, 24 + now);

		if (!body)
			break;
		pk_store_u32(body, (uint32_t)pk_load_u64(record->data + 8));
		pk_store_u32(body + 4, byte_order);
		pk_store_u64(body + 8, size);
		pk_store_u64(body + 16, offset);
		memcpy(body + 24, record->data + 16 + offset, now);
		offset += now;
	} while (offset < size);
	return pk_writer_status(writer);
}
