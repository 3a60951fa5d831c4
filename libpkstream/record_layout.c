// SPDX-License-Identifier: BSD-2-Clause
/* The layout of each record, definition and feature. struct pk_record_layout in pkprivate.h
 * explains the letters. Sources: SPEC 3.5, 3.6, 6.2 and 9; Linux's include/uapi/linux/perf_event.h
 * and tools/lib/perf/include/perf/event.h. */
#include "pkprivate.h"
#include "records.h"

#define KERNEL_COUNT	 PERF_RECORD_KERNEL_MAX
#define USER_COUNT	 (PERF_RECORD_USER_MAX - PERF_RECORD_USER_START)
#define USER(type)	 [PERF_RECORD_##type - PERF_RECORD_USER_START]
#define FEATURE(feature) [PERF_FEATURE_##feature]

static const struct pk_record_layout kernel_layouts[KERNEL_COUNT] = {
	[PERF_RECORD_MMAP] = {41, "MMAP", "44ddds", "pid tid addr len pgoff filename"},
	[PERF_RECORD_LOST] = {24, "LOST", "88", "id lost"},
	[PERF_RECORD_COMM] = {17, "COMM", "44s", "pid tid comm"},
	[PERF_RECORD_EXIT] = {32, "EXIT", "44448", "pid ppid tid ptid time"},
	[PERF_RECORD_THROTTLE] = {32, "THROTTLE", "888", "time id stream_id"},
	[PERF_RECORD_UNTHROTTLE] = {32, "UNTHROTTLE", "888", "time id stream_id"},
	[PERF_RECORD_FORK] = {32, "FORK", "44448", "pid ppid tid ptid time"},
	/* read_format selects the values, but one value is always present. */
	[PERF_RECORD_READ] = {24, "READ", "44|8*", "pid tid"},
	[PERF_RECORD_SAMPLE] = {8, "SAMPLE", "|", ""},
	[PERF_RECORD_MMAP2] = {73, "MMAP2", "44ddd4488ccs",
			       "pid tid addr len pgoff maj min ino ino_generation prot flags "
			       "filename"},
	[PERF_RECORD_AUX] = {32, "AUX", "ddd", "aux_offset aux_size flags"},
	[PERF_RECORD_ITRACE_START] = {16, "ITRACE_START", "44", "pid tid"},
	[PERF_RECORD_LOST_SAMPLES] = {16, "LOST_SAMPLES", "8", "lost"},
	[PERF_RECORD_SWITCH] = {8, "SWITCH", "", ""},
	[PERF_RECORD_SWITCH_CPU_WIDE] = {16, "SWITCH_CPU_WIDE", "44",
					 "next_prev_pid next_prev_tid"},
	[PERF_RECORD_NAMESPACES] = {24, "NAMESPACES", "448(88)", "pid tid nr namespace dev ino"},
	[PERF_RECORD_KSYMBOL] = {25, "KSYMBOL", "d42bs", "addr len ksym_type flags name"},
	[PERF_RECORD_BPF_EVENT] = {24, "BPF_EVENT", "2b4y", "bpf_type flags prog_id tag"},
	[PERF_RECORD_CGROUP] = {17, "CGROUP", "8s", "id path"},
	[PERF_RECORD_TEXT_POKE] = {20, "TEXT_POKE", "d|22-", "addr"},
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = {16, "AUX_OUTPUT_HW_ID", "d", "hw_id"},
	[PERF_RECORD_CALLCHAIN_DEFERRED] = {24, "CALLCHAIN_DEFERRED", "d8(d)", "cookie nr ips ."},
};

/* The MMAP2 with a build-id (PERF_RECORD_MISC_MMAP_BUILD_ID). */
static const struct pk_record_layout mmap2_build_id = {
	73, "MMAP2", "44ddd1...xccs",
	"pid tid addr len pgoff build_id_size build_id prot flags filename"};

/* The MMAP2 without prot and flags: see pk_mmap2_lacks_prot(). */
static const struct pk_record_layout mmap2_rhel = {
	65, "MMAP2", "44dddcc88s", "pid tid addr len pgoff maj min ino ino_generation filename"};

static const struct pk_record_layout user_layouts[USER_COUNT] = {
	/* The record has an attr of at least PERF_ATTR_SIZE_VER0 bytes, and then ids. */
	USER(HEADER_ATTR) = {72, "HEADER_ATTR", "|4488888448", ""},
	USER(HEADER_EVENT_TYPE) = {16, "HEADER_EVENT_TYPE", "8|-", "event_id"},
	USER(HEADER_TRACING_DATA) = {12, "TRACING_DATA", "4-", "payload_size"},
	USER(HEADER_BUILD_ID) = {36, "HEADER_BUILD_ID", "i|x1...-", "pid"},
	USER(FINISHED_ROUND) = {8, "FINISHED_ROUND", "", ""},
	USER(ID_INDEX) = {16, "ID_INDEX", "8(88jj)|*", "nr entry id idx cpu tid"},
	USER(AUXTRACE_INFO) = {16, "AUXTRACE_INFO", "4n{d}", "aux_type priv ."},
	USER(AUXTRACE) = {48, "AUXTRACE", "8dd4iin",
			  "payload_size aux_offset reference idx tid cpu"},
	/* If fmt is 0, there is no time before the text. */
	USER(AUXTRACE_ERROR) = {49, "AUXTRACE_ERROR", "444444d|........-",
				"error_type code cpu pid tid fmt ip"},
	USER(THREAD_MAP) = {16, "THREAD_MAP", "8(jz)", "nr entry pid comm"},
	USER(CPU_MAP) = {12, "CPU_MAP", "|22-", ""},
	USER(STAT_CONFIG) = {16, "STAT_CONFIG", "8(88)", "nr term tag value"},
	USER(STAT) = {48, "STAT", "8ii888", "id cpu thread value enabled running"},
	USER(STAT_ROUND) = {24, "STAT_ROUND", "88", "kind time"},
	USER(EVENT_UPDATE) = {24, "EVENT_UPDATE", "d8|-", "subtype id"},
	USER(TIME_CONV) = {32, "TIME_CONV", "888?8d11......",
			   "shift mult zero cycles mask cap_time_zero cap_time_short"},
	USER(HEADER_FEATURE) = {16, "HEADER_FEATURE", "|8-", ""},
	USER(COMPRESSED) = {8, "COMPRESSED", "-", ""},
	USER(FINISHED_INIT) = {8, "FINISHED_INIT", "", ""},
	USER(COMPRESSED2) = {16, "COMPRESSED2", "8-", "data_size"},
	USER(BPF_METADATA) = {528, "BPF_METADATA", "|", ""},
	USER(SCHEDSTAT_CPU) = {24, "SCHEDSTAT_CPU", "842..?444444888",
			       "time cpu version yld_count array_exp sched_count sched_goidle "
			       "ttwu_count ttwu_local rq_cpu_time run_delay pcount"},
	USER(SCHEDSTAT_DOMAIN) = {24, "SCHEDSTAT_DOMAIN", "8422{4}",
				  "time cpu version domain counter ."},
};

/* Layouts of pk's definitions. They start after the subtype and the id of the EVENT_UPDATE. */
static const struct pk_record_layout definition_layouts[] = {
	[PK_SESSION] = {0, "SESSION", "211ccn", "version byte_order word_size trailers e_machine"},
	[PK_STAGE] = {0, "STAGE", "4484n|-", "id parent time argc"},
	[PK_ORDER] = {0, "ORDER", "4i", "kind clockid"},
	[PK_STRING] = {0, "STRING", "44|-", "id length"},
	[PK_DSO] = {0, "DSO", "4444x....", "id kind path build_id_size build_id"},
	[PK_FRAME] = {0, "FRAME", "444444|4n88", "id dso function file line column"},
	[PK_STACK] = {0, "STACK", "444n(4)", "id parent frame inner ."},
	[PK_LOSS] = {0, "LOSS", "4|488", "stage"},
	[PK_RESET] = {0, "RESET", "cn", "what"},
	[PK_FINISH] = {0, "END", "88", "records samples"},
	[PK_IMAGE] = {0, "IMAGE", "4444xns", "id kind pid build_id_size build_id path"},
	[PK_SYMBOLS] = {0, "SYMBOLS", "44|-", "image count"},
	[PK_SOURCE] = {0, "SOURCE", "44d|-", "image count address"},
	[PK_FORGET] = {0, "FORGET", "nn", ""},
	[PK_FEATURE_PART] = {0, "FEATURE_PART", "|4488-", ""},
	[PK_ARGUMENTS] = {0, "ARGUMENTS", "8411..|-", "event count stack byte_order"},
	[PK_LABEL] = {0, "LABEL", "tt", "name value"},
	[PK_RATE] = {0, "RATE", "844", "event frequency cause"},
};

static const struct pk_record_layout feature_layouts[PERF_FEATURE_MAX] = {
	FEATURE(HOSTNAME) = {0, "HOSTNAME", "t", "hostname"},
	FEATURE(OSRELEASE) = {0, "OSRELEASE", "t", "osrelease"},
	FEATURE(VERSION) = {0, "VERSION", "t", "version"},
	FEATURE(ARCH) = {0, "ARCH", "t", "arch"},
	FEATURE(NRCPUS) = {0, "NRCPUS", "44", "available online"},
	FEATURE(CPUDESC) = {0, "CPUDESC", "t", "cpudesc"},
	FEATURE(CPUID) = {0, "CPUID", "t", "cpuid"},
	FEATURE(TOTAL_MEM) = {0, "TOTAL_MEM", "8", "kib"},
	FEATURE(CMDLINE) = {0, "CMDLINE", "n(t)", "argv ."},
	FEATURE(EVENT_DESC) = {0, "EVENT_DESC", "|", ""},
	FEATURE(CPU_TOPOLOGY) = {0, "CPU_TOPOLOGY", "|", ""},
	FEATURE(NUMA_TOPOLOGY) = {0, "NUMA_TOPOLOGY", "n(488t)", "node node total free cpus"},
	FEATURE(PMU_MAPPINGS) = {0, "PMU_MAPPINGS", "n(4t)", "pmu type name"},
	FEATURE(GROUP_DESC) = {0, "GROUP_DESC", "n(t44)", "group name leader members"},
	FEATURE(AUXTRACE) = {0, "AUXTRACE", "m(d8)", "entry offset size"},
	FEATURE(CACHE) = {0, "CACHE", "4n(4444ttt)",
			  "version cache level line_size sets ways type size cpus"},
	FEATURE(SAMPLE_TIME) = {0, "SAMPLE_TIME", "88", "first last"},
	FEATURE(MEM_TOPOLOGY) = {0, "MEM_TOPOLOGY", "8d|*", "version block_size"},
	FEATURE(CLOCKID) = {0, "CLOCKID", "8", "resolution"},
	FEATURE(DIR_FORMAT) = {0, "DIR_FORMAT", "8", "version"},
	FEATURE(BPF_PROG_INFO) = {0, "BPF_PROG_INFO", "|", ""},
	FEATURE(BPF_BTF) = {0, "BPF_BTF", "|n(4t)", ""}, /* a list of u32 id, u32 size and data */
	FEATURE(COMPRESSED) = {0, "COMPRESSED", "44444", "version type level ratio mmap_len"},
	FEATURE(CPU_PMU_CAPS) = {0, "CPU_PMU_CAPS", "n(tt)", "cap name value"},
	FEATURE(CLOCK_DATA) = {0, "CLOCK_DATA", "4488", "version clockid wall_ns clockid_ns"},
	FEATURE(HYBRID_TOPOLOGY) = {0, "HYBRID_TOPOLOGY", "n(tt)", "pmu name cpus"},
	FEATURE(PMU_CAPS) = {0, "PMU_CAPS", "|n(n(tt)t)", ""},
	FEATURE(CPU_DOMAIN_INFO) = {0, "CPU_DOMAIN_INFO", "|", ""},
	FEATURE(E_MACHINE) = {0, "E_MACHINE", "4c", "e_machine e_flags"},
	FEATURE(CLN_SIZE) = {0, "CLN_SIZE", "4", "size"},
};

static const struct pk_record_layout *at(const struct pk_record_layout *layouts, size_t count,
					 uint64_t index)
{
	return index < count && layouts[index].name ? &layouts[index] : NULL;
}

const struct pk_record_layout *pk_record_layout(uint32_t type, uint16_t misc)
{
	if (type == PERF_RECORD_MMAP2 && misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return &mmap2_build_id;
	return type < PERF_RECORD_USER_START
		       ? at(kernel_layouts, KERNEL_COUNT, type)
		       : at(user_layouts, USER_COUNT, type - PERF_RECORD_USER_START);
}

const struct pk_record_layout *pk_layout_of_record(const struct pk_record *record)
{
	uint16_t misc = record->misc;

	if (record->type == PERF_RECORD_MMAP2 && pk_mmap2_lacks_prot(record))
		return &mmap2_rhel;
	if (record->type == PERF_RECORD_MMAP2 && !pk_mmap2_has_build_id(record))
		misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	return pk_record_layout(record->type, misc);
}

const struct pk_record_layout *pk_definition_layout(unsigned int kind)
{
	return at(definition_layouts, sizeof(definition_layouts) / sizeof(*definition_layouts),
		  kind);
}

const struct pk_record_layout *pk_feature_layout(uint64_t feature)
{
	return at(feature_layouts, PERF_FEATURE_MAX, feature);
}

size_t pk_letter_size(char letter)
{
	switch (letter) {
	case '1':
	case 'a':
	case '.': return 1;
	case '2':
	case 'b': return 2;
	case '4':
	case 'c':
	case 'i':
	case 'n': return 4;
	case '8':
	case 'd':
	case 'j':
	case 'm':
	case 'y': return 8;
	case 'z': return 16;
	case 'x': return PK_BUILD_ID_MAX;
	default: return 0;
	}
}

unsigned int pk_record_unit(uint32_t type)
{
	static const uint8_t units[KERNEL_COUNT] = {
		[PERF_RECORD_MMAP] = 1,
		[PERF_RECORD_COMM] = 1,
		[PERF_RECORD_MMAP2] = 1,
		[PERF_RECORD_NAMESPACES] = 16,
		[PERF_RECORD_KSYMBOL] = 1,
		[PERF_RECORD_CGROUP] = 1,
		[PERF_RECORD_CALLCHAIN_DEFERRED] = 8,
	};

	return type < KERNEL_COUNT ? units[type] : 0;
}

uint16_t pk_record_size_min(uint32_t type)
{
	const struct pk_record_layout *layout =
		type == PERF_RECORD_MMAP2 ? &mmap2_rhel : pk_record_layout(type, 0);

	return layout ? layout->size_min : sizeof(struct perf_header);
}

/* Returns true if a stream or a zstd frame can start with the bytes of the type, in either byte
 * order (SPEC 10.2). */
bool pk_record_type_reserved(uint32_t type)
{
	const uint32_t either[] = {type, __builtin_bswap32(type)};

	for (int i = 0; i < 2; i++)
		if (either[i] == UINT32_C(0x46524550) || either[i] == UINT32_C(0x494c4532) ||
		    either[i] == UINT32_C(0xfd2fb528) || either[i] >> 4 == UINT32_C(0x184d2a5))
			return true;
	return false;
}
