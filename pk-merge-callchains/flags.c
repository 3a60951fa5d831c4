// SPDX-License-Identifier: BSD-2-Clause
#include "flags.h"

#define FLAGS_AT      offsetof(struct perf_attr, flags)
#define HEADER_SIZE   sizeof(struct perf_header)
#define FEATURE_SIZE  16 /* of what stands in front of a feature's content */
#define ATTR_SIZE_MIN PERF_ATTR_SIZE_VER0

/* A flag as an attr in a record has it (SPEC 8.2). */
static uint64_t raw_flag(uint64_t flag)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return big ? UINT64_C(1) << __builtin_clzll(flag) : flag;
}

bool flags_defer(const struct pk_record *record)
{
	return pk_load_u64(record->data + HEADER_SIZE + FLAGS_AT) &
	       raw_flag(PERF_ATTR_DEFER_CALLCHAIN);
}

static void clear(uint8_t *attr, bool keep_output)
{
	uint64_t flags = pk_load_u64(attr + FLAGS_AT) & ~raw_flag(PERF_ATTR_DEFER_CALLCHAIN);

	if (!keep_output)
		flags &= ~raw_flag(PERF_ATTR_DEFER_OUTPUT);
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
		clear(data + HEADER_SIZE, keep_output);
	else if (pk_feature_id(record) == PERF_FEATURE_EVENT_DESC)
		clear_description(data + FEATURE_SIZE, data + record->size, keep_output);
}
