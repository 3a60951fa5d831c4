// SPDX-License-Identifier: BSD-2-Clause
#include "flags.h"

#define FLAGS_AT offsetof(struct perf_attr, flags)

bool flags_defer(const struct pk_record *record)
{
	const struct perf_record_header_attr *header = (const void *)record->data;

	return header->attr.flags & pk_attr_written_flags(PERF_ATTR_DEFER_CALLCHAIN);
}

static void clear(uint8_t *attr, bool keep_output)
{
	uint64_t flags =
		pk_load_u64(attr + FLAGS_AT) & ~pk_attr_written_flags(PERF_ATTR_DEFER_CALLCHAIN);

	if (!keep_output)
		flags &= ~pk_attr_written_flags(PERF_ATTR_DEFER_OUTPUT);
	pk_store_u64(attr + FLAGS_AT, flags);
}

static void clear_description(uint8_t *at, const uint8_t *end, bool keep_output)
{
	const struct perf_feature_event_desc *desc = (const void *)at;
	const struct perf_event_desc_ids *ids;
	uint64_t size;

	if ((size_t)(end - at) < sizeof(*desc) || desc->attr_size < PERF_ATTR_SIZE_VER0)
		return;
	at += sizeof(*desc);
	for (uint32_t i = 0; i < desc->count; i++) {
		if ((uint64_t)(end - at) < (uint64_t)desc->attr_size + sizeof(*ids))
			return;
		clear(at, keep_output);
		at += desc->attr_size;
		ids = (const void *)at;
		size = sizeof(*ids) + (uint64_t)ids->name_size + 8 * (uint64_t)ids->ids;
		if (size > (uint64_t)(end - at))
			return;
		at += size;
	}
}

void flags_clear(const struct pk_record *record, bool keep_output, uint8_t *data)
{
	if (record->type == PERF_RECORD_HEADER_ATTR)
		clear(data + offsetof(struct perf_record_header_attr, attr), keep_output);
	else if (pk_feature_id(record) == PERF_FEATURE_EVENT_DESC)
		clear_description(data + sizeof(struct perf_record_header_feature),
				  data + record->size, keep_output);
}
