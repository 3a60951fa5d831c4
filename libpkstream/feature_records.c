// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "feature_records.h"
#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"
#include "records.h"
#include "vector.h"

enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record)
{
	const struct pk_record_feature_part *part = (const void *)record->data;
	uint64_t bytes;

	if (record->size < sizeof(*part) || part->offset > part->size ||
	    part->size > PK_FEATURE_SIZE_MAX)
		return PK_CORRUPT;
	if (!part->offset) {
		join->id = part->feature;
		join->byte_order = part->byte_order;
		join->size = part->size;
		join->have = 0;
	}
	if (part->feature != join->id || part->size != join->size || part->offset != join->have) {
		join->size = join->have = join->id = 0;
		return PK_CORRUPT;
	}
	bytes = part->size - part->offset;
	if (bytes > record->size - sizeof(*part))
		bytes = record->size - sizeof(*part);
	/* Reserves memory only for bytes that were read. The size that the record declares can be
	 * false. */
	PK_TRY(pk_reserve(&join->data, &join->capacity, join->have, bytes, 1));
	if (bytes)
		memcpy(join->data + join->have, part->data, bytes);
	join->have += bytes;
	return PK_OK;
}

enum pk_status pk_parts_write(struct pk_writer *writer,
			      const struct perf_record_header_feature *feature, size_t feature_size,
			      uint32_t byte_order)
{
	const size_t size = feature_size - sizeof(*feature);
	size_t offset = 0;

	do {
		size_t now = size - offset < PK_PART_SIZE_MAX ? size - offset : PK_PART_SIZE_MAX;
		struct pk_record_feature_part *part =
			pk_definition_append(writer, PK_FEATURE_PART, sizeof(*part) + now);

		if (!part)
			break;
		part->feature = (uint32_t)feature->feat_id;
		part->byte_order = byte_order;
		part->size = size;
		part->offset = offset;
		memcpy(part->data, feature->data + offset, now);
		offset += now;
	} while (offset < size);
	return pk_writer_status(writer);
}

bool pk_feature_is_new(const struct pk_record *record)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;

	if (record->type != PERF_RECORD_HEADER_FEATURE)
		return false;
	return record->size > sizeof(*feature) ? feature->feat_id > PK_FEATURE_ID_MAX
					       : feature->feat_id > PK_FEATURE_ID_MAX + 1;
}

#define STRING_ALIGN 64 /* in perf's features, the size of a string is a multiple of 64 bytes */

void pk_feature_start(struct pk_feature *feature, enum perf_feature id)
{
	struct perf_record_header_feature *record = (void *)feature->data;

	feature->size = sizeof(*record);
	feature->overflow = false;
	*record = (struct perf_record_header_feature){{PERF_RECORD_HEADER_FEATURE, 0, 0}, id};
}

static uint8_t *room(struct pk_feature *feature, size_t size)
{
	uint8_t *at = feature->data + feature->size;

	if (feature->overflow || size > sizeof(feature->data) - feature->size) {
		feature->overflow = true;
		return NULL;
	}
	feature->size += (uint32_t)size;
	return at;
}

void pk_feature_bytes(struct pk_feature *feature, const void *data, size_t size)
{
	uint8_t *at = room(feature, size);

	if (at && size)
		memcpy(at, data, size);
}

void pk_feature_u32(struct pk_feature *feature, uint32_t value)
{
	pk_feature_bytes(feature, &value, sizeof(value));
}

void pk_feature_u64(struct pk_feature *feature, uint64_t value)
{
	pk_feature_bytes(feature, &value, sizeof(value));
}

void pk_feature_string(struct pk_feature *feature, const char *text)
{
	size_t length = strlen(text) + 1;
	size_t padded = (length + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;
	uint8_t *at;

	if (length > sizeof(feature->data)) {
		feature->overflow = true;
		return;
	}
	pk_feature_u32(feature, (uint32_t)padded);
	at = room(feature, padded);
	if (!at)
		return;
	memset(at, 0, padded);
	memcpy(at, text, length);
}

enum pk_status pk_feature_write(struct pk_feature *feature, struct pk_writer *writer)
{
	size_t padding = PK_ALIGN8(feature->size) - feature->size;
	uint8_t *at = room(feature, padding);

	if (!at)
		return PK_UNSUPPORTED;
	memset(at, 0, padding);
	if (feature->size > PERF_RECORD_SIZE_MAX)
		return pk_parts_write(writer, (const void *)feature->data, feature->size,
				      PK_HOST_IS_BIG ? 2 : 1);
	((struct perf_header *)feature->data)->size = (uint16_t)feature->size;
	return pk_writer_record(writer, feature->data, feature->size);
}

uint32_t pk_feature_id(const struct pk_record *record)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;

	if (record->type != PERF_RECORD_HEADER_FEATURE || record->size < sizeof(*feature))
		return 0;
	return feature->feat_id <= UINT32_MAX ? (uint32_t)feature->feat_id : 0;
}

bool pk_feature_get_string(const struct pk_record *record, char *text, size_t size)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;
	const size_t head = sizeof(*feature) + sizeof(uint32_t);
	uint32_t length;

	if (record->size < head)
		return false;
	length = pk_load_u32(feature->data);
	if (length > record->size - head)
		return false;
	if (length >= size)
		length = (uint32_t)size - 1;
	memcpy(text, record->data + head, length);
	text[length] = '\0';
	return true;
}
