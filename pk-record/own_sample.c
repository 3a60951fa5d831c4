// SPDX-License-Identifier: BSD-2-Clause
#include "own_sample.h"
#include "pkprivate.h"

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
		p = pk_put_u64(p, event->opened.ids[slot]);
	if (type & PERF_SAMPLE_IP)
		p = pk_put_u64(p, sample->ip);
	if (type & PERF_SAMPLE_TID)
		p = pk_put_two_u32(p, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		p = pk_put_u64(p, sample->time);
	if (type & PERF_SAMPLE_ID)
		p = pk_put_u64(p, event->opened.ids[slot]);
	if (type & PERF_SAMPLE_CPU)
		p = pk_put_two_u32(p, sample->cpu, 0);
	if (type & PERF_SAMPLE_PERIOD)
		p = pk_put_u64(p, sample->period);
	return p;
}
