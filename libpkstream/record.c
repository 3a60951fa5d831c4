// SPDX-License-Identifier: BSD-2-Clause
#include "stream_internal.h"

/* SPEC 3.5 and 3.6: what each type cannot do without, header included, trailer not. */
static const uint16_t kernel_size_min[PERF_RECORD_KERNEL_MAX] = {
	[PERF_RECORD_MMAP] = 41,
	[PERF_RECORD_LOST] = 24,
	[PERF_RECORD_COMM] = 17,
	[PERF_RECORD_EXIT] = 32,
	[PERF_RECORD_THROTTLE] = 32,
	[PERF_RECORD_UNTHROTTLE] = 32,
	[PERF_RECORD_FORK] = 32,
	[PERF_RECORD_READ] = 24,
	[PERF_RECORD_SAMPLE] = 8,
	[PERF_RECORD_MMAP2] = 73,
	[PERF_RECORD_AUX] = 32,
	[PERF_RECORD_ITRACE_START] = 16,
	[PERF_RECORD_LOST_SAMPLES] = 16,
	[PERF_RECORD_SWITCH] = 8,
	[PERF_RECORD_SWITCH_CPU_WIDE] = 16,
	[PERF_RECORD_NAMESPACES] = 24,
	[PERF_RECORD_KSYMBOL] = 25,
	[PERF_RECORD_BPF_EVENT] = 24,
	[PERF_RECORD_CGROUP] = 17,
	[PERF_RECORD_TEXT_POKE] = 20,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = 16,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = 24,
};

static const uint16_t user_size_min[PERF_RECORD_USER_MAX - PERF_RECORD_USER_START] = {
	[PERF_RECORD_HEADER_ATTR - 64] = 8 + PERF_ATTR_SIZE_VER0,
	[PERF_RECORD_HEADER_EVENT_TYPE - 64] = 16,
	[PERF_RECORD_HEADER_TRACING_DATA - 64] = 12,
	[PERF_RECORD_HEADER_BUILD_ID - 64] = 36,
	[PERF_RECORD_FINISHED_ROUND - 64] = 8,
	[PERF_RECORD_ID_INDEX - 64] = 16,
	[PERF_RECORD_AUXTRACE_INFO - 64] = 16,
	[PERF_RECORD_AUXTRACE - 64] = 48,
	[PERF_RECORD_AUXTRACE_ERROR - 64] = 49,
	[PERF_RECORD_THREAD_MAP - 64] = 16,
	[PERF_RECORD_CPU_MAP - 64] = 12,
	[PERF_RECORD_STAT_CONFIG - 64] = 16,
	[PERF_RECORD_STAT - 64] = 48,
	[PERF_RECORD_STAT_ROUND - 64] = 24,
	[PERF_RECORD_EVENT_UPDATE - 64] = 24,
	[PERF_RECORD_TIME_CONV - 64] = 32,
	[PERF_RECORD_HEADER_FEATURE - 64] = 16,
	[PERF_RECORD_COMPRESSED - 64] = 8,
	[PERF_RECORD_FINISHED_INIT - 64] = 8,
	[PERF_RECORD_COMPRESSED2 - 64] = 16,
	[PERF_RECORD_BPF_METADATA - 64] = 528,
	[PERF_RECORD_SCHEDSTAT_CPU - 64] = 24,
	[PERF_RECORD_SCHEDSTAT_DOMAIN - 64] = 24,
};

uint16_t pk_record_size_min(uint32_t type)
{
	uint16_t size = 0;

	if (type < PERF_RECORD_KERNEL_MAX)
		size = kernel_size_min[type];
	else if (type >= PERF_RECORD_USER_START && type < PERF_RECORD_USER_MAX)
		size = user_size_min[type - PERF_RECORD_USER_START];
	return size ? size : sizeof(struct perf_header);
}

bool pk_record_type_reserved(uint32_t type)
{
	const uint32_t either[] = {type, __builtin_bswap32(type)};

	for (int i = 0; i < 2; i++)
		if (either[i] == UINT32_C(0x46524550) || either[i] == UINT32_C(0x494c4532) ||
		    either[i] == UINT32_C(0xfd2fb528) || either[i] >> 4 == UINT32_C(0x184d2a5))
			return true;
	return false;
}

bool pk_record_type_known(uint32_t type)
{
	return (type > 0 && type < PERF_RECORD_KERNEL_MAX) ||
	       (type >= PERF_RECORD_USER_START && type < PERF_RECORD_USER_MAX);
}
