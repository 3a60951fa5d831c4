/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PERF_ABI_H
#define PK_PERF_ABI_H

/* Numbers and layouts of perf's record stream. They have fixed widths and do not depend on the
 * kernel headers of the build host. Their sources are perf_event_open(2),
 * include/uapi/linux/perf_event.h and tools/perf/Documentation/perf.data-file-format.txt of
 * Linux 7.2. format/SPEC.md describes them. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PERF_STATIC_ASSERT(...) static_assert(__VA_ARGS__)
#else
#define PERF_STATIC_ASSERT(...) _Static_assert(__VA_ARGS__)
#endif

/* Records need not be aligned. Their types are packed and may alias bytes, so a pointer to the
 * bytes of a record can be converted to a pointer to the type of the record. */
#define PERF_RECORD_TYPE __attribute__((packed, may_alias))

/* The first eight bytes of a stream or file, as a number in the writer's byte order (SPEC 2.1). */
#define PERF_MAGIC2 UINT64_C(0x32454c4946524550) /* "PERFILE2" */
#define PERF_MAGIC1 "PERFFILE" /* perf's old magic; the same bytes in both orders */

#define PERF_PIPE_HEADER_SIZE 16
#define PERF_FILE_HEADER_SIZE 104

/* Every record starts with this header. size is the size of the whole record in bytes, including
 * this header. */
struct PERF_RECORD_TYPE perf_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
};

#define PERF_RECORD_SIZE_MAX 65528 /* the largest multiple of 8 that fits into the member size */

enum perf_record_type {
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_UNTHROTTLE = 6,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_READ = 8,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_AUX = 11,
	PERF_RECORD_ITRACE_START = 12,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_SWITCH = 14,
	PERF_RECORD_SWITCH_CPU_WIDE = 15,
	PERF_RECORD_NAMESPACES = 16,
	PERF_RECORD_KSYMBOL = 17,
	PERF_RECORD_BPF_EVENT = 18,
	PERF_RECORD_CGROUP = 19,
	PERF_RECORD_TEXT_POKE = 20,
	PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
	PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	PERF_RECORD_KERNEL_MAX = 23,

	PERF_RECORD_USER_START = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	PERF_RECORD_USER_MAX = 87,
};

/* The low three bits of perf_header.misc are a number, the cpumode. The other bits are flags, whose
 * meaning depends on the record type. */
#define PERF_RECORD_MISC_CPUMODE_MASK		7
#define PERF_RECORD_MISC_CPUMODE_UNKNOWN	0
#define PERF_RECORD_MISC_KERNEL			1
#define PERF_RECORD_MISC_USER			2
#define PERF_RECORD_MISC_HYPERVISOR		3
#define PERF_RECORD_MISC_GUEST_KERNEL		4
#define PERF_RECORD_MISC_GUEST_USER		5
#define PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT (1 << 12)
#define PERF_RECORD_MISC_MMAP_DATA		(1 << 13) /* in MMAP, MMAP2: not executable */
#define PERF_RECORD_MISC_COMM_EXEC		(1 << 13) /* in COMM: name set by an exec */
#define PERF_RECORD_MISC_FORK_EXEC		(1 << 13) /* FORK by a tool: maps not inherited */
#define PERF_RECORD_MISC_SWITCH_OUT		(1 << 13) /* in SWITCH*: the task stops running */
#define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT	(1 << 14)
#define PERF_RECORD_MISC_EXACT_IP		(1 << 14) /* in SAMPLE: the ip is exact */
#define PERF_RECORD_MISC_MMAP_BUILD_ID		(1 << 14) /* in MMAP2: build-id, not inode */
#define PERF_RECORD_MISC_BUILD_ID_SIZE		(1 << 15) /* in HEADER_BUILD_ID: size is valid */
#define PERF_RECORD_MISC_LOST_SAMPLES_BPF	(1 << 15) /* in LOST_SAMPLES: from a BPF filter */

enum perf_type_id {
	PERF_TYPE_HARDWARE = 0,
	PERF_TYPE_SOFTWARE = 1,
	PERF_TYPE_TRACEPOINT = 2,
	PERF_TYPE_HW_CACHE = 3,
	PERF_TYPE_RAW = 4,
	PERF_TYPE_BREAKPOINT = 5,
};

enum perf_sw_id {
	PERF_COUNT_SW_CPU_CLOCK = 0,
	PERF_COUNT_SW_TASK_CLOCK = 1,
	PERF_COUNT_SW_PAGE_FAULTS = 2,
	PERF_COUNT_SW_CONTEXT_SWITCHES = 3,
	PERF_COUNT_SW_CPU_MIGRATIONS = 4,
	PERF_COUNT_SW_PAGE_FAULTS_MIN = 5,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ = 6,
	PERF_COUNT_SW_ALIGNMENT_FAULTS = 7,
	PERF_COUNT_SW_EMULATION_FAULTS = 8,
	PERF_COUNT_SW_DUMMY = 9,
	PERF_COUNT_SW_BPF_OUTPUT = 10,
	PERF_COUNT_SW_CGROUP_SWITCHES = 11,
	PERF_COUNT_SW_MAX = 12,
};

enum perf_hw_id {
	PERF_COUNT_HW_CPU_CYCLES = 0,
	PERF_COUNT_HW_INSTRUCTIONS = 1,
	PERF_COUNT_HW_CACHE_REFERENCES = 2,
	PERF_COUNT_HW_CACHE_MISSES = 3,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS = 4,
	PERF_COUNT_HW_BRANCH_MISSES = 5,
	PERF_COUNT_HW_BUS_CYCLES = 6,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND = 7,
	PERF_COUNT_HW_STALLED_CYCLES_BACKEND = 8,
	PERF_COUNT_HW_REF_CPU_CYCLES = 9,
	PERF_COUNT_HW_MAX = 10,
};

/* Bits of perf_attr.sample_type. The fields of a SAMPLE are not in the order of these bits
 * (SPEC 5.1). */
#define PERF_SAMPLE_IP		   (UINT64_C(1) << 0)
#define PERF_SAMPLE_TID		   (UINT64_C(1) << 1)
#define PERF_SAMPLE_TIME	   (UINT64_C(1) << 2)
#define PERF_SAMPLE_ADDR	   (UINT64_C(1) << 3)
#define PERF_SAMPLE_READ	   (UINT64_C(1) << 4)
#define PERF_SAMPLE_CALLCHAIN	   (UINT64_C(1) << 5)
#define PERF_SAMPLE_ID		   (UINT64_C(1) << 6)
#define PERF_SAMPLE_CPU		   (UINT64_C(1) << 7)
#define PERF_SAMPLE_PERIOD	   (UINT64_C(1) << 8)
#define PERF_SAMPLE_STREAM_ID	   (UINT64_C(1) << 9)
#define PERF_SAMPLE_RAW		   (UINT64_C(1) << 10)
#define PERF_SAMPLE_BRANCH_STACK   (UINT64_C(1) << 11)
#define PERF_SAMPLE_REGS_USER	   (UINT64_C(1) << 12)
#define PERF_SAMPLE_STACK_USER	   (UINT64_C(1) << 13)
#define PERF_SAMPLE_WEIGHT	   (UINT64_C(1) << 14)
#define PERF_SAMPLE_DATA_SRC	   (UINT64_C(1) << 15)
#define PERF_SAMPLE_IDENTIFIER	   (UINT64_C(1) << 16)
#define PERF_SAMPLE_TRANSACTION	   (UINT64_C(1) << 17)
#define PERF_SAMPLE_REGS_INTR	   (UINT64_C(1) << 18)
#define PERF_SAMPLE_PHYS_ADDR	   (UINT64_C(1) << 19)
#define PERF_SAMPLE_AUX		   (UINT64_C(1) << 20)
#define PERF_SAMPLE_CGROUP	   (UINT64_C(1) << 21)
#define PERF_SAMPLE_DATA_PAGE_SIZE (UINT64_C(1) << 22)
#define PERF_SAMPLE_CODE_PAGE_SIZE (UINT64_C(1) << 23)
#define PERF_SAMPLE_WEIGHT_STRUCT  (UINT64_C(1) << 24)
#define PERF_SAMPLE_KNOWN	   ((UINT64_C(1) << 25) - 1)
/* The fields that can be in the trailer of records other than SAMPLE (sample_id_all). */
#define PERF_SAMPLE_ID_ALL                                                                         \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

#define PERF_FORMAT_TOTAL_TIME_ENABLED (UINT64_C(1) << 0)
#define PERF_FORMAT_TOTAL_TIME_RUNNING (UINT64_C(1) << 1)
#define PERF_FORMAT_ID		       (UINT64_C(1) << 2)
#define PERF_FORMAT_GROUP	       (UINT64_C(1) << 3)
#define PERF_FORMAT_LOST	       (UINT64_C(1) << 4)
#define PERF_FORMAT_KNOWN	       ((UINT64_C(1) << 5) - 1)

#define PERF_SAMPLE_BRANCH_ANY	      (UINT64_C(1) << 3)
#define PERF_SAMPLE_BRANCH_CALL_STACK (UINT64_C(1) << 11)
#define PERF_SAMPLE_BRANCH_KINDS      UINT64_C(0x3cf8) /* all bits that select a kind */
#define PERF_SAMPLE_BRANCH_HW_INDEX   (UINT64_C(1) << 17)
#define PERF_SAMPLE_BRANCH_COUNTERS   (UINT64_C(1) << 19)
#define PERF_SAMPLE_BRANCH_KNOWN      ((UINT64_C(1) << 20) - 1)

#define PERF_SAMPLE_REGS_ABI_NONE 0
#define PERF_SAMPLE_REGS_ABI_32	  1
#define PERF_SAMPLE_REGS_ABI_64	  2

/* Bits of perf_attr.flags. The bit numbers are those of a little-endian writer. The reader converts
 * the flags of a big-endian writer to this order. precise_ip has two bits. */
#define PERF_ATTR_DISABLED		   (UINT64_C(1) << 0)
#define PERF_ATTR_INHERIT		   (UINT64_C(1) << 1)
#define PERF_ATTR_PINNED		   (UINT64_C(1) << 2)
#define PERF_ATTR_EXCLUSIVE		   (UINT64_C(1) << 3)
#define PERF_ATTR_EXCLUDE_USER		   (UINT64_C(1) << 4)
#define PERF_ATTR_EXCLUDE_KERNEL	   (UINT64_C(1) << 5)
#define PERF_ATTR_EXCLUDE_HV		   (UINT64_C(1) << 6)
#define PERF_ATTR_EXCLUDE_IDLE		   (UINT64_C(1) << 7)
#define PERF_ATTR_MMAP			   (UINT64_C(1) << 8)
#define PERF_ATTR_COMM			   (UINT64_C(1) << 9)
#define PERF_ATTR_FREQ			   (UINT64_C(1) << 10)
#define PERF_ATTR_INHERIT_STAT		   (UINT64_C(1) << 11)
#define PERF_ATTR_ENABLE_ON_EXEC	   (UINT64_C(1) << 12)
#define PERF_ATTR_TASK			   (UINT64_C(1) << 13)
#define PERF_ATTR_WATERMARK		   (UINT64_C(1) << 14)
#define PERF_ATTR_PRECISE_IP_SHIFT	   15
#define PERF_ATTR_PRECISE_IP_MASK	   (UINT64_C(3) << 15)
#define PERF_ATTR_MMAP_DATA		   (UINT64_C(1) << 17)
#define PERF_ATTR_SAMPLE_ID_ALL		   (UINT64_C(1) << 18)
#define PERF_ATTR_EXCLUDE_HOST		   (UINT64_C(1) << 19)
#define PERF_ATTR_EXCLUDE_GUEST		   (UINT64_C(1) << 20)
#define PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL (UINT64_C(1) << 21)
#define PERF_ATTR_EXCLUDE_CALLCHAIN_USER   (UINT64_C(1) << 22)
#define PERF_ATTR_MMAP2			   (UINT64_C(1) << 23)
#define PERF_ATTR_COMM_EXEC		   (UINT64_C(1) << 24)
#define PERF_ATTR_USE_CLOCKID		   (UINT64_C(1) << 25)
#define PERF_ATTR_CONTEXT_SWITCH	   (UINT64_C(1) << 26)
#define PERF_ATTR_WRITE_BACKWARD	   (UINT64_C(1) << 27)
#define PERF_ATTR_NAMESPACES		   (UINT64_C(1) << 28)
#define PERF_ATTR_KSYMBOL		   (UINT64_C(1) << 29)
#define PERF_ATTR_BPF_EVENT		   (UINT64_C(1) << 30)
#define PERF_ATTR_AUX_OUTPUT		   (UINT64_C(1) << 31)
#define PERF_ATTR_CGROUP		   (UINT64_C(1) << 32)
#define PERF_ATTR_TEXT_POKE		   (UINT64_C(1) << 33)
#define PERF_ATTR_BUILD_ID		   (UINT64_C(1) << 34)
#define PERF_ATTR_INHERIT_THREAD	   (UINT64_C(1) << 35)
#define PERF_ATTR_REMOVE_ON_EXEC	   (UINT64_C(1) << 36)
#define PERF_ATTR_SIGTRAP		   (UINT64_C(1) << 37)
#define PERF_ATTR_DEFER_CALLCHAIN	   (UINT64_C(1) << 38)
#define PERF_ATTR_DEFER_OUTPUT		   (UINT64_C(1) << 39)

/* The actions of perf_attr.aux_action: what the event does to the hardware trace of its group. */
#define PERF_AUX_START_PAUSED (1U << 0)
#define PERF_AUX_PAUSE	      (1U << 1)
#define PERF_AUX_RESUME	      (1U << 2)

#define PERF_ATTR_SIZE_VER0 64	/* a size of 0 means this size */
#define PERF_ATTR_SIZE_VER7 128 /* the largest size that perf 6.1 accepts in a file */
#define PERF_ATTR_SIZE_VER9 144 /* the size in Linux 7.x */

/* The attr of an event, as in perf_event_open(2). */
struct perf_attr {
	uint32_t type;
	uint32_t size;
	uint64_t config;
	uint64_t sample_period; /* if PERF_ATTR_FREQ is set, this is the frequency in Hz
				 * (sample_freq) */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t flags;
	uint32_t wakeup_events; /* if PERF_ATTR_WATERMARK is set, this is a number of bytes
				 * (wakeup_watermark) */
	uint32_t bp_type;
	uint64_t config1; /* also bp_addr, uprobe_path or kprobe_func */
	uint64_t config2; /* also bp_len, probe_offset or kprobe_addr */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size;
	uint32_t aux_action;
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

PERF_STATIC_ASSERT(sizeof(struct perf_header) == 8, "record header");
PERF_STATIC_ASSERT(sizeof(struct perf_attr) == PERF_ATTR_SIZE_VER9, "attr");
PERF_STATIC_ASSERT(offsetof(struct perf_attr, flags) == 40, "attr.flags");
PERF_STATIC_ASSERT(offsetof(struct perf_attr, config1) == 56, "attr.config1");
PERF_STATIC_ASSERT(offsetof(struct perf_attr, sample_max_stack) == 108, "attr.sample_max_stack");
PERF_STATIC_ASSERT(offsetof(struct perf_attr, sig_data) == 120, "attr.sig_data");

/* A callchain entry is a context marker if it is at least PERF_CONTEXT_MAX. Otherwise, it is an
 * address. */
#define PERF_CONTEXT_HV		   ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL	   ((uint64_t)-128)
#define PERF_CONTEXT_USER	   ((uint64_t)-512)
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640) /* the next entry is a cookie */
#define PERF_CONTEXT_GUEST	   ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER	   ((uint64_t)-2560)
#define PERF_CONTEXT_MAX	   ((uint64_t)-4095)

/* perf's subtypes of EVENT_UPDATE. pkstream.h has the subtypes of pk. */
#define PERF_EVENT_UPDATE_UNIT	0
#define PERF_EVENT_UPDATE_SCALE 1
#define PERF_EVENT_UPDATE_NAME	2
#define PERF_EVENT_UPDATE_CPUS	3

/* The ids of features. */
enum perf_feature {
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_CPU_TOPOLOGY = 13,
	PERF_FEATURE_NUMA_TOPOLOGY = 14,
	PERF_FEATURE_BRANCH_STACK = 15,
	PERF_FEATURE_PMU_MAPPINGS = 16,
	PERF_FEATURE_GROUP_DESC = 17,
	PERF_FEATURE_AUXTRACE = 18,
	PERF_FEATURE_STAT = 19,
	PERF_FEATURE_CACHE = 20,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_MEM_TOPOLOGY = 22,
	PERF_FEATURE_CLOCKID = 23,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_FEATURE_BPF_PROG_INFO = 25,
	PERF_FEATURE_BPF_BTF = 26,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CPU_PMU_CAPS = 28,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_HYBRID_TOPOLOGY = 30,
	PERF_FEATURE_PMU_CAPS = 31,
	PERF_FEATURE_CPU_DOMAIN_INFO = 32,
	PERF_FEATURE_E_MACHINE = 33,
	PERF_FEATURE_CLN_SIZE = 34,
	PERF_FEATURE_MAX = 35,
};

/* ---- Records -----------------------------------------------------------------------------------
 */

/* Records as they are in memory, including their headers. The reader skips a record that is too
 * short for the fixed fields of its type and the NUL of its text. (For MMAP2, it compares with the
 * shorter form of RHEL 7. For SAMPLE, it checks no field.) Before a program uses later fields, it
 * must compare their end with header.size. */

/* The field TID of a SAMPLE, or of the trailer of another record. */
struct PERF_RECORD_TYPE perf_task {
	uint32_t pid, tid;
};

/* The start of the field RAW in the off-CPU samples of perf 6.16 and later. The callchain, which is
 * `count` words, follows. The last word is the id of the cgroup. */
struct PERF_RECORD_TYPE perf_off_cpu {
	struct perf_task task;
	uint64_t period; /* in ns */
	uint64_t count;
};

struct PERF_RECORD_TYPE perf_record_mmap {
	struct perf_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	char filename[];
};

struct PERF_RECORD_TYPE perf_record_mmap2 {
	struct perf_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	union {
		struct PERF_RECORD_TYPE {
			uint32_t maj, min;
			uint64_t ino, ino_generation;
		};
		struct PERF_RECORD_TYPE { /* these members are valid if
					   * PERF_RECORD_MISC_MMAP_BUILD_ID is set */
			uint8_t build_id_size, reserved_1, reserved_2[2];
			uint8_t build_id[20];
		};
	};
	uint32_t prot, flags;
	char filename[];
};

struct PERF_RECORD_TYPE perf_record_lost {
	struct perf_header header;
	uint64_t id, lost;
};

struct PERF_RECORD_TYPE perf_record_comm {
	struct perf_header header;
	uint32_t pid, tid;
	char comm[];
};

/* EXIT and FORK records. */
struct PERF_RECORD_TYPE perf_record_task {
	struct perf_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

/* THROTTLE and UNTHROTTLE records. */
struct PERF_RECORD_TYPE perf_record_throttle {
	struct perf_header header;
	uint64_t time, id, stream_id;
};

struct PERF_RECORD_TYPE perf_record_read {
	struct perf_header header;
	uint32_t pid, tid;
	uint64_t values[]; /* the values that the read_format of the attr selects */
};

struct PERF_RECORD_TYPE perf_record_aux {
	struct perf_header header;
	uint64_t aux_offset, aux_size, flags;
};

struct PERF_RECORD_TYPE perf_record_itrace_start {
	struct perf_header header;
	uint32_t pid, tid;
};

struct PERF_RECORD_TYPE perf_record_lost_samples {
	struct perf_header header;
	uint64_t lost;
};

struct PERF_RECORD_TYPE perf_record_switch_cpu_wide {
	struct perf_header header;
	uint32_t next_prev_pid, next_prev_tid;
};

struct PERF_RECORD_TYPE perf_namespace {
	uint64_t dev, ino;
};

struct PERF_RECORD_TYPE perf_record_namespaces {
	struct perf_header header;
	uint32_t pid, tid;
	uint64_t nr;
	struct perf_namespace namespaces[];
};

struct PERF_RECORD_TYPE perf_record_ksymbol {
	struct perf_header header;
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type, flags;
	char name[];
};

struct PERF_RECORD_TYPE perf_record_bpf_event {
	struct perf_header header;
	uint16_t type, flags;
	uint32_t id;
	uint8_t tag[8];
};

struct PERF_RECORD_TYPE perf_record_cgroup {
	struct perf_header header;
	uint64_t id;
	char path[];
};

struct PERF_RECORD_TYPE perf_record_text_poke {
	struct perf_header header;
	uint64_t addr;
	uint16_t old_len, new_len;
	uint8_t bytes[];
};

struct PERF_RECORD_TYPE perf_record_aux_output_hw_id {
	struct perf_header header;
	uint64_t hw_id;
};

struct PERF_RECORD_TYPE perf_record_callchain_deferred {
	struct perf_header header;
	uint64_t cookie, nr;
	uint64_t ips[];
};

/* The attr takes attr.size bytes in the record. This is at least PERF_ATTR_SIZE_VER0, and can be
 * more or less than sizeof(struct perf_attr). The ids follow the attr. */
struct PERF_RECORD_TYPE perf_record_header_attr {
	struct perf_header header;
	struct perf_attr attr;
};

struct PERF_RECORD_TYPE perf_record_event_type {
	struct perf_header header;
	uint64_t event_id;
	char name[];
};

struct PERF_RECORD_TYPE perf_record_tracing_data {
	struct perf_header header;
	uint32_t size; /* bytes of the payload that follows the record */
};

struct PERF_RECORD_TYPE perf_record_build_id {
	struct perf_header header;
	uint32_t pid;
	uint8_t build_id[20];
	uint8_t size; /* valid if PERF_RECORD_MISC_BUILD_ID_SIZE is set; otherwise the build-id has
		       * 20 bytes */
	uint8_t reserved[3];
	char filename[];
};

struct PERF_RECORD_TYPE perf_id_entry {
	uint64_t id, idx, cpu, tid;
};

struct PERF_RECORD_TYPE perf_record_id_index {
	struct perf_header header;
	uint64_t nr;
	struct perf_id_entry entries[];
};

struct PERF_RECORD_TYPE perf_record_auxtrace_info {
	struct perf_header header;
	uint32_t type, reserved;
	uint64_t priv[];
};

struct PERF_RECORD_TYPE perf_record_auxtrace {
	struct perf_header header;
	uint64_t size; /* bytes of the payload that follows the record */
	uint64_t offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

/* If fmt is 0, the record has no time, and the text starts at the offset of time. */
struct PERF_RECORD_TYPE perf_record_auxtrace_error {
	struct perf_header header;
	uint32_t type, code, cpu, pid, tid, fmt;
	uint64_t ip, time;
	char message[64];
	uint32_t machine_pid, vcpu; /* present if fmt is 2 */
};

struct PERF_RECORD_TYPE perf_thread_map_entry {
	uint64_t pid;
	char comm[16];
};

struct PERF_RECORD_TYPE perf_record_thread_map {
	struct perf_header header;
	uint64_t nr;
	struct perf_thread_map_entry entries[];
};

/* How a CPU_MAP, or an EVENT_UPDATE CPUS, encodes its set of CPUs. */
#define PERF_CPUS_LIST	0
#define PERF_CPUS_MASK	1
#define PERF_CPUS_RANGE 2

struct PERF_RECORD_TYPE perf_cpus_list {
	uint16_t type, nr;
	uint16_t cpu[];
};

/* A bitmap of nr words. Each word has long_size bytes, 4 or 8. */
struct PERF_RECORD_TYPE perf_cpus_mask {
	uint16_t type, nr, long_size;
	uint32_t words[];
};

struct PERF_RECORD_TYPE perf_cpus_mask64 {
	uint16_t type, nr, long_size;
	uint8_t reserved[4];
	uint64_t words[];
};

struct PERF_RECORD_TYPE perf_cpus_range {
	uint16_t type;
	uint8_t any_cpu, reserved;
	uint16_t first, last;
};

struct PERF_RECORD_TYPE perf_record_cpu_map {
	struct perf_header header;
	uint8_t cpus[]; /* a struct perf_cpus_list, perf_cpus_mask, perf_cpus_mask64 or
			 * perf_cpus_range */
};

struct PERF_RECORD_TYPE perf_stat_term {
	uint64_t tag, value;
};

struct PERF_RECORD_TYPE perf_record_stat_config {
	struct perf_header header;
	uint64_t nr;
	struct perf_stat_term terms[];
};

struct PERF_RECORD_TYPE perf_record_stat {
	struct perf_header header;
	uint64_t id;
	uint32_t cpu, thread;
	uint64_t value, enabled, running;
};

struct PERF_RECORD_TYPE perf_record_stat_round {
	struct perf_header header;
	uint64_t type, time;
};

struct PERF_RECORD_TYPE perf_record_event_update {
	struct perf_header header;
	uint64_t type, id;
	uint8_t data[];
};

struct PERF_RECORD_TYPE perf_record_time_conv {
	struct perf_header header;
	uint64_t time_shift, time_mult, time_zero;
};

/* The longer form of the TIME_CONV record. */
struct PERF_RECORD_TYPE perf_record_time_conv_long {
	struct perf_record_time_conv conv;
	uint64_t time_cycles, time_mask;
	uint8_t cap_user_time_zero, cap_user_time_short, reserved[6];
};

struct PERF_RECORD_TYPE perf_record_header_feature {
	struct perf_header header;
	uint64_t feat_id;
	uint8_t data[];
};

/* The content of the feature CLOCK_DATA. */
struct PERF_RECORD_TYPE perf_feature_clock_data {
	uint32_t version, clockid;
	uint64_t wall_ns, clockid_ns;
};

/* The content of the feature EVENT_DESC. `count` entries follow. Each entry is an attr of attr_size
 * bytes, a struct perf_event_desc_ids with the event's name, and the ids of the event as u64. */
struct PERF_RECORD_TYPE perf_feature_event_desc {
	uint32_t count, attr_size;
	uint8_t entries[];
};

struct PERF_RECORD_TYPE perf_event_desc_ids {
	uint32_t ids, name_size;
	char name[];
};

struct PERF_RECORD_TYPE perf_feature_sample_time {
	uint64_t first, last;
};

/* A range of a perf.data file. offset is in bytes from the header of the file. The feature AUXTRACE
 * has such entries, too. There, the entry is the place of an AUXTRACE record and its size without
 * the payload. */
struct PERF_RECORD_TYPE perf_file_section {
	uint64_t offset, size;
};

/* The header of a perf.data file (SPEC, appendix A). Each entry of the table of events is an attr
 * and a struct perf_file_section, which is the place of the event's ids. attr_size is the size of
 * such an entry. For each feature whose bit is set, a struct perf_file_section follows the data
 * section. */
struct PERF_RECORD_TYPE perf_file_header {
	uint64_t magic, size, attr_size;
	struct perf_file_section attrs, data, event_types;
	uint64_t features[4];
};

struct PERF_RECORD_TYPE perf_record_compressed2 {
	struct perf_header header;
	uint64_t data_size;
	uint8_t data[];
};

struct PERF_RECORD_TYPE perf_record_bpf_metadata {
	struct perf_header header;
	char program[512];
	uint64_t nr;
	uint8_t entries[]; /* each entry has two texts */
};

struct PERF_RECORD_TYPE perf_record_schedstat_cpu {
	struct perf_header header;
	uint64_t time;
	uint32_t cpu;
	uint16_t version;
	uint8_t reserved[2];
	uint32_t yld_count, array_exp; /* these fields and all later fields can be absent */
	uint32_t sched_count, sched_goidle, ttwu_count, ttwu_local;
	uint64_t rq_cpu_time, run_delay, pcount;
};

struct PERF_RECORD_TYPE perf_record_schedstat_domain {
	struct perf_header header;
	uint64_t time;
	uint32_t cpu;
	uint16_t version, domain;
	uint32_t counters[];
};

PERF_STATIC_ASSERT(sizeof(struct perf_record_mmap) == 40, "MMAP");
PERF_STATIC_ASSERT(sizeof(struct perf_record_mmap2) == 72, "MMAP2");
PERF_STATIC_ASSERT(sizeof(struct perf_record_lost) == 24, "LOST");
PERF_STATIC_ASSERT(sizeof(struct perf_record_comm) == 16, "COMM");
PERF_STATIC_ASSERT(sizeof(struct perf_record_task) == 32, "TASK");
PERF_STATIC_ASSERT(sizeof(struct perf_record_throttle) == 32, "THROTTLE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_read) == 16, "READ");
PERF_STATIC_ASSERT(sizeof(struct perf_record_aux) == 32, "AUX");
PERF_STATIC_ASSERT(sizeof(struct perf_record_itrace_start) == 16, "ITRACE_START");
PERF_STATIC_ASSERT(sizeof(struct perf_record_lost_samples) == 16, "LOST_SAMPLES");
PERF_STATIC_ASSERT(sizeof(struct perf_record_switch_cpu_wide) == 16, "SWITCH_CPU_WIDE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_namespaces) == 24, "NAMESPACES");
PERF_STATIC_ASSERT(sizeof(struct perf_record_ksymbol) == 24, "KSYMBOL");
PERF_STATIC_ASSERT(sizeof(struct perf_record_bpf_event) == 24, "BPF_EVENT");
PERF_STATIC_ASSERT(sizeof(struct perf_record_cgroup) == 16, "CGROUP");
PERF_STATIC_ASSERT(sizeof(struct perf_record_text_poke) == 20, "TEXT_POKE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_aux_output_hw_id) == 16, "AUX_OUTPUT_HW_ID");
PERF_STATIC_ASSERT(sizeof(struct perf_record_callchain_deferred) == 24, "CALLCHAIN_DEFERRED");
PERF_STATIC_ASSERT(sizeof(struct perf_record_header_attr) == 152, "HEADER_ATTR");
PERF_STATIC_ASSERT(sizeof(struct perf_record_event_type) == 16, "EVENT_TYPE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_tracing_data) == 12, "TRACING_DATA");
PERF_STATIC_ASSERT(sizeof(struct perf_record_build_id) == 36, "BUILD_ID");
PERF_STATIC_ASSERT(sizeof(struct perf_record_id_index) == 16, "ID_INDEX");
PERF_STATIC_ASSERT(sizeof(struct perf_record_auxtrace_info) == 16, "AUXTRACE_INFO");
PERF_STATIC_ASSERT(sizeof(struct perf_record_auxtrace) == 48, "AUXTRACE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_auxtrace_error) == 120, "AUXTRACE_ERROR");
PERF_STATIC_ASSERT(sizeof(struct perf_record_thread_map) == 16, "THREAD_MAP");
PERF_STATIC_ASSERT(sizeof(struct perf_record_cpu_map) == 8, "CPU_MAP");
PERF_STATIC_ASSERT(sizeof(struct perf_record_stat_config) == 16, "STAT_CONFIG");
PERF_STATIC_ASSERT(sizeof(struct perf_record_stat) == 48, "STAT");
PERF_STATIC_ASSERT(sizeof(struct perf_record_stat_round) == 24, "STAT_ROUND");
PERF_STATIC_ASSERT(sizeof(struct perf_record_event_update) == 24, "EVENT_UPDATE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_time_conv) == 32, "TIME_CONV");
PERF_STATIC_ASSERT(sizeof(struct perf_record_time_conv_long) == 56, "TIME_CONV_LONG");
PERF_STATIC_ASSERT(sizeof(struct perf_record_header_feature) == 16, "HEADER_FEATURE");
PERF_STATIC_ASSERT(sizeof(struct perf_record_compressed2) == 16, "COMPRESSED2");
PERF_STATIC_ASSERT(sizeof(struct perf_record_bpf_metadata) == 528, "BPF_METADATA");
PERF_STATIC_ASSERT(sizeof(struct perf_record_schedstat_cpu) == 72, "SCHEDSTAT_CPU");
PERF_STATIC_ASSERT(sizeof(struct perf_record_schedstat_domain) == 24, "SCHEDSTAT_DOMAIN");
PERF_STATIC_ASSERT(sizeof(struct perf_task) == 8, "TID");
PERF_STATIC_ASSERT(sizeof(struct perf_off_cpu) == 24, "RAW of off-CPU samples");
PERF_STATIC_ASSERT(sizeof(struct perf_thread_map_entry) == 24, "entry of THREAD_MAP");
PERF_STATIC_ASSERT(sizeof(struct perf_id_entry) == 32, "entry of ID_INDEX");
PERF_STATIC_ASSERT(sizeof(struct perf_stat_term) == 16, "term of STAT_CONFIG");
PERF_STATIC_ASSERT(sizeof(struct perf_file_header) == PERF_FILE_HEADER_SIZE, "header of a file");
PERF_STATIC_ASSERT(offsetof(struct perf_cpus_mask, words) == 6, "mask of CPUs");
PERF_STATIC_ASSERT(offsetof(struct perf_cpus_mask64, words) == 10, "mask of CPUs");
PERF_STATIC_ASSERT(sizeof(struct perf_cpus_range) == 8, "range of CPUs");

#endif
