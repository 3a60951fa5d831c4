// SPDX-License-Identifier: BSD-2-Clause
#include "stream_internal.h"

/*
 * A feature's payload as a line of letters (SPEC 6): '4' and '8' numbers; 's' a string (u32 length,
 * bytes); 'l' a list of strings; '(' a u32 count, then what stands up to ')' so many times; '*' u64
 * numbers to the end. What is not named here holds nothing to swap, or is handled below.
 */
static const char *const payloads[PERF_FEATURE_MAX] = {
	[PERF_FEATURE_HOSTNAME] = "s",
	[PERF_FEATURE_OSRELEASE] = "s",
	[PERF_FEATURE_VERSION] = "s",
	[PERF_FEATURE_ARCH] = "s",
	[PERF_FEATURE_NRCPUS] = "44",
	[PERF_FEATURE_CPUDESC] = "s",
	[PERF_FEATURE_CPUID] = "s",
	[PERF_FEATURE_TOTAL_MEM] = "8",
	[PERF_FEATURE_CMDLINE] = "l",
	[PERF_FEATURE_NUMA_TOPOLOGY] = "(488s)",
	[PERF_FEATURE_PMU_MAPPINGS] = "(4s)",
	[PERF_FEATURE_GROUP_DESC] = "(s44)",
	[PERF_FEATURE_AUXTRACE] = "*",
	[PERF_FEATURE_CACHE] = "4(4444sss)",
	[PERF_FEATURE_SAMPLE_TIME] = "88",
	[PERF_FEATURE_MEM_TOPOLOGY] = "*",
	[PERF_FEATURE_CLOCKID] = "8",
	[PERF_FEATURE_DIR_FORMAT] = "8",
	[PERF_FEATURE_COMPRESSED] = "44444",
	[PERF_FEATURE_BPF_BTF] = "(4s)", /* id; size and data */
	[PERF_FEATURE_CPU_PMU_CAPS] = "(ss)",
	[PERF_FEATURE_CLOCK_DATA] = "4488",
	[PERF_FEATURE_HYBRID_TOPOLOGY] = "(ss)",
	[PERF_FEATURE_E_MACHINE] = "44",
	[PERF_FEATURE_CLN_SIZE] = "4",
};

struct walk {
	uint8_t *at, *end;
	bool overrun;
};

static uint32_t swap_u32(struct walk *walk)
{
	if (walk->end - walk->at < 4) {
		walk->overrun = true;
		return 0;
	}
	pk_swap_u32(walk->at);
	walk->at += 4;
	return pk_load_u32(walk->at - 4);
}

static void swap_u64(struct walk *walk)
{
	if (walk->end - walk->at < 8) {
		walk->overrun = true;
		return;
	}
	pk_swap_u64(walk->at);
	walk->at += 8;
}

static void swap_string(struct walk *walk)
{
	uint32_t size = swap_u32(walk);

	if (size > (size_t)(walk->end - walk->at))
		walk->overrun = true;
	else
		walk->at += size;
}

static void swap_list(struct walk *walk)
{
	uint32_t count = swap_u32(walk);

	while (count-- && !walk->overrun)
		swap_string(walk);
}

static void swap_letters(struct walk *walk, const char *letters, const char *end)
{
	for (; letters < end && !walk->overrun; letters++) {
		switch (*letters) {
		case '4': swap_u32(walk); break;
		case '8': swap_u64(walk); break;
		case 's': swap_string(walk); break;
		case 'l': swap_list(walk); break;
		case '*':
			while (!walk->overrun)
				swap_u64(walk);
			break;
		case '(': {
			const char *close = strchr(letters, ')');

			/* Each turn consumes something, so the record's size bounds them. */
			for (uint32_t n = swap_u32(walk); n && !walk->overrun; n--)
				swap_letters(walk, letters + 1, close);
			letters = close;
			break;
		}
		default: break;
		}
	}
}

/* u32 count, u32 size of an attr, then attr, u32 number of ids, string, ids each */
static void swap_event_desc(struct walk *walk)
{
	uint32_t count = swap_u32(walk), attr_size = swap_u32(walk);

	for (; count && !walk->overrun; count--) {
		uint32_t ids;

		if (attr_size > (size_t)(walk->end - walk->at) ||
		    !pk_swap_attr(walk->at, attr_size)) {
			walk->overrun = true;
			return;
		}
		walk->at += attr_size;
		ids = swap_u32(walk);
		swap_string(walk);
		while (ids-- && !walk->overrun)
			swap_u64(walk);
	}
}

/* Two lists, {u32 core, u32 socket} of each CPU, and perhaps a list of dies and {u32 die} of each
 * CPU. */
static void swap_cpu_topology(struct walk *walk, uint32_t cpus)
{
	swap_list(walk);
	swap_list(walk);
	for (uint32_t i = 0; i < cpus && !walk->overrun; i++)
		swap_letters(walk, "44", &"44"[2]);
	swap_list(walk);
	while (!walk->overrun)
		swap_u32(walk);
}

/* u32 number of PMUs, each: u32 number of caps, {name, value} each, and the PMU's name */
static void swap_pmu_caps(struct walk *walk)
{
	for (uint32_t pmus = swap_u32(walk); pmus && !walk->overrun; pmus--) {
		swap_letters(walk, "(ss)", &"(ss)"[4]);
		swap_string(walk);
	}
}

/* version, maximum, and each CPU: number, u32 count of domains {number, [name], mask, list} */
static void swap_domains(struct walk *walk)
{
	const char *domain = swap_u32(walk) >= 17 ? "4(4sss)" : "4(4ss)";

	swap_u32(walk);
	while (!walk->overrun)
		swap_letters(walk, domain, domain + strlen(domain));
}

enum pk_status pk_swap_feature(struct pk_events *events, uint64_t id, uint8_t *content, size_t size)
{
	struct walk walk = {content, content + size, false};

	if (!size || id >= PERF_FEATURE_MAX)
		return size ? PK_UNSUPPORTED : PK_OK;
	switch (id) {
	case PERF_FEATURE_EVENT_DESC: swap_event_desc(&walk); break;
	case PERF_FEATURE_CPU_TOPOLOGY: swap_cpu_topology(&walk, events->cpus_available); break;
	case PERF_FEATURE_PMU_CAPS: swap_pmu_caps(&walk); break;
	case PERF_FEATURE_CPU_DOMAIN_INFO: swap_domains(&walk); break;
	case PERF_FEATURE_BPF_PROG_INFO: /* none, or each a kernel struct of any version */
		return size >= 4 && !pk_load_u32(content) ? PK_OK : PK_UNSUPPORTED;
	default:
		if (payloads[id])
			swap_letters(&walk, payloads[id], payloads[id] + strlen(payloads[id]));
		break;
	}
	if (id == PERF_FEATURE_NRCPUS && !walk.overrun)
		events->cpus_available = pk_load_u32(content);
	return PK_OK;
}
