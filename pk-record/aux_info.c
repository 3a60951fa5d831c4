// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aux_info.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "pmu.h"
#include "procfs.h"
#include "ring.h"
#include "trace_pmu.h"
#include "traces.h"
#include "vector.h"

/* The trace of a recording, and the numbers of its AUXTRACE_INFO record. */
struct trace_info {
	const struct event_list *events;
	const struct targets *targets;
	const struct options *options;
	const struct event *event; /* the first event that writes the trace */
	struct perf_record_time_conv_long conv;
	const char *sysfs;
	uint64_t *numbers;
	size_t count, capacity;
	bool failed; /* no memory */
};

static void add(struct trace_info *info, uint64_t number)
{
	if (info->failed ||
	    pk_reserve(&info->numbers, &info->capacity, info->count, 1, sizeof(number)) != PK_OK) {
		info->failed = true;
		return;
	}
	info->numbers[info->count++] = number;
}

static uint64_t number_of(const struct trace_info *info, const char *file, int base)
{
	return pk_trace_pmu_number(info->sysfs, info->event->pmu, file, base, 0, pk_lookups());
}

static uint64_t bits_of(const struct trace_info *info, const char *term)
{
	return pk_trace_pmu_bits(info->sysfs, info->event->pmu, term, pk_lookups());
}

/* ---- Time ---- */

/* Copies how the kernel calculates times from the counter of the processor. The kernel changes
 * page->lock before and after it changes these numbers. */
static void read_conversion(const struct perf_ring_page *page,
			    struct perf_record_time_conv_long *conv)
{
	uint32_t lock;

	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		conv->conv.time_shift = page->time_shift;
		conv->conv.time_mult = page->time_mult;
		conv->conv.time_zero = page->time_zero;
		conv->time_cycles = page->time_cycles;
		conv->time_mask = page->time_mask;
		conv->cap_user_time_zero = page->capabilities & PERF_CAP_USER_TIME_ZERO ? 1 : 0;
		conv->cap_user_time_short = page->capabilities & PERF_CAP_USER_TIME_SHORT ? 1 : 0;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (lock & 1 || lock != __atomic_load_n(&page->lock, __ATOMIC_RELAXED));
}

static void write_conversion(const struct perf_record_time_conv_long *from,
			     struct pk_writer *writer)
{
	struct perf_record_time_conv_long conv = *from;

	if (!conv.cap_user_time_zero)
		return;
	conv.conv.header = (struct perf_header){PERF_RECORD_TIME_CONV, 0, sizeof(conv)};
	pk_writer_record(writer, &conv, sizeof(conv));
}

/* ---- Intel PT ---- */

/* Who is in the records of context switches. */
enum { SWITCHES_OF_TASKS = 2, SWITCHES_OF_CPUS = 3 };

/* Adds the filter, whose size the previous number is. */
static void add_filter(struct trace_info *info)
{
	const char *filter = info->event->filter ? info->event->filter : "";
	const size_t size = strlen(filter);
	char bytes[8];

	add(info, size);
	for (size_t at = 0; size && at <= size; at += sizeof(bytes)) {
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, filter + at, size - at < sizeof(bytes) ? size - at : sizeof(bytes));
		add(info, pk_load_u64(bytes));
	}
}

/* Reads the ratio of two clocks, "N:D". Both are 0 if it is unknown. */
static void read_ratio(const struct trace_info *info, uint32_t *numerator, uint32_t *denominator)
{
	char text[64];

	*numerator = *denominator = 0;
	if (pk_pmu_read(info->sysfs, info->event->pmu, "tsc_art_ratio", text, sizeof(text),
			pk_lookups()) &&
	    sscanf(text, "%9u:%9u", numerator, denominator) != 2)
		*numerator = *denominator = 0;
}

static void fill_intel_pt(struct trace_info *info)
{
	const bool per_cpu = info->targets->cpus[0] >= 0;
	const bool timed = info->event->attr.config & bits_of(info, "tsc");
	uint32_t numerator, denominator;

	read_ratio(info, &numerator, &denominator);
	add(info, info->event->attr.type);
	add(info, info->conv.cap_user_time_zero ? info->conv.conv.time_shift : 0);
	add(info, info->conv.cap_user_time_zero ? info->conv.conv.time_mult : 0);
	add(info, info->conv.cap_user_time_zero ? info->conv.conv.time_zero : 0);
	add(info, info->conv.cap_user_time_zero);
	add(info, bits_of(info, "tsc"));
	add(info, bits_of(info, "noretcomp"));
	add(info, !timed || !per_cpu	       ? 0
		  : info->targets->system_wide ? SWITCHES_OF_CPUS
					       : SWITCHES_OF_TASKS);
	add(info, info->options->traces.snapshot);
	add(info, per_cpu);
	add(info, bits_of(info, "mtc"));
	add(info, bits_of(info, "mtc_period"));
	add(info, numerator);
	add(info, denominator);
	add(info, bits_of(info, "cyc"));
	add(info, number_of(info, "max_nonturbo_ratio", 10));
	add_filter(info);
	add(info, number_of(info, "caps/event_trace", 10));
}

/* ---- CPUs ---- */

/* Calls `each` for each CPU that an event of the recording can run on. Returns their number. */
static size_t each_cpu(struct trace_info *info, void (*each)(struct trace_info *info, int cpu))
{
	const struct targets *targets = info->targets;
	int *online = NULL;
	size_t count = 0, online_count = 0;
	char text[4096];

	if (targets->cpus[0] < 0) {
		if (!pk_procfs_read_line("/sys/devices/system/cpu/online", text, sizeof(text),
					 pk_lookups()) ||
		    pk_cpu_list_parse(text, &online, &online_count) != PK_OK)
			return 0;
		for (size_t i = 0; i < online_count && each; i++)
			each(info, online[i]);
		free(online);
		return online_count;
	}
	for (size_t i = 0; i < targets->cpus_count; i++) {
		if (!targets->chosen[i])
			continue;
		count++;
		if (each)
			each(info, targets->cpus[i]);
	}
	return count;
}

/* ---- Arm SPE ---- */

#define SPE_VERSION	2
#define SPE_HEAD_COUNT	4
#define SPE_CPU_MAGIC	UINT64_C(0x1010101010101010)
#define SPE_CPU_NUMBERS 4

/* Returns the model of a CPU, its register MIDR_EL1. */
static uint64_t model_of(int cpu)
{
	char path[128], text[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
		 cpu);
	return pk_procfs_read_line(path, text, sizeof(text), pk_lookups())
		       ? strtoull(text, NULL, 16)
		       : 0;
}

static const struct event *event_on(const struct trace_info *info, int cpu)
{
	for (size_t i = 0; i < info->events->count; i++) {
		const struct event *event = &info->events->items[i];

		if (event->trace && pk_event_has_cpu(event, cpu))
			return event;
	}
	return NULL;
}

static void fill_spe_cpu(struct trace_info *info, int cpu)
{
	const struct event *event = event_on(info, cpu);
	const char *pmu = event ? event->pmu : "";

	add(info, SPE_CPU_MAGIC);
	add(info, (uint64_t)cpu);
	add(info, SPE_CPU_NUMBERS);
	add(info, model_of(cpu));
	add(info, event ? event->attr.type : UINT64_MAX);
	add(info, pk_trace_pmu_number(info->sysfs, pmu, "caps/min_interval", 10, 0, pk_lookups()));
	add(info, pk_trace_pmu_number(info->sysfs, pmu, "caps/event_filter", 16, 0, pk_lookups()));
}

static void fill_spe(struct trace_info *info)
{
	add(info, SPE_VERSION);
	add(info, SPE_HEAD_COUNT);
	add(info, info->event->attr.type);
	add(info, each_cpu(info, NULL));
	each_cpu(info, fill_spe_cpu);
}

/* ---- CoreSight ---- */

/* With this version, AUX_OUTPUT_HW_ID records have the numbers of the trace units, and replace the
 * fixed numbers of older kernels. */
#define CORESIGHT_VERSION 2
#define MAGIC_ETMV3	  UINT64_C(0x3030303030303030)
#define MAGIC_ETMV4	  UINT64_C(0x4040404040404040)
#define MAGIC_ETE	  UINT64_C(0x5050505050505050)

static uint64_t read_register(const struct trace_info *info, int cpu, const char *file)
{
	uint64_t value = 0;

	pk_trace_pmu_register(info->sysfs, info->event->pmu, cpu, file, &value, pk_lookups());
	return value;
}

/* The file has a decimal number, which is -1 if the source of the time is unknown. */
static uint64_t time_source(const struct trace_info *info, int cpu)
{
	char file[64];

	snprintf(file, sizeof(file), "cpu%d/ts_source", cpu);
	return pk_trace_pmu_number(info->sysfs, info->event->pmu, file, 10, UINT64_MAX,
				   pk_lookups());
}

/* Returns the number of the trace unit of a CPU in older kernels. */
static uint64_t fixed_id(int cpu)
{
	return (uint64_t)(0x10 + cpu * 2) & 0x7f;
}

/* Converts the config of the event to the register TRCCONFIGR. */
static uint64_t configuration(uint64_t config)
{
	static const struct {
		unsigned int option;
		uint64_t bits;
	} options[] = {{8, 1 << 3},   {12, 1 << 4}, {14, 1 << 6}, {15, 1 << 7 | 1 << 15},
		       {28, 1 << 11}, {29, 1 << 12}};
	uint64_t value = 0;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (config >> options[i].option & 1)
			value |= options[i].bits;
	return value;
}

/* Returns true if the trace unit is an ETE, according to its register TRCDEVARCH. */
static bool is_ete(uint64_t architecture)
{
	return (architecture >> 12 & 0xf) >= 5 && (architecture & 0xfff) == 0xa13;
}

static void fill_etmv4(struct trace_info *info, int cpu)
{
	static const char *const files[] = {"trcidr/trcidr0", "trcidr/trcidr1", "trcidr/trcidr2",
					    "trcidr/trcidr8", "mgmt/trcauthstatus"};
	const uint64_t architecture = read_register(info, cpu, "mgmt/trcdevarch");
	const bool ete = is_ete(architecture);

	add(info, ete ? MAGIC_ETE : MAGIC_ETMV4);
	add(info, (uint64_t)cpu);
	add(info, ete ? 9 : 8);
	add(info, configuration(info->event->attr.config));
	add(info, fixed_id(cpu));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		add(info, read_register(info, cpu, files[i]));
	if (ete)
		add(info, architecture);
	add(info, time_source(info, cpu));
}

static void fill_etmv3(struct trace_info *info, int cpu)
{
	add(info, MAGIC_ETMV3);
	add(info, (uint64_t)cpu);
	add(info, 4);
	add(info, info->event->attr.config);
	add(info, fixed_id(cpu));
	add(info, read_register(info, cpu, "mgmt/etmccer"));
	add(info, read_register(info, cpu, "mgmt/etmidr"));
}

static void fill_etm(struct trace_info *info, int cpu)
{
	uint64_t value;

	if (pk_trace_pmu_register(info->sysfs, info->event->pmu, cpu, "trcidr/trcidr0", &value,
				  pk_lookups()))
		fill_etmv4(info, cpu);
	else
		fill_etmv3(info, cpu);
}

static void fill_coresight(struct trace_info *info)
{
	add(info, CORESIGHT_VERSION);
	add(info, (uint64_t)info->event->attr.type << 32 | each_cpu(info, NULL));
	add(info, info->options->traces.snapshot);
	each_cpu(info, fill_etm);
}

/* ---- Records ---- */

static void write_info(const struct trace_info *info, struct pk_writer *writer)
{
	const size_t bytes = info->count * sizeof(*info->numbers);
	const size_t size = sizeof(struct perf_record_auxtrace_info) + bytes;
	struct perf_record_auxtrace_info *record;

	if (info->failed || size > PERF_RECORD_SIZE_MAX) {
		pk_no_memory();
		return;
	}
	record = pk_writer_zeroed(writer, PERF_RECORD_AUXTRACE_INFO, 0, size);
	if (!record)
		return;
	record->type = info->event->trace;
	memcpy(record->priv, info->numbers, bytes);
}

void write_trace_info(const struct event_list *events, const struct targets *targets,
		      const struct options *options, const struct ring_list *rings,
		      struct pk_writer *writer)
{
	struct trace_info info = {.events = events,
				  .targets = targets,
				  .options = options,
				  .event = pk_event_list_trace(events),
				  .sysfs = pk_pmu_sysfs(events->sysfs)};

	if (!info.event)
		return;
	for (size_t i = 0; i < rings->count; i++) {
		if (!rings->items[i].page)
			continue;
		read_conversion(rings->items[i].page, &info.conv);
		break;
	}
	write_conversion(&info.conv, writer);
	switch (info.event->trace) {
	case PK_TRACE_INTEL_PT: fill_intel_pt(&info); break;
	case PK_TRACE_ARM_SPE: fill_spe(&info); break;
	default: fill_coresight(&info); break;
	}
	write_info(&info, writer);
	free(info.numbers);
}
