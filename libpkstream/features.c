// SPDX-License-Identifier: BSD-2-Clause
#include "feature_part.h"
#include "pkstream.h"
#include "pkutil.h"

#define STRING_ALIGN 64 /* perf pads the strings of features to this */

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
