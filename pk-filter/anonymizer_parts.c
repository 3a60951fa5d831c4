// SPDX-License-Identifier: BSD-2-Clause
#include "anonymizer_parts.h"

void *anonymizer_start(struct anonymizer *a, const struct pk_record *record, size_t head)
{
	memcpy(a->data, record->data, head);
	a->used = head;
	return a->data;
}

void anonymizer_add(struct anonymizer *a, const void *data, size_t size)
{
	if (a->used + size <= PERF_RECORD_SIZE_MAX)
		memcpy(a->data + a->used, data, size);
	a->used += size;
}

void anonymizer_add_zeros(struct anonymizer *a, size_t size)
{
	static const uint8_t zeros[8];

	anonymizer_add(a, zeros, size);
}

void anonymizer_pad(struct anonymizer *a)
{
	anonymizer_add_zeros(a, (8 - a->used % 8) % 8);
}

void anonymizer_add_padded(struct anonymizer *a, const char *text, size_t size)
{
	anonymizer_add(a, text, size);
	anonymizer_pad(a);
}

void anonymizer_add_text(struct anonymizer *a, const char *text)
{
	anonymizer_add(a, text, strlen(text));
	anonymizer_add_zeros(a, 8 - a->used % 8);
}

void anonymizer_add_alias(struct anonymizer *a, const char *name, size_t size)
{
	char alias[ALIAS_SIZE];

	anonymizer_add_text(a, alias_of(&a->aliases, name, size, alias));
}

enum pk_status anonymizer_put(struct anonymizer *a)
{
	struct pk_record record;

	if (a->used > PERF_RECORD_SIZE_MAX) {
		a->left_out[LEFT_RECORDS]++;
		return PK_OK;
	}
	((struct perf_header *)a->data)->size = (uint16_t)a->used;
	record = pk_record_at(a->data);
	record.time = PK_NO_TIME;
	return a->put(a->arg, &record);
}

void anonymizer_hide_build_id(const struct anonymizer *a, uint8_t *field, size_t size)
{
	if (size > PK_BUILD_ID_MAX)
		size = PK_BUILD_ID_MAX;
	alias_build_id(&a->aliases, field, size);
	memset(field + size, 0, PK_BUILD_ID_MAX - size);
}

enum pk_status anonymizer_put_head(struct anonymizer *a, const struct pk_record *record,
				   size_t size)
{
	anonymizer_start(a, record, size < record->size ? size : record->size);
	anonymizer_pad(a);
	return anonymizer_put(a);
}
