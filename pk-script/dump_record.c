// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* Prints what the layout of a record leaves open. */
static void dump_rest(struct dump *dump)
{
	switch (dump->record->type) {
	case PERF_RECORD_READ: dump_read_values(dump); break;
	case PERF_RECORD_SAMPLE: dump_sample(dump); break;
	case PERF_RECORD_TEXT_POKE: dump_text_poke(dump); break;
	case PERF_RECORD_HEADER_ATTR: dump_header_attr(dump); break;
	case PERF_RECORD_HEADER_EVENT_TYPE: dump_event_type(dump); break;
	case PERF_RECORD_HEADER_BUILD_ID: dump_build_id(dump); break;
	case PERF_RECORD_ID_INDEX: dump_id_index(dump); break;
	case PERF_RECORD_AUXTRACE_ERROR: dump_auxtrace_error(dump); break;
	case PERF_RECORD_CPU_MAP: dump_cpu_map_data(dump); break;
	case PERF_RECORD_EVENT_UPDATE: dump_event_update(dump); break;
	case PERF_RECORD_HEADER_FEATURE: dump_feature(dump); break;
	case PERF_RECORD_BPF_METADATA: dump_bpf_metadata(dump); break;
	default: break;
	}
}

const char *dump_type_name(uint32_t type)
{
	const struct pk_record_layout *layout = pk_record_layout(type, 0);

	return layout ? layout->name : "UNKNOWN";
}

/* Unknown bytes; zeros up to a multiple of 8 are padding. */
static void dump_unknown(struct dump *dump)
{
	const uint8_t *p = dump->at;

	if (dump->complained && dump->at == dump->end)
		return;
	while (p < dump->end && !*p)
		p++;
	if (p == dump->end && dump_left(dump) < 8)
		return;
	dump_bytes("unknown", dump->at, dump_left(dump));
}

void dump_body(struct dump *dump)
{
	const struct pk_record_layout *layout =
		pk_record_layout(dump->record->type, dump->record->misc);

	if (layout) {
		dump_fields(dump, layout->letters, layout->fields);
		if (!dump->complained)
			dump_rest(dump);
	}
	dump_unknown(dump);
}

void dump_trailer(struct dump *dump)
{
	const struct pk_layout *layout = &dump->event->layout;
	struct pk_sample_id id;

	pk_sample_id_decode(dump->event, dump->record, &id);
	if (layout->trailer.tid) {
		dump_signed("trailer.pid", (int32_t)id.pid);
		dump_signed("trailer.tid", (int32_t)id.tid);
	}
	if (layout->trailer.time)
		dump_decimal("trailer.time", id.time);
	if (layout->trailer.id || layout->trailer.identifier)
		dump_decimal("trailer.id", id.id);
	if (layout->trailer.stream_id)
		dump_decimal("trailer.stream_id", id.stream_id);
	if (layout->trailer.cpu)
		dump_signed("trailer.cpu", (int32_t)id.cpu);
}
