// SPDX-License-Identifier: BSD-2-Clause
#include "stream_internal.h"

#define STRING_ALIGN 64 /* perf pads the strings of features to this */
#define PAYLOAD	     16 /* where a HEADER_FEATURE record's payload begins */

void pk_feature_begin(struct pk_feature *feature, enum perf_feature id)
{
	feature->size = PAYLOAD;
	feature->overflow = false;
	pk_store_u32(feature->data, PERF_RECORD_HEADER_FEATURE);
	pk_store_u16(feature->data + 4, 0);
	pk_store_u64(feature->data + 8, id);
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

void pk_feature_u32(struct pk_feature *feature, uint32_t value)
{
	pk_feature_bytes(feature, &value, sizeof(value));
}

void pk_feature_u64(struct pk_feature *feature, uint64_t value)
{
	pk_feature_bytes(feature, &value, sizeof(value));
}

void pk_feature_bytes(struct pk_feature *feature, const void *data, size_t size)
{
	uint8_t *at = room(feature, size);

	if (at && size)
		memcpy(at, data, size);
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
	pk_store_u16(feature->data + 6, (uint16_t)feature->size);
	return pk_writer_record(writer, feature->data, feature->size);
}

uint32_t pk_feature_id(const struct pk_record *record)
{
	uint64_t id;

	if (record->type != PERF_RECORD_HEADER_FEATURE || record->size < PAYLOAD)
		return 0;
	id = pk_load_u64(record->data + 8);
	return id <= UINT32_MAX ? (uint32_t)id : 0;
}

bool pk_feature_get_string(const struct pk_record *record, char *text, size_t size)
{
	uint32_t length;

	if (record->size < PAYLOAD + 4)
		return false;
	length = pk_load_u32(record->data + PAYLOAD);
	if (length > record->size - PAYLOAD - 4u)
		return false;
	if (length >= size)
		length = (uint32_t)size - 1;
	memcpy(text, record->data + PAYLOAD + 4, length);
	text[length] = '\0';
	return true;
}
