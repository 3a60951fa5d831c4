// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 3.5 and 3.6: the fields of a type, then what a function says of the rest. */
struct layout {
	uint32_t type;
	const char *name, *letters, *names;
	void (*rest)(struct dump *dump);
};

static const struct layout layouts[] = {
	{PERF_RECORD_MMAP, "MMAP", "44ddds", "pid tid addr len pgoff filename", NULL},
	{PERF_RECORD_LOST, "LOST", "88", "id lost", NULL},
	{PERF_RECORD_COMM, "COMM", "44s", "pid tid comm", NULL},
	{PERF_RECORD_EXIT, "EXIT", "44448", "pid ppid tid ptid time", NULL},
	{PERF_RECORD_THROTTLE, "THROTTLE", "888", "time id stream_id", NULL},
	{PERF_RECORD_UNTHROTTLE, "UNTHROTTLE", "888", "time id stream_id", NULL},
	{PERF_RECORD_FORK, "FORK", "44448", "pid ppid tid ptid time", NULL},
	{PERF_RECORD_READ, "READ", "44", "pid tid", dump_read_values},
	{PERF_RECORD_SAMPLE, "SAMPLE", "", "", dump_sample},
	{PERF_RECORD_MMAP2, "MMAP2", "44ddd", "pid tid addr len pgoff", dump_mmap2},
	{PERF_RECORD_AUX, "AUX", "ddd", "aux_offset aux_size flags", NULL},
	{PERF_RECORD_ITRACE_START, "ITRACE_START", "44", "pid tid", NULL},
	{PERF_RECORD_LOST_SAMPLES, "LOST_SAMPLES", "8", "lost", NULL},
	{PERF_RECORD_SWITCH, "SWITCH", "", "", NULL},
	{PERF_RECORD_SWITCH_CPU_WIDE, "SWITCH_CPU_WIDE", "44", "next_prev_pid next_prev_tid", NULL},
	{PERF_RECORD_NAMESPACES, "NAMESPACES", "448", "pid tid nr", dump_namespaces},
	{PERF_RECORD_KSYMBOL, "KSYMBOL", "d42bs", "addr len ksym_type flags name", NULL},
	{PERF_RECORD_BPF_EVENT, "BPF_EVENT", "2b4", "bpf_type flags prog_id", dump_bpf_tag},
	{PERF_RECORD_CGROUP, "CGROUP", "8s", "id path", NULL},
	{PERF_RECORD_TEXT_POKE, "TEXT_POKE", "d", "addr", dump_text_poke},
	{PERF_RECORD_AUX_OUTPUT_HW_ID, "AUX_OUTPUT_HW_ID", "d", "hw_id", NULL},
	{PERF_RECORD_CALLCHAIN_DEFERRED, "CALLCHAIN_DEFERRED", "d8", "cookie nr", dump_deferred},
	{PERF_RECORD_HEADER_ATTR, "HEADER_ATTR", "", "", dump_header_attr},
	{PERF_RECORD_HEADER_EVENT_TYPE, "HEADER_EVENT_TYPE", "8", "event_id", dump_event_type},
	{PERF_RECORD_HEADER_TRACING_DATA, "TRACING_DATA", "4", "payload_size", NULL},
	{PERF_RECORD_HEADER_BUILD_ID, "HEADER_BUILD_ID", "i", "pid", dump_build_id},
	{PERF_RECORD_FINISHED_ROUND, "FINISHED_ROUND", "", "", NULL},
	{PERF_RECORD_ID_INDEX, "ID_INDEX", "8", "nr", dump_id_index},
	{PERF_RECORD_AUXTRACE_INFO, "AUXTRACE_INFO", "4....", "aux_type", dump_auxtrace_info},
	{PERF_RECORD_AUXTRACE, "AUXTRACE", "8dd4ii....",
	 "payload_size aux_offset reference idx tid cpu", NULL},
	{PERF_RECORD_AUXTRACE_ERROR, "AUXTRACE_ERROR", "444444d",
	 "error_type code cpu pid tid fmt ip", dump_auxtrace_error},
	{PERF_RECORD_THREAD_MAP, "THREAD_MAP", "8", "nr", dump_thread_map},
	{PERF_RECORD_CPU_MAP, "CPU_MAP", "", "", dump_cpu_map_data},
	{PERF_RECORD_STAT_CONFIG, "STAT_CONFIG", "8", "nr", dump_stat_config},
	{PERF_RECORD_STAT, "STAT", "8ii888", "id cpu thread value enabled running", NULL},
	{PERF_RECORD_STAT_ROUND, "STAT_ROUND", "88", "kind time", NULL},
	{PERF_RECORD_EVENT_UPDATE, "EVENT_UPDATE", "d8", "subtype id", dump_event_update},
	{PERF_RECORD_TIME_CONV, "TIME_CONV", "888", "shift mult zero", dump_time_conv},
	{PERF_RECORD_HEADER_FEATURE, "HEADER_FEATURE", "", "", dump_feature},
	{PERF_RECORD_COMPRESSED, "COMPRESSED", "", "", NULL},
	{PERF_RECORD_FINISHED_INIT, "FINISHED_INIT", "", "", NULL},
	{PERF_RECORD_COMPRESSED2, "COMPRESSED2", "8", "data_size", NULL},
	{PERF_RECORD_BPF_METADATA, "BPF_METADATA", "", "", dump_bpf_metadata},
	{PERF_RECORD_SCHEDSTAT_CPU, "SCHEDSTAT_CPU", "842..444444888",
	 "time cpu version yld_count array_exp sched_count sched_goidle ttwu_count ttwu_local "
	 "rq_cpu_time run_delay pcount",
	 NULL},
	{PERF_RECORD_SCHEDSTAT_DOMAIN, "SCHEDSTAT_DOMAIN", "8422", "time cpu version domain",
	 dump_schedstat_domain},
};

static const struct layout *find_layout(uint32_t type)
{
	for (size_t i = 0; i < COUNT(layouts); i++)
		if (layouts[i].type == type)
			return &layouts[i];
	return NULL;
}

const char *dump_type_name(uint32_t type)
{
	const struct layout *layout = find_layout(type);

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
	const struct layout *layout = find_layout(dump->record->type);

	if (layout) {
		dump_fields(dump, layout->letters, layout->names);
		if (layout->rest && !dump->complained)
			layout->rest(dump);
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
