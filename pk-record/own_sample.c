// SPDX-License-Identifier: BSD-2-Clause
#include "own_sample.h"
#include "pkprivate.h"

static uint8_t *put_u64(uint8_t *p, uint64_t value)
{
	pk_store_u64(p, value);
	return p + sizeof(value);
}

static uint8_t *put_u32s(uint8_t *p, uint32_t first, uint32_t second)
{
	pk_store_u32(p, first);
	pk_store_u32(p + sizeof(first), second);
	return p + 2 * sizeof(first);
}

uint8_t *own_sample_append(struct pk_writer *writer, const struct event *event, size_t slot,
			   const struct own_sample *sample, size_t more)
{
	const uint64_t type = event->attr.sample_type;
	const size_t size = sizeof(struct perf_header) +
			    8 * (size_t)__builtin_popcountll(type & OWN_SAMPLE_TYPES) + more;
	uint8_t *p = size <= PERF_RECORD_SIZE_MAX
			     ? pk_writer_append(writer, PERF_RECORD_SAMPLE, sample->misc, size)
			     : NULL;

	if (!p)
		return NULL;
	p += sizeof(struct perf_header);
	if (type & PERF_SAMPLE_IDENTIFIER)
		p = put_u64(p, event->ids[slot]);
	if (type & PERF_SAMPLE_IP)
		p = put_u64(p, sample->ip);
	if (type & PERF_SAMPLE_TID)
		p = put_u32s(p, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		p = put_u64(p, sample->time);
	if (type & PERF_SAMPLE_ID)
		p = put_u64(p, event->ids[slot]);
	if (type & PERF_SAMPLE_CPU)
		p = put_u32s(p, sample->cpu, 0);
	if (type & PERF_SAMPLE_PERIOD)
		p = put_u64(p, sample->period);
	return p;
}
