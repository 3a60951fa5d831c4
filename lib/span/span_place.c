// SPDX-License-Identifier: BSD-2-Clause
#include "span_place.h"

/* The callchain and the raw bytes of any sample. False: it is malformed. */
static bool read_decoded(struct pk_view *view, struct pk_span_place *place)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample)
		return false;
	place->callchain = sample->callchain;
	place->raw = sample->raw;
	place->chain_flags = sample->chain_flags;
	return true;
}

static uint64_t load_u64(const struct pk_record *record, uint16_t at)
{
	return at ? pk_load_u64(record->data + at) : 0;
}

bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view)
{
	const struct pk_layout *layout = &record->event->layout;

	*place = (struct pk_span_place){
		.time = load_u64(record, layout->time),
		.ip = pk_sample_ip(record->event, record),
		.misc = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	if (layout->tid) {
		place->pid = pk_record_task(record, layout->tid)->pid;
		place->tid = pk_record_task(record, layout->tid)->tid;
	}
	if (layout->cpu)
		place->cpu = pk_load_u32(record->data + layout->cpu);
	if (symbolized)
		place->stack = pk_stack_trailer(record->data, record->size);
	return pk_sample_plain(record, &place->callchain, &place->raw) || read_decoded(view, place);
}
