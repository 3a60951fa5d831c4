// SPDX-License-Identifier: BSD-2-Clause
#include "flags.h"

#define FLAGS_AT      offsetof(struct perf_attr, flags)
#define ATTR_SIZE_MIN PERF_ATTR_SIZE_VER0

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

/* SPEC 6.2: u32 nr, u32 attr_size, nr times { attr, u32 nr_ids, string, u64 ids[nr_ids] }. */
static void clear_description(uint8_t *at, const uint8_t *end, bool keep_output)
{
	uint64_t count, size, rest;

	if (end - at < 8)
		return;
	count = pk_load_u32(at);
	size = pk_load_u32(at + 4);
	at += 8;
	for (; count && size >= ATTR_SIZE_MIN && (uint64_t)(end - at) >= size + 8; count--) {
		clear(at, keep_output);
		at += size;
		rest = 8 + (uint64_t)pk_load_u32(at + 4) + 8 * (uint64_t)pk_load_u32(at);
		if (rest > (uint64_t)(end - at))
			return;
		at += rest;
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
