// SPDX-License-Identifier: BSD-2-Clause
/* Checks that the table of layouts is consistent. */
#include <stdio.h>

#include "pkprivate.h"
#include "stream_builder.h"
#include "records.h"

#define MISC_NONE 0

/* Returns the number of fields that have a name: the number of letters, without the letters of
 * fields that are not printed. */
static size_t named_letters(const char *letters)
{
	size_t count = 0;

	for (; *letters && *letters != '|'; letters++)
		count += !strchr(".?nm*/-)}", *letters);
	return count;
}

static size_t words(const char *text)
{
	size_t count = *text != '\0';

	for (; *text; text++)
		count += *text == ' ';
	return count;
}

/* Calculates the smallest size of a record from the letters of its layout. */
static size_t least_size(const char *letters)
{
	size_t size = sizeof(struct perf_header);

	for (; *letters && !strchr("?({", *letters); letters++)
		size += *letters == 's' ? 1 : pk_letter_size(*letters);
	return size;
}

/* Calculates the result of pk_record_unit() from the letters. */
static size_t unit_of(const char *letters)
{
	const char *list = strchr(letters, '(');
	size_t size = 0;

	if (!list)
		return strchr(letters, 's') != NULL;
	ck_assert_msg(list > letters && list[-1] == '8' && strchr(list, ')')[1] == '\0', "%s",
		      letters);
	for (list++; *list != ')'; list++)
		size += pk_letter_size(*list);
	return size;
}

static void check(const struct pk_record_layout *layout)
{
	ck_assert_msg(named_letters(layout->letters) == words(layout->fields), "%s: %s: %s",
		      layout->name, layout->letters, layout->fields);
	for (const char *p = layout->letters; *p; p++)
		ck_assert_msg(pk_letter_size(*p) || strchr("st*/-|?(){}", *p), "%s: %c",
			      layout->name, *p);
}

START_TEST(records)
{
	unsigned int known = 0;

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX + 10; type++) {
		const struct pk_record_layout *layout = pk_record_layout(type, MISC_NONE);

		/* MMAP2 may lack prot and flags. */
		ck_assert_uint_eq(pk_record_size_min(type), !layout ? 8u
							    : type == PERF_RECORD_MMAP2
								    ? layout->size_min - 8u
								    : layout->size_min);
		if (!layout)
			continue;
		known++;
		check(layout);
		if (type < PERF_RECORD_KERNEL_MAX)
			ck_assert_msg(pk_record_unit(type) == unit_of(layout->letters), "%s",
				      layout->name);
		if (type != PERF_RECORD_AUXTRACE_ERROR && type != PERF_RECORD_BPF_METADATA)
			ck_assert_msg(layout->size_min == least_size(layout->letters),
				      "%s: %u, not %zu", layout->name, layout->size_min,
				      least_size(layout->letters));
	}
	ck_assert_uint_eq(known, PERF_RECORD_KERNEL_MAX - 1 + PERF_RECORD_USER_MAX -
					 PERF_RECORD_USER_START);
	check(pk_record_layout(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID));
}
END_TEST

/* ---- The structs in perf_abi.h and pk_abi.h have the same fields as the layouts ---- */

struct type_size {
	unsigned int type;
	size_t size;
};

static const struct type_size *size_of(const struct type_size *sizes, size_t count,
				       unsigned int type)
{
	for (size_t i = 0; i < count; i++)
		if (sizes[i].type == type)
			return &sizes[i];
	return NULL;
}

/* For each record with a layout, there is a struct of the same size. */
START_TEST(record_sizes)
{
	static const struct type_size sizes[] = {
		{PERF_RECORD_MMAP, sizeof(struct perf_record_mmap) + 1},
		{PERF_RECORD_MMAP2, sizeof(struct perf_record_mmap2) + 1},
		{PERF_RECORD_LOST, sizeof(struct perf_record_lost)},
		{PERF_RECORD_COMM, sizeof(struct perf_record_comm) + 1},
		{PERF_RECORD_EXIT, sizeof(struct perf_record_task)},
		{PERF_RECORD_FORK, sizeof(struct perf_record_task)},
		{PERF_RECORD_THROTTLE, sizeof(struct perf_record_throttle)},
		{PERF_RECORD_UNTHROTTLE, sizeof(struct perf_record_throttle)},
		{PERF_RECORD_READ, sizeof(struct perf_record_read) + sizeof(uint64_t)},
		{PERF_RECORD_SAMPLE, sizeof(struct perf_header)},
		{PERF_RECORD_AUX, sizeof(struct perf_record_aux)},
		{PERF_RECORD_ITRACE_START, sizeof(struct perf_record_itrace_start)},
		{PERF_RECORD_LOST_SAMPLES, sizeof(struct perf_record_lost_samples)},
		{PERF_RECORD_SWITCH, sizeof(struct perf_header)},
		{PERF_RECORD_SWITCH_CPU_WIDE, sizeof(struct perf_record_switch_cpu_wide)},
		{PERF_RECORD_NAMESPACES, sizeof(struct perf_record_namespaces)},
		{PERF_RECORD_KSYMBOL, sizeof(struct perf_record_ksymbol) + 1},
		{PERF_RECORD_BPF_EVENT, sizeof(struct perf_record_bpf_event)},
		{PERF_RECORD_CGROUP, sizeof(struct perf_record_cgroup) + 1},
		{PERF_RECORD_TEXT_POKE, sizeof(struct perf_record_text_poke)},
		{PERF_RECORD_AUX_OUTPUT_HW_ID, sizeof(struct perf_record_aux_output_hw_id)},
		{PERF_RECORD_CALLCHAIN_DEFERRED, sizeof(struct perf_record_callchain_deferred)},
		{PERF_RECORD_HEADER_ATTR,
		 offsetof(struct perf_record_header_attr, attr) + PERF_ATTR_SIZE_VER0},
		{PERF_RECORD_HEADER_EVENT_TYPE, sizeof(struct perf_record_event_type)},
		{PERF_RECORD_HEADER_TRACING_DATA, sizeof(struct perf_record_tracing_data)},
		{PERF_RECORD_HEADER_BUILD_ID, sizeof(struct perf_record_build_id)},
		{PERF_RECORD_FINISHED_ROUND, sizeof(struct perf_header)},
		{PERF_RECORD_ID_INDEX, sizeof(struct perf_record_id_index)},
		{PERF_RECORD_AUXTRACE_INFO, sizeof(struct perf_record_auxtrace_info)},
		{PERF_RECORD_AUXTRACE, sizeof(struct perf_record_auxtrace)},
		{PERF_RECORD_AUXTRACE_ERROR,
		 offsetof(struct perf_record_auxtrace_error, message) + 1},
		{PERF_RECORD_THREAD_MAP, sizeof(struct perf_record_thread_map)},
		{PERF_RECORD_CPU_MAP,
		 sizeof(struct perf_record_cpu_map) + sizeof(struct perf_cpus_list)},
		{PERF_RECORD_STAT_CONFIG, sizeof(struct perf_record_stat_config)},
		{PERF_RECORD_STAT, sizeof(struct perf_record_stat)},
		{PERF_RECORD_STAT_ROUND, sizeof(struct perf_record_stat_round)},
		{PERF_RECORD_EVENT_UPDATE, sizeof(struct perf_record_event_update)},
		{PERF_RECORD_TIME_CONV, sizeof(struct perf_record_time_conv)},
		{PERF_RECORD_HEADER_FEATURE, sizeof(struct perf_record_header_feature)},
		{PERF_RECORD_COMPRESSED, sizeof(struct perf_header)},
		{PERF_RECORD_FINISHED_INIT, sizeof(struct perf_header)},
		{PERF_RECORD_COMPRESSED2, sizeof(struct perf_record_compressed2)},
		{PERF_RECORD_BPF_METADATA, sizeof(struct perf_record_bpf_metadata)},
		{PERF_RECORD_SCHEDSTAT_CPU, offsetof(struct perf_record_schedstat_cpu, yld_count)},
		{PERF_RECORD_SCHEDSTAT_DOMAIN, sizeof(struct perf_record_schedstat_domain)},
	};

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX; type++) {
		const struct pk_record_layout *layout = pk_record_layout(type, MISC_NONE);
		const struct type_size *found = size_of(sizes, COUNT(sizes), type);

		ck_assert_msg(!layout == !found, "type %u", type);
		if (layout)
			ck_assert_msg(found->size == layout->size_min, "%s: %zu", layout->name,
				      found->size);
	}
}
END_TEST

START_TEST(definition_sizes)
{
	static const struct type_size sizes[] = {
		{PK_SESSION, sizeof(struct pk_record_session)},
		{PK_STAGE, sizeof(struct pk_record_stage)},
		{PK_ORDER, sizeof(struct pk_record_order)},
		{PK_STRING, sizeof(struct pk_record_string)},
		{PK_DSO, sizeof(struct pk_record_dso)},
		{PK_FRAME, sizeof(struct pk_record_frame)},
		{PK_STACK, sizeof(struct pk_record_stack)},
		{PK_LOSS, sizeof(struct pk_record_loss)},
		{PK_RESET, sizeof(struct pk_record_reset)},
		{PK_FINISH, sizeof(struct pk_record_finish)},
		{PK_IMAGE, sizeof(struct pk_record_image)},
		{PK_SYMBOLS, sizeof(struct pk_record_symbols)},
		{PK_SOURCE, sizeof(struct pk_record_source)},
		{PK_FORGET, sizeof(struct pk_record_forget)},
		{PK_FEATURE_PART, sizeof(struct pk_record_feature_part)},
		{PK_ARGUMENTS, sizeof(struct pk_record_arguments)},
		{PK_LABEL, sizeof(struct pk_record_label)},
		{PK_RATE, sizeof(struct pk_record_rate)},
	};

	for (unsigned int kind = PK_SESSION; kind <= PK_RATE; kind++) {
		const struct pk_record_layout *layout = pk_definition_layout(kind);
		const struct type_size *found = size_of(sizes, COUNT(sizes), kind);
		const size_t head = sizeof(struct pk_definition_head) - sizeof(struct perf_header);
		const size_t text = strchr(layout->letters, 's') ? 1 : 0;

		ck_assert_msg(found && found->size == head + least_size(layout->letters) - text,
			      "%s", layout->name);
	}
}
END_TEST

struct field {
	unsigned int type;
	const char *name;
	size_t offset;
};

/* FIELD() is a member of a struct. ENTRY() is a member of the first entry of an array in a struct.
 */
#define FIELD(kind, type, member)                                                                  \
	{                                                                                          \
		kind, #member, offsetof(struct type, member)                                       \
	}
#define ENTRY(kind, type, list, entry, member)                                                     \
	{                                                                                          \
		kind, #member, offsetof(struct type, list) + offsetof(struct entry, member)        \
	}

static const struct field record_fields[] = {
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, pid),
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, tid),
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, addr),
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, len),
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, pgoff),
	FIELD(PERF_RECORD_MMAP, perf_record_mmap, filename),
	FIELD(PERF_RECORD_LOST, perf_record_lost, id),
	FIELD(PERF_RECORD_LOST, perf_record_lost, lost),
	FIELD(PERF_RECORD_COMM, perf_record_comm, pid),
	FIELD(PERF_RECORD_COMM, perf_record_comm, tid),
	FIELD(PERF_RECORD_COMM, perf_record_comm, comm),
	FIELD(PERF_RECORD_EXIT, perf_record_task, pid),
	FIELD(PERF_RECORD_EXIT, perf_record_task, ppid),
	FIELD(PERF_RECORD_EXIT, perf_record_task, tid),
	FIELD(PERF_RECORD_EXIT, perf_record_task, ptid),
	FIELD(PERF_RECORD_EXIT, perf_record_task, time),
	FIELD(PERF_RECORD_FORK, perf_record_task, pid),
	FIELD(PERF_RECORD_FORK, perf_record_task, ppid),
	FIELD(PERF_RECORD_FORK, perf_record_task, tid),
	FIELD(PERF_RECORD_FORK, perf_record_task, ptid),
	FIELD(PERF_RECORD_FORK, perf_record_task, time),
	FIELD(PERF_RECORD_THROTTLE, perf_record_throttle, time),
	FIELD(PERF_RECORD_THROTTLE, perf_record_throttle, id),
	FIELD(PERF_RECORD_THROTTLE, perf_record_throttle, stream_id),
	FIELD(PERF_RECORD_UNTHROTTLE, perf_record_throttle, time),
	FIELD(PERF_RECORD_UNTHROTTLE, perf_record_throttle, id),
	FIELD(PERF_RECORD_UNTHROTTLE, perf_record_throttle, stream_id),
	FIELD(PERF_RECORD_READ, perf_record_read, pid),
	FIELD(PERF_RECORD_READ, perf_record_read, tid),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, pid),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, tid),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, addr),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, len),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, pgoff),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, maj),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, min),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, ino),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, ino_generation),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, prot),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, flags),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, filename),
	FIELD(PERF_RECORD_AUX, perf_record_aux, aux_offset),
	FIELD(PERF_RECORD_AUX, perf_record_aux, aux_size),
	FIELD(PERF_RECORD_AUX, perf_record_aux, flags),
	FIELD(PERF_RECORD_ITRACE_START, perf_record_itrace_start, pid),
	FIELD(PERF_RECORD_ITRACE_START, perf_record_itrace_start, tid),
	FIELD(PERF_RECORD_LOST_SAMPLES, perf_record_lost_samples, lost),
	FIELD(PERF_RECORD_SWITCH_CPU_WIDE, perf_record_switch_cpu_wide, next_prev_pid),
	FIELD(PERF_RECORD_SWITCH_CPU_WIDE, perf_record_switch_cpu_wide, next_prev_tid),
	FIELD(PERF_RECORD_NAMESPACES, perf_record_namespaces, pid),
	FIELD(PERF_RECORD_NAMESPACES, perf_record_namespaces, tid),
	FIELD(PERF_RECORD_NAMESPACES, perf_record_namespaces, nr),
	{PERF_RECORD_NAMESPACES, "namespace", offsetof(struct perf_record_namespaces, namespaces)},
	ENTRY(PERF_RECORD_NAMESPACES, perf_record_namespaces, namespaces, perf_namespace, dev),
	ENTRY(PERF_RECORD_NAMESPACES, perf_record_namespaces, namespaces, perf_namespace, ino),
	FIELD(PERF_RECORD_KSYMBOL, perf_record_ksymbol, addr),
	FIELD(PERF_RECORD_KSYMBOL, perf_record_ksymbol, len),
	FIELD(PERF_RECORD_KSYMBOL, perf_record_ksymbol, ksym_type),
	FIELD(PERF_RECORD_KSYMBOL, perf_record_ksymbol, flags),
	FIELD(PERF_RECORD_KSYMBOL, perf_record_ksymbol, name),
	{PERF_RECORD_BPF_EVENT, "bpf_type", offsetof(struct perf_record_bpf_event, type)},
	FIELD(PERF_RECORD_BPF_EVENT, perf_record_bpf_event, flags),
	{PERF_RECORD_BPF_EVENT, "prog_id", offsetof(struct perf_record_bpf_event, id)},
	FIELD(PERF_RECORD_BPF_EVENT, perf_record_bpf_event, tag),
	FIELD(PERF_RECORD_CGROUP, perf_record_cgroup, id),
	FIELD(PERF_RECORD_CGROUP, perf_record_cgroup, path),
	FIELD(PERF_RECORD_TEXT_POKE, perf_record_text_poke, addr),
	FIELD(PERF_RECORD_AUX_OUTPUT_HW_ID, perf_record_aux_output_hw_id, hw_id),
	FIELD(PERF_RECORD_CALLCHAIN_DEFERRED, perf_record_callchain_deferred, cookie),
	FIELD(PERF_RECORD_CALLCHAIN_DEFERRED, perf_record_callchain_deferred, nr),
	FIELD(PERF_RECORD_CALLCHAIN_DEFERRED, perf_record_callchain_deferred, ips),
	FIELD(PERF_RECORD_HEADER_EVENT_TYPE, perf_record_event_type, event_id),
	{PERF_RECORD_HEADER_TRACING_DATA, "payload_size",
	 offsetof(struct perf_record_tracing_data, size)},
	FIELD(PERF_RECORD_HEADER_BUILD_ID, perf_record_build_id, pid),
	FIELD(PERF_RECORD_ID_INDEX, perf_record_id_index, nr),
	{PERF_RECORD_ID_INDEX, "entry", offsetof(struct perf_record_id_index, entries)},
	ENTRY(PERF_RECORD_ID_INDEX, perf_record_id_index, entries, perf_id_entry, id),
	ENTRY(PERF_RECORD_ID_INDEX, perf_record_id_index, entries, perf_id_entry, idx),
	ENTRY(PERF_RECORD_ID_INDEX, perf_record_id_index, entries, perf_id_entry, cpu),
	ENTRY(PERF_RECORD_ID_INDEX, perf_record_id_index, entries, perf_id_entry, tid),
	{PERF_RECORD_AUXTRACE_INFO, "aux_type", offsetof(struct perf_record_auxtrace_info, type)},
	FIELD(PERF_RECORD_AUXTRACE_INFO, perf_record_auxtrace_info, priv),
	{PERF_RECORD_AUXTRACE, "payload_size", offsetof(struct perf_record_auxtrace, size)},
	{PERF_RECORD_AUXTRACE, "aux_offset", offsetof(struct perf_record_auxtrace, offset)},
	FIELD(PERF_RECORD_AUXTRACE, perf_record_auxtrace, reference),
	FIELD(PERF_RECORD_AUXTRACE, perf_record_auxtrace, idx),
	FIELD(PERF_RECORD_AUXTRACE, perf_record_auxtrace, tid),
	FIELD(PERF_RECORD_AUXTRACE, perf_record_auxtrace, cpu),
	{PERF_RECORD_AUXTRACE_ERROR, "error_type",
	 offsetof(struct perf_record_auxtrace_error, type)},
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, code),
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, cpu),
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, pid),
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, tid),
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, fmt),
	FIELD(PERF_RECORD_AUXTRACE_ERROR, perf_record_auxtrace_error, ip),
	FIELD(PERF_RECORD_THREAD_MAP, perf_record_thread_map, nr),
	{PERF_RECORD_THREAD_MAP, "entry", offsetof(struct perf_record_thread_map, entries)},
	ENTRY(PERF_RECORD_THREAD_MAP, perf_record_thread_map, entries, perf_thread_map_entry, pid),
	ENTRY(PERF_RECORD_THREAD_MAP, perf_record_thread_map, entries, perf_thread_map_entry, comm),
	FIELD(PERF_RECORD_STAT_CONFIG, perf_record_stat_config, nr),
	{PERF_RECORD_STAT_CONFIG, "term", offsetof(struct perf_record_stat_config, terms)},
	ENTRY(PERF_RECORD_STAT_CONFIG, perf_record_stat_config, terms, perf_stat_term, tag),
	ENTRY(PERF_RECORD_STAT_CONFIG, perf_record_stat_config, terms, perf_stat_term, value),
	FIELD(PERF_RECORD_STAT, perf_record_stat, id),
	FIELD(PERF_RECORD_STAT, perf_record_stat, cpu),
	FIELD(PERF_RECORD_STAT, perf_record_stat, thread),
	FIELD(PERF_RECORD_STAT, perf_record_stat, value),
	FIELD(PERF_RECORD_STAT, perf_record_stat, enabled),
	FIELD(PERF_RECORD_STAT, perf_record_stat, running),
	{PERF_RECORD_STAT_ROUND, "kind", offsetof(struct perf_record_stat_round, type)},
	FIELD(PERF_RECORD_STAT_ROUND, perf_record_stat_round, time),
	{PERF_RECORD_EVENT_UPDATE, "subtype", offsetof(struct perf_record_event_update, type)},
	FIELD(PERF_RECORD_EVENT_UPDATE, perf_record_event_update, id),
	{PERF_RECORD_TIME_CONV, "shift", offsetof(struct perf_record_time_conv, time_shift)},
	{PERF_RECORD_TIME_CONV, "mult", offsetof(struct perf_record_time_conv, time_mult)},
	{PERF_RECORD_TIME_CONV, "zero", offsetof(struct perf_record_time_conv, time_zero)},
	{PERF_RECORD_TIME_CONV, "cycles", offsetof(struct perf_record_time_conv_long, time_cycles)},
	{PERF_RECORD_TIME_CONV, "mask", offsetof(struct perf_record_time_conv_long, time_mask)},
	{PERF_RECORD_TIME_CONV, "cap_time_zero",
	 offsetof(struct perf_record_time_conv_long, cap_user_time_zero)},
	{PERF_RECORD_TIME_CONV, "cap_time_short",
	 offsetof(struct perf_record_time_conv_long, cap_user_time_short)},
	FIELD(PERF_RECORD_COMPRESSED2, perf_record_compressed2, data_size),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, time),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, cpu),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, version),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, yld_count),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, array_exp),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, sched_count),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, sched_goidle),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, ttwu_count),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, ttwu_local),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, rq_cpu_time),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, run_delay),
	FIELD(PERF_RECORD_SCHEDSTAT_CPU, perf_record_schedstat_cpu, pcount),
	FIELD(PERF_RECORD_SCHEDSTAT_DOMAIN, perf_record_schedstat_domain, time),
	FIELD(PERF_RECORD_SCHEDSTAT_DOMAIN, perf_record_schedstat_domain, cpu),
	FIELD(PERF_RECORD_SCHEDSTAT_DOMAIN, perf_record_schedstat_domain, version),
	FIELD(PERF_RECORD_SCHEDSTAT_DOMAIN, perf_record_schedstat_domain, domain),
	{PERF_RECORD_SCHEDSTAT_DOMAIN, "counter",
	 offsetof(struct perf_record_schedstat_domain, counters)},
};

static const struct field build_id_fields[] = {
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, pid),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, tid),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, addr),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, len),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, pgoff),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, build_id_size),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, build_id),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, prot),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, flags),
	FIELD(PERF_RECORD_MMAP2, perf_record_mmap2, filename),
};

static const struct field definition_fields[] = {
	FIELD(PK_SESSION, pk_record_session, version),
	FIELD(PK_SESSION, pk_record_session, byte_order),
	FIELD(PK_SESSION, pk_record_session, word_size),
	FIELD(PK_SESSION, pk_record_session, trailers),
	FIELD(PK_SESSION, pk_record_session, e_machine),
	FIELD(PK_STAGE, pk_record_stage, id),
	FIELD(PK_STAGE, pk_record_stage, parent),
	FIELD(PK_STAGE, pk_record_stage, time),
	FIELD(PK_STAGE, pk_record_stage, argc),
	FIELD(PK_ORDER, pk_record_order, kind),
	FIELD(PK_ORDER, pk_record_order, clockid),
	FIELD(PK_STRING, pk_record_string, id),
	FIELD(PK_STRING, pk_record_string, length),
	FIELD(PK_DSO, pk_record_dso, id),
	FIELD(PK_DSO, pk_record_dso, kind),
	FIELD(PK_DSO, pk_record_dso, path),
	FIELD(PK_DSO, pk_record_dso, build_id_size),
	FIELD(PK_DSO, pk_record_dso, build_id),
	FIELD(PK_FRAME, pk_record_frame, id),
	FIELD(PK_FRAME, pk_record_frame, dso),
	FIELD(PK_FRAME, pk_record_frame, function),
	FIELD(PK_FRAME, pk_record_frame, file),
	FIELD(PK_FRAME, pk_record_frame, line),
	FIELD(PK_FRAME, pk_record_frame, column),
	FIELD(PK_STACK, pk_record_stack, id),
	FIELD(PK_STACK, pk_record_stack, parent),
	FIELD(PK_STACK, pk_record_stack, frame),
	FIELD(PK_STACK, pk_record_stack, inner),
	FIELD(PK_LOSS, pk_record_loss, stage),
	FIELD(PK_RESET, pk_record_reset, what),
	FIELD(PK_FINISH, pk_record_finish, records),
	FIELD(PK_FINISH, pk_record_finish, samples),
	FIELD(PK_IMAGE, pk_record_image, id),
	FIELD(PK_IMAGE, pk_record_image, kind),
	FIELD(PK_IMAGE, pk_record_image, pid),
	FIELD(PK_IMAGE, pk_record_image, build_id_size),
	FIELD(PK_IMAGE, pk_record_image, build_id),
	FIELD(PK_IMAGE, pk_record_image, path),
	FIELD(PK_SYMBOLS, pk_record_symbols, image),
	FIELD(PK_SYMBOLS, pk_record_symbols, count),
	FIELD(PK_SOURCE, pk_record_source, image),
	FIELD(PK_SOURCE, pk_record_source, count),
	FIELD(PK_SOURCE, pk_record_source, address),
	FIELD(PK_ARGUMENTS, pk_record_arguments, event),
	FIELD(PK_ARGUMENTS, pk_record_arguments, count),
	FIELD(PK_ARGUMENTS, pk_record_arguments, stack),
	FIELD(PK_ARGUMENTS, pk_record_arguments, byte_order),
	FIELD(PK_RATE, pk_record_rate, event),
	FIELD(PK_RATE, pk_record_rate, frequency),
	FIELD(PK_RATE, pk_record_rate, cause),
};

static bool is_field(const struct field *fields, size_t count, unsigned int type, const char *name,
		     size_t offset)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].type == type && !strcmp(fields[i].name, name) &&
		    fields[i].offset == offset)
			return true;
	return false;
}

/* Checks that each named field of the layout is a member of the struct, at the same offset. */
static void check_fields(const struct pk_record_layout *layout, unsigned int type, size_t offset,
			 const struct field *fields, size_t count)
{
	char names[256], *name;

	snprintf(names, sizeof(names), "%s", layout->fields);
	if (strchr(layout->letters, 't')) /* strings are not members of a struct */
		return;
	name = strtok(names, " ");
	for (const char *p = layout->letters; *p && *p != '|'; p++) {
		if (!strchr(".?nm*/-)}", *p)) {
			ck_assert_ptr_nonnull(name);
			ck_assert_msg(!strcmp(name, ".") ||
					      is_field(fields, count, type, name, offset),
				      "%s: %s at %zu", layout->name, name, offset);
			name = strtok(NULL, " ");
		}
		offset += pk_letter_size(*p);
	}
	ck_assert_ptr_null(name);
}

START_TEST(offsets)
{
	const struct pk_record_layout *layout;

	for (uint32_t type = 0; type < PERF_RECORD_USER_MAX; type++) {
		layout = pk_record_layout(type, MISC_NONE);
		if (layout)
			check_fields(layout, type, sizeof(struct perf_header), record_fields,
				     COUNT(record_fields));
	}
	layout = pk_record_layout(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);
	check_fields(layout, PERF_RECORD_MMAP2, sizeof(struct perf_header), build_id_fields,
		     COUNT(build_id_fields));
	for (unsigned int kind = PK_SESSION; kind <= PK_RATE; kind++)
		check_fields(pk_definition_layout(kind), kind, sizeof(struct pk_definition_head),
			     definition_fields, COUNT(definition_fields));
}
END_TEST

START_TEST(definitions_and_features)
{
	for (unsigned int kind = PK_SESSION; kind <= PK_RATE; kind++)
		check(pk_definition_layout(kind));
	ck_assert_ptr_null(pk_definition_layout(PK_DEFINITION_NONE));
	ck_assert_ptr_null(pk_definition_layout(PK_RATE + 1));
	for (uint64_t feature = 1; feature < PERF_FEATURE_MAX; feature++)
		if (pk_feature_layout(feature))
			check(pk_feature_layout(feature));
	ck_assert_ptr_null(pk_feature_layout(0));
	ck_assert_ptr_null(pk_feature_layout(PERF_FEATURE_MAX));
}
END_TEST

RUN_TESTS("record_layout", records, record_sizes, definition_sizes, offsets,
	  definitions_and_features)
