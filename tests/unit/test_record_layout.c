// SPDX-License-Identifier: BSD-2-Clause
/* The table of layouts agrees with itself. */
#include "stream_builder.h"
#include "stream_internal.h"

#define MISC_NONE 0

/* The fields that have a name: each letter but those that are not printed. */
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

/* The bytes that a record cannot do without. */
static size_t least_size(const char *letters)
{
	size_t size = sizeof(struct perf_header);

	for (; *letters && !strchr("?({", *letters); letters++)
		size += *letters == 's' ? 1 : pk_letter_size(*letters);
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

		ck_assert_uint_eq(pk_record_size_min(type), layout ? layout->size_min : 8);
		if (!layout)
			continue;
		known++;
		check(layout);
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

/* The types of perf_abi.h hold the fixed fields of the layouts. */
START_TEST(types)
{
	static const struct {
		uint32_t type;
		size_t size;
	} records_of[] = {
		{PERF_RECORD_MMAP, sizeof(struct perf_record_mmap) + 1},
		{PERF_RECORD_MMAP2, sizeof(struct perf_record_mmap2) + 1},
		{PERF_RECORD_LOST, sizeof(struct perf_record_lost)},
		{PERF_RECORD_COMM, sizeof(struct perf_record_comm) + 1},
		{PERF_RECORD_EXIT, sizeof(struct perf_record_task)},
		{PERF_RECORD_FORK, sizeof(struct perf_record_task)},
		{PERF_RECORD_ITRACE_START, sizeof(struct perf_record_itrace_start)},
		{PERF_RECORD_LOST_SAMPLES, sizeof(struct perf_record_lost_samples)},
		{PERF_RECORD_SWITCH_CPU_WIDE, sizeof(struct perf_record_switch_cpu_wide)},
		{PERF_RECORD_NAMESPACES, sizeof(struct perf_record_namespaces)},
		{PERF_RECORD_KSYMBOL, sizeof(struct perf_record_ksymbol) + 1},
		{PERF_RECORD_BPF_EVENT, sizeof(struct perf_record_bpf_event)},
		{PERF_RECORD_CGROUP, sizeof(struct perf_record_cgroup) + 1},
		{PERF_RECORD_TEXT_POKE, sizeof(struct perf_record_text_poke)},
		{PERF_RECORD_CALLCHAIN_DEFERRED, sizeof(struct perf_record_callchain_deferred)},
		{PERF_RECORD_HEADER_ATTR,
		 offsetof(struct perf_record_header_attr, attr) + PERF_ATTR_SIZE_VER0},
		{PERF_RECORD_HEADER_TRACING_DATA, sizeof(struct perf_record_tracing_data)},
		{PERF_RECORD_HEADER_BUILD_ID, sizeof(struct perf_record_build_id)},
		{PERF_RECORD_ID_INDEX, sizeof(struct perf_record_id_index)},
		{PERF_RECORD_AUXTRACE, sizeof(struct perf_record_auxtrace)},
		{PERF_RECORD_THREAD_MAP, sizeof(struct perf_record_thread_map)},
		{PERF_RECORD_STAT_CONFIG, sizeof(struct perf_record_stat_config)},
		{PERF_RECORD_STAT, sizeof(struct perf_record_stat)},
		{PERF_RECORD_STAT_ROUND, sizeof(struct perf_record_stat_round)},
		{PERF_RECORD_EVENT_UPDATE, sizeof(struct perf_record_event_update)},
		{PERF_RECORD_TIME_CONV, sizeof(struct perf_record_time_conv)},
		{PERF_RECORD_HEADER_FEATURE, sizeof(struct perf_record_header_feature)},
		{PERF_RECORD_COMPRESSED2, sizeof(struct perf_record_compressed2)},
	};

	for (size_t i = 0; i < COUNT(records_of); i++)
		ck_assert_msg(records_of[i].size == pk_record_size_min(records_of[i].type),
			      "%s: %zu", pk_record_layout(records_of[i].type, MISC_NONE)->name,
			      records_of[i].size);
}
END_TEST

START_TEST(definitions_and_features)
{
	for (unsigned int kind = PK_SESSION; kind <= PK_ARGUMENTS; kind++)
		check(pk_definition_layout(kind));
	ck_assert_ptr_null(pk_definition_layout(PK_DEFINITION_NONE));
	ck_assert_ptr_null(pk_definition_layout(PK_ARGUMENTS + 1));
	for (uint64_t feature = 1; feature < PERF_FEATURE_MAX; feature++)
		if (pk_feature_layout(feature))
			check(pk_feature_layout(feature));
	ck_assert_ptr_null(pk_feature_layout(0));
	ck_assert_ptr_null(pk_feature_layout(PERF_FEATURE_MAX));
}
END_TEST

RUN_TESTS("record_layout", records, types, definitions_and_features)
